import { and, eq, lt, sql, type WithSubquery } from 'drizzle-orm'
import type { Address } from '../../schema/address.ts'
import type { Cred } from '../../schema/amounts.ts'
import { positions, vaultIntentLegs, vaultIntents, vaults } from '../../schema/tables/vaults.ts'
import type { IntentKind } from '../../schema/values.ts'
import { rowFields } from '../db/columns.ts'
import type { Db } from '../db/connect.ts'
import { type Parameters, statement } from '../db/statement.ts'
import { MAX_OPEN_STACKS } from './limits.ts'
import { type IntentRow, leaseEnd } from './queries.ts'

/* Recording built stacks and unstacks; claims are in claim-queries.ts. The guards of a statement decide. */

/** What every kind of intent is recorded with. */
export type NewIntent = Pick<
  IntentRow,
  'id' | 'owner' | 'generation' | 'transaction' | 'message' | 'lastValidBlockHeight' | 'builtSlot'
> & { now: Date }

/** Its parameters in a statement. */
export const intentParameters = {
  id: vaultIntents.id,
  owner: vaultIntents.owner,
  generation: vaultIntents.generation,
  transaction: vaultIntents.transaction,
  message: vaultIntents.message,
  lastValidBlockHeight: vaultIntents.lastValidBlockHeight,
  builtSlot: vaultIntents.builtSlot,
  now: vaultIntents.createdAt,
}

type StackTerms = Pick<IntentRow, 'lockDays' | 'apyBps' | 'stakedAt'>

const stackTerms = {
  lockDays: vaultIntents.lockDays,
  apyBps: vaultIntents.apyBps,
  stakedAt: vaultIntents.stakedAt,
}

const NO_TERMS = { lockDays: sql`null`, apyBps: sql`null`, stakedAt: sql`null` }

/** The CTE `intent`: inserts the intent if `guard` has a row. */
export const intentInserted = (
  db: Db,
  $: Parameters<typeof intentParameters> & Partial<Parameters<typeof stackTerms>>,
  kind: IntentKind,
  guard: WithSubquery,
) =>
  db.$with('intent').as(
    db
      .insert(vaultIntents)
      .select(
        db
          .select(
            rowFields(vaultIntents, {
              ...NO_TERMS,
              ...$,
              kind: sql`${kind}::text`,
              status: sql`'open'`,
              createdAt: $.now,
              resolvedAt: sql`null`,
            }),
          )
          .from(guard)
          .limit(1),
      )
      .returning({ id: vaultIntents.id }),
  )

const stackInsert = statement(
  {
    ...intentParameters,
    ...stackTerms,
    address: vaultIntentLegs.address,
    principal: vaultIntentLegs.amount,
    leaseEnd: vaults.settledAt,
  },
  (db, $) => {
    const vault = db.$with('vault').as(
      db
        .insert(vaults)
        .values({ owner: $.owner, openStacks: 1, settledAt: $.leaseEnd })
        .onConflictDoUpdate({
          target: vaults.owner,
          set: { openStacks: sql`${vaults.openStacks} + 1` },
          setWhere: lt(vaults.openStacks, MAX_OPEN_STACKS),
        })
        .returning({ owner: vaults.owner }),
    )
    const intent = intentInserted(db, $, 'stack', vault)
    const leg = rowFields(vaultIntentLegs, {
      intentId: intent.id,
      address: $.address,
      amount: $.principal,
      balanceBefore: sql`0`,
    })
    return db.with(vault, intent).insert(vaultIntentLegs).select(db.select(leg).from(intent))
  },
)

/**
 * Records a built stack unless its owner has too many open ones; the row of the owner decides.
 * @returns whether it was recorded
 */
export async function insertStack(
  db: Db,
  intent: NewIntent & StackTerms,
  leg: { address: Address; principal: Cred },
): Promise<boolean> {
  const { rowCount } = await stackInsert.run(db, { ...intent, ...leg, leaseEnd: leaseEnd(intent.now) })
  return rowCount > 0
}

const unstackInsert = statement(
  { ...intentParameters, address: vaultIntentLegs.address, balance: vaultIntentLegs.amount },
  (db, $) => {
    const held = db.$with('held').as(
      db
        .select({ address: positions.address })
        .from(positions)
        .where(
          and(eq(positions.owner, $.owner), eq(positions.address, $.address), eq(positions.status, 'open')),
        )
        .for('update'),
    )
    const intent = intentInserted(db, $, 'unstack', held)
    const leg = rowFields(vaultIntentLegs, {
      intentId: intent.id,
      address: $.address,
      amount: $.balance,
      balanceBefore: $.balance,
    })
    return db.with(held, intent).insert(vaultIntentLegs).select(db.select(leg).from(intent))
  },
)

/**
 * Records a built unstack if its position is still open. Any number may be open at once: only one can land.
 * @returns whether it was recorded
 */
export async function insertUnstack(
  db: Db,
  intent: NewIntent,
  leg: { address: Address; balance: Cred },
): Promise<boolean> {
  const { rowCount } = await unstackInsert.run(db, { ...intent, ...leg })
  return rowCount > 0
}
