import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { pioneerSpots, pioneers } from '../../schema/tables/pioneers.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { batch } from '../db/batch.ts'
import type { Db } from '../db/connect.ts'
import { violatedConstraint } from '../db/failures.ts'
import { happening, insertEvents, jsonObject } from '../outbox/queries.ts'

/** A pioneer with the number of bounties that it has earned. */
export type PioneerRow = typeof pioneers.$inferSelect & { referralBounties: number }

/** What a claim brings: the code as it is kept from now on, and its hash, both absent when it was no code at all. */
export type Claim = {
  wallet: Wallet
  code: { text: string; hash: string } | undefined
  referredBy: Wallet | undefined
  /** All spots there are. */
  spots: number
  now: Date
}

export async function findPioneer(db: Db, wallet: Wallet): Promise<PioneerRow | undefined> {
  const [row] = await selectPioneer(db, wallet)
  return row
}

const selectPioneer = (db: Db, wallet: Wallet) =>
  db
    .select({ ...getTableColumns(pioneers), referralBounties })
    .from(pioneers)
    .where(eq(pioneers.wallet, wallet))

/** Spelled out: of a query on one table Drizzle leaves the table's name away, and both tables have a wallet. */
const referralBounties =
  sql`(select count(*) from referral_bounties where referrer = pioneers.wallet)`.mapWith(Number)

/**
 * Takes a spot, uses the code, records the wallet, its referrer's bounty and the event: one statement, so all of it or nothing. The
 * code's row lock decides who uses it, the counter's who gets the last spot, the primary key of pioneers which code
 * a wallet joins by. Locks are taken in this order by everyone: code, counter, pioneer.
 * @returns the pioneer as it is afterwards, and whether this call made it one; if it is none, whether the code is good
 */
export async function claimSpot(
  db: Db,
  claim: Claim,
): Promise<{ isNew: boolean; isCodeGood: boolean; pioneer: PioneerRow | undefined }> {
  try {
    // The second statement sees what was committed while the first waited for a lock, as that itself does not.
    const [{ rows }, [pioneer]] = await batch(db, [
      db.execute<{ is_code_good: boolean; is_new: boolean }>(claimStatement(claim)),
      selectPioneer(db, claim.wallet),
    ])
    const [outcome] = rows
    if (!outcome) throw new Error('the claim statement returned no row')
    return { isNew: outcome.is_new, isCodeGood: outcome.is_code_good, pioneer }
  } catch (error) {
    if (violatedConstraint(error) !== PRIMARY_KEY) throw error
    // Two codes of one wallet were claimed at once, and the other won: all of this one is undone.
    return { isNew: false, isCodeGood: true, pioneer: await findPioneer(db, claim.wallet) }
  }
}

const PRIMARY_KEY = 'pioneers_pkey'

function claimStatement({ wallet, code, referredBy, spots, now }: Claim): SQL {
  const at = sql`${now.toISOString()}::timestamptz`
  return sql`
    with good as (
      select id, tier from invite_codes
      where code_hash = ${code?.hash ?? null} and used_at is null and revoked_at is null
        and (expires_at is null or expires_at > ${at})
        and not exists (select from pioneers where wallet = ${wallet})
      for update),
    spot as (
      update pioneer_spots set taken = taken + 1 from good where taken < ${spots}::integer
      returning good.id, good.tier),
    used as (
      update invite_codes set used_at = ${at} from spot where invite_codes.id = spot.id),
    joined as (
      insert into pioneers (wallet, invite_id, invite_code, tier, joined_at, referred_by)
      select ${wallet}, spot.id, ${code?.text ?? null}, spot.tier, ${at}, ${referredBy ?? null} from spot
      returning wallet, tier, joined_at),
    bounty as (
      insert into referral_bounties (wallet, referrer, earned_at)
      select joined.wallet, pioneers.wallet, ${at} from joined, pioneers
      where pioneers.wallet = ${referredBy ?? null} and pioneers.wallet <> joined.wallet
      returning referrer),
    event as (${insertEvents(now, [pioneerJoined()])})
    select exists (select from good) as is_code_good, exists (select from joined) as is_new`
}

/** In the log of the pioneer, and of the one who earned a bounty by it. */
const pioneerJoined = (): SQL =>
  sql`${happening({
    type: 'pioneer.joined',
    occurredAt: sql`joined.joined_at`,
    wallet: sql`joined.wallet`,
    counterparty: sql`bounty.referrer`,
    data: jsonObject({
      wallet: sql`joined.wallet`,
      tier: sql`joined.tier`,
      referrer: sql`bounty.referrer`,
    }),
  })} from joined left join bounty on true`

/** Wallets for which a wallet has earned a bounty, as a subquery of another group's select. */
export const broughtBy = (wallet: Wallet): SQL =>
  sql`select wallet from referral_bounties where referrer = ${wallet}`

/** The number of pioneers, as a column of another group's select: a counter, not a count. */
export const pioneerCount = (): SQL<number> =>
  sql`(select ${pioneerSpots.taken} from ${pioneerSpots})`.mapWith(Number) as SQL<number>
