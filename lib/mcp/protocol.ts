/** The revision without sessions: each request says its version and what its client can do. */
export const MODERN_VERSION = '2026-07-28'

/** The revisions before it, which begin with `initialize`; the newest first. */
export const LEGACY_VERSIONS: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26']

/** All that this server speaks, the newest first. */
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
  /** Parameters of a method that it can not take. */
  invalid_params: { code: -32602, status: 200 },
  /** A request without what every request of the modern era says of itself. */
  invalid_meta: { code: -32602, status: 400 },
  header_mismatch: { code: -32020, status: 400 },
  unsupported_version: { code: -32022, status: 400 },
} as const

/** A message that the protocol refuses, as JSON-RPC says it, and the HTTP status that goes with it. */
export class ProtocolError extends Error {
  readonly code: number
  readonly status: 200 | 400 | 404
  readonly data: Record<string, unknown> | undefined

  constructor(fault: keyof typeof codes, message: string, data?: Record<string, unknown>) {
    super(message)
    this.name = 'ProtocolError'
    this.code = codes[fault].code
    this.status = codes[fault].status
    this.data = data
  }
}
