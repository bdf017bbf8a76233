import { useState } from 'preact/hooks'
import { formatCred } from '../../client/index.ts'
import { useAction } from '../kit/action.ts'
import { Button } from '../kit/button.tsx'
import { Failure, Show } from '../kit/loaded.tsx'
import { useLoaded } from '../kit/query.ts'
import { LEFT_OUT } from '../left-out.ts'
import { ofKinds } from '../live/about.ts'
import { useConnection } from './connection.tsx'
import { openLocalChain } from './local-chain.ts'

/**
 * The page where visitors of this deployment get CRED, if it names one (lib/tools/description/console.ts).
 */
const FUNDING_URL = document.querySelector<HTMLMetaElement>('meta[name="funding-url"]')?.content

/** Events that change a wallet's balances. */
const MOVES = ofKinds('vault', 'budget', 'charge', 'credit')

/** The wallet's balances, and how to get more: test funds on the local platform, a page in a deployment. */
export const Funds = ({ address }: { address: string }) => (
  <>
    {DEVELOPMENT ? <LocalFunds address={address} /> : <OwnBalances />}
    {FUNDING_URL && (
      <a class="button" href={FUNDING_URL} target="_blank" rel="noreferrer">
        Get CRED
      </a>
    )}
  </>
)

/** What the API says; a wallet without a session is not asked to log in before it wants to. */
function OwnBalances() {
  const { session } = useConnection()
  const [isAsked, setAsked] = useState(session !== undefined)
  if (LEFT_OUT.includes('earnings')) return null
  return isAsked ? (
    <Read />
  ) : (
    <button type="button" onClick={() => setAsked(true)}>
      Log in to see balances
    </button>
  )
}

function Read() {
  const { client, address = '' } = useConnection()
  const { loaded, reload } = useLoaded(
    address,
    (signal) => client.call('GET /payments/balances', { signal }),
    MOVES,
  )
  return (
    <Show loaded={loaded} reload={reload}>
      {(balances) => <Amounts balances={balances} />}
    </Show>
  )
}

function LocalFunds({ address }: { address: string }) {
  const { loaded, reload } = useLoaded(
    address,
    async (signal) => {
      const chain = await openLocalChain(signal)
      return { chain, balances: await chain?.balancesOf(address, signal) }
    },
    MOVES,
  )
  return (
    <Show loaded={loaded} reload={reload}>
      {({ chain, balances }) =>
        chain && balances ? (
          <>
            <Amounts balances={balances} />
            <TestFunds
              add={async () => {
                await chain.addTestFunds(address)
                reload()
              }}
            />
          </>
        ) : (
          <OwnBalances />
        )
      }
    </Show>
  )
}

const Amounts = ({ balances: { cred, sol } }: { balances: { cred: bigint; sol: bigint } }) => (
  <dl>
    <dt>CRED</dt>
    <dd class="amount">{formatCred(cred)}</dd>
    <dt>SOL</dt>
    <dd class="amount">{formatCred(sol)}</dd>
  </dl>
)

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
