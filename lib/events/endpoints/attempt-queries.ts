import { and, desc, eq, sql } from 'drizzle-orm'
import { deliveryAttempts, events } from '../../../schema/tables/events.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import type { EventType } from '../../../schema/wire/event-types/table.ts'
import type { Db } from '../../db/connect.ts'
import { read } from '../../db/statement.ts'
import { allEndpoints } from '../all-endpoint-queries.ts'

/** An attempt as the endpoint's owner sees it. */
export type AttemptRow = Omit<typeof deliveryAttempts.$inferSelect, 'endpointId'> & { type: EventType }

/** The position of the last attempt of a page in the list's order. */
export type AttemptCursor = { attemptedAt: Date; eventId: string }

const attemptPage = read(
  {
    id: 'uuid',
    wallet: 'text',
    eventId: 'uuid?',
    beforeTime: 'timestamptz?',
    beforeEvent: 'uuid?',
    limit: 'integer',
  },
  (db, $, shape: { isOfEvent: boolean; isContinued: boolean }) => {
    const endpoint = allEndpoints(db)
    const { endpointId, eventId, attemptedAt, responseCode, failure, durationMs } = deliveryAttempts
    const page = db
      .select({ eventId, type: events.type, attemptedAt, responseCode, failure, durationMs })
      .from(deliveryAttempts)
      .innerJoin(events, eq(events.id, eventId))
      .where(
        and(
          eq(endpointId, endpoint.id),
          shape.isOfEvent ? eq(eventId, $.eventId) : undefined,
          shape.isContinued
            ? sql`(${attemptedAt}, ${eventId}) < (${$.beforeTime}, ${$.beforeEvent})`
            : undefined,
        ),
      )
      .orderBy(desc(attemptedAt), desc(eventId))
      .limit($.limit)
      .as('page')
    return db
      .select({
        attempt: {
          eventId: page.eventId,
          type: page.type,
          attemptedAt: page.attemptedAt,
          responseCode: page.responseCode,
          failure: page.failure,
          durationMs: page.durationMs,
        },
      })
      .from(endpoint)
      .leftJoinLateral(page, sql`true`)
      .where(and(eq(endpoint.id, $.id), eq(endpoint.wallet, $.wallet)))
      .orderBy(desc(page.attemptedAt), desc(page.eventId))
  },
)

/**
 * Reads up to `limit` attempts at an endpoint, newest first, after a cursor.
 * @returns undefined if the endpoint does not exist or belongs to another wallet
 */
export async function selectAttempts(
  db: Db,
  page: {
    id: string
    wallet: Wallet
    eventId: string | undefined
    after: AttemptCursor | undefined
    limit: number
  },
): Promise<AttemptRow[] | undefined> {
  const { after, ...rest } = page
  const rows = await attemptPage.run(
    db,
    { ...rest, beforeTime: after?.attemptedAt, beforeEvent: after?.eventId },
    { isOfEvent: page.eventId !== undefined, isContinued: after !== undefined },
  )
  if (rows.length === 0) return undefined
  return rows.flatMap(({ attempt }) => attempt ?? [])
}
