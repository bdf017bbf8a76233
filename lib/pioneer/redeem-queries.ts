import { and, eq, gt, isNull, lt, ne, or, sql } from 'drizzle-orm'
import { inviteCodes, pioneerSpots, pioneers, referralBounties } from '../../schema/tables/pioneers.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { batch } from '../db/batch.ts'
import { hasRows } from '../db/columns.ts'
import type { Db } from '../db/connect.ts'
import { violatedConstraint } from '../db/failures.ts'
import { statement } from '../db/statement.ts'
import { endpointsDue, putInLine, recordEvents } from '../events/outbox/queries.ts'
import { countDealings, recordDealings } from '../reputation/dealings/queries.ts'
import { pioneerJoined } from './event-queries.ts'
import { findPioneer, type PioneerRow, pioneerByWallet } from './queries.ts'

/** A request: the code as it is kept from now on, and its hash; no code when the text can not be one. */
type Redemption = {
  wallet: Wallet
  code: { text: string; hash: string } | undefined
  referredBy: Wallet | undefined
  /** All spots there are. */
  spots: number
  now: Date
}

const redemption = statement(
  {
    wallet: pioneers.wallet,
    code: 'text?',
    codeHash: 'text?',
    referredBy: pioneers.referredBy,
    spots: 'integer',
    now: 'timestamptz',
  },
  (db, $) => {
    const good = db.$with('good').as(
      db
        .select({ id: inviteCodes.id, tier: inviteCodes.tier })
        .from(inviteCodes)
        .where(
          and(
            eq(inviteCodes.codeHash, $.codeHash),
            isNull(inviteCodes.usedAt),
            isNull(inviteCodes.revokedAt),
            or(isNull(inviteCodes.expiresAt), gt(inviteCodes.expiresAt, $.now)),
            sql`not exists (select from ${pioneers} where ${pioneers.wallet} = ${$.wallet})`,
          ),
        )
        .for('update'),
    )
    const spot = db.$with('spot').as(
      db
        .update(pioneerSpots)
        .set({ taken: sql`${pioneerSpots.taken} + 1` })
        .from(good)
        .where(lt(pioneerSpots.taken, $.spots))
        .returning({ id: good.id, tier: good.tier }),
    )
    const used = db
      .$with('used')
      .as(
        db
          .update(inviteCodes)
          .set({ usedAt: $.now })
          .from(spot)
          .where(eq(inviteCodes.id, spot.id))
          .returning({ id: inviteCodes.id }),
      )
    const joined = db.$with('joined').as(
      db
        .insert(pioneers)
        .select(
          db
            .select({
              wallet: $.wallet.as('wallet'),
              inviteId: spot.id,
              inviteCode: $.code.as('invite_code'),
              tier: spot.tier,
              joinedAt: $.now.as('joined_at'),
              referredBy: $.referredBy.as('referred_by'),
            })
            .from(spot),
        )
        .returning(),
    )
    const bounty = db.$with('bounty').as(
      db
        .insert(referralBounties)
        .select(
          db
            .select({ wallet: joined.wallet, referrer: pioneers.wallet, earnedAt: $.now.as('earned_at') })
            .from(joined)
            .innerJoin(pioneers, and(eq(pioneers.wallet, $.referredBy), ne(pioneers.wallet, joined.wallet))),
        )
        .returning(),
    )
    const dealing = recordDealings(db, [
      { wallet: bounty.referrer, kind: 'counterparty', other: bounty.wallet, from: bounty },
    ])
    const standing = countDealings(db, dealing)
    const event = recordEvents(db, $.now, [pioneerJoined(db, joined, bounty)])
    const delivery = putInLine(db, $.now, event)
    return db
      .with(good, spot, used, joined, bounty, dealing, standing, event, delivery)
      .select({ isCodeGood: hasRows(good), isNew: hasRows(joined), due: endpointsDue(delivery) })
      .from(sql`(select) as once`)
  },
)

/**
 * Takes a spot, uses the code, records the wallet, its referrer's bounty and dealing, and the event: one
 * statement, so all of it or nothing. The code's row lock decides who uses it, the counter's who gets the
 * last spot, the primary key of pioneers which code a wallet joins by. Locks are taken in this order by
 * everyone: code, counter, pioneer, dealings.
 * @returns the pioneer as it is afterwards, whether this call made it one, and the endpoints that the event
 *   is due to; if it is none, whether the code is good
 */
export async function redeem(
  db: Db,
  { wallet, code, referredBy, spots, now }: Redemption,
): Promise<{ isNew: boolean; isCodeGood: boolean; due: string[]; pioneer: PioneerRow | undefined }> {
  try {
    // The second statement sees what was committed while the first waited for a lock, as that itself does
    // not.
    const [[outcome], [pioneer]] = await batch(db, [
      redemption.item({ wallet, code: code?.text, codeHash: code?.hash, referredBy, spots, now }),
      pioneerByWallet.item({ wallet }),
    ])
    if (!outcome) throw new Error('the redeeming statement returned no row')
    return { ...outcome, pioneer }
  } catch (error) {
    if (violatedConstraint(error) !== PRIMARY_KEY) throw error
    // Two codes were redeemed for one wallet at once, and the other won: all of this one is undone.
    return { isNew: false, isCodeGood: true, due: [], pioneer: await findPioneer(db, wallet) }
  }
}

const PRIMARY_KEY = 'pioneers_pkey'
