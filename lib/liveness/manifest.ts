import {
  ARD_IDENTIFIER,
  MAX_ARD_IDENTIFIER_LENGTH,
  namedBy,
  publisherOf,
} from '../../schema/ard-identifier.ts'
import { hostOf } from '../../schema/urls.ts'
import type { ApiProtocol } from '../../schema/values.ts'
import { CARD_PATH, type ForeignCard, isObject, isText, objectIn, sameAs } from './own-card.ts'

/** How a host calls an agent of ours, and which one it says that is: `<kind>:<key>`. */
type Named = { identifier: string; identifies: string }

/**
 * Reads from a host's ard.json how it calls the agent of an endpoint. That is one entry, and no second one,
 * that leads to the endpoint or to its card and says in `metadata.agentcred` by our identifier which agent of
 * ours it is: anybody can name any endpoint here, and must not get its name by that. Its own identifier must
 * be of the host itself.
 * @param publisher our domain, under which nobody else names anything
 */
export function nameOf(
  endpoint: { url: string; protocol: ApiProtocol },
  text: string,
  publisher: string,
): Named | undefined {
  const entries = objectIn(text)?.entries
  if (!Array.isArray(entries)) return undefined
  const isIts = leadsTo(endpoint)
  const named = entries.flatMap((entry) => {
    if (!isObject(entry) || !isObject(entry.metadata)) return []
    const { identifier, metadata } = entry
    const its = isText(metadata.agentcred) ? namedBy({ publisher }, metadata.agentcred) : undefined
    if (its === undefined || !isOwnIdentifier(identifier, hostOf(endpoint.url), publisher)) return []
    if (!isIts(entry)) return []
    return [{ identifier, identifies: `${its.kind}:${its.key}` }]
  })
  return named.length === 1 ? named[0] : undefined
}

const isOwnIdentifier = (identifier: unknown, host: string, publisher: string): identifier is string =>
  isText(identifier) &&
  identifier.length <= MAX_ARD_IDENTIFIER_LENGTH &&
  ARD_IDENTIFIER.test(identifier) &&
  publisherOf(identifier) === host &&
  host !== publisher

/** Tells whether an entry is of an endpoint: by the endpoint's URL, its card's, or a card in the entry. */
function leadsTo({ url, protocol }: { url: string; protocol: ApiProtocol }): (entry: ForeignCard) => boolean {
  const isEndpoint = sameAs(url)
  const isCard = sameAs(cardUrl(url, protocol))
  return (entry) => {
    if (isText(entry.url)) return isEndpoint(entry.url) || isCard(entry.url)
    if (!isObject(entry.data)) return false
    const places = protocol === 'mcp' ? entry.data.remotes : entry.data.supportedInterfaces
    return (
      Array.isArray(places) &&
      places.some((place) => isObject(place) && isText(place.url) && isEndpoint(place.url))
    )
  }
}

/** Where protocols want the card of an endpoint; others have none. */
function cardUrl(endpoint: string, protocol: ApiProtocol): string {
  if (protocol === 'mcp') return `${endpoint.replace(/\/$/, '')}/server-card`
  return protocol.startsWith('a2a') ? new URL(CARD_PATH, endpoint).href : endpoint
}
