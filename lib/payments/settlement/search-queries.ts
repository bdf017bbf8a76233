import { and, asc, eq, inArray, isNotNull, lte, sql } from 'drizzle-orm'
import { paymentIntents } from '../../../schema/tables/payment-accounts.ts'
import type { Db } from '../../db/connect.ts'
import { read, statement } from '../../db/statement.ts'
import { cosignedKinds } from './outcomes.ts'

/* Cosigned transactions whose recorded signature is in no block: leases of searches, and a list. */

const searchTaken = statement(
  { id: paymentIntents.id, now: paymentIntents.askedAt, nextSearch: paymentIntents.askedAt },
  (db, $) =>
    db
      .update(paymentIntents)
      .set({ askedAt: sql`${$.nextSearch}`, dueAt: sql`${$.nextSearch}` })
      .where(
        and(
          eq(paymentIntents.id, $.id),
          eq(paymentIntents.status, 'open'),
          isNotNull(paymentIntents.cosignedAt),
          lte(paymentIntents.askedAt, $.now),
        ),
      )
      .returning({ searchedTo: paymentIntents.searchedTo }),
)

/**
 * Leases a signed intent for a search: no other caller asks the chain about it until `nextSearch`.
 * @returns the signature at which the search continues, null to begin anew, undefined without a lease
 */
export async function takeSearch(
  db: Db,
  { id, nextSearch, now }: { id: string; nextSearch: Date; now: Date },
): Promise<string | null | undefined> {
  const [taken] = await searchTaken.run(db, { id, now, nextSearch })
  return taken?.searchedTo
}

const unprovenRows = read({ signedBefore: 'timestamptz', limit: 'integer' }, (db, $) =>
  db
    .select({
      id: paymentIntents.id,
      wallet: paymentIntents.wallet,
      cosignedAt: paymentIntents.cosignedAt,
      askedAt: paymentIntents.askedAt,
    })
    .from(paymentIntents)
    .where(
      and(
        eq(paymentIntents.status, 'open'),
        isNotNull(paymentIntents.cosignedAt),
        inArray(paymentIntents.kind, cosignedKinds),
        lte(paymentIntents.cosignedAt, $.signedBefore),
      ),
    )
    .orderBy(asc(paymentIntents.cosignedAt))
    .limit($.limit),
)

/**
 * Lists the cosigned transactions that are still open and were signed at `signedBefore` or earlier, the
 * oldest first. `askedAt` is their last check or, if it is in the future, their next one.
 */
export const selectUnproven = (db: Db, page: { signedBefore: Date; limit: number }) =>
  unprovenRows.run(db, page)
