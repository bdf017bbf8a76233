import { and, eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { agents } from '../../../schema/tables/agents.ts'
import { hires } from '../../../schema/tables/hires.ts'
import type { Builder } from '../../db/builder.ts'
import type { Db } from '../../db/connect.ts'
import { statement } from '../../db/statement.ts'
import { hireTerm } from '../parts/hire-term.ts'

/* SQL fragments about hires, for payments. */

/** Makes a subquery of the hires and when each ended as of `now`; null if it has not ended. */
export const hireEnds = (db: Builder, now: SQLWrapper) =>
  db
    .select({ hireId: hires.id, endedAt: hireTerm(now).endedAt.as('hire_ended_at') })
    .from(hires)
    .as('hire_end')

/** Checks that the wallet is the hirer of a hire, or the owner of its agent. */
export const isHireOf = (hireId: SQLWrapper, wallet: SQLWrapper, role: 'owner' | 'hirer'): SQL<boolean> =>
  sql<boolean>`exists (select from ${hires} join ${agents} on ${agents.id} = ${hires.agentId}
    where ${hires.id} = ${hireId} and ${role === 'hirer' ? hires.wallet : agents.pubkey} = ${wallet})`

const numberRaised = statement({ id: hires.id, budgetNumber: hires.budgetNumber }, (db, $) =>
  db
    .update(hires)
    .set({ budgetNumber: sql`${hires.budgetNumber} + 1` })
    .where(and(eq(hires.id, $.id), eq(hires.budgetNumber, $.budgetNumber))),
)

/** Takes the next number for a hire's budget account, because another account has the address of this one. */
export const raiseBudgetNumber = async (db: Db, at: { id: string; budgetNumber: number }): Promise<void> => {
  await numberRaised.run(db, at)
}
