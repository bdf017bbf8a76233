import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import { charges } from '../../../schema/tables/payments.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import { hireEnds } from '../../agents/hiring/hire-queries.ts'
import { lockAgent } from '../../agents/parts/hire-lock-queries.ts'
import { credit } from '../../agents/parts/period-queries.ts'
import { columnsOf } from '../../db/columns.ts'
import type { Db } from '../../db/connect.ts'
import { statement } from '../../db/statement.ts'
import { endpointsDue, putInLine, recordEvents } from '../../events/outbox/queries.ts'
import { chargeChanged } from '../event-queries.ts'
import type { Charge } from './charge-queries.ts'
import { chargeState } from './charge-state-queries.ts'

const chargeVoid = statement({ id: charges.id, owner: charges.owner, now: 'timestamptz' }, (db, $) => {
  // The agent first, as every statement that changes what is spent.
  const agent = lockAgent(db, {
    id: sql`${db.select({ id: charges.agentId }).from(charges).where(eq(charges.id, $.id))}`,
    owner: $.owner,
  })
  const charge = db
    .$with('charge')
    .as(
      db
        .select(getTableColumns(charges))
        .from(charges)
        .innerJoin(agent, eq(agent.id, charges.agentId))
        .where(eq(charges.id, $.id))
        .for('no key update', { of: charges }),
    )
  const hireEnd = hireEnds(db, $.now)
  const known = db.$with('known').as(
    db
      .select({ id: charge.id, state: chargeState(charge, hireEnd, $.now).as('state') })
      .from(charge)
      .innerJoin(hireEnd, eq(hireEnd.hireId, charge.hireId)),
  )
  const voided = db.$with('voided').as(
    db
      .update(charges)
      .set({ status: 'voided', voidedAt: $.now })
      .from(known)
      .where(and(eq(charges.id, known.id), eq(known.state, 'recorded')))
      .returning(getTableColumns(charges)),
  )
  const credited = credit(db, voided)
  const event = recordEvents(db, $.now, [chargeChanged(db, 'charge.voided', { charge: voided, now: $.now })])
  const delivery = putInLine(db, $.now, event, agent)
  return db
    .with(agent, charge, known, voided, credited, event, delivery)
    .select({
      before: columnsOf(charge),
      state: known.state,
      voided: columnsOf(voided),
      due: endpointsDue(delivery),
    })
    .from(charge)
    .innerJoin(known, sql`true`)
    .leftJoin(voided, sql`true`)
})

/**
 * Voids a charge of one of the owner's agents, if it is only recorded, and gives its amount back to its
 * period, in one statement.
 * @returns the charge as it then is, and the endpoints that have something due; undefined when none of the
 *   owner's agents has such a charge
 */
export async function voidCharge(
  db: Db,
  input: { id: string; owner: Wallet; now: Date },
): Promise<{ charge: Charge; due: string[] } | undefined> {
  const [row] = await chargeVoid.run(db, input)
  if (!row) return undefined
  const { before, state, voided, due } = row
  return { charge: voided ? { ...voided, state: 'voided' } : { ...before, state }, due }
}
