/** An endpoint is looked at so long after it was named: several that are named together share a round. */
const FIRST_LOOK_AFTER_MS = 60_000

/** Returns when an endpoint that was named now is to be looked at. */
export const firstLookAt = (now: Date): Date => new Date(now.getTime() + FIRST_LOOK_AFTER_MS)
