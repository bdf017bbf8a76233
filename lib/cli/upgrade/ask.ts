import type { RawConfig } from '../deploy/config.ts'
import { CommandError } from '../setup/errors.ts'
import { prove } from '../setup/proof.ts'

export type Pause = (ms: number) => Promise<void>

/** The version that must answer for a Worker. */
type Expected = { group: string; name: string; id: string }

type Health = { version: string; database?: boolean }

/** Root caches its answer for five seconds, and a new deployment needs some seconds to spread. */
const PAUSE_MS = 6_000
const TRIES = 5
/** A version with a quarter of the requests misses this many in a row once in 30 million. */
const TRIES_BY_PERCENTAGE = 60

/**
 * Asks root which version of every Worker answers, until each is the expected one and healthy. Then proves
 * the service, as setup does.
 * @param options.isOverride asks for these versions by name, since they get no other requests yet
 * @throws CommandError
 */
export async function askAll(
  origin: string,
  expected: Expected[],
  { isOverride, timeoutMs, pause }: { isOverride: boolean; timeoutMs: number; pause: Pause },
): Promise<void> {
  const overrides = expected.map(({ name, id }) => `${name}="${id}"`).join(', ')
  const headers: Record<string, string> = isOverride
    ? { 'Cloudflare-Workers-Version-Overrides': overrides }
    : {}
  for (let tried = 1; ; tried++) {
    const answer = await read(origin, headers, timeoutMs)
    const wrong = mismatchOf(answer, expected)
    if (wrong === undefined) break
    if (tried === TRIES) throw new CommandError(wrong)
    await pause(PAUSE_MS)
  }
  await prove(origin, timeoutMs, headers)
}

/**
 * Asks root without overrides, until each of these versions has answered once and is healthy. Then proves the
 * service. Other versions may answer, too: these get a share of the requests.
 * @param options.share in percent
 * @throws CommandError
 */
export async function seeAll(
  origin: string,
  expected: Expected[],
  { share, timeoutMs, pause }: { share: number; timeoutMs: number; pause: Pause },
): Promise<void> {
  let unseen = expected
  for (let tried = 1; unseen.length > 0; tried++) {
    const { workers } = await read(origin, {}, timeoutMs)
    const seen = unseen.filter(({ group, id }) => workers?.[group]?.version === id)
    const wrong = mismatchOf({ status: 200, workers: workers ?? {} }, seen)
    if (wrong !== undefined) throw new CommandError(wrong)
    unseen = unseen.filter((one) => !seen.includes(one))
    if (tried === TRIES_BY_PERCENTAGE && unseen[0])
      throw new CommandError(
        `The new version of ${unseen[0].name} has not answered any of ${tried} requests, although it gets ${share} %: check its log.`,
      )
    if (unseen.length > 0) await pause(PAUSE_MS)
  }
  await prove(origin, timeoutMs)
}

/** Returns whether root of a configuration reports the health of a group's Worker. */
export const isAsked = ({ env }: RawConfig, group: string): boolean =>
  group === 'root' ||
  (env.root?.services ?? []).some(({ binding }) => binding === `WORKER_${group.toUpperCase()}`)

type Answer = { status: number; workers?: Record<string, Health> }

async function read(origin: string, headers: Record<string, string>, timeoutMs: number): Promise<Answer> {
  try {
    const response = await fetch(`${origin}/v1/health/workers`, {
      headers,
      signal: AbortSignal.timeout(timeoutMs),
    })
    const { workers } = (await response.json()) as Answer
    return { status: response.status, ...(workers && { workers }) }
  } catch {
    return { status: 0 }
  }
}

/** Returns what is wrong with an answer; undefined if nothing is. */
function mismatchOf({ status, workers }: Answer, expected: Expected[]): string | undefined {
  if (workers === undefined)
    return status === 0
      ? 'The new versions do not answer: check the log of the Worker root.'
      : `The new version of root answers ${status} to GET /v1/health/workers: check its log.`
  for (const { group, name, id } of expected) {
    const health = workers[group]
    if (!health?.version) return `The new version of ${name} does not answer: check its log.`
    if (health.version !== id)
      return `Version ${health.version} of ${name} answers instead of ${id}: Cloudflare has not applied the override, or somebody deploys at the same time. If this repeats, run npm run upgrade -- --by-percentage, which tests the new versions with a quarter of the requests.`
    if (health.database === false)
      return `The new version of ${name} does not reach the database, or may not call the release’s functions: check its log.`
  }
  return undefined
}
