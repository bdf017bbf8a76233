import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { webhookHosts } from '../../../schema/tables/webhook-targets.ts'
import type { Builder } from '../../db/builder.ts'
import { type Columns, hasRows, name, names } from '../../db/columns.ts'
import type { Gate } from '../target-queries.ts'

/* What a host's minute holds, as parts of the statements that lease deliveries and record attempts. */

const { host, minute, attempts } = webhookHosts

/** The row that counts attempts at targets never proven, at whatever host. No host has a space in it. */
const ALL_HOSTS = sql`'all hosts'`

const usedIn = (now: SQLWrapper) => sql`case when ${minute} >= ${now} then ${attempts} else 0 end`

/** Takes `count` places in a minute, all or none: as an insert that returns a row if there are enough. */
const take = (
  source: SQL,
  at: { host: SQLWrapper; minute: SQLWrapper; count: SQLWrapper; limit: SQLWrapper },
): SQL => sql`
  insert into ${webhookHosts} (${names(host, minute, attempts)})
  select ${at.host}, ${at.minute}, ${at.count} from ${source}
  on conflict (${name(host)}) do update set ${name(minute)} = greatest(${minute}, ${at.minute}),
    ${name(attempts)} = ${usedIn(at.minute)} + excluded.${name(attempts)}
  where ${usedIn(at.minute)} + excluded.${name(attempts)} <= ${at.limit}
  returning ${host}`

/**
 * The CTE `slot`: takes a place in the host's minute for each due delivery. It has no row if there are too
 * few, and takes none for a target that is healthy: what fails of that is counted when it has.
 */
export const takeSlots = (
  db: Builder,
  {
    due,
    gate,
    ...at
  }: { due: Columns<object>; gate: Gate; host: SQLWrapper; minute: SQLWrapper; limit: SQLWrapper },
) =>
  db.$with('slot', { host }).as(
    take(sql`${gate} where not ${gate.isHealthy}`, {
      ...at,
      count: sql`(select count(*) from ${due})`,
    }),
  )

type Slot = ReturnType<typeof takeSlots>

/**
 * The CTE `share`: for a target never proven, whose host had a place, takes one among those of all hosts.
 * Nothing gives it back: it stands for an attempt, however that is answered.
 */
export const takeShare = (
  db: Builder,
  { slot, isProven, ...at }: { slot: Slot; isProven: SQL; minute: SQLWrapper; limit: SQLWrapper },
) =>
  db
    .$with('share', { host })
    .as(take(sql`${slot} where not ${isProven}`, { ...at, host: ALL_HOSTS, count: sql`1` }))

/** Whether the due deliveries may be sent. */
export const isGranted = ({
  gate,
  slot,
  share,
  isProven,
}: {
  gate: Gate
  slot: Slot
  share: ReturnType<typeof takeShare>
  isProven: SQL
}): SQL =>
  sql`(exists (select from ${gate} where ${gate.isHealthy}) or (${hasRows(slot)} and (${isProven} or ${hasRows(share)})))`

/**
 * The CTE `counted`: gives places back that were taken for what was answered 2xx (`change` below 0), or
 * counts what a healthy target has failed in (above 0), in the minute that it is about.
 */
export const settleSlots = (
  db: Builder,
  {
    attempt,
    ...at
  }: { attempt: { _: { alias: string } }; host: SQLWrapper; minute: SQLWrapper; change: SQLWrapper },
) =>
  db.$with('counted', { host }).as(sql`
    insert into ${webhookHosts} (${names(host, minute, attempts)})
    select ${at.host}, ${at.minute}, greatest(0, ${at.change}) where ${at.change} <> 0 and ${hasRows(attempt)}
    on conflict (${name(host)}) do update set ${name(minute)} = greatest(${minute}, ${at.minute}),
      ${name(attempts)} = greatest(0, ${usedIn(at.minute)} + ${at.change})
    where ${at.change} > 0 or ${minute} = ${at.minute}
    returning ${host}`)
