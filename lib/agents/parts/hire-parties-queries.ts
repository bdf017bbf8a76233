import { eq, type SQLWrapper, sql } from 'drizzle-orm'
import { agents } from '../../../schema/tables/agents.ts'
import { hires } from '../../../schema/tables/hires.ts'
import type { Builder } from '../../db/builder.ts'
import { hireTerm } from './hire-term.ts'

/* Hires as those who pay and are paid need them, as parts of other statements. */

/** Makes a subquery of hires: both sides, whether the agent is suspended, and when the hire ended. */
export const hireParties = (db: Builder, now: SQLWrapper) =>
  db
    .select({
      id: hires.id,
      hirer: sql<string>`${hires.wallet}`.as('hired_by'),
      owner: sql<string>`${agents.pubkey}`.as('hired_from'),
      agentId: hires.agentId,
      isSuspended: sql<boolean>`(${agents.status} = 'suspended')`.as('is_suspended'),
      endedAt: hireTerm(now).endedAt.as('hired_until'),
    })
    .from(hires)
    .innerJoin(agents, eq(agents.id, hires.agentId))
    .as('hired')
