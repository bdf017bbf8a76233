import { and, eq, isNull, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { webhookEndpoints } from '../../../schema/tables/webhook-endpoints.ts'
import type { WebhookEndpointKind } from '../../../schema/values.ts'
import { webhookColumns } from '../../agents/parts/webhook-queries.ts'
import type { Builder } from '../../db/builder.ts'

/** Where endpoints of a kind are kept, and what disabling one sets there. */
type EndpointColumns = {
  table: PgTable
  id: PgColumn
  wallet: PgColumn
  url: PgColumn
  setAt: SQLWrapper
  disabledAt: PgColumn
  disabled(at: SQL, reason: SQL): Record<string, SQL>
}

const COLUMNS: Record<WebhookEndpointKind, EndpointColumns> = {
  agent: webhookColumns,
  wallet: {
    table: webhookEndpoints,
    id: webhookEndpoints.id,
    wallet: webhookEndpoints.wallet,
    url: webhookEndpoints.url,
    setAt: webhookEndpoints.setAt,
    disabledAt: webhookEndpoints.disabledAt,
    disabled: (at, reason) => ({ disabledAt: at, disabledReason: reason }),
  },
}

/**
 * The CTE `disabled`: disables an endpoint when it is gone, or has failed since before `deadline`, unless the
 * owner has set it anew since `leasedAt`, or since the deadline.
 */
export function disable(
  db: Builder,
  kind: WebhookEndpointKind,
  endpoint: { id: SQLWrapper; url: SQLWrapper; leasedAt: SQLWrapper; now: SQLWrapper },
  why: { isGone: SQL; isFailing: SQL; deadline: SQLWrapper },
) {
  const { table, id, wallet, url, setAt, disabledAt, disabled } = COLUMNS[kind]
  const reason = sql`case when ${why.isGone} then 'gone' else 'failing' end`
  return db.$with('disabled').as(
    db
      .update(table)
      .set(disabled(sql`${endpoint.now}`, reason))
      .where(
        and(
          eq(id, endpoint.id),
          eq(url, endpoint.url),
          isNull(disabledAt),
          sql`${setAt} <= ${endpoint.leasedAt}`,
          sql`(${why.isGone} or (${why.isFailing} and ${setAt} <= ${why.deadline}))`,
        ),
      )
      .returning({ id, wallet, url, reason: sql<string>`${reason}`.as('reason') }),
  )
}
