import { hostOf } from '../../../schema/urls.ts'
import { sha256Hex } from '../../keys/bytes.ts'
import type { Hook } from '../hook-queries.ts'

/** What a target and its host are known by. */
type Target = {
  /** The URL's SHA-256 in hexadecimal. */
  urlHash: string
  /** The URL's host and port, as a URL parser has them: names can be written in many ways. */
  host: string
}

/** Where something is due: an endpoint, and the URL that it had when that was found. */
export type DueTarget = Target & { endpointId: string }

/** A run for one endpoint alone, to begin after so many milliseconds. */
export type LoneRun = { target: DueTarget; delayMs: number }

/**
 * Parses the setting WEBHOOK_TRUSTED_HOSTS: names of hosts, separated by commas; empty text is an empty list.
 * @throws TypeError that says which entry is wrong
 */
export function parseTrustedHosts(setting: string): ReadonlySet<string> {
  const hosts = setting
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  const wrong = hosts.find((host) => hostOf(`https://${host}/`) !== host)
  if (wrong === undefined) return new Set(hosts)
  throw new TypeError(`WEBHOOK_TRUSTED_HOSTS: "${wrong}" must be a host's name in lower case`)
}

export const targetOf = async (url: string): Promise<Target> => ({
  urlHash: await sha256Hex(url),
  host: hostOf(url),
})

export const dueTargetOf = async ({ id, url }: Pick<Hook, 'id' | 'url'>): Promise<DueTarget> => ({
  endpointId: id,
  ...(await targetOf(url)),
})
