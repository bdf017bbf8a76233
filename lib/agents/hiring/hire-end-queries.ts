import { and, eq, getTableColumns, inArray, isNull, ne, sql } from 'drizzle-orm'
import { agents } from '../../../schema/tables/agents.ts'
import { hires } from '../../../schema/tables/hires.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import { columnsOf } from '../../db/columns.ts'
import type { Db } from '../../db/connect.ts'
import { statement } from '../../db/statement.ts'
import { endpointsDue, putInLine, recordEvents } from '../../events/outbox/queries.ts'
import { hireTerm } from '../parts/hire-term.ts'
import { spentOf } from '../parts/period-queries.ts'
import { hireEnded } from './hire-event-queries.ts'
import type { HireOfAgent } from './hire-queries.ts'
import { recordCompleted, withHirers } from './outcome-queries.ts'

const hireEnd = statement({ id: hires.id, wallet: hires.wallet, now: 'timestamptz' }, (db, $) => {
  const isWanted = and(eq(hires.id, $.id), eq(hires.wallet, $.wallet))
  const itsAgent = db.select({ id: hires.agentId }).from(hires).where(isWanted)
  const agent = db
    .$with('agent')
    .as(db.select().from(agents).where(inArray(agents.id, itsAgent)).for('no key update'))
  const target = db
    .$with('target')
    .as(
      db
        .select(getTableColumns(hires))
        .from(hires)
        .innerJoin(agent, eq(agent.id, hires.agentId))
        .where(isWanted)
        .for('update', { of: hires }),
    )
  const term = hireTerm($.now, agent.status)
  const ended = db.$with('ended').as(
    db
      .update(hires)
      .set({
        status: sql`case when ${term.isLapsed} then 'expired' else 'terminated' end`,
        endedAt: sql`case when ${term.isLapsed} then ${hires.expiresAt} else ${$.now} end`,
        expiresAt: term.expiresAt,
        outcome: sql`coalesce(${hires.outcome}, case when ${term.isDue} then 'completed' else 'cut_short' end)`,
      })
      .from(target)
      .innerJoin(agent, sql`true`)
      .where(and(eq(hires.id, target.id), sql`${target.status} = 'active'`))
      .returning(getTableColumns(hires)),
  )
  const completed = db.$with('completed').as(
    db
      .select({ agentId: target.agentId, wallet: target.wallet, owner: agent.pubkey })
      .from(target)
      .innerJoin(agent, eq(agent.id, target.agentId))
      .innerJoin(ended, eq(ended.id, target.id))
      .where(and(isNull(target.outcome), eq(ended.outcome, 'completed'), ne(target.wallet, agent.pubkey))),
  )
  const { hirer, dealing, standing } = recordCompleted(db, completed)
  const counted = db
    .$with('counted')
    .as(
      db
        .update(agents)
        .set(withHirers(sql`1`))
        .from(hirer)
        .where(eq(agents.id, hirer.agentId))
        .returning(getTableColumns(agents)),
    )
  const event = recordEvents(db, $.now, hireEnded(db, { before: target, ended, agent }))
  const delivery = putInLine(db, $.now, event, agent)
  return db
    .with(agent, target, ended, completed, hirer, dealing, standing, counted, event, delivery)
    .select({
      before: columnsOf(target),
      ended: columnsOf(ended),
      agent: columnsOf(agent),
      counted: columnsOf(counted),
      // As this statement found it: a charge that it has waited for may be missing.
      spent: spentOf({
        id: target.id,
        expiresAt: sql`coalesce(${ended.expiresAt}, ${target.expiresAt})`,
        termDays: target.termDays,
      }),
      due: endpointsDue(delivery),
    })
    .from(target)
    .innerJoin(agent, sql`true`)
    .leftJoin(ended, sql`true`)
    .leftJoin(counted, sql`true`)
})

/**
 * Ends the wallet's hire at `now`, in one statement, with what that means for the agent's score. A hire that
 * had already ended stays as it is; one whose term had run out unrecorded is recorded as expired instead.
 * @returns the hire as it then is, and the endpoints that events are due to; undefined when the wallet has
 *   none of that id
 */
export async function endHire(
  db: Db,
  hire: { id: string; wallet: Wallet; now: Date },
): Promise<(HireOfAgent & { due: string[] }) | undefined> {
  const [row] = await hireEnd.run(db, hire)
  if (!row) return undefined
  const { before, ended, agent, counted, ...rest } = row
  return { hire: ended ?? before, agent: counted ?? agent, ...rest }
}
