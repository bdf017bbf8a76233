import { and, eq, getTableColumns, or, sql } from 'drizzle-orm'
import { agents } from '../../schema/tables/agents.ts'
import { hires } from '../../schema/tables/hires.ts'
import type { AgentStatus } from '../../schema/values.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { columnsOf, hasRows } from '../db/columns.ts'
import type { Db } from '../db/connect.ts'
import { optional, statement } from '../db/statement.ts'
import { releaseHeld } from '../events/outbox/held-queries.ts'
import { endpointsDue, putInLine, recordEvents } from '../events/outbox/queries.ts'
import { movePlace } from '../quotas/queries.ts'
import { agentStatusChanged } from './event-queries.ts'
import { dueEvents, lockDue, recordDue, recordDueCompleted } from './hiring/due-queries.ts'
import { withHirers } from './hiring/outcome-queries.ts'
import type { AgentRow } from './queries.ts'

/** What an owner may change besides the status. */
type Detail = 'description' | 'apiEndpoint' | 'apiProtocol' | 'webhookUrl' | 'logoUrl'

/** A change of an agent and who may make it, from which statuses. */
type AgentChange = {
  id: string
  wallet: Wallet
  isOperator: boolean
  /** Undefined keeps a value, null clears it. */
  details: { [Field in Detail]?: AgentRow[Field] | undefined }
  status?: AgentStatus | undefined
  reason?: string | undefined
  ownerFrom: readonly AgentStatus[]
  operatorFrom: readonly AgentStatus[]
  now: Date
}

const agentUpdate = statement(
  {
    id: agents.id,
    wallet: agents.pubkey,
    description: agents.description,
    apiEndpoint: agents.apiEndpoint,
    apiProtocol: agents.apiProtocol,
    webhookUrl: agents.webhookUrl,
    logoUrl: agents.logoUrl,
    status: optional(agents.status),
    reason: agents.statusReason,
    ownerFrom: 'text[]',
    operatorFrom: 'text[]',
    now: 'timestamptz',
  },
  (
    db,
    $,
    /** Who asks, and which columns are set. */
    shape: { isOperator: boolean; sets: { [Column in Detail | 'status']: boolean } },
  ) => {
    const isOwner = eq(agents.pubkey, $.wallet)
    const isAllowed = or(
      and(isOwner, sql`${agents.status} = any (${$.ownerFrom})`),
      sql`${agents.status} = any (${$.operatorFrom})`,
    )
    const agent = db.$with('agent').as(
      db
        .select({
          id: agents.id,
          pubkey: agents.pubkey,
          status: agents.status,
          isAllowed: sql<boolean>`${isAllowed}`.as('is_allowed'),
        })
        .from(agents)
        .where(and(eq(agents.id, $.id), shape.isOperator ? undefined : isOwner))
        .for('no key update'),
    )
    const toActive = sql`(${$.status} = 'active')`
    const turns = sql`(${agent.isAllowed} and (${agent.status} = 'active') <> ${toActive})`
    const place = movePlace(db, { agent, turns, toActive })
    const due = lockDue(db, {
      agent,
      now: $.now,
      which: sql`${hires.autoRenew} and ${hasRows(place)}`,
    })
    const isFull = sql<boolean>`(coalesce(${turns}, false) and not ${hasRows(place)})`
    const recorded = recordDue(db, { due, now: $.now })
    const { completed, hirer, dealing, standing } = recordDueCompleted(db, due)
    const tally = db
      .$with('tally')
      .as(db.select({ hirers: sql<number>`count(*)::integer`.as('new_hirers') }).from(hirer))
    const { sets } = shape
    const changed = db.$with('changed').as(
      db
        .update(agents)
        .set({
          ...(sets.description ? { description: $.description } : {}),
          ...(sets.apiEndpoint ? { apiEndpoint: $.apiEndpoint } : {}),
          ...(sets.apiProtocol ? { apiProtocol: $.apiProtocol } : {}),
          ...(sets.webhookUrl
            ? {
                webhookUrl: $.webhookUrl,
                webhookSetAt: $.now,
                webhookDisabledAt: null,
                webhookDisabledReason: null,
              }
            : {}),
          ...(sets.logoUrl ? { logoUrl: $.logoUrl } : {}),
          ...(sets.status ? { status: $.status, statusReason: $.reason } : {}),
          ...withHirers(tally.hirers),
        })
        .from(agent)
        .innerJoin(tally, sql`true`)
        .where(and(eq(agents.id, agent.id), agent.isAllowed, sql`not ${isFull}`))
        .returning(getTableColumns(agents)),
    )
    const event = recordEvents(db, $.now, [
      ...dueEvents(db, { recorded, agent }),
      agentStatusChanged(db, { before: agent, changed, now: $.now }),
    ])
    const delivery = putInLine(db, $.now, event, changed)
    const released = sets.webhookUrl ? [releaseHeld(db, { changed, now: $.now })] : []
    const before = [agent, place, due, recorded, completed, hirer, dealing, standing, tally, changed]
    return db
      .with(...before, event, delivery, ...released)
      .select({ current: agent.status, isFull, changed: columnsOf(changed), due: endpointsDue(delivery) })
      .from(agent)
      .leftJoin(changed, sql`true`)
  },
)

/**
 * Changes an agent if the wallet may, in one statement that also records what had become due of its hires
 * while the old status was in force: leaving `active`, hires with autoRenew have been renewed until now;
 * entering it, those whose term ran out meanwhile have expired. Without this a later status would rewrite the
 * past.
 * @returns the agent as changed (null when its `current` status forbids the change, or its owner `isFull` of
 *   active ones) and the endpoints that events are due to, or undefined when the agent is unknown or not the
 *   wallet's to change
 */
export async function updateAgent(
  db: Db,
  { isOperator, details, ...change }: AgentChange,
): Promise<{ current: AgentStatus; isFull: boolean; changed: AgentRow | null; due: string[] } | undefined> {
  const sets = {
    description: details.description !== undefined,
    apiEndpoint: details.apiEndpoint !== undefined,
    apiProtocol: details.apiProtocol !== undefined,
    webhookUrl: details.webhookUrl !== undefined,
    logoUrl: details.logoUrl !== undefined,
    status: change.status !== undefined,
  }
  const [row] = await agentUpdate.run(db, { ...change, ...details }, { isOperator, sets })
  return row
}
