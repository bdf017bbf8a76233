import { and, eq, inArray, type SQL, sql, type WithSubquery } from 'drizzle-orm'
import { vaultIntents, vaults } from '../../../schema/tables/vaults.ts'
import type { Builder } from '../../db/builder.ts'
import { hasRows } from '../../db/columns.ts'
import { type Parameters, statement } from '../../db/statement.ts'

/*
 * Intents that the authority has not signed yet. Nothing can come of them but by the relay, so they end
 * without asking the chain: voided by the next of their kind, or by their deadline (ending-queries.ts).
 */

/** Of wallet_first, built and not cosigned. */
export const isUnsigned: SQL = sql`(${vaultIntents.signing} = 'wallet_first' and ${vaultIntents.cosignedAt} is null)`

/** Makes the owner's row, which the next statement of the batch locks. */
export const vaultMade = statement({ owner: vaults.owner, leaseEnd: vaults.settledAt }, (db, $) =>
  db.insert(vaults).values({ owner: $.owner, settledAt: $.leaseEnd }).onConflictDoNothing(),
)

const voidedParameters = { owner: vaultIntents.owner, now: vaultIntents.createdAt }

const voidedWhere = (db: Builder, $: Parameters<typeof voidedParameters>, guard: WithSubquery, which: SQL) =>
  db.$with('voided').as(
    db
      .update(vaultIntents)
      .set({ status: 'expired', resolvedAt: $.now })
      .where(
        and(
          eq(vaultIntents.owner, $.owner),
          eq(vaultIntents.status, 'open'),
          isUnsigned,
          which,
          hasRows(guard),
        ),
      )
      .returning({ id: vaultIntents.id }),
  )

/**
 * The CTE that voids the owner's stacks, and openings of the vault, that were not signed, if `guard` has a
 * row.
 */
export const unsignedStacksVoided = (
  db: Builder,
  $: Parameters<typeof voidedParameters>,
  guard: WithSubquery,
) => voidedWhere(db, $, guard, inArray(vaultIntents.kind, ['stack', 'open_vault']))

/**
 * The CTE that voids those of these intents that are the owner's and were not signed, if `guard` has a row.
 */
export const unsignedVoided = (
  db: Builder,
  $: Parameters<typeof voidedParameters & { replaces: 'uuid[]' }>,
  guard: WithSubquery,
) => voidedWhere(db, $, guard, sql`${vaultIntents.id} = any(${$.replaces})`)
