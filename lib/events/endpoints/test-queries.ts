import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import { deliveries } from '../../../schema/tables/events.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import { columnsOf, names } from '../../db/columns.ts'
import type { Db } from '../../db/connect.ts'
import { statement } from '../../db/statement.ts'
import { takeTestTurn } from '../../quotas/queries.ts'
import type { DeliveryRow } from '../delivery-queries.ts'
import { hooks } from '../hook-queries.ts'
import { eventFields, recordEvents } from '../outbox/queries.ts'

const testEvent = statement(
  { id: 'uuid', wallet: deliveries.wallet, testedBefore: 'timestamptz', now: 'timestamptz' },
  (db, $) => {
    const hook = hooks(db, $.now)
    const { id, kind, isLive } = hook
    const target = db.$with('target').as(
      db
        .select({ id, kind, isLive, wallet: hook.wallet })
        .from(hook)
        .where(and(eq(id, $.id), eq(hook.wallet, $.wallet))),
    )
    const turn = takeTestTurn(db, { ...$, from: target, isWanted: sql`${target.isLive}` })
    const event = recordEvents(db, $.now, [
      db
        .select(
          eventFields({
            type: 'endpoint.test',
            occurredAt: $.now,
            wallet: target.wallet,
            data: {
              endpointId: target.id,
              agentId: sql`case when ${target.kind} = 'agent' then ${target.id} end`,
            },
          }),
        )
        .from(target)
        .crossJoin(turn),
    ])
    // To this endpoint alone, whatever it listens to.
    const { endpointId, eventId, wallet, createdAt, nextAttemptAt } = deliveries
    const delivery = db.$with('delivery', getTableColumns(deliveries)).as(sql`
      insert into ${deliveries} (${names(endpointId, eventId, wallet, createdAt, nextAttemptAt)})
      select ${$.id}, ${event.id}, ${event.wallet}, ${$.now}, ${$.now} from ${event}
      returning ${deliveries}.*`)
    return db
      .with(target, turn, event, delivery)
      .select({ isLive: target.isLive, delivery: columnsOf(delivery) })
      .from(target)
      .leftJoin(delivery, sql`true`)
  },
)

/**
 * Records a test event for an endpoint and puts it in line, unless the endpoint is disabled or the wallet has
 * asked for one since `testedBefore`.
 * @returns undefined when the wallet has no such endpoint
 */
export async function insertTest(
  db: Db,
  test: { id: string; wallet: Wallet; testedBefore: Date; now: Date },
): Promise<{ isLive: boolean; delivery: DeliveryRow | null } | undefined> {
  const [row] = await testEvent.run(db, test)
  if (!row) return undefined
  const { isLive, delivery } = row
  return { isLive, delivery: delivery && { ...delivery, type: 'endpoint.test', agentId: null } }
}
