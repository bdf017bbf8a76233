import { PROBE_TOKEN } from '../liveness/robots.ts'

/** Longer than the Workers' limit for a webhook endpoint. */
const TIMEOUT_MS = 20_000

/** Returns whether a request probes an agent endpoint. */
export const isProbe = ({ headers }: Request): boolean =>
  headers.get('user-agent')?.startsWith(PROBE_TOKEN) ?? false

/** "Web server is down": the answer of Cloudflare to a Worker where Node's fetch throws. */
const IS_DOWN = 521

/** Forwards a Worker's request if it is a webhook or a probe. The Worker has already checked its URL. */
export function sendOut(request: Request): Promise<Response> | undefined {
  if (!request.headers.has('webhook-id') && !isProbe(request)) return undefined
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  return fetch(request, { redirect: 'manual', signal }).catch(() => new Response(null, { status: IS_DOWN }))
}
