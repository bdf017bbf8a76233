import { and, eq, sql } from 'drizzle-orm'
import { charges } from '../../../schema/tables/payments.ts'
import { type ChargeState, type HireStatus, MAX_CHARGED } from '../../../schema/values.ts'
import { lockHire } from '../../agents/parts/hire-lock-queries.ts'
import { spend } from '../../agents/parts/period-queries.ts'
import type { AgentRow } from '../../agents/queries.ts'
import { columnsOf, hasRows, rowFields } from '../../db/columns.ts'
import type { Db } from '../../db/connect.ts'
import { violatedConstraint } from '../../db/failures.ts'
import { statement } from '../../db/statement.ts'
import { endpointsDue, putInLine, recordEvents } from '../../events/outbox/queries.ts'
import { countCharge } from '../../quotas/charge-queries.ts'
import { budgetExhausted, budgetLow, chargeChanged } from '../event-queries.ts'
import type { Fee } from '../rules.ts'
import { amountSql, unitsSql } from './amount-queries.ts'
import { chargeState } from './charge-state-queries.ts'

/** A charge, and what has become of it. */
export type Charge = typeof charges.$inferSelect & { state: ChargeState }

const REFERENCE_TAKEN = 'charges_one_for_each_reference'

const chargeInsert = statement(
  {
    id: charges.id,
    owner: charges.owner,
    hireId: charges.hireId,
    reference: charges.reference,
    units: charges.units,
    capturedValue: charges.capturedValue,
    share: charges.share,
    layer: charges.layer,
    description: charges.description,
    now: 'timestamptz',
  },
  (db, $) => {
    const { agent, hired } = lockHire(db, $)
    const before = db.$with('before').as(
      db
        .select()
        .from(charges)
        .where(
          and(
            sql`${charges.agentId} = (select ${hired.agentId} from ${hired})`,
            eq(charges.reference, $.reference),
          ),
        ),
    )
    const priced = db.$with('priced').as(db.select({ amount: amountSql(hired, $).as('price') }).from(hired))
    const offer = db.$with('offer').as(
      db
        .select({
          hireId: hired.id,
          amount: sql<bigint>`${priced.amount}::bigint`.as('charge_amount'),
          budgetLimit: hired.budgetLimit,
          startsAt: hired.startsAt,
          endsAt: hired.endsAt,
        })
        .from(hired)
        .innerJoin(agent, sql`${agent.status} <> 'suspended'`)
        .innerJoin(priced, sql`${priced.amount} between 1 and ${sql.raw(String(MAX_CHARGED))}`)
        .where(
          sql`${hired.state} = 'active' and not ${hasRows(before)}
            and (${$.layer} is null or ${$.layer} = any (${hired.layersEnabled}))`,
        ),
    )
    const period = spend(db, { offer, chargeId: $.id })
    const charge = db
      .select(
        rowFields(charges, {
          id: $.id,
          hireId: hired.id,
          agentId: hired.agentId,
          owner: $.owner,
          hirer: hired.wallet,
          reference: $.reference,
          amount: offer.amount,
          units: unitsSql(hired, $.units),
          capturedValue: $.capturedValue,
          share: $.share,
          layer: $.layer,
          description: $.description,
          periodStart: period.startsAt,
          status: sql`'recorded'`,
          collectionId: sql`null::uuid`,
          createdAt: $.now,
          voidedAt: sql`null::timestamptz`,
          collectedAt: sql`null::timestamptz`,
          fee: sql`null::bigint`,
        }),
      )
      .from(offer)
      .innerJoin(hired, sql`true`)
      .innerJoin(period, sql`${period.fits}`)
    // A reference that was used meanwhile raises: ignored, it would leave its amount spent.
    const recorded = db.$with('recorded').as(db.insert(charges).select(charge).returning())
    const counted = countCharge(db, { charge: recorded, now: $.now })
    const budget = { hired, agent, period, now: $.now }
    const event = recordEvents(db, $.now, [
      chargeChanged(db, 'charge.recorded', { charge: recorded, now: $.now }),
      budgetLow(db, budget),
      budgetExhausted(db, budget),
    ])
    const delivery = putInLine(db, $.now, event, agent)
    return db
      .with(agent, hired, before, priced, offer, period, recorded, counted, event, delivery)
      .select({
        agent: columnsOf(agent),
        hire: columnsOf(hired),
        before: columnsOf(before),
        beforeState: chargeState(before, hired, $.now),
        recorded: columnsOf(recorded),
        spent: period.spent,
        due: endpointsDue(delivery),
      })
      .from(hired)
      .innerJoin(agent, sql`true`)
      .leftJoin(before, sql`true`)
      .leftJoin(recorded, sql`true`)
      .leftJoin(period, sql`true`)
  },
)

type NewCharge = Parameters<typeof chargeInsert.run>[1]

/** What came of a charge that was to be recorded. */
type Outcome = {
  agent: AgentRow
  hire: Fee & {
    state: HireStatus
    endedAt: Date | null
    budgetLimit: bigint | null
    layersEnabled: number[]
  }
  /** The charge that the agent had of this reference. Then nothing was recorded. */
  before: Charge | null
  /** Null when it was refused. */
  recorded: Charge | null
  /** Lamports spent in the period, this charge included; null when it did not come to that. */
  spent: bigint | null
  due: string[]
}

/**
 * Records a charge on a hire of one of the owner's agents, if the hire, its fee and its budget allow it, in
 * one statement that holds agent and hire still; so parallel charges never pass a budget together.
 * @returns undefined when none of the owner's agents has such a hire
 * @throws NeonDbError of the check CHARGES_CHECK when the owner has recorded as many today as it may, of
 *   UNPAID_CHECK when too many stand unpaid
 */
export async function insertCharge(db: Db, charge: NewCharge): Promise<Outcome | undefined> {
  const [row] = await chargeInsert.run(db, charge).catch((error) => {
    // The same reference was recorded after this statement began. It is seen now.
    if (violatedConstraint(error) !== REFERENCE_TAKEN) throw error
    return chargeInsert.run(db, charge)
  })
  if (!row) return undefined
  const { before, beforeState, recorded, ...rest } = row
  return {
    ...rest,
    before: before && { ...before, state: beforeState },
    recorded: recorded && { ...recorded, state: 'recorded' },
  }
}
