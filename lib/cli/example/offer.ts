import { type LoopbackServer, serveOnLoopback } from '../../local/loopback.ts'

/** The state of the example market. */
export type OfferState =
  | { state: 'offered' | 'taken' | 'made' | 'failed' }
  /** `day` of `days` are done. */
  | { state: 'filling'; day: number; days: number }

type Offer = {
  /** The console's origins. No other page may start the filling. */
  origins: () => readonly string[]
  current: () => Promise<OfferState>
  /** Begins to fill the market. */
  fill: () => void
}

/** Serves the offer on a free port of this machine, for the console. */
export const serveOffer = (offer: Offer): Promise<LoopbackServer> =>
  serveOnLoopback('The offer of an example market', offerHandler(offer), 0)

/** Answers GET with the state; POST fills an empty market. */
export function offerHandler({ origins, current, fill }: Offer): (request: Request) => Promise<Response> {
  let isBegun = false
  return async ({ method, headers }) => {
    const origin = headers.get('origin') ?? ''
    if (!origins().includes(origin)) return new Response(null, { status: 403 })
    if (method !== 'GET' && method !== 'POST') return new Response(null, { status: 405 })
    const found = await current()
    const isRefused = method === 'POST' && (found.state !== 'offered' || isBegun)
    if (method === 'POST' && !isRefused) {
      // Another request may have begun while the state was read.
      isBegun = true
      fill()
    }
    const status = isRefused ? 409 : 200
    return Response.json(found, { status, headers: { 'access-control-allow-origin': origin } })
  }
}
