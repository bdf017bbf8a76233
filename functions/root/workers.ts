import { CHECKS_KEPT_SECONDS, PROBE_TIMEOUT_MS } from '../../lib/http/health.ts'
import { versionOf, type WorkerHealth } from '../../lib/http/worker-health.ts'
import { cachedFor } from '../../lib/runtime/cache.ts'
import { within } from '../../lib/time.ts'
import type { Deps } from './deps.ts'

/** Sends a request to a certain version of a Worker, one that no other request reaches among them. */
const OVERRIDES = 'cloudflare-workers-version-overrides'

/** A deployment binds root to the entry Health of every Worker by a name that begins so. */
const PREFIX = 'WORKER_'

const kept = cachedFor<Record<string, WorkerHealth>>(CHECKS_KEPT_SECONDS)

/**
 * Asks every Worker at once which version of it answers, and how that is. Whoever may ask for deep checks may
 * ask for this. One that does not answer has no version.
 */
export async function workersHealth(
  env: object,
  { limitDeep, now }: Deps,
  headers: Headers,
): Promise<Record<string, WorkerHealth>> {
  await limitDeep(headers)
  const overrides = headers.get(OVERRIDES)
  // Anybody may name versions: what those answer is nobody else's answer, an upgrade's least of all.
  return overrides === null ? kept(now, () => askAll(env, null)) : askAll(env, overrides)
}

async function askAll(env: object, overrides: string | null): Promise<Record<string, WorkerHealth>> {
  const bound = Object.entries(env).filter(([name]) => name.startsWith(PREFIX))
  const answers = bound.map(async ([name, worker]: [string, Fetcher]) => {
    const group = name.slice(PREFIX.length).toLowerCase()
    const asked = worker.fetch('https://worker.internal/', {
      headers: overrides === null ? {} : { [OVERRIDES]: overrides },
    })
    const health = within(
      PROBE_TIMEOUT_MS,
      asked.then((answer) => answer.json<WorkerHealth>()),
    )
    return [group, await health.catch((): WorkerHealth => ({ version: '' }))] as const
  })
  return { root: { version: versionOf(env) }, ...Object.fromEntries(await Promise.all(answers)) }
}
