import { and, asc, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import { requestPayments } from '../../../schema/tables/x402.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import type { Db } from '../../db/connect.ts'
import { read, statement } from '../../db/statement.ts'

/* Closes payments that a restored database does not have as answered; no Worker runs these. */

/** A payment whose success may have been answered in the lost time. */
export type Unanswered = { id: string; owner: Wallet; payer: Wallet; networkSignature: string }

const ROW = {
  id: requestPayments.id,
  owner: requestPayments.owner,
  payer: requestPayments.payer,
  networkSignature: requestPayments.networkSignature,
}

/** A lease that never ends in practice, so that no call ever answers the payment's success. */
const LEASE_YEARS = 1_000

const isUnanswered = (now: unknown) =>
  and(
    inArray(requestPayments.status, ['pending', 'settled']),
    isNull(requestPayments.answeredAt),
    or(isNull(requestPayments.leasedUntil), lt(requestPayments.leasedUntil, sql`${now} + interval '1 year'`)),
  )

const unanswered = read({ now: 'timestamptz' }, (db, $) =>
  db.select(ROW).from(requestPayments).where(isUnanswered($.now)).orderBy(asc(requestPayments.id)),
)

const closed = statement({ now: 'timestamptz' }, (db, $) =>
  db
    .update(requestPayments)
    .set({
      lease: sql`gen_random_uuid()`,
      leasedUntil: sql`${$.now} + make_interval(years => ${sql.raw(String(LEASE_YEARS))})`,
    })
    .where(isUnanswered($.now))
    .returning(ROW),
)

/**
 * Ensures that no payment is answered with success a second time, if its answer may be in the lost time. Its
 * outcome on the chain is still recorded.
 * @returns these payments; with `isPlan` it changes nothing
 */
export const closeUnanswered = (
  db: Db,
  { now, isPlan }: { now: Date; isPlan: boolean },
): Promise<Unanswered[]> => (isPlan ? unanswered : closed).run(db, { now })
