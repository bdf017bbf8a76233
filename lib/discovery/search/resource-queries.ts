import { type Column, type SQL, sql } from 'drizzle-orm'
import { doublePrecision, text } from 'drizzle-orm/pg-core'
import type { Capability } from '../../../schema/registry.ts'
import { instant } from '../../../schema/tables/columns.ts'
import { apiProtocols, documentKinds } from '../../../schema/values.ts'
import { computed, name } from '../../db/columns.ts'

/** What is known of anything that can be found, whichever table it stands in. */
export const resourceColumns = {
  kind: text({ enum: documentKinds }).notNull(),
  key: text().notNull(),
  name: text().notNull(),
  description: text(),
  agentType: text('agent_type').notNull(),
  feeModel: text('fee_model').notNull(),
  capabilities: text().array().$type<Capability[]>().notNull(),
  /** What its endpoint speaks; `http` where that is not said, or where there is none. */
  protocol: text({ enum: apiProtocols }).notNull(),
  apiEndpoint: text('api_endpoint'),
  /** How its endpoint's own host calls it; null where that says nothing. */
  identifier: text(),
  /** Of marketplace agents alone. */
  reputationScore: doublePrecision('reputation_score'),
  /** Of registered ones alone. */
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

/** What an endpoint speaks, as above. */
export const protocolOf = (endpoint: Column, protocol: Column): SQL =>
  sql`case when ${endpoint} is null then 'http' else coalesce(${protocol}, 'http') end`
