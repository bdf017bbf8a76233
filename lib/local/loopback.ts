import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { FOREIGN, isForeign } from './foreign.ts'

const FREE_PORT_ATTEMPTS = 5

/**
 * Starts a server that must know its port before it listens. For port 0 the system chooses a free one. If
 * another process takes that first, it tries again with another.
 */
export async function startOnPort<T>(wanted: number, start: (port: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start(wanted || (await freePort()))
    } catch (error) {
      if (wanted !== 0 || attempt === FREE_PORT_ATTEMPTS) throw error
    }
  }
}

/** Returns a free port of 127.0.0.1. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (typeof address !== 'object' || !address) throw new Error('the system returned no free port')
  return address.port
}

/** Refuses requests of other hosts and of their pages. */
export const forThisMachine =
  (listener: RequestListener): RequestListener =>
  (request, response) => {
    const { host, origin } = request.headers
    if (!isForeign(host, origin)) return listener(request, response)
    request.resume()
    response.writeHead(403, { 'content-type': 'text/plain' }).end(FOREIGN)
  }

type Handler = (request: Request) => Promise<Response>

/** A server for this machine only. `close` lets running requests end first. */
export interface LoopbackServer {
  /** Without a path. */
  origin: string
  close(): Promise<void>
}

/**
 * Serves a handler on 127.0.0.1, for programs and pages of this machine only.
 * @param name its name in the error
 * @param port 0 chooses a free one
 * @throws Error that names the port if it is in use
 */
export async function serveOnLoopback(name: string, handler: Handler, port: number): Promise<LoopbackServer> {
  const server = createServer(forThisMachine(getRequestListener(handler, { overrideGlobalObjects: false })))
  // Clients end idle connections. By the server's own limit one could end just as a request is sent on it.
  server.keepAliveTimeout = 0
  server.listen(port, '127.0.0.1')
  await once(server, 'listening').catch((cause) => {
    throw new Error(`${name} cannot listen on port ${port}: ${cause.code ?? cause}`, { cause })
  })
  const address = server.address()
  return {
    origin: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : port}`,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      // A browser keeps its connection when its answer has come.
      const idle = setInterval(() => server.closeIdleConnections(), 10)
      await closed
      clearInterval(idle)
    },
  }
}
