import { Empty, Show } from '../kit/loaded.tsx'
import { NeedsWallet, Page } from '../kit/pages.tsx'
import { noneYet, useLoaded } from '../kit/query.ts'
import { Cred } from '../kit/text.tsx'
import { useConnection } from '../wallet/connection.tsx'
import { Leftovers } from './vault-leftovers.tsx'
import { Positions } from './vault-positions.tsx'
import { StakeForm } from './vault-stake.tsx'
import { Terms } from './vault-terms.tsx'

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
  const { loaded, reload } = useLoaded(owner, async (signal) => {
    const [terms, vault] = await Promise.all([
      client.call('GET /vault/terms', { signal }),
      client.call('GET /vault', { query: { owner }, signal }).catch(noneYet),
    ])
    return { terms, vault }
  })
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
