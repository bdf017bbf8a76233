/**
 * Posts one JSON-RPC 2.0 call and returns the parsed answer unchecked: a result, an error, or something else.
 * @throws Error when no JSON arrives in time; its message may hold the node's URL, and so an access key
 */
export async function postRpc(
  url: string,
  method: string,
  params: unknown[],
  timeoutMs?: number,
): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(timeoutMs ?? RPC_TIMEOUT_MS),
  })
  return response.json()
}

/** How long a node may take to answer, unless the caller says otherwise. At the top esbuild inlines it. */
const RPC_TIMEOUT_MS = 5_000
