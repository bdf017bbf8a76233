import type { Agent } from '../../../client/generated/types.ts'
import { Disclosure } from '../../kit/disclosure.tsx'
import { Show } from '../../kit/loaded.tsx'
import { fetchText, useLoaded } from '../../kit/query.ts'

/** The file name of an agent's card, by the protocol of its endpoint. */
const CARDS: Partial<Record<NonNullable<Agent['apiProtocol']>, string>> = {
  'a2a-jsonrpc': 'agent-card.json',
  'a2a-http': 'agent-card.json',
  mcp: 'mcp-server-card',
}

/** Shows the card by which other software finds the agent, if it has one. */
export function AgentCard({ agent: { id, status, apiProtocol } }: { agent: Agent }) {
  const name = apiProtocol && CARDS[apiProtocol]
  if (!name || status !== 'active') return null
  const path = `/v1/agents/${id}/${name}`
  return (
    <Disclosure summary="Published agent card">
      <p>
        <a href={path}>{location.origin + path}</a>
      </p>
      <CardText path={path} />
    </Disclosure>
  )
}

function CardText({ path }: { path: string }) {
  const { loaded, reload } = useLoaded(path, (signal) => fetchText(path, signal))
  return (
    <Show loaded={loaded} reload={reload}>
      {(text) =>
        text === undefined ? <p>No card is published.</p> : <pre class="message">{indented(text)}</pre>
      }
    </Show>
  )
}

const indented = (json: string): string => JSON.stringify(JSON.parse(json), null, 2)
