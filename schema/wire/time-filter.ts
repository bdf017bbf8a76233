import * as v from 'valibot'
import { Instant } from './instant.ts'

/** The parameters that restrict a list to the entries of a time, such as a month. */
export const timeFilter = {
  schemas: { since: v.optional(Instant), until: v.optional(Instant) },
  meanings: {
    since: 'Only entries recorded at this time or later; an RFC 3339 time.',
    until: 'Only entries recorded before this time; an RFC 3339 time.',
  },
} as const
