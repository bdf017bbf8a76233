import { and, eq, getTableColumns, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { paymentIntents } from '../../../schema/tables/payment-accounts.ts'
import { charges } from '../../../schema/tables/payments.ts'
import type { ChargeState } from '../../../schema/values.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import { hireEnds } from '../../agents/hiring/charged-queries.ts'
import { agentOfHire, nameOfAgent } from '../../agents/parts/part-queries.ts'
import type { Db } from '../../db/connect.ts'
import { read } from '../../db/statement.ts'
import { LAPSE_DAYS } from '../rules.ts'

/** A charge with its state, its agent’s name, and the signature of the transaction that paid it. */
export type Charge = typeof charges.$inferSelect & {
  state: ChargeState
  agentName: string
  signature: string | null
}

/** The columns of a charge as stored. Paid ones have a signature, unless a restore has lost it. */
const chargeColumns = {
  ...getTableColumns(charges),
  agentName: nameOfAgent(charges.agentId).as('agent_name'),
  signature: sql<string | null>`(select ${paymentIntents.networkSignature} from ${paymentIntents}
    where ${charges.status} = 'collected' and ${paymentIntents.id} = ${charges.collectionId})`.as(
    'signature',
  ),
}

/** Reads a charge by its reference, among the charges of the hire's agent. */
export const chargeOfReference = read({ hireId: charges.hireId, reference: charges.reference }, (db, $) =>
  db
    .select(chargeColumns)
    .from(charges)
    .where(and(eq(charges.agentId, agentOfHire($.hireId)), eq(charges.reference, $.reference))),
)

/** The columns of a {@link Charge} over `charges` at `now`, and over when its hire ended. */
export const chargeAt = (hire: { endedAt: SQLWrapper }, now: SQLWrapper) => ({
  ...chargeColumns,
  state: chargeState(charges, hire, now),
})

const chargeOfSide = read({ id: charges.id, wallet: 'text', now: 'timestamptz' }, (db, $) => {
  const hireEnd = hireEnds(db, $.now)
  return db
    .select(chargeAt(hireEnd, $.now))
    .from(charges)
    .innerJoin(hireEnd, eq(hireEnd.hireId, charges.hireId))
    .where(and(eq(charges.id, $.id), sql`${$.wallet} in (${charges.owner}, ${charges.hirer})`))
})

/** Reads a charge as of `now`, for the wallet that is paid or pays. */
export async function selectCharge(
  db: Db,
  asked: { id: string; wallet: Wallet; now: Date },
): Promise<Charge | undefined> {
  const [charge] = await chargeOfSide.run(db, asked)
  return charge
}

/** Reads a charge's row after a write in the same transaction. */
export const chargeAsStored = read({ id: charges.id, owner: charges.owner }, (db, $) =>
  db
    .select(chargeColumns)
    .from(charges)
    .where(and(eq(charges.id, $.id), eq(charges.owner, $.owner))),
)

/**
 * Computes the state of a charge at `now`. The row has the states voided and collected. A recorded charge may
 * be in a collection, or have lapsed after its hire ended.
 * @param hire when the hire ended; null while it has not
 */
const chargeState = (
  charge: { status: SQLWrapper; collectionId: SQLWrapper },
  hire: { endedAt: SQLWrapper },
  now: SQLWrapper,
): SQL<ChargeState> =>
  sql<ChargeState>`case when ${charge.status} <> 'recorded' then ${charge.status}
    when ${charge.collectionId} is not null then 'collecting'
    when ${hasLapsed(hire, now)} then 'lapsed'
    else 'recorded' end`

/** Checks whether the charges on a hire have lapsed at `now`, so that they can't be collected any more. */
export const hasLapsed = (hire: { endedAt: SQLWrapper }, now: SQLWrapper): SQL<boolean> =>
  sql<boolean>`(${hire.endedAt} is not null
    and ${hire.endedAt} + make_interval(secs => ${LAPSE_DAYS}::integer * 86400) <= ${now})`
