import { base64 } from '@scure/base'
import type { Message } from './message.ts'
import { LEGACY_VERSIONS, META, MODERN_VERSION, ProtocolError, VERSIONS } from './protocol.ts'

/** `modern`: each request names its version. `legacy`: the versions that begin with `initialize`. */
export type VersionKind = 'modern' | 'legacy'

/**
 * Returns the kind of protocol version that a request speaks. The headers of a modern one must match its
 * body: proxies route and limit by headers, so another body must not get past them.
 * @throws ProtocolError header_mismatch, invalid_meta, unsupported_version
 */
export function versionKindOf({ method, params }: Message, headers: Headers): VersionKind {
  const header = headers.get('mcp-protocol-version')
  const meta = Object(params?._meta)
  const version: unknown = meta[META.version] ?? undefined
  if (version === undefined && (header === null || LEGACY_VERSIONS.includes(header))) return 'legacy'
  requireVersion(version, header)
  if (typeof meta[META.capabilities] !== 'object' || meta[META.capabilities] === null) {
    throw new ProtocolError('invalid_meta', `_meta lacks ${META.capabilities}.`)
  }
  requireHeader('Mcp-Method', headers.get('mcp-method'), method)
  const name = params?.name
  if (method === 'tools/call' && typeof name === 'string') {
    requireHeader('Mcp-Name', decoded(headers.get('mcp-name')), name)
  }
  return 'modern'
}

function requireVersion(version: unknown, header: string | null): void {
  if (version === undefined && header !== MODERN_VERSION) throw unsupported(header)
  if (typeof version !== 'string') throw new ProtocolError('invalid_meta', `_meta lacks ${META.version}.`)
  requireHeader('MCP-Protocol-Version', header, version)
  if (version !== MODERN_VERSION) throw unsupported(version)
}

const unsupported = (requested: string | null) =>
  new ProtocolError('unsupported_version', 'This protocol version is not supported.', {
    supported: VERSIONS,
    requested,
  })

function requireHeader(name: string, value: string | null, expected: string): void {
  if (value === expected) return
  const problem = value === null ? 'is missing' : 'differs from the body'
  throw new ProtocolError('header_mismatch', `The header ${name} ${problem}.`)
}

/**
 * Returns the text of a header. Headers hold ASCII alone, so it may be encoded as `=?base64?…?=`. An
 * encoding that is not valid gives the empty text, which matches no name.
 */
function decoded(header: string | null): string | null {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(header ?? '')?.[1]
  if (encoded === undefined) return header
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(base64.decode(encoded))
  } catch {
    return ''
  }
}
