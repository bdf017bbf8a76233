import type { Wire } from '../../schema/wire/common.ts'
import type { RpcAnswer } from '../../schema/wire/mcp.ts'
import { idOf, type Message, parseMessage, readMessage } from './message.ts'
import { methodOf } from './methods.ts'
import { requireOrigin } from './origin.ts'
import { ProtocolError } from './protocol.ts'
import { versionKindOf } from './protocol-version.ts'
import type { Deps } from './send.ts'

/** The HTTP status of an answer, and its body. The answer to a notification has none. */
type Served = { status: 202; body?: undefined } | { status: 200 | 400 | 404; body: Wire<typeof RpcAnswer> }

/**
 * Serves one message of the Model Context Protocol, without any state.
 * @param read reads the body
 * @throws ApiError origin_refused, unsupported_media_type; token_invalid, session_revoked,
 *   dependency_unavailable
 */
export async function serve(deps: Deps, read: () => Promise<string>, headers: Headers): Promise<Served> {
  requireOrigin(headers)
  let id: Message['id']
  try {
    const value = await parseMessage(read)
    id = idOf(value)
    const message = readMessage(value)
    if (message.id === undefined) return { status: 202 }
    return { status: 200, body: answerView(id, { result: await resultOf(deps, message, headers) }) }
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    const { status, code, message, data } = error
    return { status, body: answerView(id, { error: { code, message, data } }) }
  }
}

function resultOf(deps: Deps, message: Message, headers: Headers) {
  const method = methodOf(versionKindOf(message, headers), message.method)
  return method(deps, message.params ?? {}, headers)
}

const answerView = (
  id: Message['id'],
  { result, error }: Partial<Wire<typeof RpcAnswer>>,
): Wire<typeof RpcAnswer> => ({ jsonrpc: '2.0', id, result, error })
