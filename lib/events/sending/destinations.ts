import { hostOf } from '../../../schema/urls.ts'
import { sha256Hex } from '../../keys/bytes.ts'
import type { Endpoint } from '../all-endpoint-queries.ts'

/** An endpoint with a due delivery, and its destination at the time of the search. */
export type DueDestination = {
  endpointId: string
  /** The URL's SHA-256 in hexadecimal. */
  urlHash: string
  /** The URL's host and port as a URL parser writes them, since a name has several spellings. */
  host: string
}

/** A run for one endpoint, and its delay in milliseconds. */
export type RunForOne = { destination: DueDestination; delayMs: number }

/**
 * Parses the setting WEBHOOK_TRUSTED_HOSTS: host names separated by commas. An empty text is an empty list.
 * @throws TypeError with the first invalid entry
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

export const dueDestinationOf = async ({
  id,
  url,
}: Pick<Endpoint, 'id' | 'url'>): Promise<DueDestination> => ({
  endpointId: id,
  urlHash: await sha256Hex(url),
  host: hostOf(url),
})
