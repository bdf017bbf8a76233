/** The version without sessions: each request names its version and what its client can do. */
export const MODERN_VERSION = '2026-07-28'

/** The versions before it, which begin with `initialize`; the newest first. */
export const LEGACY_VERSIONS: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26']

/** All versions that this server speaks, the newest first. */
export const VERSIONS: readonly string[] = [MODERN_VERSION, ...LEGACY_VERSIONS]

/** The keys of `_meta` that the protocol reserves. */
export const META = {
  version: 'io.modelcontextprotocol/protocolVersion',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  server: 'io.modelcontextprotocol/serverInfo',
} as const

const codes = {
  parse_error: { code: -32700, status: 400 },
  invalid_message: { code: -32600, status: 400 },
  modern_method_not_found: { code: -32601, status: 404 },
  legacy_method_not_found: { code: -32601, status: 200 },
  /** The method can't take these parameters. */
  invalid_params: { code: -32602, status: 200 },
  /** A modern request lacks a member that all modern requests have. */
  invalid_meta: { code: -32602, status: 400 },
  header_mismatch: { code: -32020, status: 400 },
  unsupported_version: { code: -32022, status: 400 },
} as const

/** An error of the protocol: its JSON-RPC code, and the HTTP status that goes with it. */
export class ProtocolError extends Error {
  readonly code: number
  readonly status: 200 | 400 | 404
  readonly data: Record<string, unknown> | undefined

  constructor(kind: keyof typeof codes, message: string, data?: Record<string, unknown>) {
    super(message)
    this.name = 'ProtocolError'
    this.code = codes[kind].code
    this.status = codes[kind].status
    this.data = data
  }
}
