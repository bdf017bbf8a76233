/** A statement as it was captured; `{{name}}` in a parameter stands for what a request has by that name. */
type CapturedStatement = { query: string; params: (string | null)[] }

/** What the Fastify peer serves. */
export type FastifyInput = {
  databaseUrl: string
  jwks: string
  list: CapturedStatement
  /** The statements of a write are one transaction. */
  writes: { path: string; schema?: object; statements: CapturedStatement[] }[]
}

/** What a peer says when it listens. */
export type PeerReady = { origin: string }

/** @property feePayerKey Base58 of 64 bytes */
export type FacilitatorInput = { feePayerKey: string; rpcUrl: string }

export type BetterAuthInput = { databaseUrl: string }
