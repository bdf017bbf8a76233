import { toJson } from '../../../http/json.ts'
import type { Chain } from '../chain.ts'
import { accountMethods } from './accounts.ts'
import { cheatMethods } from './cheats.ts'
import { RPC_CODE, RpcError } from './errors.ts'
import { historyMethods } from './history.ts'
import { networkMethods } from './network.ts'
import type { Method } from './params.ts'
import { submitMethods } from './submit.ts'
import { tokenMethods } from './tokens.ts'

/** A longer batch is refused. */
const MAX_BATCH = 100

export const methods: ReadonlyMap<string, Method> = new Map(
  Object.entries({
    ...networkMethods,
    ...accountMethods,
    ...tokenMethods,
    ...submitMethods,
    ...historyMethods,
    ...cheatMethods,
  }),
)

type Id = string | number | bigint | null

/**
 * Answers JSON-RPC 2.0 text with JSON-RPC 2.0 text: one request or a batch, which runs in order.
 * Notifications (requests without an id) run and get no answer. Returns null if there is nothing to answer.
 * Never throws.
 */
export async function answer(
  chain: Chain,
  text: string,
  known: ReadonlyMap<string, Method> = methods,
): Promise<string | null> {
  let request: unknown
  try {
    request = parseJson(text)
  } catch {
    return toJson(failed(null, new RpcError(RPC_CODE.parse, 'Parse error')))
  }
  if (!Array.isArray(request)) {
    const response = await answerOne(chain, request, known)
    return response && toJson(response)
  }
  if (request.length === 0 || request.length > MAX_BATCH)
    return toJson(failed(null, new RpcError(RPC_CODE.invalidRequest, 'Invalid request')))
  const responses: object[] = []
  for (const one of request) {
    const response = await answerOne(chain, one, known)
    if (response) responses.push(response)
  }
  return responses.length ? toJson(responses) : null
}

async function answerOne(chain: Chain, request: unknown, known: ReadonlyMap<string, Method>) {
  const call = readCall(request)
  if (!call) return failed(null, new RpcError(RPC_CODE.invalidRequest, 'Invalid request'))
  try {
    const run = known.get(call.method)
    if (!run) throw new RpcError(RPC_CODE.methodNotFound, 'Method not found')
    chain.ledger.advance(chain.clock.now())
    const result = await run(chain, call.params)
    return call.id === undefined ? null : { jsonrpc: '2.0', result, id: call.id }
  } catch (error) {
    return call.id === undefined ? null : failed(call.id, asRpcError(call.method, error))
  }
}

function readCall(
  request: unknown,
): { id: Id | undefined; method: string; params: readonly unknown[] } | null {
  if (typeof request !== 'object' || request === null || Array.isArray(request)) return null
  const { jsonrpc, id, method, params = [] }: Record<string, unknown> = { ...request }
  if (jsonrpc !== '2.0' || typeof method !== 'string') return null
  if (id !== undefined && id !== null && !['string', 'number', 'bigint'].includes(typeof id)) return null
  // Every Solana method takes its parameters by position.
  if (params !== null && !Array.isArray(params)) return null
  return { id: id as Id | undefined, method, params: params ?? [] }
}

function asRpcError(method: string, error: unknown): RpcError {
  if (error instanceof RpcError) return error
  console.error(`local chain: ${method}:`, error)
  return new RpcError(RPC_CODE.internal, 'Internal error')
}

function failed(id: Id, { code, message, data }: RpcError) {
  return { jsonrpc: '2.0', error: { code, message, ...(data !== undefined && { data }) }, id }
}

/** JSON with exact integers: lamports and token amounts are u64 and do not fit a JavaScript number. */

declare global {
  interface JSON {
    /** ES proposal "JSON.parse source text access", in V8 since 11.4; TypeScript's library lacks it. */
    parse(
      text: string,
      reviver: (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown,
    ): unknown
  }
}

/**
 * Parses JSON; an integer beyond 2^53 becomes a bigint instead of a rounded number.
 * @throws SyntaxError if the text is not JSON
 */
function parseJson(text: string): unknown {
  return JSON.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && source && /^-?\d+$/.test(source)
      ? BigInt(source)
      : value,
  )
}
