import type { DocumentKind } from './values.ts'
import { isWallet, type Wallet } from './wallet.ts'

/** The form of an ARD identifier (0.91, appendix C): `urn:air:<publisher>:<namespace>:<name>`. */
export const ARD_IDENTIFIER = /^urn:air:[a-zA-Z0-9.-]+(:[a-zA-Z0-9._-]+)+$/

/** In characters. */
export const MAX_ARD_IDENTIFIER_LENGTH = 300

/** The domain in our identifiers. */
type By = { publisher: string }

/** Returns the identifier of something that we publish. */
export const identifierOf = (
  { publisher }: By,
  kind: DocumentKind | 'registry' | 'mcp',
  name: string,
): string => `urn:air:${publisher}:${kind}:${name}`

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** An agent of the marketplace by its id, or one of the signed registry by its public key. */
export type Subject = { kind: 'agent'; key: string } | { kind: 'registered'; key: Wallet }

/** Reads `<kind>:<key>`, the end of an agent's identifier. Case counts. */
function subjectIn(text: string): Subject | undefined {
  const [kind, key = '', ...rest] = text.split(':')
  if (rest.length > 0) return undefined
  if (kind === 'agent' && UUID.test(key)) return { kind, key }
  return kind === 'registered' && isWallet(key) ? { kind, key } : undefined
}

/** Returns the agent that an identifier of this publisher names; undefined for other identifiers. */
export function namedBy({ publisher }: By, identifier: string): Subject | undefined {
  const prefix = `urn:air:${publisher}:`
  return identifier.startsWith(prefix) ? subjectIn(identifier.slice(prefix.length)) : undefined
}

/** Returns the domain in an identifier. */
export const publisherOf = (identifier: string): string => identifier.split(':')[2] ?? ''
