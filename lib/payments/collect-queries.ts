import { and, asc, eq, exists, isNull, or, type SQLWrapper, sql } from 'drizzle-orm'
import { text, uuid } from 'drizzle-orm/pg-core'
import type { Address } from '../../schema/address.ts'
import type { Cred } from '../../schema/amounts.ts'
import { int64 } from '../../schema/tables/columns.ts'
import { budgetAccounts, paymentIntentLegs, paymentIntents } from '../../schema/tables/payment-accounts.ts'
import { charges } from '../../schema/tables/payments.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { hiredAt } from '../agents/hired-queries.ts'
import { batch } from '../db/batch.ts'
import type { Builder } from '../db/builder.ts'
import { computed, hasRows, names, rowFields } from '../db/columns.ts'
import type { Db } from '../db/connect.ts'
import { statement } from '../db/statement.ts'
import { hasLapsed } from './charge-state-queries.ts'
import { intentFields, intentParameters, isUnsigned, type NewIntent } from './intent-queries.ts'

/* What is due, and recording a built collection. The guards of a statement decide. */

/**
 * A hire's charges that may be collected: recorded, and in no collection but perhaps one that was not signed.
 */
const collectable = (db: Builder, hireId: SQLWrapper) =>
  db
    .select({ id: charges.id, amount: charges.amount, replaces: charges.collectionId })
    .from(charges)
    .where(
      and(
        eq(charges.hireId, hireId),
        eq(charges.status, 'recorded'),
        or(
          isNull(charges.collectionId),
          exists(
            db
              .select({ id: paymentIntents.id })
              .from(paymentIntents)
              .where(and(eq(paymentIntents.id, charges.collectionId), isUnsigned)),
          ),
        ),
      ),
    )

const dueRows = statement(
  {
    owner: budgetAccounts.owner,
    hireId: 'uuid?',
    now: 'timestamptz',
    accounts: 'integer',
    charges: 'integer',
  },
  (db, $) => {
    const hired = hiredAt(db, $.now)
    const account = db.$with('account').as(
      db
        .select({
          hireId: budgetAccounts.hireId,
          hirer: budgetAccounts.hirer,
          address: budgetAccounts.address,
          failedAt: budgetAccounts.failedAt,
          lookedAt: budgetAccounts.lookedAt,
        })
        .from(budgetAccounts)
        .innerJoin(hired, eq(hired.id, budgetAccounts.hireId))
        .where(
          and(
            eq(budgetAccounts.owner, $.owner),
            sql`(${$.hireId} is null or ${budgetAccounts.hireId} = ${$.hireId})`,
            sql`not ${hired.isSuspended}`,
            sql`not ${hasLapsed(hired, $.now)}`,
            exists(collectable(db, budgetAccounts.hireId)),
          ),
        )
        .orderBy(asc(budgetAccounts.lookedAt), asc(budgetAccounts.hireId))
        .limit($.accounts),
    )
    const charge = collectable(db, account.hireId).orderBy(asc(charges.id)).limit($.charges).as('charge')
    return db
      .with(account)
      .select({
        hireId: account.hireId,
        hirer: account.hirer,
        address: account.address,
        failedAt: account.failedAt,
        chargeId: charge.id,
        amount: charge.amount,
        replaces: charge.replaces,
      })
      .from(account)
      .innerJoinLateral(charge, sql`true`)
      .orderBy(asc(account.lookedAt), asc(account.hireId), asc(charge.id))
  },
)

/** A charge that may be collected; `replaces`: the collection that it is in, which was not signed. */
export type DueCharge = { id: string; amount: bigint; replaces: string | null }

/** A hire's budget account, and what is due from it, the oldest charge first. */
export type DueAccount = {
  hireId: string
  hirer: Wallet
  address: Address
  failedAt: Date | null
  charges: DueCharge[]
}

/**
 * Reads what may be collected for an owner: of the budget accounts with charges due those that have waited
 * longest for a look, and of each its oldest charges. Nothing of suspended agents, and nothing that lapsed.
 */
export async function selectDue(
  db: Db,
  due: { owner: Wallet; hireId?: string | undefined; now: Date; accounts: number; charges: number },
): Promise<DueAccount[]> {
  const rows = await dueRows.run(db, due)
  return [...Map.groupBy(rows, ({ hireId }) => hireId).values()].flatMap((rows) => {
    const [first] = rows
    if (!first) return []
    const { hireId, hirer, address, failedAt } = first
    const charges = rows.map(({ chargeId: id, amount, replaces }) => ({ id, amount, replaces }))
    return [{ hireId, hirer, address, failedAt, charges }]
  })
}

const accountsLocked = statement({ owner: budgetAccounts.owner, looked: 'uuid[]' }, (db, $) =>
  db
    .select({ hireId: budgetAccounts.hireId })
    .from(budgetAccounts)
    .where(and(eq(budgetAccounts.owner, $.owner), sql`${budgetAccounts.hireId} = any(${$.looked})`))
    .orderBy(asc(budgetAccounts.hireId))
    .for('no key update'),
)

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
    accountsLocked.item({ owner, looked }),
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
