import * as v from 'valibot'
import { constrain } from '../docs.ts'
import { readDateTime } from '../times.ts'
import { DAY } from './common.ts'

const INSTANT_ERROR = 'must be an RFC 3339 time, such as 2026-11-20T09:05:00Z'

const isOfTime = v.check((text: string) => readDateTime(text) !== undefined, 'must be a time that exists')
// The format knows leap years and leap seconds.
constrain(isOfTime, { format: 'date-time' })

/** A point in time, in any form of RFC 3339. Answers have one form. */
export const Instant = v.pipe(
  v.string(),
  v.regex(
    new RegExp(
      `^${DAY}[Tt]([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]+)?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$`,
    ),
    INSTANT_ERROR,
  ),
  isOfTime,
  v.transform((text) => readDateTime(text) as Date),
)
