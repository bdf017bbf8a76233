/** The name of the global with the constants that a test changes. It is set before a Worker's code runs. */
export const INJECTED = 'INJECTED_CONSTANTS'

/** Replaces lib/injected.ts in local bundles. Returns a test's value of a constant, if there is one. */
export const injected = (name: string): number | undefined =>
  (globalThis as { [INJECTED]?: Record<string, number> })[INJECTED]?.[name]
