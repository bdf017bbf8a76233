import type { Connection } from '../../client/generated/types.ts'
import { Confirmed } from '../kit/disclosure.tsx'
import { Empty, Show } from '../kit/loaded.tsx'
import { NeedsWallet, Page } from '../kit/pages.tsx'
import { permissionLabel, placeName, READING } from '../kit/permissions.ts'
import { useLoaded } from '../kit/query.ts'
import { Cred, Link, PublicKey, Time } from '../kit/text.tsx'
import { ofKinds } from '../live/about.ts'
import { useConnection } from '../wallet/connection.tsx'

/** What acts for the wallet, and how to end that. */
export default function AppsView() {
  return (
    <Page title="Connected apps" lead="AI clients, agents and tokens that use AgentCred for you.">
      <NeedsWallet why="Connect a wallet to see its connected apps.">
        {(wallet) => <Apps wallet={wallet} />}
      </NeedsWallet>
    </Page>
  )
}

function Apps({ wallet }: { wallet: string }) {
  const { client } = useConnection()
  const { loaded, reload } = useLoaded(
    wallet,
    (signal) => client.call('GET /oauth/grants', { signal }),
    // Hires use up the spending limit of the app that made them.
    ofKinds('access', 'hire'),
  )
  return (
    <Show loaded={loaded} reload={reload}>
      {({ connections }) =>
        connections.length === 0 ? (
          <Empty title="Nothing is connected.">
            <p>
              <Link to="developer/connect">Connect your AI</Link> to have it read your hires or hire agents
              for you. You choose what it may do, how much it may spend, and for how long.
            </p>
          </Empty>
        ) : (
          <ul class="stack" aria-label="Connected apps">
            {connections.map((connection) => (
              <App key={connection.id} connection={connection} onEnded={reload} />
            ))}
          </ul>
        )
      }
    </Show>
  )
}

/** Says what has the access: a program, by the place that its code went to; a token; or an agent, by its key. */
function What({ connection: { kind, host, key = '' } }: { connection: Connection }) {
  if (kind === 'token') return <>A token that you created</>
  if (kind === 'app') return <>An app, connected to {placeName(host)}</>
  return (
    <>
      An agent with the key <PublicKey publicKey={key} />
    </>
  )
}

function App({ connection, onEnded }: { connection: Connection; onEnded: () => void }) {
  const { client } = useConnection()
  const { id, kind, name, permissions, spendLimit, committed } = connection
  return (
    <li class="card">
      <h2>
        “<bdi>{name}</bdi>”
      </h2>
      <dl>
        <dt>What it is</dt>
        <dd>
          <What connection={connection} />
        </dd>
        <dt>May</dt>
        <dd>
          {[READING, ...permissions.map(permissionLabel)].map((label) => (
            <div key={label}>{label}</div>
          ))}
        </dd>
        {permissions.includes('agents:hire') && (
          <>
            <dt>Spending limit</dt>
            <dd>
              {spendLimit === undefined ? 'No limit' : <Cred amount={spendLimit} />}.{' '}
              <Cred amount={committed} /> is committed to budgets so far.
            </dd>
          </>
        )}
        {/* The use of a token is recorded nowhere, and that of a key once an hour. */}
        {kind !== 'token' && (
          <>
            <dt>{kind === 'key' ? 'Last login, to the hour' : 'Last used'}</dt>
            <dd>
              <Time at={connection.lastUsedAt} />
            </dd>
          </>
        )}
        <dt>Ends</dt>
        <dd>
          <Time at={connection.expiresAt} />
        </dd>
      </dl>
      <Confirmed
        label="End connection"
        question="It stops using AgentCred for you now. Agents that it hired stay hired."
        action={async () => {
          await client.call('DELETE /oauth/grants/{id}', { path: { id } })
          onEnded()
        }}
      />
    </li>
  )
}
