import { and, eq, getTableColumns, gt, isNotNull, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { budgetAccounts, paymentIntentLegs, paymentIntents } from '../../../schema/tables/payment-accounts.ts'
import { hiredAt } from '../../agents/parts/hired-queries.ts'
import { batch } from '../../db/batch.ts'
import type { Builder } from '../../db/builder.ts'
import { rowFields } from '../../db/columns.ts'
import type { Db } from '../../db/connect.ts'
import { read, statement } from '../../db/statement.ts'
import { legAccountsLocked } from './account-lock-queries.ts'
import { type Intent, intentsOf, isUnsigned } from './intent-queries.ts'

/*
 * The one message of an intent: recorded before the authority signs it, where the intent is open, before its
 * deadline and without a message. Every signature of the authority follows such an UPDATE.
 */

/** Whether an intent collects for an agent that is suspended now. */
function isBarredAt(db: Builder, now: SQLWrapper): SQL<boolean> {
  const hired = hiredAt(db, now)
  const suspended = db
    .select({ id: hired.id })
    .from(paymentIntentLegs)
    .innerJoin(hired, eq(hired.id, paymentIntentLegs.hireId))
    .where(and(eq(paymentIntentLegs.intentId, paymentIntents.id), sql`${hired.isSuspended}`))
  return sql<boolean>`(${paymentIntents.kind} = 'collect' and exists (${suspended}))`
}

const intentToSign = read({ id: paymentIntents.id, now: 'timestamptz' }, (db, $) =>
  db
    .select({
      intent: getTableColumns(paymentIntents),
      leg: getTableColumns(paymentIntentLegs),
      isBarred: isBarredAt(db, $.now),
    })
    .from(paymentIntents)
    .leftJoin(paymentIntentLegs, eq(paymentIntentLegs.intentId, paymentIntents.id))
    .where(eq(paymentIntents.id, $.id)),
)

/** Finds a built transaction by its id, and whether it collects for a suspended agent. One round trip. */
export async function findToSign(
  db: Db,
  id: string,
  now: Date,
): Promise<{ intent: Intent | undefined; isBarred: boolean }> {
  const rows = await intentToSign.run(db, { id, now })
  return { intent: intentsOf(rows)[0], isBarred: rows.some(({ isBarred }) => isBarred) }
}

const messageRecorded = statement(
  {
    id: paymentIntents.id,
    wallet: paymentIntents.wallet,
    message: 'text',
    networkSignature: 'text',
    lastValidBlockHeight: paymentIntents.lastValidBlockHeight,
    builtAfter: paymentIntents.createdAt,
    now: paymentIntents.createdAt,
  },
  (db, $) => {
    const hired = hiredAt(db, $.now)
    const before = db.$with('before').as(
      db
        .select({
          id: paymentIntents.id,
          isCosigned: sql<boolean>`${paymentIntents.cosignedAt} is not null`.as('is_cosigned'),
          isSignable: sql<boolean>`(${isUnsigned} and ${gt(paymentIntents.createdAt, $.builtAfter)})`.as(
            'is_signable',
          ),
          isBarred: sql<boolean>`${isBarredAt(db, $.now)}`.as('is_barred'),
        })
        .from(paymentIntents)
        .where(and(eq(paymentIntents.id, $.id), eq(paymentIntents.wallet, $.wallet)))
        .for('update'),
    )
    const recorded = db.$with('recorded').as(
      db
        .update(paymentIntents)
        .set({
          cosignedMessage: sql`${$.message}`,
          networkSignature: sql`${$.networkSignature}`,
          lastValidBlockHeight: sql`${$.lastValidBlockHeight}`,
          cosignedAt: sql`${$.now}`,
        })
        .from(before)
        .where(and(eq(paymentIntents.id, before.id), sql`${before.isSignable} and not ${before.isBarred}`))
        .returning({
          id: paymentIntents.id,
          wallet: paymentIntents.wallet,
          generation: paymentIntents.generation,
        }),
    )
    // From here on the account may be there, and approve the generation's collector.
    const account = db.$with('account').as(
      db
        .insert(budgetAccounts)
        .select(
          db
            .select(
              rowFields(budgetAccounts, {
                hireId: hired.id,
                hirer: recorded.wallet,
                owner: hired.owner,
                agentId: hired.agentId,
                address: paymentIntentLegs.address,
                seed: paymentIntentLegs.seed,
                generation: recorded.generation,
                lookedAt: sql`'epoch'::timestamptz`,
                failedAt: sql`null::timestamptz`,
              }),
            )
            .from(recorded)
            .innerJoin(
              paymentIntentLegs,
              and(eq(paymentIntentLegs.intentId, recorded.id), isNotNull(paymentIntentLegs.seed)),
            )
            .innerJoin(hired, eq(hired.id, paymentIntentLegs.hireId)),
        )
        .onConflictDoUpdate({
          target: budgetAccounts.hireId,
          set: {
            address: sql`excluded.address`,
            seed: sql`excluded.seed`,
            generation: sql`least(${budgetAccounts.generation}, excluded.generation)`,
          },
        })
        .returning({ hireId: budgetAccounts.hireId }),
    )
    return db
      .with(before, recorded, account)
      .select({
        recorded: sql<boolean>`exists (select from ${recorded})`,
        isCosigned: before.isCosigned,
        isBarred: before.isBarred,
      })
      .from(before)
  },
)

/** Whether the message was recorded; else whether one was before, and whether an agent is suspended. */
type Recording = { recorded: boolean; isCosigned: boolean; isBarred: boolean }

/**
 * Records the message that the authority is to sign, Base64, with its wallet's signature of it, Base58, as
 * the intent's one message; of a funding, where the budget account then is. One round trip.
 * @returns undefined when there is no such intent
 */
export async function recordMessage(
  db: Db,
  cosigning: Parameters<typeof messageRecorded.item>[0],
): Promise<Recording | undefined> {
  const [, [row]] = await batch(db, [
    legAccountsLocked.item({ intents: [cosigning.id] }),
    messageRecorded.item(cosigning),
  ])
  return row
}
