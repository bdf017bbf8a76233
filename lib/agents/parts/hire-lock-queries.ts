import { eq, type SQLWrapper, sql } from 'drizzle-orm'
import { agents } from '../../../schema/tables/agents.ts'
import { hires } from '../../../schema/tables/hires.ts'
import type { Builder } from '../../db/builder.ts'
import { hireTerm } from './hire-term.ts'
import { periodStart } from './period-queries.ts'

/** The CTE `agent`: locks an agent, if it is the owner's. Whoever changes its hires locks it first. */
export const lockAgent = (db: Builder, { id, owner }: { id: SQLWrapper; owner: SQLWrapper }) =>
  db
    .$with('agent')
    .as(
      db
        .select()
        .from(agents)
        .where(sql`${agents.id} = (${id}) and ${agents.pubkey} = ${owner}`)
        .for('no key update'),
    )

/**
 * The CTEs `agent` and `hired`: lock the hire of one of the owner's agents, so that it neither ends nor
 * renews and its agent keeps its status until this statement commits, and say what it is at `now`.
 */
export function lockHire(
  db: Builder,
  { hireId, owner, now }: { hireId: SQLWrapper; owner: SQLWrapper; now: SQLWrapper },
) {
  const isWanted = sql`${hires.id} = ${hireId}`
  const agent = lockAgent(db, {
    id: db.select({ id: hires.agentId }).from(hires).where(isWanted),
    owner,
  })
  const term = hireTerm(now, agent.status)
  const hired = db.$with('hired').as(
    db
      .select({
        id: hires.id,
        agentId: hires.agentId,
        wallet: hires.wallet,
        layersEnabled: hires.layersEnabled,
        feeModel: hires.feeModel,
        feeAmount: hires.feeAmount,
        budgetLimit: hires.budgetLimit,
        state: term.status.as('hire_state'),
        endedAt: term.endedAt.as('hire_ended_at'),
        startsAt: sql<Date>`${periodStart({ ...term, termDays: hires.termDays })}`.as('term_start'),
        endsAt: sql<Date>`${term.expiresAt}`.as('term_end'),
      })
      .from(hires)
      .innerJoin(agent, eq(agent.id, hires.agentId))
      .where(isWanted)
      .for('no key update', { of: hires }),
  )
  return { agent, hired }
}
