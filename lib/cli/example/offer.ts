import { type LoopbackServer, serveOnLoopback } from '../../local/loopback.ts'

/** How things stand with the example market. */
export type OfferState =
  | { state: 'offered' | 'taken' | 'made' | 'failed' }
  /** `day` of `days` are over. */
  | { state: 'filling'; day: number; days: number }

type Offer = {
  /** The console's origins: no other page may have the market filled. */
  origins: () => readonly string[]
  current: () => Promise<OfferState>
  /** Begins to fill the market. */
  fill: () => void
}

/** Serves the offer on a free port of this machine, for the console. */
export const serveOffer = (offer: Offer): Promise<LoopbackServer> =>
  serveOnLoopback('The offer of an example market', offerHandler(offer), 0)

/** Answers how things stand to GET, and has an empty market filled by POST. */
export function offerHandler({ origins, current, fill }: Offer): (request: Request) => Promise<Response> {
  let isBegun = false
  return async ({ method, headers }) => {
    const origin = headers.get('origin') ?? ''
    if (!origins().includes(origin)) return new Response(null, { status: 403 })
    if (method !== 'GET' && method !== 'POST') return new Response(null, { status: 405 })
    const found = await current()
    const isRefused = method === 'POST' && (found.state !== 'offered' || isBegun)
    if (method === 'POST' && !isRefused) {
      // While the state was read, another request may have been answered.
      isBegun = true
      fill()
    }
    const status = isRefused ? 409 : 200
    return Response.json(found, { status, headers: { 'access-control-allow-origin': origin } })
  }
}
