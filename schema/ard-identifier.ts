import type { DocumentKind } from './values.ts'

/** What an identifier of ARD is (0.91, appendix C): `urn:air:<publisher>:<namespace>:<name>`. */
export const ARD_IDENTIFIER = /^urn:air:[a-zA-Z0-9.-]+(:[a-zA-Z0-9._-]+)+$/

/** In characters. */
export const MAX_ARD_IDENTIFIER_LENGTH = 300

/** The domain under whose name identifiers are. */
type By = { publisher: string }

/** The identifier of something that we publish. */
export const identifierOf = (
  { publisher }: By,
  kind: DocumentKind | 'registry' | 'mcp',
  name: string,
): string => `urn:air:${publisher}:${kind}:${name}`

/** What one of our identifiers names, if it is that of an agent. It is compared as it stands, case and all. */
export function namedBy(by: By, identifier: string): { kind: DocumentKind; key: string } | undefined {
  for (const kind of ['agent', 'registered'] as const) {
    const prefix = identifierOf(by, kind, '')
    if (identifier.startsWith(prefix)) return { kind, key: identifier.slice(prefix.length) }
  }
  return undefined
}

/** The domain under whose name an identifier is. */
export const publisherOf = (identifier: string): string => identifier.split(':')[2] ?? ''
