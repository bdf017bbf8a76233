/** Longer than the Workers wait for an endpoint. */
const GIVEN_UP_AFTER_MS = 20_000

/** "Web server is down": on Cloudflare a Worker hears of that by this answer, not by a fetch that throws. */
const IS_DOWN = 521

/** Sends a Worker's request on if it is a webhook: whether its URL is allowed, the Worker has decided. */
export function sendWebhook(request: Request): Promise<Response> | undefined {
  if (!request.headers.has('webhook-id')) return undefined
  const signal = AbortSignal.timeout(GIVEN_UP_AFTER_MS)
  return fetch(request, { redirect: 'manual', signal }).catch(() => new Response(null, { status: IS_DOWN }))
}
