import { useRef, useState } from 'preact/hooks'
import type { VaultTerms } from '../../../client/index.ts'
import { Disclosure } from '../../kit/disclosure.tsx'
import { TextField } from '../../kit/inputs.tsx'
import { Empty, Show } from '../../kit/loaded.tsx'
import { NeedsWallet, Page } from '../../kit/pages.tsx'
import { noneYet, useLoaded } from '../../kit/query.ts'
import { Steps } from '../../kit/steps.tsx'
import { Cred, Wallet } from '../../kit/text.tsx'
import { useTransaction } from '../../kit/transaction.tsx'
import { ofKinds } from '../../live/about.ts'
import { useConnection } from '../../wallet/connection.tsx'
import { Positions } from './positions.tsx'
import { StakeForm } from './stake.tsx'

/** The owner's stakes, and a form for another. */
export default function VaultView() {
  return (
    <Page
      title="Vault"
      lead="Lock CRED for a term and get its whole yield put beside it at once. Neither the service nor you alone can move it before the term ends."
    >
      <NeedsWallet why="Your stakes are kept under your wallet.">
        {(owner) => <Owner owner={owner} />}
      </NeedsWallet>
    </Page>
  )
}

function Owner({ owner }: { owner: string }) {
  const { client } = useConnection()
  const known = useRef<VaultTerms | undefined>(undefined)
  const { loaded, reload: readVault } = useLoaded(
    owner,
    async (signal) => {
      const [terms, vault] = await Promise.all([
        known.current ?? client.call('GET /vault/terms', { signal }),
        client.call('GET /vault', { query: { owner }, signal }).catch(noneYet),
      ])
      known.current = terms
      return { terms, vault }
    },
    ofKinds('vault'),
  )
  // What is told of the vault has it alone read anew.
  function reload() {
    known.current = undefined
    readVault()
  }
  return (
    <Show loaded={loaded} reload={reload}>
      {({ terms, vault }) => (
        <>
          {vault ? (
            <dl class="figures">
              <dt>Staked</dt>
              <dd>
                <Cred amount={vault.balances.cred} />
              </dd>
              <dt>Still locked</dt>
              <dd>
                <Cred amount={vault.balances.stacked} />
              </dd>
              <dt>Yield to claim</dt>
              <dd>
                <Cred amount={vault.balances.pendingYield} />
              </dd>
            </dl>
          ) : (
            <Empty title="You have not staked yet.">
              <p>Choose an amount and a term below; signing shows what it costs.</p>
            </Empty>
          )}
          {vault && <Positions positions={vault.positions} changed={reload} />}
          <StakeForm terms={terms.terms} changed={reload} />
          <Terms terms={terms} />
          {vault && <Leftovers />}
        </>
      )}
    </Show>
  )
}

/** Who holds a stake, and where its yield is paid from. */
const Terms = ({ terms }: { terms: VaultTerms }) => (
  <Disclosure summary="Who holds it, and what pays the yield">
    <p>
      A stake lies in an account of your own vault on the Token program. It moves when you and the service
      sign, or you and the recovery key, which is kept offline; the service alone can move nothing, and can’t
      change that. It can refuse to sign: then the recovery key is the way out.
    </p>
    <dl>
      <dt>Token</dt>
      <dd>
        <Wallet address={terms.mint} />
      </dd>
      <dt>The service’s key</dt>
      <dd>
        <Wallet address={terms.authority} />
      </dd>
      <dt>Recovery key</dt>
      <dd>
        <Wallet address={terms.recovery} />
      </dd>
      <dt>Yields come from</dt>
      <dd>
        <Wallet address={terms.treasury} />, which holds <Cred amount={terms.treasuryBalance} />
      </dd>
      <dt>Can mint more</dt>
      <dd>{terms.mintAuthority ? <Wallet address={terms.mintAuthority} /> : 'nobody'}</dd>
      <dt>Can freeze accounts</dt>
      <dd>{terms.freezeAuthority ? <Wallet address={terms.freezeAuthority} /> : 'nobody'}</dd>
    </dl>
  </Disclosure>
)

/** Closes the account of a withdrawn position that something was sent to: its rent and that come back. */
function Leftovers() {
  const { client } = useConnection()
  const closing = useTransaction('leftovers')
  const [text, setText] = useState('')
  const positionId = /^\d{1,9}$/.test(text.trim()) ? Number(text) : undefined
  return (
    <Disclosure summary="A withdrawal has left an account open">
      <p>
        Whoever sends tokens to the account of a position keeps its withdrawal from closing it. Its rent and
        what was sent are yours.
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (positionId !== undefined) closing.start((flow) => client.closeLeftovers({ positionId }, flow))
        }}
      >
        <TextField
          name="positionId"
          label="Number of the withdrawn position"
          hint="From 0, in the order in which you have staked"
          inputMode="numeric"
          value={text}
          change={setText}
        />
        <button type="submit" disabled={positionId === undefined || closing.isBusy}>
          Close its account
        </button>
      </form>
      <Steps {...closing} />
    </Disclosure>
  )
}
