import { and, eq, isNull, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { endpoints } from '../../../schema/tables/endpoints.ts'
import type { Builder } from '../../db/builder.ts'

/**
 * The CTE `disabled`, as disableWebhook makes it of an agent's: disables an endpoint of a wallet when it is
 * gone, or has failed since before `deadline`, unless the owner has set it anew since `leasedAt`, or since
 * the deadline.
 */
export const disableEndpoint = (
  db: Builder,
  endpoint: { id: SQLWrapper; url: SQLWrapper; leasedAt: SQLWrapper; now: SQLWrapper },
  why: { isGone: SQL; isFailing: SQL; deadline: SQLWrapper },
) => {
  const reason = sql`case when ${why.isGone} then 'gone' else 'failing' end`
  return db.$with('disabled').as(
    db
      .update(endpoints)
      .set({ disabledAt: sql`${endpoint.now}`, disabledReason: reason })
      .where(
        and(
          eq(endpoints.id, endpoint.id),
          eq(endpoints.url, endpoint.url),
          isNull(endpoints.disabledAt),
          sql`${endpoints.setAt} <= ${endpoint.leasedAt}`,
          sql`(${why.isGone} or (${why.isFailing} and ${endpoints.setAt} <= ${why.deadline}))`,
        ),
      )
      .returning({
        id: endpoints.id,
        wallet: endpoints.wallet,
        url: sql<string>`${endpoints.url}`.as('url'),
        reason: sql<string>`${reason}`.as('reason'),
      }),
  )
}
