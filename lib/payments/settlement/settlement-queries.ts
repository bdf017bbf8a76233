import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Cred } from '../../../schema/amounts.ts'
import { budgetAccounts } from '../../../schema/tables/payment-accounts.ts'
import { charges } from '../../../schema/tables/payments.ts'
import type { PaymentKind } from '../../../schema/values.ts'
import { batch } from '../../db/batch.ts'
import { hasRows } from '../../db/columns.ts'
import type { Db } from '../../db/connect.ts'
import { statement } from '../../db/statement.ts'
import { legAccountsLocked } from '../transactions/account-lock-queries.ts'
import type { Intent } from '../transactions/intent-queries.ts'
import { agentsLocked, budgetLanded, collectLanded, collectorLanded } from './landing-queries.ts'
import { legHires, NOTHING_DUE, resolution, resolve } from './resolve-queries.ts'

/* Recording what the chain shows, once. */

const ended = statement(resolution, (db, $, { as }: { as: 'expired' | 'failed' }) => {
  const { before, resolved } = resolve(db, $, as)
  const freed = db.$with('freed').as(
    db
      .update(charges)
      .set({ collectionId: null })
      .from(resolved)
      .where(and(eq(charges.collectionId, resolved.id), eq(charges.status, 'recorded')))
      .returning({ id: charges.id }),
  )
  // One account that can't pay fails the others with it: each is collected alone then.
  const alone = db.$with('alone').as(
    db
      .update(budgetAccounts)
      .set({ failedAt: $.now })
      .from(resolved)
      .where(
        and(
          as === 'failed' ? hasRows(freed) : sql`false`,
          inArray(budgetAccounts.hireId, legHires(db, resolved.id)),
        ),
      )
      .returning({ hireId: budgetAccounts.hireId }),
  )
  return db.with(before, resolved, freed, alone).select({ due: NOTHING_DUE }).from(resolved)
})

/** What the chain says became of a signed intent. */
export type Outcome = { intent: Intent; kind: 'landed' | 'expired' | 'failed' }

/**
 * Records outcomes, each at most once, with the events that report it: one round trip, one transaction.
 * @returns the endpoints that have something due
 */
export async function recordOutcomes(
  { db, ...at }: { db: Db; now: Date; feeStep: Cred },
  outcomes: Outcome[],
): Promise<string[]> {
  const intents = outcomes.map(({ intent }) => intent.id)
  const landed = outcomes.filter(({ kind }) => kind === 'landed').map(({ intent }) => intent.id)
  // By wallet, so that no two calls wait for each other's owners.
  const inOrder = outcomes.toSorted((a, b) => (a.intent.wallet < b.intent.wallet ? -1 : 1))
  const results = await batch(db, [
    agentsLocked.item({ intents: landed }),
    legAccountsLocked.item({ intents }),
    ...inOrder.map((outcome) => itemOf(outcome, at)),
  ])
  return [...new Set(results.flat().flatMap((row) => ('due' in row ? row.due : [])))]
}

function itemOf({ intent, kind }: Outcome, { now, feeStep }: { now: Date; feeStep: Cred }) {
  const { id, networkSignature, lastValidBlockHeight } = intent
  const values: Values = { id, networkSignature, lastValidBlockHeight, now }
  if (kind !== 'landed') return ended.item(values, { as: kind })
  return intent.kind === 'collect' ? collectLanded.item({ ...values, feeStep }) : LANDED[intent.kind](values)
}

type Values = Pick<Intent, 'id' | 'networkSignature' | 'lastValidBlockHeight'> & { now: Date }

const LANDED: Record<
  Exclude<PaymentKind, 'collect'>,
  (values: Values) => ReturnType<typeof collectorLanded.item>
> = {
  open_collector: (values) => collectorLanded.item(values),
  fund_budget: (values) => budgetLanded.item(values, { type: 'budget.funded' }),
  withdraw_budget: (values) => budgetLanded.item(values, { type: 'budget.withdrawn' }),
}
