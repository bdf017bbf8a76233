import { and, eq, sql, type WithSubquery } from 'drizzle-orm'
import type { Address } from '../../../schema/address.ts'
import type { Cred } from '../../../schema/amounts.ts'
import { positions, vaultIntentLegs, vaultIntents, vaults } from '../../../schema/tables/vaults.ts'
import type { IntentKind } from '../../../schema/values.ts'
import { batch } from '../../db/batch.ts'
import type { Builder } from '../../db/builder.ts'
import { rowFields } from '../../db/columns.ts'
import type { Db } from '../../db/connect.ts'
import { type Parameters, statement } from '../../db/statement.ts'
import type { IntentRow } from '../queries.ts'
import { unsignedVoided } from './unsigned-queries.ts'

/*
 * Recording built withdrawals; stacks are in stack-queries.ts, claims in claim-queries.ts. The guards of a
 * statement decide.
 */

/**
 * Locks the owner's row, first of all rows: what builds, cosigns or settles an owner's intents goes one after
 * the other, and each statement after this one of a batch sees all that was recorded before.
 */
export const vaultLocked = statement({ owner: vaults.owner }, (db, $) =>
  db.select({ owner: vaults.owner }).from(vaults).where(eq(vaults.owner, $.owner)).for('no key update'),
)

/** What every kind of intent is recorded with. */
export type NewIntent = Pick<
  IntentRow,
  'id' | 'owner' | 'generation' | 'signing' | 'transaction' | 'message' | 'lastValidBlockHeight' | 'builtSlot'
> & { now: Date }

/** Its parameters in a statement. */
export const intentParameters = {
  id: vaultIntents.id,
  owner: vaultIntents.owner,
  generation: vaultIntents.generation,
  signing: vaultIntents.signing,
  transaction: vaultIntents.transaction,
  message: vaultIntents.message,
  lastValidBlockHeight: vaultIntents.lastValidBlockHeight,
  builtSlot: vaultIntents.builtSlot,
  now: vaultIntents.createdAt,
}

/** What a stack has beside that. */
export const stackParameters = {
  lockDays: vaultIntents.lockDays,
  apyBps: vaultIntents.apyBps,
  stakedAt: vaultIntents.stakedAt,
  yield: vaultIntents.yield,
  yieldDay: vaultIntents.yieldDay,
}

const NO_STACK = {
  lockDays: sql`null`,
  apyBps: sql`null`,
  stakedAt: sql`null`,
  yield: sql`null`,
  yieldDay: sql`null`,
}

/** The CTE `intent`: inserts the intent if `guard` has a row. */
export const intentInserted = (
  db: Builder,
  $: Parameters<typeof intentParameters> & Partial<Parameters<typeof stackParameters>>,
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
              ...NO_STACK,
              ...$,
              kind: sql`${kind}::text`,
              status: sql`'open'`,
              cosignedMessage: sql`null`,
              networkSignature: sql`null`,
              cosignedAt: sql`null`,
              createdAt: $.now,
              resolvedAt: sql`null`,
              reason: sql`null`,
              searchedTo: sql`null`,
              searchAfter: sql`null`,
            }),
          )
          .from(guard)
          .limit(1),
      )
      .returning({ id: vaultIntents.id }),
  )

const withdrawalInsert = statement(
  {
    ...intentParameters,
    address: vaultIntentLegs.address,
    balance: vaultIntentLegs.amount,
    replaces: 'uuid[]',
  },
  (db, $, { kind }: { kind: 'unstack' | 'leftovers' }) => {
    const status = kind === 'unstack' ? 'open' : 'withdrawn'
    const held = db.$with('held').as(
      db
        .select({ address: positions.address })
        .from(positions)
        .where(
          and(eq(positions.owner, $.owner), eq(positions.address, $.address), eq(positions.status, status)),
        )
        .for('update'),
    )
    const intent = intentInserted(db, $, kind, held)
    const leg = rowFields(vaultIntentLegs, {
      intentId: intent.id,
      address: $.address,
      amount: $.balance,
      balanceBefore: $.balance,
    })
    return db
      .with(held, unsignedVoided(db, $, held), intent)
      .insert(vaultIntentLegs)
      .select(db.select(leg).from(intent))
      .returning({ intentId: vaultIntentLegs.intentId })
  },
)

/**
 * Records a built unstack if its position is still open, or the closing of a withdrawn one's account. Any
 * number may be open at once: only one can land.
 * @param replaces intents that this one takes the place of, which it voids unless they were signed
 * @returns whether it was recorded
 */
export async function insertWithdrawal(
  db: Db,
  kind: 'unstack' | 'leftovers',
  intent: NewIntent,
  leg: { address: Address; balance: Cred },
  replaces: string[] = [],
): Promise<boolean> {
  const [, inserted] = await batch(db, [
    vaultLocked.item({ owner: intent.owner }),
    withdrawalInsert.item({ ...intent, ...leg, replaces }, { kind }),
  ])
  return inserted.length > 0
}
