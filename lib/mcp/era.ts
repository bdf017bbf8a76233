import { base64 } from '@scure/base'
import type { Message } from './message.ts'
import { LEGACY_VERSIONS, META, MODERN_VERSION, ProtocolError, VERSIONS } from './protocol.ts'

/** `modern`: each request stands by itself. `legacy`: the revisions that begin with `initialize`. */
export type Era = 'modern' | 'legacy'

/**
 * Tells which era a request speaks, and holds what its headers say against its body: who routes or limits by
 * the headers must not be led astray by another body.
 * @throws ProtocolError header_mismatch, invalid_meta, unsupported_version
 */
export function eraOf({ method, params }: Message, headers: Headers): Era {
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
  const fault = value === null ? 'is missing' : 'differs from the body'
  throw new ProtocolError('header_mismatch', `The header ${name} ${fault}.`)
}

/**
 * The text of a header that may be encoded, `=?base64?…?=`, since a header holds ASCII alone. What does not
 * decode is nobody's name.
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
