import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, smallint, text, unique, uuid } from 'drizzle-orm/pg-core'
import { pioneerTiers } from '../values.ts'
import type { Wallet } from '../wallet.ts'
import { instant } from './columns.ts'

const tier = () => text({ enum: pioneerTiers }).notNull()

/** Issued invite codes. Only the hash is stored until the code is redeemed. */
export const inviteCodes = pgTable('invite_codes', {
  id: uuid().primaryKey(),
  /** SHA-256 of the code in its canonical spelling, in hexadecimal. */
  codeHash: text('code_hash').notNull().unique(),
  tier: tier(),
  issuedAt: instant('issued_at').notNull(),
  /** It can't be redeemed from then on; null if it never expires. */
  expiresAt: instant('expires_at'),
  usedAt: instant('used_at'),
  revokedAt: instant('revoked_at'),
})

/** Wallets that have joined, each with its invite code. */
export const pioneers = pgTable(
  'pioneers',
  {
    wallet: text().$type<Wallet>().primaryKey(),
    inviteId: uuid('invite_id')
      .notNull()
      .references(() => inviteCodes.id),
    inviteCode: text('invite_code').notNull(),
    tier: tier(),
    joinedAt: instant('joined_at').notNull(),
    /** The referrer that the wallet named: any wallet, with or without a bounty. */
    referredBy: text('referred_by').$type<Wallet>(),
  },
  (t) => [unique('pioneers_one_per_code').on(t.inviteId)],
)

/** Bounties owed for referring a pioneer: at most one for each pioneer, to another pioneer. */
export const referralBounties = pgTable(
  'referral_bounties',
  {
    /** The referred wallet. */
    wallet: text()
      .$type<Wallet>()
      .primaryKey()
      .references(() => pioneers.wallet),
    referrer: text()
      .$type<Wallet>()
      .notNull()
      .references(() => pioneers.wallet),
    earnedAt: instant('earned_at').notNull(),
  },
  (t) => [
    index('referral_bounties_by_referrer').on(t.referrer),
    check('referral_bounties_not_oneself', sql`${t.wallet} <> ${t.referrer}`),
  ],
)

/**
 * One row: the number of taken spots, equal to the number of pioneers. Its lock decides about the last one.
 */
export const pioneerSpots = pgTable(
  'pioneer_spots',
  { id: smallint().primaryKey(), taken: integer().notNull() },
  (t) => [check('pioneer_spots_one_row', sql`${t.id} = 1 and ${t.taken} >= 0`)],
)
