import { CHECKS_CACHED_SECONDS, PROBE_TIMEOUT_MS } from '../../lib/http/health.ts'
import { versionOf, type WorkerHealth } from '../../lib/http/worker-health.ts'
import { cachedFor } from '../../lib/runtime/cache.ts'
import { within } from '../../lib/time.ts'
import type { Deps } from './deps.ts'

/** The header that sends a request to a given version of a Worker, even one that gets no other requests. */
const OVERRIDES = 'cloudflare-workers-version-overrides'

/** A deployment binds root to the entry Health of every Worker by a name that begins so. */
const PREFIX = 'WORKER_'

const cached = cachedFor<Record<string, WorkerHealth>>(CHECKS_CACHED_SECONDS)

/**
 * Asks every Worker at once for its version and its health. A Worker that does not answer has no version. A
 * call counts against the limit on deep checks.
 */
export async function workersHealth(
  env: object,
  { limitDeep, now }: Deps,
  headers: Headers,
): Promise<Record<string, WorkerHealth>> {
  await limitDeep(headers)
  const overrides = headers.get(OVERRIDES)
  // Anybody may name versions. The answers of named versions must not be cached for other callers.
  return overrides === null ? cached(now, () => askAll(env, null)) : askAll(env, overrides)
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
