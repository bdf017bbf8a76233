import { textWithin } from '../body.ts'
import { injected } from '../injected.ts'

/** A node's time limit, unless the caller has another. */
const RPC_TIMEOUT_MS = injected('RPC_TIMEOUT_MS') ?? 5_000
/**
 * A hundred accounts of 8 KiB in Base64 are 1.1 MB. Strangers write the content of accounts and transactions.
 */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024

/** The limits of a call that differ from the defaults. */
type Limits = { timeoutMs?: number; maxBytes?: number }

/**
 * Posts one JSON-RPC 2.0 call, and returns the parsed but unchecked answer: a result, an error, or something
 * else.
 * @throws Error if no JSON arrives in time, or more than 2 MiB (unless the call allows more). The message may
 *   have the node's URL, and so an access key
 */
export async function postRpc(
  url: string,
  method: string,
  params: unknown[],
  { timeoutMs, maxBytes }: Limits = {},
): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(timeoutMs ?? RPC_TIMEOUT_MS),
  })
  const text = await textWithin(response, maxBytes ?? MAX_ANSWER_BYTES)
  if (text === undefined) throw new Error(`${method} had too large an answer`)
  return JSON.parse(text)
}
