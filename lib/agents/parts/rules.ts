import { DAY_MS } from '../../time.ts'

/** Time after its registration, hire or owner's login until an agent is idle (`idle_after`). */
export const IDLE_AFTER_MS = 30 * DAY_MS

/**
 * An agent with more than this left until it is idle (`listed_until`) was used within the last week, or a day
 * more. Its endpoint is probed at each scheduled run.
 */
export const USED_FOR_MS = IDLE_AFTER_MS - 7 * DAY_MS
