/** Longer than the Workers wait for an endpoint. */
const GIVEN_UP_AFTER_MS = 20_000

/** Sends a Worker's request on if it is a webhook: whether its URL is allowed, the Worker has decided. */
export function sendWebhook(request: Request): Promise<Response> | undefined {
  if (!request.headers.has('webhook-id')) return undefined
  return fetch(request, { redirect: 'manual', signal: AbortSignal.timeout(GIVEN_UP_AFTER_MS) })
}
