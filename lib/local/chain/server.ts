import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { WebSocketServer } from 'ws'
import { isForeign } from '../foreign.ts'
import { forThisMachine } from '../loopback.ts'
import type { Chain } from './chain.ts'
import { answer } from './rpc/dispatch.ts'
import { serveSubscriptions } from './subscriptions.ts'

const HOST = '127.0.0.1'
const MAX_MESSAGE_BYTES = 64 * 1024
const FREE_PAIR_ATTEMPTS = 20

interface ChainServer {
  /** JSON-RPC over HTTP. Clients look for the WebSocket on the next port. */
  port: number
  url: string
  /** Ends all connections and frees both ports; the chain itself stays open. */
  close(): Promise<void>
}

/**
 * Serves a chain on 127.0.0.1: JSON-RPC on `port`, subscriptions on the next one, as validators do. Port 0
 * finds two free ones.
 * @throws Error that names the port in use
 */
export async function serveChain(chain: Chain, port: number): Promise<ChainServer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await listen(chain, port)
    } catch (error) {
      if (port !== 0 || attempt === FREE_PAIR_ATTEMPTS) throw error
    }
  }
}

async function listen(chain: Chain, wanted: number): Promise<ChainServer> {
  const http = createServer(
    forThisMachine(getRequestListener(chainHandler(chain), { overrideGlobalObjects: false })),
  )
  http.listen(wanted, HOST)
  await listening(http, wanted)
  const { port } = http.address() as AddressInfo
  const sockets = new WebSocketServer({
    host: HOST,
    port: port + 1,
    maxPayload: MAX_MESSAGE_BYTES,
    verifyClient: ({ req: { headers } }: { req: IncomingMessage }) =>
      !isForeign(headers.host, headers.origin),
  })
  sockets.on('connection', (socket) => serveSubscriptions(chain, socket))
  try {
    await listening(sockets, port + 1)
  } catch (error) {
    http.close()
    throw error
  }
  return {
    port,
    url: `http://${HOST}:${port}`,
    async close() {
      for (const socket of sockets.clients) socket.terminate()
      const closed = Promise.all([once(http, 'close'), once(sockets, 'close')])
      // Running calls still get their answers; open connections end when they are idle.
      const idle = setInterval(() => http.closeIdleConnections(), 10)
      http.close()
      sockets.close()
      await closed
      clearInterval(idle)
    },
  }
}

async function listening(server: Server | WebSocketServer, port: number): Promise<void> {
  await once(server, 'listening').catch((cause: NodeJS.ErrnoException) => {
    const why = cause.code === 'EADDRINUSE' ? 'is taken' : `cannot be used (${cause.code ?? cause.message})`
    throw new Error(`local chain: port ${port} on ${HOST} ${why}`, { cause })
  })
}

/** As a validator's --rpc-max-request-body-size. */
const MAX_BODY_BYTES = 50 * 1024

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST, GET, OPTIONS',
  'access-control-allow-headers': '*',
  'access-control-max-age': '86400',
}

/**
 * Makes the JSON-RPC node as a fetch handler, for a server or for Miniflare's outboundService, which needs no
 * port. It sends CORS headers, since wallets and pages of this machine call it from other ports.
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
