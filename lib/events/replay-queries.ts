import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import { deliveries, events } from '../../schema/tables/events.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { webhooks } from '../agents/webhook-queries.ts'
import { columnsOf, name, names } from '../db/columns.ts'
import type { Db } from '../db/connect.ts'
import { statement } from '../db/statement.ts'
import type { DeliveryRow } from './delivery-queries.ts'

/** What a replay found: whether the event goes to a webhook, whether that is live, and the new delivery. */
type Replay = { hasWebhook: boolean; isLive: boolean; delivery: DeliveryRow | null }

const eventReplay = statement({ id: events.id, wallet: events.wallet, now: 'timestamptz' }, (db, $) => {
  const hook = webhooks(db)
  const target = db.$with('target').as(
    db
      .select({
        id: events.id,
        type: events.type,
        wallet: events.wallet,
        agentId: events.agentId,
        hasWebhook: sql<boolean>`${hook.agentId} is not null`.as('has_webhook'),
        isLive: sql<boolean>`coalesce(${hook.live}, false)`.as('is_live'),
      })
      .from(events)
      .leftJoin(hook, and(eq(hook.agentId, events.agentId), eq(events.wallet, $.wallet)))
      .where(and(eq(events.id, $.id), sql`${$.wallet} in (${events.wallet}, ${events.counterparty})`)),
  )
  const { eventId, agentId, wallet, status, createdAt, attempts, nextAttemptAt, lease } = deliveries
  const replayed = db.$with('replayed', getTableColumns(deliveries)).as(sql`
    insert into ${deliveries} (${names(eventId, agentId, wallet, createdAt, nextAttemptAt)})
    select ${target.id}, ${target.agentId}, ${target.wallet}, ${$.now}, ${$.now} from ${target} where ${target.isLive}
    on conflict (${name(eventId)}) do update set ${name(status)} = 'pending', ${name(attempts)} = 0,
      ${name(lease)} = null, ${name(createdAt)} = ${$.now}, ${name(nextAttemptAt)} = ${$.now}
    returning ${deliveries}.*`)
  return db
    .with(target, replayed)
    .select({
      type: target.type,
      hasWebhook: target.hasWebhook,
      isLive: target.isLive,
      delivery: columnsOf(replayed),
    })
    .from(target)
    .leftJoin(replayed, sql`true`)
})

/**
 * Puts an event in line for the webhook of the wallet's agent as if it had just happened, whatever became of
 * it before.
 * @returns undefined when the event is not in the wallet's log
 */
export async function replayEvent(
  db: Db,
  replay: { id: string; wallet: Wallet; now: Date },
): Promise<Replay | undefined> {
  const [found] = await eventReplay.run(db, replay)
  if (!found) return undefined
  const { type, hasWebhook, isLive, delivery } = found
  return { hasWebhook, isLive, delivery: delivery && { ...delivery, type } }
}
