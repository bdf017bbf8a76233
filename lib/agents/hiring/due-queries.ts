import { and, eq, inArray, type SQL, type SQLWrapper, sql, type WithSubquery } from 'drizzle-orm'
import { agents } from '../../../schema/tables/agents.ts'
import { hires } from '../../../schema/tables/hires.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import type { Builder } from '../../db/builder.ts'
import type { Db } from '../../db/connect.ts'
import { statement } from '../../db/statement.ts'
import { putInLine, recordEvents } from '../../events/outbox/queries.ts'
import { hireTerm } from '../parts/hire-term.ts'
import { hiresExpired, hiresRenewed } from './hire-event-queries.ts'
import { recordCompleted, withHirers } from './outcome-queries.ts'

/*
 * Recording what has become of due hires: on its own for the jobs Worker, and as parts of other statements.
 *
 * Every statement that ends or renews hires first locks the agent and then hires of it, so no two can
 * deadlock; and it updates the agent once, for Postgres drops a second update of one row in one statement. A
 * hire counts for its agent once: `outcome is null` is read from the locked row, which nobody else can change
 * before this statement commits.
 */

/** A CTE with the agents whose hires are looked at, locked. */
type LockedAgent = WithSubquery & { id: SQLWrapper; pubkey: SQLWrapper; status: SQLWrapper }

/**
 * The CTE `due`: locks the due hires of the locked agents, and says of each whether it `renews` (else it has
 * expired) and whether its outcome `counts` for the agent: it is the first, and not that of the owner's hire.
 * @param which further conditions on the hire and its agent
 */
export const lockDue = (
  db: Builder,
  { agent, now, which }: { agent: LockedAgent; now: SQLWrapper; which: SQL },
) =>
  db.$with('due').as(
    db
      .select({
        id: hires.id,
        agentId: hires.agentId,
        wallet: hires.wallet,
        owner: sql<Wallet>`${agent.pubkey}`.as('owner'),
        expiresAt: hires.expiresAt,
        renews: sql<boolean>`(${hires.autoRenew} and ${agent.status} = 'active')`.as('renews'),
        counts: sql<boolean>`(${hires.outcome} is null and ${hires.wallet} <> ${agent.pubkey})`.as('counts'),
      })
      .from(hires)
      .innerJoin(agent, eq(agent.id, hires.agentId))
      .where(and(hireTerm(now).isDue, which))
      .for('update', { of: hires }),
  )

/** The CTE of {@link lockDue}. */
type DueHires = ReturnType<typeof lockDue>

/**
 * The CTE `recorded`: records what has become of the locked due hires, renewed by whole terms until after
 * `now` or expired. A statement with this reports it by {@link dueEvents}.
 */
export const recordDue = (db: Builder, { due, now }: { due: DueHires; now: SQLWrapper }) =>
  db.$with('recorded').as(
    db
      .update(hires)
      .set({
        status: sql`case when ${due.renews} then 'active' else 'expired' end`,
        expiresAt: sql`case when ${due.renews} then ${hireTerm(now).renewedUntil} else ${hires.expiresAt} end`,
        endedAt: sql`case when ${due.renews} then null else ${hires.expiresAt} end`,
        outcome: sql`coalesce(${hires.outcome}, 'completed')`,
      })
      .from(due)
      .where(eq(hires.id, due.id))
      .returning({
        id: hires.id,
        agentId: hires.agentId,
        wallet: hires.wallet,
        layersEnabled: hires.layersEnabled,
        budgetLimit: hires.budgetLimit,
        autoRenew: hires.autoRenew,
        status: hires.status,
        hiredAt: hires.hiredAt,
        expiresAt: hires.expiresAt,
        endedAt: hires.endedAt,
        renews: due.renews,
        dueAt: sql<Date>`${due.expiresAt}`.as('due_at'),
      }),
  )

/** Makes the events that say what has become of due hires. */
export const dueEvents = (
  db: Builder,
  ctes: { recorded: ReturnType<typeof recordDue>; agent: LockedAgent },
) => [hiresRenewed(db, ctes), hiresExpired(db, ctes)] as const

/**
 * The CTEs that record what the due hires that count mean for reputations (outcome-queries.ts):
 * `completed`, which a statement lists with them.
 */
export function recordDueCompleted(db: Builder, due: DueHires) {
  const completed = db
    .$with('completed')
    .as(
      db
        .select({ agentId: due.agentId, wallet: due.wallet, owner: due.owner })
        .from(due)
        .where(sql`${due.counts}`),
    )
  return { completed, ...recordCompleted(db, completed) }
}

const dueRecord = statement({ now: 'timestamptz', limit: 'integer' }, (db, $) => {
  const candidate = db
    .$with('candidate')
    .as(
      db
        .select({ id: hires.id, agentId: hires.agentId })
        .from(hires)
        .where(hireTerm($.now).isDue)
        .orderBy(hires.expiresAt)
        .limit($.limit),
    )
  const agent = db.$with('agent').as(
    db
      .select({ id: agents.id, pubkey: agents.pubkey, status: agents.status, webhookUrl: agents.webhookUrl })
      .from(agents)
      .where(inArray(agents.id, db.select({ id: candidate.agentId }).from(candidate)))
      .for('no key update', { skipLocked: true }),
  )
  // An array, so that Postgres looks these up by id whatever its statistics say of how many hires are due.
  const ids = sql`array(select ${candidate.id} from ${candidate})`
  const due = lockDue(db, { agent, now: $.now, which: sql`${hires.id} = any (${ids})` })
  const recorded = recordDue(db, { due, now: $.now })
  const { completed, hirer, dealing, standing } = recordDueCompleted(db, due)
  const tally = db.$with('tally').as(
    db
      .select({ agentId: hirer.agentId, hirers: sql<number>`count(*)::integer`.as('new_hirers') })
      .from(hirer)
      .groupBy(hirer.agentId),
  )
  const counted = db
    .$with('counted')
    .as(
      db
        .update(agents)
        .set(withHirers(tally.hirers))
        .from(tally)
        .where(eq(agents.id, tally.agentId))
        .returning({ id: agents.id }),
    )
  const event = recordEvents(db, $.now, dueEvents(db, { recorded, agent }))
  const delivery = putInLine(db, $.now, event, agent)
  return db
    .with(
      candidate,
      agent,
      due,
      recorded,
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
      expired: sql`count(*) filter (where not ${recorded.renews})`.mapWith(Number),
      renewed: sql`count(*) filter (where ${recorded.renews})`.mapWith(Number),
    })
    .from(recorded)
})

/**
 * Records up to `limit` hires whose term has run out, whoever's they are, as expired or renewed, with what
 * that means for the agents' scores and the events that say so: one statement. Safe to run twice at once: it
 * waits for nobody, and leaves the hires of an agent that another statement is at work on to the next run.
 */
export async function recordDueHires(
  db: Db,
  now: Date,
  limit: number,
): Promise<{ expired: number; renewed: number }> {
  const [row] = await dueRecord.run(db, { now, limit })
  if (!row) throw new Error('an aggregate without groups returned no row')
  return row
}
