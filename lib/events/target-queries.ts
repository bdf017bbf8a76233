import { and, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { webhookTargets } from '../../schema/tables/webhook-targets.ts'
import type { Builder } from '../db/builder.ts'
import { type Columns, hasRows, name, names } from '../db/columns.ts'
import { sha256HexOf } from '../db/hash.ts'

/*
 * What a target may be sent, as parts of the statements that lease deliveries and record what became of them.
 * Both lock in this order: deliveries, the target, its host (host-queries.ts); and decide by the locked row.
 */

const { wallet, urlHash, provenAt, isHealthy, failingSince, heldUntil, lastAttemptAt } = webhookTargets

/** Whether what is known is about the target of an endpoint: its wallet's exact URL, kept as a hash. */
export const isTargetOf = (hook: { wallet: SQLWrapper; url: SQLWrapper }): SQL =>
  sql`(${wallet} = ${hook.wallet} and ${urlHash} = ${sha256HexOf(hook.url)})`

/** Whether a target that has answered 2xx before fails now. */
export const isFailing: SQL<boolean> = sql<boolean>`(${provenAt} is not null and ${failingSince} is not null)`

/** Whether a target may be sent something. One that was never sent anything may, and has no row. */
export const isOpen = (at: SQLWrapper): SQL => sql`(${heldUntil} is null or ${heldUntil} <= ${at})`

/**
 * The CTE `gate` of the target of due deliveries; it has no row while that is held. One that was never
 * proven, or fails, is held from now on, so that nobody else attempts it meanwhile.
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
  },
) =>
  db.$with('gate', { isHealthy }).as(sql`
    insert into ${webhookTargets} (${names(wallet, urlHash, lastAttemptAt, heldUntil)})
    select ${due.wallet}, ${at.urlHash}, ${at.now}, ${at.unprovenUntil} from ${due} limit 1
    on conflict (${names(wallet, urlHash)}) do update set
      ${name(heldUntil)} = case when ${provenAt} is null then ${at.unprovenUntil}
        when ${failingSince} is not null then ${at.leaseEnd} end
    where ${isOpen(at.dueBefore)}
    returning ${isHealthy}`)

export type Gate = ReturnType<typeof passGate>

/**
 * The CTE `target`: notes what became of attempts at a target. It is proven by its first 2xx, healthy when
 * all were and came soon, and failing from the first run without any. It is held until then, or no more.
 */
export const noteResults = (
  db: Builder,
  {
    attempt,
    ...at
  }: {
    attempt: { _: { alias: string } }
    wallet: SQLWrapper
    urlHash: SQLWrapper
    succeeded: SQLWrapper
    isPrompt: SQLWrapper
    heldUntil: SQLWrapper
    leasedAt: SQLWrapper
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
        lastAttemptAt: sql`${at.leasedAt}`,
      })
      .where(and(sql`${wallet} = ${at.wallet}`, sql`${urlHash} = ${at.urlHash}`, hasRows(attempt)))
      .returning({ failingSince }),
  )
