import { and, asc, eq, inArray, isNull, lte, sql } from 'drizzle-orm'
import { text } from 'drizzle-orm/pg-core'
import { agentEndpoints, probedHosts } from '../../schema/tables/agent-endpoints.ts'
import { hostQueues } from '../../schema/values.ts'
import { computed, recordset } from '../db/columns.ts'
import type { Db } from '../db/connect.ts'
import { read, statement } from '../db/statement.ts'

const { urlHash, protocol, url, number, host } = agentEndpoints

/** A named endpoint whose URL no job run has parsed yet. */
type NewEndpoint = Pick<typeof agentEndpoints.$inferSelect, 'urlHash' | 'protocol' | 'url'>

const newEndpoints = read({ limit: 'integer' }, (db, $) =>
  db
    .select({ urlHash, protocol, url })
    .from(agentEndpoints)
    .where(isNull(host))
    .orderBy(asc(number))
    .limit($.limit),
)

/** Reads up to `limit` newly named endpoints, oldest first. */
export const selectNewEndpoints = (db: Db, limit: number): Promise<NewEndpoint[]> =>
  newEndpoints.run(db, { limit })

/** The host of an endpoint; empty if its URL may not be probed. */
type Admitted = Pick<NewEndpoint, 'urlHash' | 'protocol'> & { host: string }

const admittedColumns = computed({ urlHash: text(), protocol: text(), host: text() })

const admission = statement({ endpoints: 'json', now: 'timestamptz' }, (db, $) => {
  const listed = db
    .$with('listed', admittedColumns)
    .as(sql`select * from ${recordset($.endpoints, admittedColumns)}`)
  // Lock in the same order as the triggers.
  const locked = db.$with('locked').as(
    db
      .select({ urlHash, protocol, host: listed.host })
      .from(agentEndpoints)
      .innerJoin(listed, and(eq(urlHash, listed.urlHash), sql`${protocol} = ${listed.protocol}`))
      .where(isNull(host))
      .orderBy(asc(urlHash), asc(protocol))
      .for('update', { of: agentEndpoints }),
  )
  const admitted = db.$with('admitted').as(
    db
      .update(agentEndpoints)
      .set({
        host: locked.host,
        nextProbeAt: sql`case when ${locked.host} <> '' then ${$.now} end`,
      })
      .from(locked)
      .where(and(eq(urlHash, locked.urlHash), eq(protocol, locked.protocol)))
      .returning({ host: agentEndpoints.host }),
  )
  return db
    .with(listed, locked, admitted)
    .insert(probedHosts)
    .select(sql`
    select distinct ${admitted.host}, 'first', null::timestamptz, ${$.now}, ${$.now}, false
    from ${admitted} where ${admitted.host} <> '' order by 1`)
    .onConflictDoUpdate({
      target: probedHosts.host,
      set: { nextTurnAt: sql`greatest(${probedHosts.freeAt}, ${$.now})` },
    })
})

/**
 * Enqueues endpoints at their hosts, to be probed as soon as the host is free. Waits for a concurrent
 * lease_host or record_probes of the host, then makes the host due.
 * @due looks at once, or when the host is free (its job run answers)
 */
export async function admitEndpoints(db: Db, endpoints: Admitted[], now: Date): Promise<void> {
  await admission.run(db, { endpoints, now })
}

/** A condition for the index of hosts by queue. */
const isInAnyQueue = inArray(probedHosts.queue, sql.raw(`('${hostQueues.join("','")}')`))

const idleDeletion = statement({ limit: 'integer', now: 'timestamptz' }, (db, $) =>
  db.delete(probedHosts).where(
    inArray(
      probedHosts.host,
      db
        .select({ host: probedHosts.host })
        .from(probedHosts)
        .where(and(isInAnyQueue, isNull(probedHosts.nextTurnAt), lte(probedHosts.freeAt, $.now)))
        .limit($.limit)
        .for('update', { skipLocked: true }),
    ),
  ),
)

/** Deletes up to `limit` hosts without due endpoints, whose last batch and its pause are over. */
export async function deleteIdleHosts(db: Db, limit: number, now: Date): Promise<number> {
  const { rowCount } = await idleDeletion.run(db, { limit, now })
  return rowCount
}
