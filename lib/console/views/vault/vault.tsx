import { useRef, useState } from 'preact/hooks'
import type { VaultTerms } from '../../../client/index.ts'
import { Button } from '../../kit/button.tsx'
import { Disclosure } from '../../kit/disclosure.tsx'
import { TextField } from '../../kit/inputs.tsx'
import { Empty, Show } from '../../kit/loaded.tsx'
import { NeedsWallet, Page } from '../../kit/pages.tsx'
import { noneYet, useLoaded } from '../../kit/query.ts'
import { Steps } from '../../kit/steps.tsx'
import { Cred, RoundedCred, Wallet } from '../../kit/text.tsx'
import { useTransaction } from '../../kit/transaction.tsx'
import { ofKinds } from '../../live/about.ts'
import type { ViewProps } from '../../view-props.ts'
import { useConnection } from '../../wallet/connection.tsx'
import { Position } from './position.tsx'
import { Positions } from './positions.tsx'
import { StakeForm } from './stake.tsx'

/** The owner's stakes, and a form for another. */
export default function VaultView({ id }: ViewProps) {
  return (
    <Page
      title="Staking"
      lead="Lock CRED for a fixed period and earn yield. The full yield is set aside when you stake, and neither you nor the service alone can move it until the period ends."
    >
      <NeedsWallet why="Connect a wallet to see your stakes.">
        {(owner) => <Owner owner={owner} id={id} />}
      </NeedsWallet>
    </Page>
  )
}

function Owner({ owner, id }: { owner: string; id: string | undefined }) {
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
  // An event about the vault reloads only the vault.
  function reload() {
    known.current = undefined
    readVault()
  }
  return (
    <Show loaded={loaded} reload={reload}>
      {({ terms, vault }) =>
        id !== undefined ? (
          <Position position={vault?.positions.find((one) => String(one.id) === id)} onChanged={reload} />
        ) : (
          <>
            {vault ? (
              <dl class="figures">
                <dt>Staked</dt>
                <dd>
                  <Cred amount={vault.balances.cred} />
                </dd>
                <dt>Locked</dt>
                <dd>
                  <Cred amount={vault.balances.stacked} />
                </dd>
                <dt>Claimable yield</dt>
                <dd>
                  <RoundedCred amount={vault.balances.pendingYield} />
                </dd>
              </dl>
            ) : (
              <Empty title="You have not staked yet.">
                <p>Choose an amount and a lock period below. You see all costs before you sign.</p>
              </Empty>
            )}
            {vault && <Positions positions={vault.positions} onChanged={reload} />}
            <StakeForm terms={terms.terms} onChanged={reload} />
            <Terms terms={terms} />
            {vault && <CloseAccount />}
          </>
        )
      }
    </Show>
  )
}

/** Says who holds a stake, and what pays its yield. */
const Terms = ({ terms }: { terms: VaultTerms }) => (
  <Disclosure summary="Custody and source of yield">
    <p>
      Your stake is in a token account of your own vault. Moving it takes two signatures: yours and the
      service’s, or yours and the offline recovery key’s. The service alone can’t move your stake or change
      this rule. If the service refuses to sign, use the recovery key.
    </p>
    <dl>
      <dt>Token</dt>
      <dd>
        <Wallet address={terms.mint} />
      </dd>
      <dt>Service key</dt>
      <dd>
        <Wallet address={terms.authority} />
      </dd>
      <dt>Recovery key</dt>
      <dd>
        <Wallet address={terms.recovery} />
      </dd>
      <dt>Yield is paid from</dt>
      <dd>
        <Wallet address={terms.treasury} />, which holds <Cred amount={terms.treasuryBalance} />
      </dd>
      <dt>Can create more CRED</dt>
      <dd>{terms.mintAuthority ? <Wallet address={terms.mintAuthority} /> : 'nobody'}</dd>
      <dt>Can freeze CRED accounts</dt>
      <dd>{terms.freezeAuthority ? <Wallet address={terms.freezeAuthority} /> : 'nobody'}</dd>
    </dl>
  </Disclosure>
)

/** Closes the account of a withdrawn position that received something. Its rent and that sum come back. */
function CloseAccount() {
  const { client } = useConnection()
  const closing = useTransaction('leftovers')
  const [text, setText] = useState('')
  // The service counts from 0.
  const positionId = /^[1-9]\d{0,8}$/.test(text.trim()) ? Number(text) - 1 : undefined
  return (
    <Disclosure summary="Close an empty account">
      <p>
        The account of a withdrawn stake stays open if somebody sent tokens to it. Close it to get its rent
        and those tokens.
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (positionId !== undefined) closing.start((flow) => client.closeLeftovers({ positionId }, flow))
        }}
      >
        <TextField
          name="positionId"
          label="Stake number"
          hint="Your first stake is number 1, the next one is number 2"
          inputMode="numeric"
          value={text}
          change={setText}
        />
        <Button type="submit" isBusy={closing.isBusy} isDisabled={positionId === undefined}>
          Close account
        </Button>
      </form>
      <Steps {...closing} />
    </Disclosure>
  )
}
