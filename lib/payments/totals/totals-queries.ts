import { and, desc, eq, gte, type SQL, sql } from 'drizzle-orm'
import { jobs } from '../../../schema/tables/jobs.ts'
import { budgetAccounts } from '../../../schema/tables/payment-accounts.ts'
import { paymentMonths } from '../../../schema/tables/payment-months.ts'
import { charges } from '../../../schema/tables/payments.ts'
import { type ChargeRole, MAX_SUMMED_CHARGES, TOTALS_AGENTS } from '../../../schema/values.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import { hireParties } from '../../agents/parts/hire-term.ts'
import { nameOfAgent } from '../../agents/parts/part-queries.ts'
import { batch } from '../../db/batch.ts'
import type { Db } from '../../db/connect.ts'
import { read } from '../../db/statement.ts'
import { LAST_ID } from '../../id-range.ts'
import { hasLapsed } from '../charges/charge-queries.ts'

const { wallet, role, month, agentId, kind, coin } = paymentMonths
const ofSide = { wallet, role }
const isOfSide = ($: { wallet: SQL; role: SQL }) => and(eq(wallet, $.wallet), eq(role, $.role))

const sums = {
  kind,
  coin,
  payments: sql`sum(${paymentMonths.payments})`.mapWith(Number),
  amount: sql`sum(${paymentMonths.amount})`.mapWith(BigInt),
  fee: sql`sum(${paymentMonths.fee})`.mapWith(BigInt),
}

const kindSums = read(ofSide, (db, $) =>
  db.select(sums).from(paymentMonths).where(isOfSide($)).groupBy(kind, coin).orderBy(kind, coin),
)

const monthSums = read({ ...ofSide, firstMonth: month }, (db, $) =>
  db
    .select({ month, ...sums })
    .from(paymentMonths)
    .where(and(isOfSide($), gte(month, $.firstMonth)))
    .groupBy(month, kind, coin)
    .orderBy(desc(month), kind, coin),
)

const agentSums = read({ ...ofSide, thisMonth: month, limit: 'integer' }, (db, $) => {
  const amount = sql`sum(${paymentMonths.amount})`
  const ofAgents = db
    .select({
      agentId,
      ...{ kind, coin },
      payments: sums.payments.as('sum_payments'),
      amount: sums.amount.as('sum_amount'),
      fee: sums.fee.as('sum_fee'),
      // Of requests, the fee is a debit of credit beside the amount.
      thisMonth: sql`coalesce(
        sum(${paymentMonths.amount} - case when ${role} = 'owner' and ${kind} <> 'request' then ${paymentMonths.fee} else 0 end)
          filter (where ${month} >= ${$.thisMonth}), 0)`
        .mapWith(BigInt)
        .as('this_month'),
    })
    .from(paymentMonths)
    .where(isOfSide($))
    .groupBy(agentId, kind, coin)
    .orderBy(sql`${coin} <> ''`, desc(amount), agentId, kind, coin)
    .limit($.limit)
    .as('of_agents')
  return db
    .select({
      agentId: ofAgents.agentId,
      agentName: nameOfAgent(ofAgents.agentId),
      kind: ofAgents.kind,
      coin: ofAgents.coin,
      payments: ofAgents.payments,
      amount: ofAgents.amount,
      fee: ofAgents.fee,
      thisMonth: ofAgents.thisMonth,
    })
    .from(ofAgents)
    .orderBy(sql`${ofAgents.coin} <> ''`, desc(ofAgents.amount), ofAgents.agentId, ofAgents.kind)
})

