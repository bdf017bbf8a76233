import { and, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { webhookHosts, webhookTargets } from '../../schema/tables/webhook-targets.ts'
import type { Builder } from '../db/builder.ts'
import { hasRows, name, names } from '../db/columns.ts'
import { sha256HexOf } from '../db/hash.ts'
import type { Columns } from '../outbox/queries.ts'

/*
 * What a target may be sent, as parts of the statements that lease deliveries and record what became of them.
 * Both lock in this order: deliveries, the target, its host; and decide by the locked row.
 */

const { wallet, urlHash, provenAt, isHealthy, failingSince, heldUntil, lastAttemptAt } = webhookTargets
const { host, minute, attempts } = webhookHosts

/** Whether what is known is about the target of an endpoint: its wallet's exact URL, kept as a hash. */
export const isTargetOf = (hook: { wallet: SQLWrapper; url: SQLWrapper }): SQL =>
  sql`(${wallet} = ${hook.wallet} and ${urlHash} = ${sha256HexOf(hook.url)})`

/** Whether a target that has answered 2xx before fails now. */
export const isFailing: SQL<boolean> = sql<boolean>`(${provenAt} is not null and ${failingSince} is not null)`

/** Whether a target may be sent something. One that was never sent anything may, and has no row. */
export const isOpen = (at: SQLWrapper): SQL => sql`(${heldUntil} is null or ${heldUntil} <= ${at})`

/**
 * The CTE `gate`: notes an attempt at the target of due deliveries; it has no row while that is held. One
 * that was never proven, or fails, is held from now on, so that nobody else attempts it meanwhile.
 */
export const passGate = (
  db: Builder,
  {
    due,
    ...at
  }: {
    due: Columns<{ wallet: unknown }>
    urlHash: SQLWrapper
    now: SQLWrapper
    dueBefore: SQLWrapper
    leaseEnd: SQLWrapper
    unprovenUntil: SQLWrapper
    gapBefore: SQLWrapper
  },
) =>
  db.$with('gate', { isHealthy }).as(sql`
    insert into ${webhookTargets} (${names(wallet, urlHash, lastAttemptAt, heldUntil)})
    select ${due.wallet}, ${at.urlHash}, ${at.now}, ${at.unprovenUntil} from ${due} limit 1
    on conflict (${names(wallet, urlHash)}) do update set ${name(lastAttemptAt)} = ${at.now},
      ${name(heldUntil)} = case when ${provenAt} is null then ${at.unprovenUntil}
        when ${failingSince} is not null then ${at.leaseEnd} end,
      ${name(failingSince)} = case when ${lastAttemptAt} > ${at.gapBefore} then ${failingSince} end
    where ${isOpen(at.dueBefore)}
    returning ${isHealthy}`)

type Gate = ReturnType<typeof passGate>

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
  }: {
    due: Columns<object>
    gate: Gate
    host: SQLWrapper
    minute: SQLWrapper
    limit: SQLWrapper
  },
) => {
  const used = sql`case when ${minute} >= ${at.minute} then ${attempts} else 0 end`
  return db.$with('slot', { host }).as(sql`
    insert into ${webhookHosts} (${names(host, minute, attempts)})
    select ${at.host}, ${at.minute}, (select count(*) from ${due}) from ${gate} where not ${gate.isHealthy}
    on conflict (${name(host)}) do update set ${name(minute)} = greatest(${minute}, ${at.minute}),
      ${name(attempts)} = ${used} + excluded.${name(attempts)}
    where ${used} + excluded.${name(attempts)} <= ${at.limit}
    returning ${host}`)
}

/** Whether the due deliveries may be sent. */
export const isGranted = (gate: Gate, slot: ReturnType<typeof takeSlots>): SQL =>
  sql`(${hasRows(slot)} or exists (select from ${gate} where ${gate.isHealthy}))`

/**
 * The CTE `target`: notes what became of attempts at a target. It is proven by its first 2xx, healthy when
 * all were and came soon, and failing from the first run without any. It is held until then, or no more.
 */
export const noteResults = (
  db: Builder,
  {
    recorded,
    ...at
  }: {
    recorded: { _: { alias: string } }
    wallet: SQLWrapper
    urlHash: SQLWrapper
    succeeded: SQLWrapper
    isPrompt: SQLWrapper
    heldUntil: SQLWrapper
    now: SQLWrapper
  },
) =>
  db.$with('target').as(
    db
      .update(webhookTargets)
      .set({
        provenAt: sql`coalesce(${provenAt}, case when ${at.succeeded} > 0 then ${at.now} end)`,
        isHealthy: sql`${at.isPrompt}`,
        failingSince: sql`case when ${at.succeeded} = 0 then coalesce(${failingSince}, ${at.now}) end`,
        heldUntil: sql`${at.heldUntil}`,
      })
      .where(and(sql`${wallet} = ${at.wallet}`, sql`${urlHash} = ${at.urlHash}`, hasRows(recorded)))
      .returning({ failingSince }),
  )

/**
 * The CTE `counted`: gives places back that were taken for what was answered 2xx (`change` below 0), or
 * counts what a healthy target has failed in (above 0), in the minute that it is about.
 */
export const settleSlots = (
  db: Builder,
  {
    recorded,
    ...at
  }: {
    recorded: { _: { alias: string } }
    host: SQLWrapper
    minute: SQLWrapper
    change: SQLWrapper
  },
) => {
  const used = sql`case when ${minute} >= ${at.minute} then ${attempts} else 0 end`
  return db.$with('counted', { host }).as(sql`
    insert into ${webhookHosts} (${names(host, minute, attempts)})
    select ${at.host}, ${at.minute}, greatest(0, ${at.change}) where ${at.change} <> 0 and ${hasRows(recorded)}
    on conflict (${name(host)}) do update set ${name(minute)} = greatest(${minute}, ${at.minute}),
      ${name(attempts)} = greatest(0, ${used} + ${at.change})
    where ${at.change} > 0 or ${minute} = ${at.minute}
    returning ${host}`)
}
