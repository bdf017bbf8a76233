import type { BuiltWorker } from '../../lib/local/build.ts'
import { INJECTED } from '../../lib/local/injected.ts'

/** Longer than any answer takes on a busy machine, and shorter than a test may take. */
const PATIENT_MS = 180_000

/** The time limits of what Workers call. A busy machine answers later than they allow. */
export const TIME_LIMITS = {
  DATABASE_TIMEOUT_MS: PATIENT_MS,
  RPC_TIMEOUT_MS: PATIENT_MS,
  KV_TIMEOUT_MS: PATIENT_MS,
  CLOCK_TIMEOUT_MS: PATIENT_MS,
  TOOL_TIMEOUT_MS: PATIENT_MS,
  PROBE_TIMEOUT_MS: PATIENT_MS,
  ANSWER_TIMEOUT_MS: PATIENT_MS,
  // The lease of what is sent ends after 60 seconds.
  WEBHOOK_TIMEOUT_MS: 50_000,
}

/** Returns whether a Worker's code declares a constant that tests can change. */
export const declares = (script: string, name: string): boolean => script.includes(`injected("${name}")`)

/**
 * Changes constants of a Worker's code (lib/local/injected.ts). All other time limits become long.
 * @throws Error for a given constant that the Worker does not declare
 */
export function withConstants(script: string, constants: Record<string, number> = {}): string {
  for (const name of Object.keys(constants))
    if (!declares(script, name)) throw new Error(`the Worker has no injected('${name}'): correct the name`)
  return `globalThis.${INJECTED}=${JSON.stringify({ ...TIME_LIMITS, ...constants })};\n${script}`
}

/** Makes a Worker's options with other limits for some of its rate limits, by binding. */
export function withLimits(
  options: BuiltWorker['options'],
  limits: Record<string, number> = {},
): BuiltWorker['options'] {
  const ratelimits = Object.entries(options.ratelimits ?? {}).map(([name, { simple, ...rest }]) => [
    name,
    { ...rest, simple: { ...simple, limit: limits[name] ?? simple.limit } },
  ])
  return { ...options, ratelimits: Object.fromEntries(ratelimits) }
}
