import { Refusal } from '../refusal.ts'
import { definitionOf } from './catalog.ts'
import { ProtocolError } from './protocol.ts'
import { type ApiRequest, apiRequest } from './request.ts'
import { failedResult, type ToolResult, toolResult } from './result.ts'
import { type Deps, send } from './send.ts'
import { tools } from './tools.ts'

/**
 * Calls a tool: one request to one Worker, with the caller's token. What the API declines is a result that
 * says so, a missing token too; only a bad token is refused, so that the client gets another.
 * @throws ProtocolError invalid_params for an unknown tool
 * @throws Refusal token_invalid, dependency_unavailable
 */
export async function callTool(
  deps: Deps,
  params: Record<string, unknown>,
  caller: Headers,
): Promise<ToolResult> {
  const { name, arguments: args = {} } = params
  const definition = definitionOf(name)
  const tool = definition && tools[definition.name]
  if (!tool) throw new ProtocolError('invalid_params', 'There is no such tool; tools/list names them.')
  if (!isObject(args)) throw new ProtocolError('invalid_params', 'arguments must be an object.')
  const request = requestOf(tool, definition, args)
  if (request instanceof Refusal) {
    const { code, message, details } = request
    return failedResult({ code, detail: message, errors: details.errors })
  }
  const answer = await send(deps, request, caller)
  if (answer.status === 401 && answer.body.code === 'token_invalid') {
    throw new Refusal('token_invalid', String(answer.body.detail), { challenge: { error: 'invalid_token' } })
  }
  return toolResult(definition, answer)
}

/** The request of a call, or why there is none: the model may mend its arguments. */
function requestOf(...call: Parameters<typeof apiRequest>): ApiRequest | Refusal {
  try {
    return apiRequest(...call)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
