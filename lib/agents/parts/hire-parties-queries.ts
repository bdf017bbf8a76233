import { and, eq, type SQLWrapper } from 'drizzle-orm'
import { agents } from '../../../schema/tables/agents.ts'
import { hires } from '../../../schema/tables/hires.ts'
import type { Builder } from '../../db/builder.ts'

/** A wallet's hire: its agent's id, as a select. */
export const agentOf = (db: Builder, hire: { id: SQLWrapper; wallet: SQLWrapper }) =>
  db
    .select({ agentId: hires.agentId })
    .from(hires)
    .where(and(eq(hires.id, hire.id), eq(hires.wallet, hire.wallet)))

/** The CTE `hired`: a wallet's hire with who is on its other side, none of which ever changes. */
export const partiesOf = (db: Builder, hire: { id: SQLWrapper; wallet: SQLWrapper }) =>
  db.$with('hired').as(
    db
      .select({ hireId: hires.id, agentId: hires.agentId, wallet: hires.wallet, owner: agents.pubkey })
      .from(hires)
      .innerJoin(agents, eq(agents.id, hires.agentId))
      .where(and(eq(hires.id, hire.id), eq(hires.wallet, hire.wallet))),
  )
