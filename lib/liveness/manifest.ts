import {
  ARD_IDENTIFIER,
  MAX_ARD_IDENTIFIER_LENGTH,
  namedBy,
  publisherOf,
} from '../../schema/ard-identifier.ts'
import { hostOf } from '../../schema/urls.ts'
import type { ApiProtocol } from '../../schema/values.ts'
import { CARD_PATH, type ForeignCard, isObject, isText, objectIn, sameAs } from './own-card.ts'

/** An identifier that a host gives to an agent, and the agent: `<kind>:<key>`. */
type Named = { identifier: string; identifies: string }

/**
 * Finds in a host's ard.json the identifier that it gives to the agent of an endpoint. Exactly one entry
 * must link to the endpoint or its card, and name the agent in `metadata.agentcred` by the service's
 * identifier. Otherwise a wallet that names a stranger's endpoint would get its identifier. The publisher
 * must be the host itself.
 * @param publisher the service's own domain, which no host may use
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

/** Checks that an entry belongs to an endpoint: by its URL, its card's URL, or a card in the entry. */
function leadsTo({ url, protocol }: { url: string; protocol: ApiProtocol }): (entry: ForeignCard) => boolean {
  const isEndpoint = sameAs(url)
  const isCard = sameAs(cardUrl(url, protocol))
  return (entry) => {
    if (isText(entry.url)) return isEndpoint(entry.url) || isCard(entry.url)
    if (!isObject(entry.data)) return false
    const interfaces = protocol === 'mcp' ? entry.data.remotes : entry.data.supportedInterfaces
    return (
      Array.isArray(interfaces) &&
      interfaces.some((one) => isObject(one) && isText(one.url) && isEndpoint(one.url))
    )
  }
}

/** Returns the URL of an endpoint's card in its protocol, or the endpoint's own URL for other protocols. */
function cardUrl(endpoint: string, protocol: ApiProtocol): string {
  if (protocol === 'mcp') return `${endpoint.replace(/\/$/, '')}/server-card`
  return protocol.startsWith('a2a') ? new URL(CARD_PATH, endpoint).href : endpoint
}
