import { asc, sql } from 'drizzle-orm'
import { addressQuotas } from '../../schema/tables/address-quotas.ts'
import type { Db } from '../db/connect.ts'
import { statement } from '../db/statement.ts'

const oldDeletion = statement({ before: 'timestamptz', limit: 'integer' }, (db, $) =>
  db
    .delete(addressQuotas)
    .where(
      sql`${addressQuotas.addressHash} = any (array(${db
        .select({ addressHash: addressQuotas.addressHash })
        .from(addressQuotas)
        .where(sql`${addressQuotas.hour} <= ${$.before}`)
        .orderBy(asc(addressQuotas.hour))
        .limit($.limit)
        .for('update', { skipLocked: true })}))`,
    ),
)

/** Deletes up to `limit` counters of addresses whose hour began at or before a time. */
export async function deleteOldAddresses(db: Db, before: Date, limit: number): Promise<number> {
  const { rowCount } = await oldDeletion.run(db, { before, limit })
  return rowCount
}
