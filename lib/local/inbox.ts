import { answerChallenge, verifyWebhook, WebhookRefused } from '../client/index.ts'
import { type LoopbackServer, serveOnLoopback } from './loopback.ts'

/** How many webhooks it keeps, of all agents together; when the platform stops, they are gone. */
const KEPT = 100

/** As much as the service sends at most. */
const MAX_BODY_CHARACTERS = 65_536

/** A webhook that has arrived. */
type Arrival = {
  /** The same each time that the event is sent. */
  id: string
  type: string
  receivedAt: string
  /** JSON, as it was sent. */
  body: string
}

// The console is on another port.
const CORS = { 'access-control-allow-origin': '*' }

type InboxOptions = {
  /** The public keys that webhooks are signed by (`whpk_…`). */
  keys: readonly string[]
  /** Unix milliseconds, on the clock that they are signed by. */
  now: () => number
}

/** Serves the inbox on this machine. */
export const serveInbox = (options: InboxOptions, port: number): Promise<LoopbackServer> =>
  serveOnLoopback('The inbox', inboxHandler(options), port)

/**
 * A webhook endpoint for developers who have none: events sent to a path by POST, signed by the service, are
 * answered to GET of the same path, the newest first. It answers every request for a proof.
 */
export function inboxHandler({ keys, now }: InboxOptions): (request: Request) => Promise<Response> {
  let arrivals: (Arrival & { path: string })[] = []
  const receive = async (path: string, { headers, body }: { headers: Headers; body: string }) => {
    const verified = await verifyWebhook({ headers, body }, { keys }, { now: now() })
    const proof = await answerChallenge(verified)
    if (proof !== undefined) return new Response(proof)
    const { id, event } = verified
    const receivedAt = new Date(now()).toISOString()
    arrivals = [{ path, id, type: event.type, receivedAt, body }, ...arrivals].slice(0, KEPT)
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
