import {
  and,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNotNull,
  ne,
  type SQLWrapper,
  sql,
  type WithSubquery,
} from 'drizzle-orm'
import { budgetAccounts, paymentIntentLegs, paymentIntents } from '../../../schema/tables/payment-accounts.ts'
import { charges } from '../../../schema/tables/payments.ts'
import { lockedAgents } from '../../agents/parts/hired-queries.ts'
import type { Builder } from '../../db/builder.ts'
import { statement } from '../../db/statement.ts'
import { endpointsDue, putInLine, recordEvents } from '../../events/outbox/queries.ts'
import { releaseCharges } from '../../quotas/charge-queries.ts'
import { recordPaid } from '../../reputation/dealings/paid-queries.ts'
import { BLOCKHASH_BLOCKS } from '../../signing/relay/limits.ts'
import { chargeChanged } from '../event-queries.ts'
import { budgetMoved } from './budget-event-queries.ts'
import { legHires, NOTHING_DUE, resolution, resolve } from './resolve-queries.ts'

/* Recording that a transaction has landed. */

/** What locks agents locks them first, of all intents at once: what follows locks charges and owners. */
export const agentsLocked = statement({ intents: 'uuid[]' }, (db, $) =>
  lockedAgents(
    db,
    db
      .select({ agentId: budgetAccounts.agentId })
      .from(paymentIntentLegs)
      .innerJoin(budgetAccounts, eq(budgetAccounts.hireId, paymentIntentLegs.hireId))
      .where(sql`${paymentIntentLegs.intentId} = any(${$.intents})`),
  ),
)

/**
 * The CTE `part`: each charge's part of the protocol fee. The fee of an account is rounded up once, so a part
 * is by how much the fee grows with the charge, one after the other: the parts sum up to the fee.
 */
function feeParts(db: Builder, resolved: WithSubquery & { id: SQLWrapper; feeBps: SQLWrapper }) {
  const sum = sql`sum(${charges.amount}) over (partition by ${charges.hireId} order by ${charges.id})`
  const feeOf = (amount: SQLWrapper) => sql`div(${amount} * ${resolved.feeBps} + 9999, 10000)`
  return db.$with('part').as(
    db
      .select({
        chargeId: sql<string>`${charges.id}`.as('part_of'),
        fee: sql<string>`(${feeOf(sum)} - ${feeOf(sql`(${sum} - ${charges.amount})`)})::bigint`.as(
          'part_fee',
        ),
      })
      .from(charges)
      .innerJoin(resolved, eq(charges.collectionId, resolved.id))
      .where(eq(charges.status, 'recorded')),
  )
}

export const collectLanded = statement({ ...resolution, feeStep: 'bigint' }, (db, $) => {
  const { before, resolved } = resolve(db, $, 'landed')
  const part = feeParts(db, resolved)
  const collected = db.$with('collected').as(
    db
      .update(charges)
      .set({ status: 'collected', collectedAt: $.now, fee: sql`${part.fee}` })
      .from(part)
      .where(eq(charges.id, part.chargeId))
      .returning(getTableColumns(charges)),
  )
  const paid = db.$with('paid').as(
    db
      .select({
        hireId: collected.hireId,
        agentId: collected.agentId,
        owner: collected.owner,
        payer: sql<string>`${collected.hirer}`.as('paid_by_hirer'),
        layer: collected.layer,
        amount: sql<bigint>`sum(${collected.amount})::bigint`.as('paid_amount'),
        fee: sql<bigint>`sum(${collected.fee})::bigint`.as('paid_fee'),
      })
      .from(collected)
      .groupBy(collected.hireId, collected.agentId, collected.owner, collected.hirer, collected.layer),
  )
  const together = db.$with('together').as(
    db
      .update(budgetAccounts)
      .set({ failedAt: null })
      .from(resolved)
      .where(inArray(budgetAccounts.hireId, legHires(db, resolved.id)))
      .returning({ hireId: budgetAccounts.hireId }),
  )
  const agent = db
    .$with('agent')
    .as(lockedAgents(db, db.select({ agentId: collected.agentId }).from(collected)))
  const event = recordEvents(db, $.now, [
    chargeChanged(db, 'charge.collected', { charge: collected, now: $.now }),
  ])
  const delivery = putInLine(db, $.now, event, agent)
  return db
    .with(
      before,
      resolved,
      part,
      collected,
      together,
      agent,
      event,
      delivery,
      ...releaseCharges(db, { charges: collected, were: 'paid' }),
      paid,
      ...recordPaid(db, { paid, feeStep: $.feeStep }),
    )
    .select({ due: endpointsDue(delivery) })
    .from(resolved)
})

export const budgetLanded = statement(
  resolution,
  (db, $, { type }: { type: 'budget.funded' | 'budget.withdrawn' }) => {
    const { before, resolved } = resolve(db, $, 'landed')
    const moved = db.$with('moved').as(
      db
        .select({
          hireId: budgetAccounts.hireId,
          hirer: budgetAccounts.hirer,
          owner: budgetAccounts.owner,
          agentId: budgetAccounts.agentId,
          transactionId: sql<string>`${resolved.id}`.as('moved_by'),
          address: paymentIntentLegs.address,
          amount: paymentIntentLegs.amount,
        })
        .from(resolved)
        .innerJoin(paymentIntentLegs, eq(paymentIntentLegs.intentId, resolved.id))
        .innerJoin(budgetAccounts, eq(budgetAccounts.hireId, resolved.hireId)),
    )
    // What is recorded first need not have landed first: a funding of the same minutes may approve its own.
    const others = db
      .select({ id: paymentIntents.id })
      .from(paymentIntents)
      .where(
        and(
          eq(paymentIntents.hireId, resolved.hireId),
          eq(paymentIntents.kind, 'fund_budget'),
          isNotNull(paymentIntents.cosignedAt),
          inArray(paymentIntents.status, ['open', 'landed']),
          ne(paymentIntents.id, resolved.id),
          gt(
            paymentIntents.lastValidBlockHeight,
            sql`${resolved.lastValidBlockHeight} - ${sql.raw(String(BLOCKHASH_BLOCKS))}`,
          ),
        ),
      )
    const its = type === 'budget.funded' ? sql`${resolved.generation}` : sql`null`
    const approved = db.$with('approved').as(
      db
        .update(budgetAccounts)
        .set({
          generation: sql`case when exists (${others}) then least(${budgetAccounts.generation}, ${its}) else ${its} end`,
        })
        .from(resolved)
        .where(eq(budgetAccounts.hireId, resolved.hireId))
        .returning({ hireId: budgetAccounts.hireId }),
    )
    const agent = db.$with('agent').as(lockedAgents(db, db.select({ agentId: moved.agentId }).from(moved)))
    const event = recordEvents(db, $.now, [budgetMoved(db, type, { moved, now: $.now })])
    const delivery = putInLine(db, $.now, event, agent)
    return db
      .with(before, resolved, moved, approved, agent, event, delivery)
      .select({ due: endpointsDue(delivery) })
      .from(resolved)
  },
)

export const collectorLanded = statement(resolution, (db, $) => {
  const { before, resolved } = resolve(db, $, 'landed')
  return db.with(before, resolved).select({ due: NOTHING_DUE }).from(resolved)
})