const unkindSums = read(
  { wallet: charges.owner, lastId: charges.id, now: 'timestamptz', most: 'integer', limit: 'integer' },
  (db, $, { role }: { role: ChargeRole }) => {
    const side = charges[role]
    // One range of the side's index, newest first. With an equation Postgres could walk the index of ids.
    const newest = db
      .select({ hireId: charges.hireId, amount: charges.amount })
      .from(charges)
      .where(
        and(
          sql`(${side}, ${charges.status}) >= (${$.wallet}, 'recorded')`,
          sql`(${side}, ${charges.status}, ${charges.id}) <= (${$.wallet}, 'recorded', ${$.lastId})`,
        ),
      )
      .orderBy(desc(side), desc(charges.status), desc(charges.id))
      .limit($.limit)
      .as('newest')
    const ofHires = db
      .select({
        hireId: newest.hireId,
        charges: sql`count(*)`.as('charges_of_hire'),
        amount: sql`sum(${newest.amount})`.as('amount_of_hire'),
      })
      .from(newest)
      .groupBy(newest.hireId)
      .as('of_hires')
    const hired = hireParties(db, $.now, ofHires.hireId)
    const due = sql`not ${hasLapsed(hired, $.now)}`
    const funded = sql`exists (select from ${budgetAccounts}
      where ${budgetAccounts.hireId} = ${ofHires.hireId} and ${budgetAccounts.keyVersion} is not null)`
    return db
      .select({
        unpaid: sql`coalesce(sum(${ofHires.amount}) filter (where ${due}), 0)`.mapWith(BigInt),
        unpaidCharges: sql`coalesce(sum(${ofHires.charges}) filter (where ${due}), 0)`.mapWith(Number),
        funded: sql`coalesce(sum(${ofHires.amount}) filter (where ${due} and ${funded}), 0)`.mapWith(BigInt),
        hasMore: sql<boolean>`coalesce(sum(${ofHires.charges}), 0) > ${$.most}`,
      })
      .from(ofHires)
      .innerJoinLateral(hired, sql`true`)
  },
)

const jobSums = read({ wallet: jobs.owner }, (db, $, { role }: { role: ChargeRole }) => {
  const isOwner = role === 'owner'
  const part = isOwner ? jobs.agentAmount : jobs.hirerAmount
  const isOfSide = sql`${jobs[role]} = ${$.wallet}`
  const held = db
    .select({ held: sql`sum(${jobs.price})` })
    .from(jobs)
    .where(and(isOfSide, sql`${jobs.status} in ('funded', 'delivered', 'disputed')`))
  // As collections compute it: of each job, rounded up.
  const fee = sql`(${jobs.agentAmount} * ${jobs.feeBps} + 9999) / 10000`
  return db
    .select({
      jobsHeld: sql`coalesce((${held}), 0)`.mapWith(BigInt),
      jobsDue: sql`coalesce(sum(${part}), 0)`.mapWith(BigInt),
      jobsDueFee: isOwner ? sql`coalesce(sum(${fee}), 0)`.mapWith(BigInt) : sql<null>`null`,
    })
    .from(jobs)
    .where(
      and(
        isOfSide,
        sql`${part} > 0`,
        isOwner
          ? sql`${jobs.paidAt} is null`
          : sql`${jobs.refundedAt} is null and ${jobs.escrow} is not null and ${jobs.escrowClosedAt} is null`,
      ),
    )
})

export type PaidSum = Awaited<ReturnType<typeof kindSums.run>>[number]

/**
 * Reads a wallet's totals as one side: payments in all, by month from `firstMonth` on, and by agent. Adds its
 * unpaid charges, of which it sums up the newest, and the dues of ended jobs.
 */
export const selectTotalsOf = (
  db: Db,
  {
    now,
    firstMonth,
    thisMonth,
    ...side
  }: { wallet: Wallet; role: ChargeRole; now: Date; firstMonth: string; thisMonth: string },
) =>
  batch(db, [
    kindSums.item(side),
    monthSums.item({ ...side, firstMonth }),
    agentSums.item({ ...side, thisMonth, limit: TOTALS_AGENTS }),
    unkindSums.item(
      {
        ...{ wallet: side.wallet, lastId: LAST_ID, now },
        ...{ most: MAX_SUMMED_CHARGES, limit: MAX_SUMMED_CHARGES + 1 },
      },
      { role: side.role },
    ),
    jobSums.item({ wallet: side.wallet }, { role: side.role }),
  ])
