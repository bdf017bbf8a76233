import { and, asc, eq, sql } from 'drizzle-orm'
import { text, uuid } from 'drizzle-orm/pg-core'
import type { Address } from '../../../schema/address.ts'
import type { Cred } from '../../../schema/amounts.ts'
import { int64 } from '../../../schema/tables/columns.ts'
import { budgetAccounts, paymentIntentLegs, paymentIntents } from '../../../schema/tables/payment-accounts.ts'
import { charges } from '../../../schema/tables/payments.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import { batch } from '../../db/batch.ts'
import { computed, hasRows, names, rowFields } from '../../db/columns.ts'
import type { Db } from '../../db/connect.ts'
import { statement } from '../../db/statement.ts'
import { accountsLocked } from '../transactions/account-lock-queries.ts'
import { intentFields, intentParameters, isUnsigned, type NewIntent } from '../transactions/intent-queries.ts'
import type { DueCharge } from './due-queries.ts'

/* Recording a built collection. The guards of the statement decide. */

const accountsLookedAt = statement(
  { owner: budgetAccounts.owner, looked: 'uuid[]', now: budgetAccounts.lookedAt },
  (db, $) =>
    db
      .update(budgetAccounts)
      .set({ lookedAt: $.now })
      .where(and(eq(budgetAccounts.owner, $.owner), sql`${budgetAccounts.hireId} = any(${$.looked})`)),
)

const legColumns = computed({
  hireId: uuid('leg_hire_id').notNull(),
  address: text('leg_address').notNull(),
  amount: int64('leg_amount').notNull(),
  fee: int64('leg_fee').notNull(),
})

const collectionInsert = statement(
  {
    ...intentParameters,
    feeBps: paymentIntents.feeBps,
    charges: 'uuid[]',
    hires: 'uuid[]',
    addresses: 'text[]',
    amounts: 'bigint[]',
    fees: 'bigint[]',
    replaces: 'uuid[]',
  },
  (db, $) => {
    // The relay locks the same rows, so none of them is signed once this has ended it.
    const voided = db.$with('voided').as(
      db
        .update(paymentIntents)
        .set({ status: 'expired', resolvedAt: $.now })
        .where(
          and(
            sql`${paymentIntents.id} = any(${$.replaces})`,
            eq(paymentIntents.wallet, $.wallet),
            eq(paymentIntents.kind, 'collect'),
            isUnsigned,
          ),
        )
        .returning({ id: paymentIntents.id }),
    )
    const locked = db.$with('locked').as(
      db
        .select({ id: charges.id })
        .from(charges)
        .where(
          and(
            sql`${charges.id} = any(${$.charges})`,
            eq(charges.owner, $.wallet),
            eq(charges.status, 'recorded'),
            sql`(${charges.collectionId} is null or ${charges.collectionId} = any(${$.replaces}))`,
          ),
        )
        .orderBy(asc(charges.id))
        .for('update'),
    )
    const intent = db.$with('intent').as(
      db
        .insert(paymentIntents)
        .select(
          db
            .select(intentFields($, 'collect', { feeBps: $.feeBps }))
            .from(sql`(select 1) as one`)
            .where(
              sql`(select count(*) from ${locked}) = cardinality(${$.charges})
                and (select count(*) from ${voided}) = cardinality(${$.replaces})`,
            ),
        )
        .returning({ id: paymentIntents.id }),
    )
    // Those of a voided collection that are in no other are free again, whatever becomes of this one.
    const held = db.$with('held').as(
      db
        .update(charges)
        .set({
          collectionId: sql`case when ${charges.id} = any(${$.charges}) then (select id from ${intent}) end`,
        })
        .where(
          sql`(${charges.id} in (select id from ${locked}) and ${hasRows(intent)})
            or (${charges.collectionId} in (select id from ${voided}) and ${charges.status} = 'recorded')`,
        )
        .returning({ id: charges.id }),
    )
    const { hireId, address, amount, fee } = legColumns
    const leg = db.$with('leg', legColumns).as(sql`
      select * from unnest(${$.hires}, ${$.addresses}, ${$.amounts}, ${$.fees})
        as leg (${names(hireId, address, amount, fee)})`)
    return db
      .with(voided, locked, intent, held, leg)
      .insert(paymentIntentLegs)
      .select(
        db
          .select(
            rowFields(paymentIntentLegs, {
              intentId: intent.id,
              hireId: leg.hireId,
              address: leg.address,
              seed: sql`null`,
              amount: leg.amount,
              fee: leg.fee,
            }),
          )
          .from(intent)
          .crossJoin(leg),
      )
      .returning({ intentId: paymentIntentLegs.intentId })
  },
)

/** What one budget account pays in a collection. */
export type CollectedLeg = {
  hireId: string
  address: Address
  amount: Cred
  fee: Cred
  charges: DueCharge[]
}

/** Whose accounts were looked at for a collection, that those not looked at come first next time. */
type Looked = { owner: Wallet; looked: string[]; now: Date }

/** Records that accounts were looked at, of which none can pay. */
export const recordLook = async (db: Db, looked: Looked): Promise<void> => {
  await accountsLookedAt.run(db, looked)
}

/**
 * Records a built collection and takes its charges into it, if each is still as it was read: recorded, and in
 * no collection but one that was not signed, which ends. All of them or nothing; one round trip.
 * @returns whether it was recorded
 */
export async function insertCollection(
  db: Db,
  intent: NewIntent & { feeBps: number },
  legs: CollectedLeg[],
  looked: string[],
): Promise<boolean> {
  const taken = legs.flatMap(({ charges }) => charges)
  const replaces = [...new Set(taken.flatMap(({ replaces }) => replaces ?? []))]
  const { wallet: owner, now } = intent
  const [, , inserted] = await batch(db, [
    // The owner's collections go one after the other.
    accountsLocked.item({ hires: looked }),
    accountsLookedAt.item({ owner, looked, now }),
    collectionInsert.item({
      ...intent,
      charges: taken.map(({ id }) => id),
      hires: legs.map(({ hireId }) => hireId),
      addresses: legs.map(({ address }) => address),
      amounts: legs.map(({ amount }) => amount),
      fees: legs.map(({ fee }) => fee),
      replaces,
    }),
  ])
  return inserted.length > 0
}
