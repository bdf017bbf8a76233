import { textWithin } from '../body.ts'

/** The most that a call may ask for otherwise than by its defaults. */
type Limits = { timeoutMs?: number; maxBytes?: number }

/**
 * Posts one JSON-RPC 2.0 call and returns the parsed answer unchecked: a result, an error, or something else.
 * @throws Error when no JSON arrives in time, or more than 2 MiB (unless the call allows more); its message
 *   may hold the node's URL, and so an access key
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
  if (text === undefined) throw new Error(`${method} had an answer of too many bytes`)
  return JSON.parse(text)
}

/** How long a node may take to answer, unless the caller says otherwise. At the top esbuild inlines it. */
const RPC_TIMEOUT_MS = 5_000
/** A hundred accounts of 8 KiB in Base64 are 1.1 MB; strangers write what accounts and transactions hold. */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024
