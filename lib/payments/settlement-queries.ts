import { and, eq, getTableColumns, inArray, type SQLWrapper, sql, type WithSubquery } from 'drizzle-orm'
import type { Cred } from '../../schema/amounts.ts'
import { budgetAccounts, paymentIntentLegs, paymentIntents } from '../../schema/tables/payment-accounts.ts'
import { charges } from '../../schema/tables/payments.ts'
import type { PaymentKind } from '../../schema/values.ts'
import { lockedAgents } from '../agents/hired-queries.ts'
import { batch } from '../db/batch.ts'
import type { Builder } from '../db/builder.ts'
import { hasRows } from '../db/columns.ts'
import type { Db } from '../db/connect.ts'
import { type Parameters, statement } from '../db/statement.ts'
import { recordPaid } from '../dealings/paid-queries.ts'
import { putInLine, recordEvents } from '../outbox/queries.ts'
import { budgetMoved } from './budget-event-queries.ts'
import { chargeChanged } from './event-queries.ts'
import type { Intent } from './intent-queries.ts'

/* Recording what the chain shows, once: guarded by the intent's status and the message it was judged by. */

const resolution = {
  id: paymentIntents.id,
  networkSignature: paymentIntents.networkSignature,
  lastValidBlockHeight: paymentIntents.lastValidBlockHeight,
  now: paymentIntents.createdAt,
}

/** Two CTEs: `before` locks the intent, `resolved` has its row for the one call that ends it. */
function resolve(db: Builder, $: Parameters<typeof resolution>, status: 'landed' | 'expired' | 'failed') {
  const before = db.$with('before').as(
    db
      .select({ id: paymentIntents.id })
      .from(paymentIntents)
      .where(
        and(
          eq(paymentIntents.id, $.id),
          eq(paymentIntents.status, 'open'),
          sql`${paymentIntents.networkSignature} is not distinct from ${$.networkSignature}`,
          eq(paymentIntents.lastValidBlockHeight, $.lastValidBlockHeight),
        ),
      )
      .for('update'),
  )
  const resolved = db.$with('resolved').as(
    db
      .update(paymentIntents)
      .set({
        status,
        resolvedAt: $.now,
        reason: status === 'failed' ? sql`'failed_on_chain'` : sql`null`,
      })
      .from(before)
      .where(eq(paymentIntents.id, before.id))
      .returning({
        id: paymentIntents.id,
        hireId: paymentIntents.hireId,
        feeBps: paymentIntents.feeBps,
      }),
  )
  return { before, resolved }
}

/** What locks agents locks them first: what follows in the same transaction may lock charges and hires. */
const payeesLocked = statement({ id: paymentIntents.id }, (db, $) =>
  lockedAgents(
    db,
    db.select({ agentId: charges.agentId }).from(charges).where(eq(charges.collectionId, $.id)),
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

const collectLanded = statement({ ...resolution, feeStep: 'bigint' }, (db, $) => {
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
  return db
    .with(
      before,
      resolved,
      part,
      collected,
      together,
      agent,
      event,
      putInLine(db, $.now, event, agent),
      paid,
      ...recordPaid(db, { paid, feeStep: $.feeStep }),
    )
    .selectDistinct({ agentId: event.agentId })
    .from(event)
})

const legHires = (db: Builder, id: SQLWrapper) =>
  db
    .select({ hireId: paymentIntentLegs.hireId })
    .from(paymentIntentLegs)
    .where(eq(paymentIntentLegs.intentId, id))

const budgetLanded = statement(
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
    const agent = db.$with('agent').as(lockedAgents(db, db.select({ agentId: moved.agentId }).from(moved)))
    const event = recordEvents(db, $.now, [budgetMoved(db, type, { moved, now: $.now })])
    return db
      .with(before, resolved, moved, agent, event, putInLine(db, $.now, event, agent))
      .selectDistinct({ agentId: event.agentId })
      .from(event)
  },
)

const collectorLanded = statement(resolution, (db, $) => {
  const { before, resolved } = resolve(db, $, 'landed')
  return db.with(before, resolved).select({ agentId: sql<string | null>`null::uuid` }).from(resolved)
})

const ended = statement(resolution, (db, $, { as }: { as: 'expired' | 'failed' }) => {
  const { before, resolved } = resolve(db, $, as)
  const freed = db.$with('freed').as(
    db
      .update(charges)
      .set({ collectionId: null })
      .from(resolved)
      .where(and(eq(charges.collectionId, resolved.id), eq(charges.status, 'recorded')))
      .returning({ id: charges.id }),
  )
  // One account that can't pay fails the others with it: each is collected alone then.
  const alone = db.$with('alone').as(
    db
      .update(budgetAccounts)
      .set({ failedAt: $.now })
      .from(resolved)
      .where(
        and(
          as === 'failed' ? hasRows(freed) : sql`false`,
          inArray(budgetAccounts.hireId, legHires(db, resolved.id)),
        ),
      )
      .returning({ hireId: budgetAccounts.hireId }),
  )
  return db
    .with(before, resolved, freed, alone)
    .select({ agentId: sql<string | null>`null::uuid` })
    .from(resolved)
})

/** What the chain says became of a signed intent. */
export type Outcome = { intent: Intent; kind: 'landed' | 'expired' | 'failed' }

/**
 * Records outcomes, each at most once, with the events that report it: one round trip, one transaction.
 * @returns the agents that have events
 */
export async function recordOutcomes(
  { db, ...at }: { db: Db; now: Date; feeStep: Cred },
  outcomes: [Outcome, ...Outcome[]],
): Promise<string[]> {
  const [first, ...rest] = outcomes.flatMap((outcome) => itemsOf(outcome, at))
  if (!first) return []
  const results = await batch(db, [first, ...rest])
  return [...new Set(results.flat().flatMap((row) => ('agentId' in row ? (row.agentId ?? []) : [])))]
}

function itemsOf({ intent, kind }: Outcome, { now, feeStep }: { now: Date; feeStep: Cred }) {
  const { id, networkSignature, lastValidBlockHeight } = intent
  const values: Values = { id, networkSignature, lastValidBlockHeight, now }
  if (kind !== 'landed') return [ended.item(values, { as: kind })]
  return intent.kind === 'collect'
    ? [payeesLocked.item({ id }), collectLanded.item({ ...values, feeStep })]
    : [LANDED[intent.kind](values)]
}

type Values = Pick<Intent, 'id' | 'networkSignature' | 'lastValidBlockHeight'> & { now: Date }

const LANDED: Record<
  Exclude<PaymentKind, 'collect'>,
  (values: Values) => ReturnType<typeof collectorLanded.item>
> = {
  open_collector: (values) => collectorLanded.item(values),
  fund_budget: (values) => budgetLanded.item(values, { type: 'budget.funded' }),
  withdraw_budget: (values) => budgetLanded.item(values, { type: 'budget.withdrawn' }),
}
