import { formatCred } from '../../client/index.ts'
import { Button } from '../kit/button.tsx'
import { useAction } from '../kit/form.tsx'
import { Failure, Show } from '../kit/loaded.tsx'
import { useLoaded } from '../kit/query.ts'
import { ofKinds } from '../live/about.ts'
import { openLocalChain } from './local-chain.ts'

/** The page where visitors of this deployment get CRED, if it names one (lib/tools/description/console.ts). */
const FUNDING_URL = document.querySelector<HTMLMetaElement>('meta[name="funding-url"]')?.content

/**
 * A link to where the deployment's visitors get CRED. On the local platform also the wallet's balances, and
 * a button that adds to them. The API has no balances, and a deployment's page may call nothing else.
 */
export const Funds = ({ address }: { address: string }) => (
  <>
    {DEVELOPMENT && <LocalFunds address={address} />}
    {FUNDING_URL && (
      <a class="button" href={FUNDING_URL} target="_blank" rel="noreferrer">
        Get CRED
      </a>
    )}
  </>
)

function LocalFunds({ address }: { address: string }) {
  const { loaded, reload } = useLoaded(
    address,
    async (signal) => {
      const chain = await openLocalChain(signal)
      return chain && { chain, balances: await chain.balancesOf(address, signal) }
    },
    ofKinds('vault', 'budget', 'charge', 'credit'),
  )
  return (
    <Show loaded={loaded} reload={reload}>
      {(found) =>
        found && (
          <>
            <dl>
              <dt>CRED</dt>
              <dd class="amount">{formatCred(found.balances.cred)}</dd>
              <dt>SOL</dt>
              <dd class="amount">{formatCred(found.balances.sol)}</dd>
            </dl>
            <TestFunds
              add={async () => {
                await found.chain.addTestFunds(address)
                reload()
              }}
            />
          </>
        )
      }
    </Show>
  )
}

function TestFunds({ add }: { add: () => Promise<void> }) {
  const { isBusy, error, run } = useAction(add)
  return (
    <>
      <Button isBusy={isBusy} onClick={run}>
        Get test funds
      </Button>
      {error && <Failure error={error} />}
    </>
  )
}
