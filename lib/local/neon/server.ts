import { once } from 'node:events'
import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'

/** A listening endpoint. `close` lets running requests end first. */
export interface NeonServer {
  /** What to give the driver as `neonConfig.fetchEndpoint`. */
  url: string
  close(): Promise<void>
}

/**
 * Serves the handler on 127.0.0.1 only: whoever reaches the port may run any SQL.
 * @param port 0 picks a free one
 * @throws {Error} the port is taken; the message names it
 */
export async function serveNeon(
  handler: (request: Request) => Promise<Response>,
  port: number,
): Promise<NeonServer> {
  const server = createServer(getRequestListener(handler, { overrideGlobalObjects: false }))
  // Clients end idle connections. By the server's own limit one could end just as a statement is sent on it.
  server.keepAliveTimeout = 0
  server.listen(port, '127.0.0.1')
  await once(server, 'listening').catch((cause) => {
    throw new Error(`The Neon endpoint cannot listen on port ${port}: ${cause.code ?? cause}`, { cause })
  })
  const address = server.address()
  const actual = typeof address === 'object' && address ? address.port : port
  return {
    url: `http://127.0.0.1:${actual}/sql`,
    close: async () => {
      server.close()
      await once(server, 'close')
    },
  }
}
