import { and, desc, eq, isNull, lte, or, sql } from 'drizzle-orm'
import { vaultIntents, vaults } from '../../../schema/tables/vaults.ts'
import { batch, type Item } from '../../db/batch.ts'
import type { Db } from '../../db/connect.ts'
import * as postgres from '../../db/functions.ts'
import { read } from '../../db/statement.ts'
import { type Intent, intentsOf, intentsWhere } from '../queries.ts'
import { isSigned } from './job-run-queries.ts'
import { itemOf, type Outcome } from './settlement-queries.ts'

/* Leases and settles stacks that reserve yield, of many owners at once. */

/** The stacks to lease. `askedAt` marks their owners, so each call needs a different one. */
export type Due = {
  day: string
  hasLease: boolean
  leaseEnd: Date
  signedBy: Date
  askedBy: Date
  limit: number
  askedAt: Date
}

type Taken = { outcome: 'taken' | 'nothing_due' | 'busy'; stacks: Intent[] }

const stacksAskedAbout = read(
  { askedAt: vaults.settledAt, signedBy: vaultIntents.createdAt, limit: 'integer' },
  (db, $) => {
    // A value makes the planner look it up by each stack's owner: no index leads from a time to owners.
    const askedAt = db
      .select({ at: vaults.settledAt })
      .from(vaults)
      .where(eq(vaults.owner, vaultIntents.owner))
    const due = db
      .select({ id: vaultIntents.id })
      .from(vaultIntents)
      .where(
        and(
          sql`(${askedAt}) = ${$.askedAt}`,
          eq(vaultIntents.status, 'open'),
          eq(vaultIntents.kind, 'stack'),
          isSigned,
          sql`${vaultIntents.yield} > 0`,
          sql`coalesce(${vaultIntents.cosignedAt}, ${vaultIntents.createdAt}) <= ${$.signedBy}`,
          or(isNull(vaultIntents.searchAfter), lte(vaultIntents.searchAfter, $.askedAt)),
        ),
      )
      .orderBy(desc(vaultIntents.yield))
      .limit($.limit)
    return intentsWhere(db, sql`${vaultIntents.id} = any (array(${due}))`).orderBy(desc(vaultIntents.yield))
  },
)

const itemsOf = ({ askedAt, ...due }: Due) =>
  [
    postgres.takeDueStacks.item({ ...due, now: askedAt }),
    stacksAskedAbout.item({ askedAt, signedBy: due.signedBy, limit: due.limit }),
  ] as const

const takenOf = (
  [answer]: { outcome: Taken['outcome'] }[],
  joined: Parameters<typeof intentsOf>[0],
): Taken => ({
  outcome: answer?.outcome ?? 'busy',
  stacks: answer?.outcome === 'taken' ? intentsOf(joined) : [],
})

/** Leases the stacks to check on the chain. One round trip. */
export async function takeDue(db: Db, due: Due): Promise<Taken> {
  const [answer, joined] = await batch(db, itemsOf(due))
  return takenOf(answer, joined)
}

/**
 * Records the outcomes of stacks of several owners, all or none, and leases the next stacks. One round trip.
 * @returns the webhook endpoints with due deliveries, and the next stacks
 */
export async function recordDue(
  db: Db,
  outcomes: Outcome[],
  { now, next }: { now: Date; next: Due },
): Promise<{ due: string[]; stacks: Intent[] }> {
  const owners = [...new Set(outcomes.map(({ intent }) => intent.owner))]
  const recording: Item<unknown>[] = outcomes.map((outcome) => itemOf(outcome, outcome.intent.owner, now))
  const results: readonly unknown[] = await batch(db, [
    postgres.lockOwners.item({ owners }),
    ...recording,
    ...itemsOf(next),
  ])
  const recorded = results.slice(1, -2) as { toNotify?: string[] }[][]
  const { stacks } = takenOf(...(results.slice(-2) as Parameters<typeof takenOf>))
  return { due: recorded.flat().flatMap(({ toNotify }) => toNotify ?? []), stacks }
}
