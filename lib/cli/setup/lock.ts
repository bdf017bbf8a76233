import pg from 'pg'
import { verifiedUrl } from '../../migrations/postgres.ts'
import { CommandError } from './errors.ts'

/** A number of our own for the advisory lock. */
const LOCK = 7_238_110_246

/**
 * Works under a lock that excludes every other upgrade, setup, deployment and rotation of the same database,
 * on any machine. The lock belongs to a session: it ends with this process, however that ends.
 * @throws CommandError
 */
export async function alone<T>(url: string, work: () => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: verifiedUrl(url) })
  // Without a listener it would end the process.
  client.on('error', () => {})
  try {
    await client.connect().catch((cause) => {
      throw new CommandError('The database accepts no connections: check it in Neon’s console.', { cause })
    })
    const { rows } = await client.query<{ taken: boolean }>(`select pg_try_advisory_lock(${LOCK}) as taken`)
    if (!rows[0]?.taken)
      throw new CommandError(
        `Another upgrade, setup, deployment or rotation is running (${await holderOf(client)}): wait until it has ended, and run this again.`,
      )
    return await work()
  } finally {
    await client.end().catch(() => {})
  }
}

/** Names the session that holds the lock. Any login of the database can hold it, also one that leaked. */
async function holderOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ pid: number; usename: string }>(
    `select pid, usename from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and granted and classid::bigint * 4294967296 + objid::bigint = ${LOCK}
       and datname = current_database()`,
  )
  const [holder] = rows
  return holder ? `session ${holder.pid} of ${holder.usename}` : 'it has just ended'
}
