import type { SQLWrapper } from 'drizzle-orm'
import type { Builder } from '../../db/builder.ts'
import type { Columns } from '../../db/columns.ts'
import { eventFields } from '../../events/outbox/queries.ts'

/* The events of budget accounts: selects over CTEs of the statement that settles their transaction. */

type Moved = {
  hireId: unknown
  hirer: unknown
  owner: unknown
  agentId: unknown
  transactionId: unknown
  address: unknown
  amount: unknown
}

/** What a hirer has put into a budget account, or taken out of it. */
export const budgetMoved = (
  db: Builder,
  type: 'budget.funded' | 'budget.withdrawn',
  { moved, now }: { moved: Columns<Moved>; now: SQLWrapper },
) =>
  db
    .select(
      eventFields({
        type,
        occurredAt: now,
        wallet: moved.owner,
        counterparty: moved.hirer,
        agentId: moved.agentId,
        data: {
          hireId: moved.hireId,
          agentId: moved.agentId,
          owner: moved.owner,
          hirer: moved.hirer,
          transactionId: moved.transactionId,
          address: moved.address,
          amount: moved.amount,
        },
      }),
    )
    .from(moved)
