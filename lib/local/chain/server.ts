import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { WebSocketServer } from 'ws'
import type { Chain } from './chain.ts'
import { chainHandler } from './handler.ts'
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
 * @throws Error naming the port that is taken
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
  const http = createAdaptorServer({ fetch: chainHandler(chain) }) as Server
  http.listen(wanted, HOST)
  await listening(http, wanted)
  const { port } = http.address() as AddressInfo
  const sockets = new WebSocketServer({ host: HOST, port: port + 1, maxPayload: MAX_MESSAGE_BYTES })
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
      // Calls that are under way are still answered; connections kept alive are ended as they fall idle.
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
