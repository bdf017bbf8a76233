import type { ApiProtocol } from '../../schema/values.ts'
import { type AskDeps, ask, MAX_BODY_BYTES } from './ask.ts'
import { nameOf } from './manifest.ts'
import { isSuccess, NOT_MODIFIED } from './outcome.ts'
import { etagOf, unlessUnchanged } from './served.ts'
import { NO_NAME, type Published } from './sight.ts'

/** Where a host publishes what it has (ARD 0.91, section 5.1). */
export const manifestUrlOf = (url: string): string => new URL('/.well-known/ard.json', url).href

/**
 * Reads how an endpoint's host calls its agent.
 * @returns undefined when the host has not said anything new
 */
export async function readPublished(
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
