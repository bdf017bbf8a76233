/** JSON-RPC 2.0 codes, and the codes of validators (rpc-client-types, custom_error.rs). */
export const RPC_CODE = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  preflightFailure: -32002,
  signatureVerification: -32003,
  blockNotAvailable: -32004,
  unsupportedVersion: -32015,
  minContextSlot: -32016,
} as const

/** An error answer: `code`, `message` and optional `data` go into the response unchanged. */
export class RpcError extends Error {
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

export function invalidParams(message: string): RpcError {
  return new RpcError(RPC_CODE.invalidParams, message)
}
