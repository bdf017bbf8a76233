import { and, eq, inArray, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { text } from 'drizzle-orm/pg-core'
import { int64 } from '../../../schema/tables/columns.ts'
import { positions, vaultIntentLegs, vaultIntents, vaults } from '../../../schema/tables/vaults.ts'
import type { IntentStatus } from '../../../schema/values.ts'
import type { Builder } from '../../db/builder.ts'
import { computed, names } from '../../db/columns.ts'
import { type Parameters, statement } from '../../db/statement.ts'
import { endpointsDue, putInLine, recordEvents } from '../../events/outbox/queries.ts'
import { yieldClaimed } from '../event-queries.ts'
import { isUnsigned } from '../transactions/unsigned-queries.ts'

/*
 * Recording the outcome of an intent: what all outcomes share, a claim that was paid, and leftovers. Endings
 * without effect are in ending-queries.ts.
 */

export const resolution = { id: vaultIntents.id, now: vaultIntents.createdAt }

/** Which intents end how; `onlyIf` is a condition on the intent without which they do not. */
type Resolution = { from: IntentStatus[]; to: IntentStatus; reason?: SQL; onlyIf?: SQL | undefined }

/**
 * The guard of every statement, two CTEs: `before` locks the intent, `resolved` has its row once, for the
 * call that gives it its new status.
 */
export function resolve(
  db: Builder,
  $: Parameters<typeof resolution>,
  { from, to, reason = sql`null`, onlyIf }: Resolution,
) {
  const before = db
    .$with('before')
    .as(
      db
        .select({ id: vaultIntents.id, status: vaultIntents.status })
        .from(vaultIntents)
        .where(eq(vaultIntents.id, $.id))
        .for('update'),
    )
  const resolved = db.$with('resolved').as(
    db
      .update(vaultIntents)
      .set({ status: to, resolvedAt: $.now, reason })
      .from(before)
      .where(and(eq(vaultIntents.id, before.id), inArray(before.status, from), onlyIf))
      .returning({
        id: vaultIntents.id,
        owner: vaultIntents.owner,
        kind: vaultIntents.kind,
        generation: vaultIntents.generation,
        lockDays: vaultIntents.lockDays,
        apyBps: vaultIntents.apyBps,
        stakedAt: vaultIntents.stakedAt,
        createdAt: vaultIntents.createdAt,
        yield: vaultIntents.yield,
        yieldDay: vaultIntents.yieldDay,
        signing: vaultIntents.signing,
        statusBefore: sql<IntentStatus>`${before.status}`.as('status_before'),
        stacksBefore: stacksHeld(before.status).as('stacks_before'),
      }),
  )
  return { before, resolved }
}

/** How many of its owner's open stacks an intent counted as, which those do that are signed. */
const stacksHeld = (statusBefore: SQLWrapper) => sql<number>`(case
  when ${statusBefore} = 'open' and ${vaultIntents.kind} in ('stack', 'open_vault') and not ${isUnsigned}
  then 1 else 0 end)`

const seenBalances = computed({ address: text().notNull(), balance: int64('balance').notNull() })

/** Records what a claim has paid, frees its positions, and keeps what they were seen to hold. */
export const claimPaid = statement(
  { ...resolution, slot: positions.seenSlot, addresses: 'text[]', balances: 'bigint[]' },
  (db, $) => {
    const { before, resolved } = resolve(db, $, { from: ['open'], to: 'landed' })
    const { address, balance } = seenBalances
    const seen = db.$with('seen', seenBalances).as(sql`
      select * from unnest(${$.addresses}, ${$.balances}) as seen (${names(address, balance)})`)
    const paid = db.$with('paid').as(
      db
        .update(positions)
        .set({
          claimed: sql`${positions.claimed} + ${vaultIntentLegs.amount}`,
          openClaim: null,
          // After an early payout what the claim does not explain has to be seen as the next one.
          escrowed: sql`case when ${positions.early} = 'confirmed'
            then greatest(${seen.balance}, ${positions.escrowed} - ${vaultIntentLegs.amount})
            else ${seen.balance} end`,
          seenSlot: $.slot,
        })
        .from(resolved)
        .innerJoin(vaultIntentLegs, eq(vaultIntentLegs.intentId, resolved.id))
        .innerJoin(seen, eq(seen.address, vaultIntentLegs.address))
        .where(eq(positions.address, vaultIntentLegs.address))
        .returning({
          owner: positions.owner,
          id: positions.id,
          amount: vaultIntentLegs.amount,
          intentId: vaultIntentLegs.intentId,
        }),
    )
    const event = recordEvents(db, $.now, [yieldClaimed(db, $.now, paid)])
    const delivery = putInLine(db, $.now, event)
    return db
      .with(before, resolved, seen, paid, event, delivery)
      .select({ due: endpointsDue(delivery) })
      .from(event)
  },
)

/** Records that the owner's vault stands. */
export const openingLanded = statement(resolution, (db, $) => {
  const { before, resolved } = resolve(db, $, { from: ['open'], to: 'landed' })
  return db
    .with(before, resolved)
    .update(vaults)
    .set({ openStacks: sql`${vaults.openStacks} - ${resolved.stacksBefore}` })
    .from(resolved)
    .where(eq(vaults.owner, resolved.owner))
})

/** Records that the account a withdrawal had left open is closed. */
export const leftoversLanded = statement(resolution, (db, $) => {
  const { before, resolved } = resolve(db, $, { from: ['open'], to: 'landed' })
  return db.with(before, resolved).select({ id: resolved.id }).from(resolved)
})
