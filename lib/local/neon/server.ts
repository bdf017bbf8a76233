import { neonConfig } from '@neondatabase/serverless'
import { connect, type Db } from '../../db/connect.ts'
import { serveOnLoopback } from '../loopback.ts'

/** A listening server. `close` lets running requests end first. */
export interface NeonServer {
  /** The URL for the driver's `neonConfig.fetchEndpoint`. */
  url: string
  close(): Promise<void>
}

/**
 * Serves the handler on 127.0.0.1 only, since any program that reaches the port may run any SQL.
 * @param port 0 chooses a free one
 * @throws Error that names the port if it is in use
 */
export async function serveNeon(
  handler: (request: Request) => Promise<Response>,
  port: number,
): Promise<NeonServer> {
  const { origin, close } = await serveOnLoopback('The Neon server', handler, port)
  return { url: `${origin}/sql`, close }
}

/** Returns the Workers' database client for a script, which sends every statement to this server. */
export function connectThrough(neonUrl: string): Db {
  neonConfig.fetchEndpoint = neonUrl
  // The server needs no password and serves one database; the driver requires a URL of this form.
  return connect('postgresql://agentcred:agentcred@db.agentcred.internal/agentcred')
}
