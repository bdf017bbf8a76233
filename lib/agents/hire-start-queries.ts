import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import { agents } from '../../schema/tables/agents.ts'
import { hires } from '../../schema/tables/hires.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { columnsOf, name, rowFields } from '../db/columns.ts'
import type { Db } from '../db/connect.ts'
import { statement } from '../db/statement.ts'
import { endpointsDue, putInLine, recordEvents } from '../outbox/queries.ts'
import { dueEvents, lockDue, recordDue, recordDueCompleted } from './due-queries.ts'
import { hireCreated } from './hire-event-queries.ts'
import type { HireRow } from './hire-queries.ts'
import { withHirers } from './outcome-queries.ts'
import type { AgentRow } from './queries.ts'

/** What a new hire is made of; without `layers` all of the agent's are enabled. */
type NewHire = {
  id: string
  wallet: Wallet
  agentId: string
  layers?: number[] | undefined
  budgetLimit?: bigint | undefined
  autoRenew: boolean
  termDays: number
  now: Date
  expiresAt: Date
}

const hireInsert = statement(
  {
    id: hires.id,
    wallet: hires.wallet,
    agentId: hires.agentId,
    layers: 'smallint[]?',
    budgetLimit: hires.budgetLimit,
    autoRenew: hires.autoRenew,
    termDays: hires.termDays,
    now: 'timestamptz',
    expiresAt: hires.expiresAt,
  },
  (db, $, shape: { hasLayers: boolean }) => {
    const agent = db
      .$with('agent')
      .as(db.select().from(agents).where(eq(agents.id, $.agentId)).for('no key update'))
    const isEarlier = sql`${hires.agentId} = ${$.agentId} and ${hires.wallet} = ${$.wallet}`
    const due = lockDue(db, { agent, now: $.now, which: isEarlier })
    const recorded = recordDue(db, { due, now: $.now })
    const layers = shape.hasLayers ? $.layers : agent.supportedLayers
    const offered = db
      .select(
        rowFields(hires, {
          id: $.id,
          wallet: $.wallet,
          agentId: agent.id,
          layersEnabled: layers,
          feeModel: agent.feeModel,
          feeAmount: agent.feeAmount,
          budgetLimit: $.budgetLimit,
          autoRenew: $.autoRenew,
          termDays: $.termDays,
          status: sql`'active'`,
          hiredAt: $.now,
          expiresAt: $.expiresAt,
          endedAt: sql`null`,
          outcome: sql`null`,
          closed: sql`false`,
        }),
      )
      .from(agent)
      .where(
        and(
          sql`${agent.status} = 'active'`,
          sql`${layers} <@ ${agent.supportedLayers}`,
          // Counting the recorded rows makes Postgres record them before the insert meets the unique index.
          sql`(select count(*) from ${recorded}) >= 0`,
        ),
      )
    const created = db.$with('created').as(
      db
        .insert(hires)
        .select(offered)
        .onConflictDoNothing({
          target: [hires.wallet, hires.agentId],
          where: sql`${name(hires.status)} = 'active'`,
        })
        .returning(),
    )
    const { completed, hirer, dealing, standing } = recordDueCompleted(db, due)
    const tally = db.$with('tally').as(
      db
        .select({
          hirers: sql<number>`count(*)::integer`.as('new_hirers'),
          created: sql<number>`(select count(*) from ${created})::integer`.as('created_hires'),
        })
        .from(hirer),
    )
    const counted = db.$with('counted').as(
      db
        .update(agents)
        .set({
          totalHires: sql`${agents.totalHires} + ${tally.created}`,
          ...withHirers(tally.hirers),
        })
        .from(agent)
        .innerJoin(tally, sql`${tally.hirers} + ${tally.created} > 0`)
        .where(eq(agents.id, agent.id))
        .returning(getTableColumns(agents)),
    )
    const event = recordEvents(db, $.now, [
      ...dueEvents(db, { recorded, agent }),
      hireCreated(db, { hire: created, agent }),
    ])
    const delivery = putInLine(db, $.now, event, agent)
    return db
      .with(
        agent,
        due,
        recorded,
        created,
        completed,
        hirer,
        dealing,
        standing,
        tally,
        counted,
        event,
        delivery,
      )
      .select({
        offered: columnsOf(agent),
        hire: columnsOf(created),
        agent: columnsOf(counted),
        due: endpointsDue(delivery),
      })
      .from(agent)
      .leftJoin(created, sql`true`)
      .leftJoin(counted, sql`true`)
  },
)

/**
 * Hires an agent in one statement. It locks the agent, records what has become of an earlier hire whose term
 * has run out, and inserts under the unique index that allows a wallet one active hire of an agent; so of any
 * number of parallel calls one inserts.
 * @returns undefined when the agent is unknown; otherwise the agent as it was offered, the hire unless it was
 *   refused, with the agent as it then is, and the endpoints that events are due to, as they may be of an
 *   earlier hire all the same
 */
export async function insertHire(
  db: Db,
  hire: NewHire,
): Promise<{ offered: AgentRow; hire: HireRow | null; agent: AgentRow | null; due: string[] } | undefined> {
  const [row] = await hireInsert.run(db, hire, { hasLayers: hire.layers !== undefined })
  return row
}
