import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, smallint, text, unique, uuid } from 'drizzle-orm/pg-core'
import { pioneerTiers } from '../values.ts'
import type { Wallet } from '../wallet.ts'
import { instant } from './columns.ts'

const tier = () => text({ enum: pioneerTiers }).notNull()

/** Invite codes as issued. The code itself is not stored until it is redeemed, only its hash. */
export const inviteCodes = pgTable('invite_codes', {
  id: uuid().primaryKey(),
  /** SHA-256 of the code in its canonical spelling, in hexadecimal. */
  codeHash: text('code_hash').notNull().unique(),
  tier: tier(),
  issuedAt: instant('issued_at').notNull(),
  /** From then on it can not be redeemed; null means never. */
  expiresAt: instant('expires_at'),
  usedAt: instant('used_at'),
  revokedAt: instant('revoked_at'),
})

/** Wallets that have joined, each with the code that it joined by. */
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
    /** As the wallet said: any wallet, whether it earned a bounty or not. */
    referredBy: text('referred_by').$type<Wallet>(),
  },
  (t) => [unique('pioneers_one_per_code').on(t.inviteId)],
)

/** Bounties owed for bringing a pioneer: one for each pioneer, to another pioneer. */
export const referralBounties = pgTable(
  'referral_bounties',
  {
    /** The wallet that was brought. */
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

/** One row: how many spots are taken, as many as there are pioneers. Its lock decides who gets the last. */
export const pioneerSpots = pgTable(
  'pioneer_spots',
  { id: smallint().primaryKey(), taken: integer().notNull() },
  (t) => [check('pioneer_spots_one_row', sql`${t.id} = 1 and ${t.taken} >= 0`)],
)
