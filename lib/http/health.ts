import type { HealthChecks } from '../../schema/wire/health.ts'
import { Refusal } from '../refusal.ts'
import { within } from '../time.ts'

/** What the entrypoint Health of the auth Worker answers: whether its database and its KV namespace do. */
export type AuthHealth = { database(): Promise<boolean>; kv(): Promise<boolean> }

/** The same of the vault Worker and its RPC node. */
export type VaultHealth = { rpc(): Promise<boolean> }

/** Asks a system for a sign of life. */
export type Probe = () => Promise<boolean>

/** For so long what a deep check has found is told to all who ask, a failure too. */
export const CHECKS_KEPT_SECONDS = 5

/** After this a system counts as down: who asks for health has no longer patience. */
export const PROBE_TIMEOUT_MS = 3_000

/** What a deep check asks: `rpc` is left out where the deployment has no RPC node. */
export type Probes = { database: Probe; kv: Probe; rpc?: Probe }

/**
 * Asks every system at the same time.
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
    // Its binding may be missing, which is not to be without one.
    'rpc' in probes ? check(probes.rpc as Probe, elapsed) : undefined,
  ])
  return { database, kv, ...(rpc && { rpc }) }
}

/**
 * Whether the service is well. The shallow answer says that a Worker runs, and asks nobody.
 * @param checksOf what a deep one asks
 * @throws Refusal dependency_unavailable, with every check, when a deep one finds a system down
 */
export async function health(
  { deep }: { deep?: '0' | '1' | undefined },
  checksOf: () => Promise<HealthChecks>,
): Promise<{ status: 'ok'; checks?: HealthChecks }> {
  if (deep !== '1') return { status: 'ok' }
  const checks = await checksOf()
  const down = Object.entries(checks).flatMap(([name, check]) => (check?.status === 'down' ? [name] : []))
  if (down.length === 0) return { status: 'ok', checks }
  throw new Refusal('dependency_unavailable', `Down: ${down.join(', ')}.`, {
    checks,
    retryAfterSeconds: CHECKS_KEPT_SECONDS,
    cause: new Error(`down: ${down.join(', ')}`),
  })
}

async function check(probe: Probe, elapsed: () => number): Promise<HealthChecks['kv']> {
  const startedAt = elapsed()
  const up = await inTime(probe)
  return { status: up ? 'up' : 'down', latencyMs: Math.round(elapsed() - startedAt) }
}

/** Whether a probe answers true in time. One that throws, hangs or answers anything else does not. */
const inTime = (probe: Probe): Promise<boolean> =>
  // Called in an async function: a binding that is missing throws before there is a promise.
  within(PROBE_TIMEOUT_MS, (async () => (await probe()) === true)()).catch(() => false)
