import { type Answer, type AskDeps, ask, MAX_BODY_BYTES } from './ask.ts'
import { isSuccess, outcomeOf } from './outcome.ts'
import type { Outcome } from './probe-state.ts'
import { PROBE_TOKEN } from './robots.ts'

const CLIENT = { name: PROBE_TOKEN, version: '1' }
/** The stateless protocol version. */
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
const VERSIONED = { 'mcp-protocol-version': VERSION, 'mcp-method': DISCOVER.method }
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: OLD_VERSION, capabilities: {}, clientInfo: CLIENT },
}

/** Probes an MCP server (streamable HTTP) by server/discover, and an older server by initialize. */
export async function probeMcp(deps: AskDeps, url: string): Promise<Outcome> {
  const discovered = await send(deps, url, DISCOVER, VERSIONED)
  if (hasResult(discovered)) return outcomeOf(discovered, deps.clock())
  if (discovered && isModernError(discovered))
    return { kind: 'live', latencyMs: discovered.latencyMs, isAuthRequired: false }
  // Final, unless it can be the answer of an older server.
  if (discovered === undefined || !isOfBefore(discovered.status)) return outcomeOf(discovered, deps.clock())
  const initialized = await send(deps, url, INITIALIZE)
  const session = initialized?.headers.get('mcp-session-id')
  if (session) await ask(deps, url, { method: 'DELETE', headers: { 'mcp-session-id': session } })
  if (initialized !== undefined && isSuccess(initialized.status) && !hasResult(initialized))
    return { kind: 'failed' }
  return outcomeOf(initialized, deps.clock())
}

/**
 * Checks whether an older server may have answered. Unknown methods, versions or headers get 200, 400, 404
 * or the like, with any text; some servers fail.
 */
const isOfBefore = (status: number): boolean =>
  isSuccess(status) || [400, 404, 406, 409, 415, 422, 500, 501].includes(status)

/** Errors for headers that differ from the body, a missing capability, an unsupported version. */
const MODERN_ERRORS = [-32_020, -32_021, -32_022]

/**
 * Only a server of the stateless revisions answers with these: of a later one, too. A stream has begun with
 * 200 before its error is known. With 500 the server itself has failed.
 */
const isModernError = ({ status, text }: Answer): boolean =>
  isOfBefore(status) &&
  status < 500 &&
  messagesIn(text ?? '').some(({ error }) => MODERN_ERRORS.includes(Object(error).code))

/** Sends a message. `initialize` has no version header, because none is negotiated yet. */
const send = (deps: AskDeps, url: string, message: object, headers: Record<string, string> = {}) =>
  ask(deps, url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify(message),
    // Cut off, because the status of an error counts even if its body is long or not text.
    read: {
      maxBytes: MAX_BODY_BYTES,
      cut: true,
      isLast: (line) => isEvent(line) && messagesIn(line).some(isResponse),
    },
  })

const hasResult = (answer: Answer | undefined): boolean =>
  answer !== undefined && isSuccess(answer.status) && hasResultIn(answer.text ?? '')

const EVENT_DATA = 'data:'

const isEvent = (line: string): boolean => line.startsWith(EVENT_DATA)

/** Whether the answer to a request has a result. */
const hasResultIn = (text: string): boolean => messagesIn(text).some(({ result }) => isObject(result))

const isResponse = ({ result, error }: Message): boolean => isObject(result) || isObject(error)

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null

/** Parses the messages of an answer: JSON or a stream of events. */
function messagesIn(text: string): Message[] {
  const events = text.split('\n').filter(isEvent)
  return (events.length === 0 ? [text] : events.map((line) => line.slice(EVENT_DATA.length))).map(parsed)
}

type Message = { result?: unknown; error?: unknown }

function parsed(json: string): Message {
  try {
    return Object(JSON.parse(json))
  } catch {
    return {}
  }
}
