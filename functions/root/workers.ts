import { CHECKS_CACHED_SECONDS, PROBE_TIMEOUT_MS } from '../../lib/http/health.ts'
import { versionOf, type WorkerHealth } from '../../lib/http/worker-health.ts'
import { cachedFor } from '../../lib/runtime/cache.ts'
import { within } from '../../lib/time.ts'
import type { Deps } from './deps.ts'

/** Cloudflare's header that sends a request to a chosen version of a Worker, even one without traffic. */
const OVERRIDES = 'cloudflare-workers-version-overrides'

/**
 * The bindings of root by which it reads the health of the other Workers: `WORKER_AUTH` is bound to the
 * entrypoint Health of the Worker of the group auth. A deployment adds them (lib/cli/deploy/config.ts);
 * wrangler.toml has none.
 */
const PREFIX = 'WORKER_'

const cachedHealth = cachedFor<Record<string, WorkerHealth>>(CHECKS_CACHED_SECONDS)

/**
 * Returns the version and the health of every Worker by its group, such as `auth`. Asks all Workers
 * concurrently. A Worker that fails or does not answer in time has the version `''`.
 * @param deps.limitDeepChecks counts this call like one of GET /v1/health?deep=1
 * @param headers of the request: the caller's address, and the versions to ask, if it chooses any
 * @throws ApiError rate_limited after too many deep checks by the caller's address
 */
export async function workersHealth(
  env: object,
  { limitDeepChecks, now }: Deps,
  headers: Headers,
): Promise<Record<string, WorkerHealth>> {
  await limitDeepChecks(headers)
  const overrides = headers.get(OVERRIDES)
  // Any caller can choose versions by the header. So the health of chosen versions is not cached: other
  // callers must get the health of the versions that serve them.
  return overrides === null ? cachedHealth(now, () => askAll(env, null)) : askAll(env, overrides)
}

async function askAll(env: object, overrides: string | null): Promise<Record<string, WorkerHealth>> {
  const bound = Object.entries(env).filter(([name]) => name.startsWith(PREFIX))
  const answers = bound.map(async ([name, worker]: [string, Fetcher]) => {
    const group = name.slice(PREFIX.length).toLowerCase()
    const response = worker.fetch('https://worker.internal/', {
      headers: overrides === null ? {} : { [OVERRIDES]: overrides },
    })
    const health = within(
      PROBE_TIMEOUT_MS,
      response.then((answer) => answer.json<WorkerHealth>()),
    )
    return [group, await health.catch((): WorkerHealth => ({ version: '' }))] as const
  })
  return { root: { version: versionOf(env) }, ...Object.fromEntries(await Promise.all(answers)) }
}
