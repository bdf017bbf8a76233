/** A parameter as it was captured, or where a request has it. */
export type Param = string | null | { from: string }

/** What the Fastify peer serves. */
export type FastifyInput = {
  databaseUrl: string
  jwks: string
  list: { query: string; params: (string | null)[] }
  writes: { path: string; schema: object; query: string; params: Param[] }[]
}

/** What a peer says when it listens. */
export type PeerReady = { origin: string }

export type BetterAuthInput = { databaseUrl: string }
