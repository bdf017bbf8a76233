import { DAY_MS } from '../clock.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = DAY_MS / 1_000

/** What may lie between two ticks of a time axis, in seconds: no less than its labels tell apart. */
export const TIME_STEPS = [
  ...[1, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 3, 7, 14, 30, 60, 90, 180, 365].map((days) => days * DAY),
]

/** What may lie between two ticks of counts: 1, 2, 5, 10, 20, 50 …, to a thousand million millions. */
export const WHOLE_STEPS = Array.from({ length: 16 }, (_, power) => power).flatMap((power) =>
  [1, 2, 5].map((step) => step * 10 ** power),
)
