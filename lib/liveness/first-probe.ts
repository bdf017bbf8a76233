/** Delay of an endpoint's first probe, so that endpoints named together share a job run. */
export const FIRST_PROBE_AFTER_MS = 60_000

/** Returns the time of the first probe of an endpoint that is named now. */
export const firstProbeAt = (now: Date): Date => new Date(now.getTime() + FIRST_PROBE_AFTER_MS)
