import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { agentAsStored } from '../../lib/agents/queries.ts'
import { reputationTotals } from '../../schema/tables/counterparties.ts'
import { payers } from '../../schema/tables/payers.ts'
import type { Wallet } from '../../schema/wallet.ts'
import type { DrizzleDb } from './database.ts'
import { ONE_CRED } from './paid.ts'

/** Holds the sums of an agent and its owner against the payers' rows, and these against the ratings. */
export async function consistent(
  db: DrizzleDb,
  { agentId, owner }: { agentId: string; owner: Wallet },
): Promise<void> {
  const [agent] = await agentAsStored.run(db, { id: agentId })
  const [row] = await db.select().from(reputationTotals).where(eq(reputationTotals.wallet, owner))
  for (const [payee, sums] of [
    [agentId, agent],
    [owner, row],
  ] as const) {
    const rows = await db.select().from(payers).where(eq(payers.payee, payee))
    const weigh = (some: typeof rows, by = (_: (typeof rows)[number]) => 1n) =>
      some.reduce((sum, row) => sum + (row.fee < ONE_CRED ? row.fee : ONE_CRED) * by(row), 0n)
    expect(sums).toMatchObject({
      payersWeight: weigh(rows),
      satisfiedWeight: weigh(rows.filter(({ rating }) => rating === null || rating > 2)),
    })
    if (payee !== agentId) continue
    const rated = rows.filter(({ rating }) => rating !== null)
    expect(agent).toMatchObject({
      ratings: rated.length,
      ratedWeight: weigh(rated),
      ratingSum: weigh(rated, ({ rating }) => BigInt(rating ?? 0)),
    })
  }
}
