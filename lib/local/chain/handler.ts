import type { Chain } from './chain.ts'
import { answer } from './rpc/dispatch.ts'

/** As a validator's --rpc-max-request-body-size. */
const MAX_BODY_BYTES = 50 * 1024

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST, GET, OPTIONS',
  'access-control-allow-headers': '*',
  'access-control-max-age': '86400',
}

/**
 * Makes the JSON-RPC node as a fetch handler: for a server, or for miniflare's outboundService, where it
 * needs no port at all. Wallets call it from any web page, hence CORS for everyone.
 */
export function chainHandler(chain: Chain): (request: Request) => Promise<Response> {
  return async (request) => {
    if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: CORS })
    if (request.method === 'GET' && new URL(request.url).pathname === '/health')
      return new Response('ok', { headers: CORS })
    if (request.method !== 'POST')
      return plain(405, 'Used HTTP Method is not allowed. POST or OPTIONS is required', {
        allow: 'POST, OPTIONS',
      })
    if (Number(request.headers.get('content-length')) > MAX_BODY_BYTES) return plain(413, 'Payload too large')
    const body = await request.arrayBuffer()
    if (body.byteLength > MAX_BODY_BYTES) return plain(413, 'Payload too large')
    const text = await answer(chain, new TextDecoder().decode(body))
    if (text === null) return new Response(null, { status: 204, headers: CORS })
    return new Response(text, { headers: { ...CORS, 'content-type': 'application/json; charset=utf-8' } })
  }
}

function plain(status: number, text: string, headers: Record<string, string> = {}): Response {
  return new Response(`${text}\n`, { status, headers: { ...CORS, ...headers } })
}
