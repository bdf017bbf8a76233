import type { DocumentKind } from '../../schema/values.ts'

/** Under whose name we publish, and where. Both are settings: a request's Host decides nothing. */
export type Publication = {
  /** The domain that stands in identifiers. */
  publisher: string
  /** Scheme and host of the API, such as `https://api.agentcred.example`. */
  origin: string
}

/** The base URL of the search API, to which ARD adds `search`, `explore` and `agents`. */
export const registryUrl = ({ origin }: Publication): string => `${origin}/v1/ard/`

/** The identifier of something that we publish: `urn:air:<publisher>:<kind>:<name>`. */
export const identifierOf = (
  { publisher }: Publication,
  kind: DocumentKind | 'registry' | 'mcp',
  name: string,
): string => `urn:air:${publisher}:${kind}:${name}`

/** What an identifier names, if it is that of an agent here. It is compared as it stands, case and all. */
export function namedBy(
  publication: Publication,
  identifier: string,
): { kind: DocumentKind; key: string } | undefined {
  for (const kind of ['agent', 'registered'] as const) {
    const prefix = identifierOf(publication, kind, '')
    if (identifier.startsWith(prefix)) return { kind, key: identifier.slice(prefix.length) }
  }
  return undefined
}
