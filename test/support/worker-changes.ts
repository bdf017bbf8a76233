import type { BuiltWorker } from '../../lib/local/build.ts'

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

export const declarationOf = (name: string) => new RegExp(`\\b${name}=(?!=)[^,;]+`, 'g')

/**
 * Changes constants of a Worker's code, which a bundle declares by their names. All other time limits become
 * long.
 * @throws Error for a given constant that the Worker does not declare once
 */
export function withConstants(script: string, constants: Record<string, number> = {}): string {
  for (const name of Object.keys(constants)) {
    const found = script.match(declarationOf(name))?.length ?? 0
    if (found !== 1) throw new Error(`the Worker declares the constant ${name} ${found} times`)
  }
  return Object.entries({ ...TIME_LIMITS, ...constants }).reduce(
    (text, [name, value]) => text.replace(declarationOf(name), `${name}=${value}`),
    script,
  )
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
