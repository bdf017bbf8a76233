import { type Answer, type AskDeps, ask, MAX_BODY_BYTES } from './ask.ts'
import { isSuccess, outcomeOf } from './outcome.ts'
import type { Outcome } from './probe-state.ts'
import { PROBE_TOKEN } from './robots.ts'

const CLIENT = { name: PROBE_TOKEN, version: '1' }
/** The stateless revision, and the last one before it. */
const VERSION = '2026-07-28'
const OLD_VERSION = '2025-11-25'

const META = 'io.modelcontextprotocol/'
const DISCOVER = {
  jsonrpc: '2.0',
  id: 1,
  method: 'server/discover',
  params: {
    _meta: {
      [`${META}protocolVersion`]: VERSION,
      [`${META}clientCapabilities`]: {},
      [`${META}clientInfo`]: CLIENT,
    },
  },
}
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: OLD_VERSION, capabilities: {}, clientInfo: CLIENT },
}

/** Looks at an MCP server (streamable HTTP): by server/discover, and for one of before by initialize. */
export async function probeMcp(deps: AskDeps, url: string): Promise<Outcome> {
  const discovered = await send(deps, url, DISCOVER, VERSION)
  if (hasResult(discovered)) return outcomeOf(discovered, deps.clock())
  // What is no answer of an MCP server of before is final.
  if (discovered === undefined || !isOfBefore(discovered.status)) return outcomeOf(discovered, deps.clock())
  const initialized = await send(deps, url, INITIALIZE, OLD_VERSION)
  const session = initialized?.headers.get('mcp-session-id')
  if (session) await ask(deps, url, { method: 'DELETE', headers: { 'mcp-session-id': session } })
  if (initialized !== undefined && isSuccess(initialized.status) && !hasResult(initialized))
    return { kind: 'failed' }
  return outcomeOf(initialized, deps.clock())
}

/**
 * A server that does not know the method, the version or the headers says so with 200, 400, 404 or the like.
 */
const isOfBefore = (status: number): boolean =>
  isSuccess(status) || [400, 404, 406, 415, 422, 501].includes(status)

const send = (deps: AskDeps, url: string, message: { method: string }, version: string) =>
  ask(deps, url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
      'mcp-method': message.method,
    },
    body: JSON.stringify(message),
    read: { maxBytes: MAX_BODY_BYTES, isLast: (line) => isEvent(line) && resultIn(line) !== undefined },
  })

const hasResult = (answer: Answer | undefined): boolean =>
  answer !== undefined && isSuccess(answer.status) && resultIn(answer.text ?? '') !== undefined

const EVENT_DATA = 'data:'

const isEvent = (line: string): boolean => line.startsWith(EVENT_DATA)

/** The result of a JSON-RPC answer, whether as JSON or as an event of a stream. */
function resultIn(text: string): object | undefined {
  const events = text.split('\n').filter(isEvent)
  for (const json of events.length === 0 ? [text] : events.map((line) => line.slice(EVENT_DATA.length))) {
    const result = parsed(json)?.result
    if (typeof result === 'object' && result !== null) return result
  }
  return undefined
}

function parsed(json: string): { result?: unknown } | undefined {
  try {
    return Object(JSON.parse(json))
  } catch {
    return undefined
  }
}
