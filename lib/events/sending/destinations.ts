import { hostOf } from '../../../schema/urls.ts'
import { sha256Hex } from '../../keys/bytes.ts'
import type { Endpoint } from '../all-endpoint-queries.ts'

/** What a destination and its host are known by. */
type Destination = {
  /** The URL's SHA-256 in hexadecimal. */
  urlHash: string
  /** The URL's host and port, as a URL parser has them: names can be written in many ways. */
  host: string
}

/** Where something is due: an endpoint, and the URL that it had when that was found. */
export type DueDestination = Destination & { endpointId: string }

/** A run for one endpoint alone, to begin after so many milliseconds. */
export type RunForOne = { destination: DueDestination; delayMs: number }

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

export const destinationOf = async (url: string): Promise<Destination> => ({
  urlHash: await sha256Hex(url),
  host: hostOf(url),
})

export const dueDestinationOf = async ({
  id,
  url,
}: Pick<Endpoint, 'id' | 'url'>): Promise<DueDestination> => ({
  endpointId: id,
  ...(await destinationOf(url)),
})
