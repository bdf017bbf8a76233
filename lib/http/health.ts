import type { HealthChecks } from '../../schema/wire/health.ts'
import { ApiError } from '../api-error.ts'
import { injected } from '../injected.ts'
import { within } from '../time.ts'

/** The Health entrypoint of the auth Worker: checks that its database and its KV namespace answer. */
export type AuthHealth = { database(): Promise<boolean>; kv(): Promise<boolean> }

/** The Health entrypoint of the vault Worker: checks that its RPC node answers. */
export type VaultHealth = { rpc(): Promise<boolean> }

/** Checks that a system answers. */
export type Probe = () => Promise<boolean>

/** The result of a deep check, also a failure, is reused for this long. */
export const CHECKS_CACHED_SECONDS = 5

/** A system that does not answer within this time counts as down. */
export const PROBE_TIMEOUT_MS = injected('PROBE_TIMEOUT_MS') ?? 3_000

/** The probes of a deep check; without `rpc` if the deployment has no RPC node. */
export type Probes = { database: Probe; kv: Probe; rpc?: Probe }

/**
 * Probes all systems concurrently.
 * @param deps.elapsed a stopwatch, in milliseconds
 */
export async function checkAll({
  probes,
  elapsed,
}: {
  probes: Probes
  elapsed: () => number
}): Promise<HealthChecks> {
  const [database, kv, rpc] = await Promise.all([
    check(probes.database, elapsed),
    check(probes.kv, elapsed),
    // A missing binding must count as down, so test for the key.
    'rpc' in probes ? check(probes.rpc as Probe, elapsed) : undefined,
  ])
  return { database, kv, ...(rpc && { rpc }) }
}

/**
 * Answers a health check. A shallow check probes nothing; it only shows that a Worker runs.
 * @param checksOf runs a deep check
 * @throws ApiError dependency_unavailable, with every check, if a deep check finds a system down
 */
export async function health(
  { deep }: { deep?: '0' | '1' | undefined },
  checksOf: () => Promise<HealthChecks>,
): Promise<{ status: 'ok'; checks?: HealthChecks }> {
  if (deep !== '1') return { status: 'ok' }
  const checks = await checksOf()
  const down = Object.entries(checks).flatMap(([name, check]) => (check?.status === 'down' ? [name] : []))
  if (down.length === 0) return { status: 'ok', checks }
  throw new ApiError('dependency_unavailable', `Down: ${down.join(', ')}.`, {
    checks,
    retryAfterSeconds: CHECKS_CACHED_SECONDS,
    cause: new Error(`down: ${down.join(', ')}`),
  })
}

async function check(probe: Probe, elapsed: () => number): Promise<HealthChecks['kv']> {
  const startedAt = elapsed()
  const up = await inTime(probe)
  return { status: up ? 'up' : 'down', latencyMs: Math.round(elapsed() - startedAt) }
}

/** Checks that a probe answers true in time. A probe that throws or hangs counts as down. */
const inTime = (probe: Probe): Promise<boolean> =>
  // Called in an async function, because a missing binding throws before there is a promise.
  within(PROBE_TIMEOUT_MS, (async () => (await probe()) === true)()).catch(() => false)
