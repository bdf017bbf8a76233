import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { addressQuotas } from '../../schema/tables/address-quotas.ts'
import type { Builder } from '../db/builder.ts'
import { name, names } from '../db/columns.ts'

/** The CTE `place`: counts a new key on its address's hour. No row above `limit`, or unless `isNew`. */
export const takeKeyPlace = (
  db: Builder,
  at: { addressHash: SQLWrapper; hour: SQLWrapper; limit: SQLWrapper; isNew: SQL },
) => {
  const { addressHash, hour, keys } = addressQuotas
  return db.$with('place', { addressHash }).as(sql`
    insert into ${addressQuotas} (${names(addressHash, hour, keys)})
    select ${at.addressHash}, ${at.hour}, 1 where ${at.isNew}
    on conflict (${name(addressHash)}) do update set
      ${name(keys)} = 1 + case when ${hour} >= ${at.hour} then ${keys} else 0 end,
      ${name(hour)} = greatest(${hour}, ${at.hour})
    where ${hour} < ${at.hour} or ${keys} < ${at.limit}
    returning ${addressHash}`)
}
