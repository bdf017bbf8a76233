import { answerChallenge, verifyWebhook, WebhookRefused } from '../client/index.ts'
import { type LoopbackServer, serveOnLoopback } from './loopback.ts'

/** The number of stored webhooks, of all agents together. They are lost when the platform stops. */
const MAX_ARRIVALS = 100

/** The largest body that the service sends. */
const MAX_BODY_CHARACTERS = 65_536

/** A webhook that has arrived. */
type Arrival = {
  /** The same for every delivery of the event. */
  id: string
  type: string
  receivedAt: string
  /** The original JSON. */
  body: string
}

// The console is on another port.
const CORS = { 'access-control-allow-origin': '*' }

type InboxOptions = {
  /** The public keys of webhook signatures (`whpk_…`). */
  keys: readonly string[]
  /** Unix milliseconds, on the clock of the signatures. */
  now: () => number
}

/** Serves the inbox on this machine. */
export const serveInbox = (options: InboxOptions, port: number): Promise<LoopbackServer> =>
  serveOnLoopback('The inbox', inboxHandler(options), port)

/**
 * Makes a webhook endpoint for developers who have none. POST to a path stores a signed event; GET of the
 * path lists its events, the newest first. It answers every request for a proof.
 */
export function inboxHandler({ keys, now }: InboxOptions): (request: Request) => Promise<Response> {
  let arrivals: (Arrival & { path: string })[] = []
  const receive = async (path: string, { headers, body }: { headers: Headers; body: string }) => {
    const verified = await verifyWebhook({ headers, body }, { keys }, { now: now() })
    const proof = await answerChallenge(verified)
    if (proof !== undefined) return new Response(proof)
    const { id, event } = verified
    const receivedAt = new Date(now()).toISOString()
    arrivals = [{ path, id, type: event.type, receivedAt, body }, ...arrivals].slice(0, MAX_ARRIVALS)
    return new Response(null, { status: 204 })
  }
  return async (request) => {
    const { pathname } = new URL(request.url)
    if (request.method === 'GET') {
      const here = arrivals.filter(({ path }) => path === pathname)
      return Response.json({ arrivals: here.map(({ path, ...arrival }) => arrival) }, { headers: CORS })
    }
    if (request.method !== 'POST') return new Response(null, { status: 405, headers: { allow: 'GET, POST' } })
    const body = await request.text()
    if (body.length > MAX_BODY_CHARACTERS) return new Response(null, { status: 413 })
    try {
      return await receive(pathname, { headers: request.headers, body })
    } catch (error) {
      if (error instanceof WebhookRefused) return new Response(error.message, { status: 401 })
      throw error
    }
  }
}
