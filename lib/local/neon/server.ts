import { neonConfig } from '@neondatabase/serverless'
import { connect, type Db } from '../../db/connect.ts'
import { serveOnLoopback } from '../loopback.ts'

/** A listening server. `close` lets running requests end first. */
export interface NeonServer {
  /** What to give the driver as `neonConfig.fetchEndpoint`. */
  url: string
  close(): Promise<void>
}

/**
 * Serves the handler on 127.0.0.1 only: any program that reaches the port may run any SQL.
 * @param port 0 picks a free one
 * @throws Error that names the port when it is taken
 */
export async function serveNeon(
  handler: (request: Request) => Promise<Response>,
  port: number,
): Promise<NeonServer> {
  const { origin, close } = await serveOnLoopback('The Neon server', handler, port)
  return { url: `${origin}/sql`, close }
}

/** The Workers' database client, for a script: every statement goes to this server instead of Neon. */
export function connectThrough(neonUrl: string): Db {
  neonConfig.fetchEndpoint = neonUrl
  // The server asks for no password and serves one database; the driver wants a URL of this form.
  return connect('postgresql://agentcred:agentcred@db.agentcred.internal/agentcred')
}
