import { asc, type SQLWrapper, sql, type WithSubquery } from 'drizzle-orm'
import { walletQuotas } from '../../schema/tables/wallet-quotas.ts'
import type { Builder } from '../db/builder.ts'

/* How many charges a wallet's agents may record, and how many of them may stand unpaid. */

/** The checks that refuse one too many, with the statement that recorded it. */
export const CHARGES_CHECK = 'wallet_quotas_charges'
export const UNPAID_CHECK = 'wallet_quotas_unpaid_charges'

/**
 * The CTEs `share`, `owners` and `released`: give back the places of charges that were paid or deleted. A
 * paid one makes room for another beside it. Owners are locked in order, so that no two statements can
 * deadlock, and looked up by an array, whatever the planner thinks of how many they are.
 */
export function releaseCharges(
  db: Builder,
  { charges, were }: { charges: WithSubquery & { owner: SQLWrapper }; were: 'paid' | 'deleted' },
) {
  const { wallet, unpaidCharges } = walletQuotas
  const places = sql.raw(were === 'paid' ? '2' : '1')
  const share = db.$with('share').as(
    db
      .select({
        owner: sql`${charges.owner}`.as('share_of'),
        places: sql`${places} * count(*)`.as('share_places'),
      })
      .from(charges)
      .groupBy(sql`${charges.owner}`),
  )
  const owners = db
    .$with('owners')
    .as(
      db
        .select({ wallet })
        .from(walletQuotas)
        .where(sql`${wallet} = any (array(select ${share.owner} from ${share}))`)
        .orderBy(asc(wallet))
        .for('no key update'),
    )
  const released = db.$with('released').as(
    db
      .update(walletQuotas)
      .set({ unpaidCharges: sql`${unpaidCharges} - ${share.places}` })
      .from(share)
      .where(
        sql`${wallet} = any (array(select ${owners.wallet} from ${owners})) and ${wallet} = ${share.owner}`,
      )
      .returning({ wallet }),
  )
  return [share, owners, released] as const
}
