import { DAY_MS } from '../../time.ts'

/** How long after it was registered or hired, or its owner has logged in, an agent is idle (`idle_after`). */
const IDLE_AFTER_MS = 30 * DAY_MS

/**
 * An agent was used lately, so that its endpoint is looked at at each tick, if it is not idle for so long
 * yet: it was registered, hired or paid within a week, or up to a day more (`listed_until`).
 */
export const USED_FOR_MS = IDLE_AFTER_MS - 7 * DAY_MS
