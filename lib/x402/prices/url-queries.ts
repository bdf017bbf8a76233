import { type SQLWrapper, sql } from 'drizzle-orm'
import { API_SCHEMA } from '../../../schema/release.ts'

/** Selects the URL of a price's route; null for other names. */
export const priceUrl = (name: SQLWrapper, endpoint: SQLWrapper) =>
  sql<string | null>`${sql.identifier(API_SCHEMA)}.price_url(${name}, ${endpoint})`
