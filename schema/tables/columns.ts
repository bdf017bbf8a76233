import { bigint, customType, timestamp } from 'drizzle-orm/pg-core'

/** A point in time, to the millisecond. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

/** An exact integer of 64 bits. */
export const int64 = (name: string) => bigint(name, { mode: 'bigint' })

/** Spans of time, as Postgres writes them. */
export const spans = customType<{ data: string }>({ dataType: () => 'tstzmultirange' })
