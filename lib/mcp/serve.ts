import type { Wire } from '../../schema/wire/common.ts'
import type { RpcAnswer } from '../../schema/wire/mcp.ts'
import type { Session } from '../auth/session/token.ts'
import { type Access, type Caller, type McpPath, readCaller, withMetadata } from './access.ts'
import { idOf, type Message, parseMessage, readMessage } from './message.ts'
import { methodOf } from './methods.ts'
import { requireOrigin } from './origin.ts'
import { ProtocolError } from './protocol.ts'
import { versionKindOf } from './protocol-version.ts'
import type { Deps } from './send.ts'

/** The dependencies of the server: of its tools, and to check and count requests. */
export type ServeDeps = Deps & {
  access: Access
  /**
   * Counts a request: by its session if it has a valid token, else by address.
   * @throws ApiError rate_limited
   */
  countCall: (session: Session | undefined) => Promise<void>
}

/** The HTTP status of an answer, and its body. The answer to a notification has none. */
type Served = { status: 202; body?: undefined } | { status: 200 | 400 | 404; body: Wire<typeof RpcAnswer> }

/** A request to one of the server's addresses; `read` reads its body. */
type McpRequest = { path: McpPath; headers: Headers; read: () => Promise<string>; now: Date }

/**
 * Serves one message of the Model Context Protocol, without any state.
 * @throws ApiError origin_refused, unsupported_media_type; token_missing, token_invalid, session_revoked,
 *   permission_missing, each with the URL of the metadata; dependency_unavailable
 */
export async function serve(deps: ServeDeps, request: McpRequest): Promise<Served> {
  requireOrigin(request.headers)
  try {
    return await answer(deps, request.read, await countedCaller(deps, request))
  } catch (error) {
    throw withMetadata(error, deps.access, request.path)
  }
}

/** Checks the token of a request, and counts the request. A refused token counts as none. */
async function countedCaller(deps: ServeDeps, request: McpRequest): Promise<Caller> {
  let caller: Caller
  try {
    caller = await readCaller(deps.access, request)
  } catch (error) {
    await deps.countCall(undefined)
    throw error
  }
  await deps.countCall(caller.session)
  return caller
}

async function answer(deps: Deps, read: () => Promise<string>, caller: Caller): Promise<Served> {
  let id: Message['id']
  try {
    const value = await parseMessage(read)
    id = idOf(value)
    const message = readMessage(value)
    if (message.id === undefined) return { status: 202 }
    return { status: 200, body: answerView(id, { result: await resultOf(deps, message, caller) }) }
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    const { status, code, message, data } = error
    return { status, body: answerView(id, { error: { code, message, data } }) }
  }
}

function resultOf(deps: Deps, message: Message, caller: Caller) {
  const method = methodOf(versionKindOf(message, caller.headers), message.method)
  return method(deps, message.params ?? {}, caller)
}

const answerView = (
  id: Message['id'],
  { result, error }: Partial<Wire<typeof RpcAnswer>>,
): Wire<typeof RpcAnswer> => ({ jsonrpc: '2.0', id, result, error })
