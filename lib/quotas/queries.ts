import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { addressQuotas, walletQuotas } from '../../schema/tables/quotas.ts'
import type { Builder } from '../db/builder.ts'
import { type Columns, name, names } from '../db/columns.ts'
import { deletionOf } from '../db/deletion.ts'

/*
 * Quotas as parts of the statements that they limit. An upsert raises the counter, with a condition that
 * Postgres evaluates on the locked row, so concurrent calls can't exceed the limit. The statement does its
 * work only if the CTE has a row. A statement that also locks an agent locks it first.
 */

/** Makes the CTE `quota`, which lowers the counter after the statement deleted a webhook endpoint. */
export const releaseWebhookEndpoint = (db: Builder, removed: Columns<{ wallet: unknown }>) =>
  db.$with('quota').as(
    db
      .update(walletQuotas)
      .set({ webhookEndpoints: sql`${walletQuotas.webhookEndpoints} - 1` })
      .from(removed)
      .where(sql`${walletQuotas.wallet} = ${removed.wallet}`)
      .returning({ wallet: walletQuotas.wallet }),
  )

/**
 * Makes the CTE `counted`, which counts a new name per address and hour. No row above `limit` or if not
 * `isNew`.
 */
export const countName = (
  db: Builder,
  at: { addressHash: SQLWrapper; endsAt: SQLWrapper; limit: SQLWrapper; isNew: SQL },
) => {
  const { addressHash, endsAt, used } = addressQuotas
  return db.$with('counted', { addressHash }).as(sql`
    insert into ${addressQuotas} (${names(addressHash, endsAt, used)})
    select ${at.addressHash}, ${at.endsAt}, 1 where ${at.isNew}
    on conflict (${name(addressHash)}) do update set
      ${name(used)} = 1 + case when ${endsAt} >= ${at.endsAt} then ${used} else 0 end,
      ${name(endsAt)} = greatest(${endsAt}, ${at.endsAt})
    where ${endsAt} < ${at.endsAt} or ${used} < ${at.limit}
    returning ${addressHash}`)
}

/** Deletes counters of addresses whose hour or day ended before a time. */
export const deleteOldAddresses = deletionOf(addressQuotas, addressQuotas.endsAt)
