import { type Column, type SQL, sql } from 'drizzle-orm'
import { boolean, doublePrecision, text } from 'drizzle-orm/pg-core'
import type { Capability } from '../../../schema/registry.ts'
import { instant } from '../../../schema/tables/columns.ts'
import { apiProtocols, documentKinds } from '../../../schema/values.ts'
import { computed, name } from '../../db/columns.ts'

/** The columns of a search result from either table. */
export const resourceColumns = {
  kind: text({ enum: documentKinds }).notNull(),
  key: text().notNull(),
  name: text().notNull(),
  description: text(),
  agentType: text('agent_type').notNull(),
  feeModel: text('fee_model').notNull(),
  capabilities: text().array().$type<Capability[]>().notNull(),
  /** The protocol of its endpoint; `http` if unknown or without an endpoint. */
  protocol: text({ enum: apiProtocols }).notNull(),
  apiEndpoint: text('api_endpoint'),
  /** The identifier that its endpoint's own host gives it, if any. */
  identifier: text(),
  /** Only of marketplace agents. */
  reputationScore: doublePrecision('reputation_score'),
  /** Whether it sells single requests. Only of marketplace agents. */
  paidPerRequest: boolean('paid_per_request'),
  /** Only of registry entries. */
  updatedAt: instant('updated_at'),
}

const columns = computed(resourceColumns)

/** Selects a resource: a value for each column. */
export const resource = (values: Record<keyof typeof resourceColumns, SQL>): SQL =>
  sql.join(
    Object.entries(columns).map(
      ([key, column]) => sql`${values[key as keyof typeof values]} as ${name(column)}`,
    ),
    sql`, `,
  )

/** Selects the protocol of an endpoint. */
export const protocolOf = (endpoint: Column, protocol: Column): SQL =>
  sql`case when ${endpoint} is null then 'http' else coalesce(${protocol}, 'http') end`
