import { and, asc, eq, isNotNull, lte, sql } from 'drizzle-orm'
import { paymentIntents } from '../../schema/tables/payment-accounts.ts'
import type { Db } from '../db/connect.ts'
import { read, statement } from '../db/statement.ts'

/* Collections whose recorded signature no block has: who may search for one, and which wait for a proof. */

const searchTaken = statement(
  { id: paymentIntents.id, now: paymentIntents.askedAt, maxWait: 'integer' },
  (db, $) =>
    db
      .update(paymentIntents)
      .set({
        askedAt: sql`${$.now} + least(greatest(${$.now} - ${paymentIntents.cosignedAt}, interval '0'),
          make_interval(secs => ${$.maxWait}))`,
      })
      .where(
        and(
          eq(paymentIntents.id, $.id),
          eq(paymentIntents.status, 'open'),
          isNotNull(paymentIntents.cosignedAt),
          lte(paymentIntents.askedAt, $.now),
        ),
      )
      .returning({ id: paymentIntents.id }),
)

/** A collection waits at most so long for its next search. */
const MAX_WAIT_SECONDS = 86_400

/**
 * Takes a signed collection for a search. Until as long again has passed as since it was signed, a day at
 * most, nobody asks about it: so one that can't be proven costs ever fewer calls.
 * @returns whether this caller may search
 */
export async function takeSearch(db: Db, id: string, now: Date): Promise<boolean> {
  const taken = await searchTaken.run(db, { id, now, maxWait: MAX_WAIT_SECONDS })
  return taken.length > 0
}

const unprovenRows = read({ signedBy: 'timestamptz', limit: 'integer' }, (db, $) =>
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
        eq(paymentIntents.kind, 'collect'),
        lte(paymentIntents.cosignedAt, $.signedBy),
      ),
    )
    .orderBy(asc(paymentIntents.cosignedAt))
    .limit($.limit),
)

/** Lists collections that were signed at or before `signedBy` and are open still, the oldest first. */
export const selectUnproven = (db: Db, page: { signedBy: Date; limit: number }) => unprovenRows.run(db, page)
