import { eq, type SQL, type SQLWrapper, sql, type WithSubquery } from 'drizzle-orm'
import { standings } from '../../../schema/tables/dealings.ts'
import type { Builder } from '../../db/builder.ts'
import { name, names } from '../../db/columns.ts'
import { MAX_OPEN_EXPEDITED } from '../rules.ts'

/** A CTE with one attestation at most. */
type Attestation = WithSubquery & { wallet: SQLWrapper }

/**
 * The CTE `granted`: takes one of the wallet's places for expedited requests, if the request asks for one and
 * one is free. The row's lock decides: of any number of calls at once as many get one as there are.
 */
export function grantExpedited(db: Builder, attestation: Attestation, isAsked: SQL | undefined) {
  const { wallet, openExpedited } = standings
  return db.$with('granted', { wallet }).as(sql`
    insert into ${standings} (${names(wallet, openExpedited)})
    select ${attestation.wallet}, 1 from ${attestation} where ${isAsked}
    on conflict (${name(wallet)}) do update set ${name(openExpedited)} = ${openExpedited} + 1
      where ${openExpedited} < ${sql.raw(String(MAX_OPEN_EXPEDITED))}
    returning ${standings}.${name(wallet)}`)
}

/** The CTE `released`: gives the place of an expedited request that is decided back. */
export const releaseExpedited = (db: Builder, decided: Attestation & { priority: SQLWrapper }) =>
  db.$with('released').as(
    db
      .update(standings)
      .set({ openExpedited: sql`greatest(${standings.openExpedited} - 1, 0)` })
      .from(decided)
      .where(sql`${eq(standings.wallet, decided.wallet)} and ${decided.priority} = 'expedited'`)
      .returning({ wallet: standings.wallet }),
  )
