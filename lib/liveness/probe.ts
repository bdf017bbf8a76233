import type { ApiProtocol } from '../../schema/values.ts'
import { probeA2a } from './a2a.ts'
import { type AskDeps, ask, MAX_BODY_BYTES } from './ask.ts'
import { nameOf } from './manifest.ts'
import { probeMcp } from './mcp.ts'
import { etagOf, isSuccess, NOT_MODIFIED, outcomeOf, unlessUnchanged } from './outcome.ts'
import { isRobotsDue, NO_CARD, NO_NAME, type ProbeState, type Published, type Seen } from './probe-state.ts'
import { readRobotsText } from './read-robots.ts'
import { wantsNoProbes } from './robots.ts'

/** An endpoint to probe, with its state, and whether an agent that names it was used lately. */
type ProbedEndpoint = ProbeState & { url: string; protocol: ApiProtocol; isUsed: boolean }

/** Dependencies of a probe. `publisher` is the service's own domain, which no host may use in identifiers. */
export type ProbeDeps = AskDeps & { publisher: string }

/**
 * Probes an endpoint once, unless its host's robots.txt opts out. Sends requests only to this host, one at a
 * time. Once a day, if robots.txt allows it, also reads the host's ard.json.
 */
export async function probe(deps: ProbeDeps, endpoint: ProbedEndpoint): Promise<Seen> {
  const isDue = isRobotsDue(endpoint, { now: deps.clock(), isUsed: endpoint.isUsed })
  const robots = isDue ? await readRobots(deps, endpoint.url) : undefined
  const isOptedOut = robots?.isOptedOut ?? endpoint.isOptedOut
  const published = robots && (robots.isManifestOpen ? await readPublished(deps, endpoint) : NO_NAME)
  return {
    robots,
    published,
    ...(isOptedOut ? { outcome: { kind: 'opted_out' } } : await probeByProtocol(deps, endpoint)),
  }
}

type Robots = { isOptedOut: boolean; isManifestOpen: boolean }

/**
 * Reads robots.txt; undefined if it could not be read, so that the earlier result stays valid. A host
 * without one allows everything.
 */
async function readRobots(deps: AskDeps, url: string): Promise<Robots | undefined> {
  const text = await readRobotsText(deps, url)
  if (text === undefined) return undefined
  return {
    isOptedOut: wantsNoProbes(text, url),
    isManifestOpen: !wantsNoProbes(text, manifestUrlOf(url)),
  }
}

/** Returns the URL of a host's ard.json (ARD 0.91, section 5.1). */
const manifestUrlOf = (url: string): string => new URL('/.well-known/ard.json', url).href

/**
 * Reads the identifier that an endpoint's host gives to its agent.
 * @returns undefined if nothing has changed
 */
async function readPublished(
  deps: AskDeps & { publisher: string },
  endpoint: { url: string; protocol: ApiProtocol; manifestEtag: string | null },
): Promise<Published | undefined> {
  const answer = await ask(deps, manifestUrlOf(endpoint.url), {
    headers: { accept: 'application/json', ...unlessUnchanged(endpoint.manifestEtag) },
    read: { maxBytes: MAX_BODY_BYTES },
  })
  if (answer === undefined || answer.status >= 500 || answer.status === 429) return undefined
  if (answer.status === NOT_MODIFIED && endpoint.manifestEtag !== null) return undefined
  if (!isSuccess(answer.status) || answer.text === undefined) return NO_NAME
  return { ...(nameOf(endpoint, answer.text, deps.publisher) ?? NO_NAME), manifestEtag: etagOf(answer) }
}

async function probeByProtocol(deps: AskDeps, endpoint: ProbedEndpoint): Promise<Seen> {
  switch (endpoint.protocol) {
    case 'mcp':
      return { outcome: await probeMcp(deps, endpoint.url) }
    case 'a2a-jsonrpc':
    case 'a2a-http':
      return probeA2a(deps, endpoint)
    case 'openapi':
    case 'http':
      return probeByGet(deps, endpoint)
  }
}

async function probeByGet(deps: AskDeps, { url, etag }: ProbedEndpoint): Promise<Seen> {
  const answer = await ask(deps, url, { headers: unlessUnchanged(etag) })
  const served = answer && isSuccess(answer.status) ? { ...NO_CARD, etag: etagOf(answer) } : undefined
  return { outcome: outcomeOf(answer, deps.clock()), served }
}
