import { neonConfig } from '@neondatabase/serverless'
import { connect, type Db } from '../../db/connect.ts'

/** The Workers' database client, for a script: every statement goes to this server instead of Neon. */
export function connectThrough(neonUrl: string): Db {
  neonConfig.fetchEndpoint = neonUrl
  // The server asks for no password and serves one database; the driver wants a URL of this form.
  return connect('postgresql://agentcred:agentcred@db.agentcred.internal/agentcred')
}
