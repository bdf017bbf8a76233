import type { InferOutput } from 'valibot'
import { connect, type Db } from '../../lib/db/connect.ts'
import type { Publication } from '../../lib/discovery/ard/publication.ts'
import type { RequestScope } from '../../lib/http/context.ts'
import type { JsonWebKeySet } from '../../schema/wire/auth.ts'

/** The dependencies of the protocols by which other software finds and uses agents. */
export type Deps = {
  db: Db
  now: Date
  /** The name and the address under which the service publishes. */
  publication: Publication
  /** The public keys of signed cards. */
  cardKeys: () => InferOutput<typeof JsonWebKeySet>
}

export const deps = (env: Cloudflare.ProtocolsEnv, { now, subrequests }: RequestScope): Deps => ({
  db: connect(env.DATABASE_URL, subrequests),
  now,
  publication: { publisher: env.ARD_PUBLISHER, origin: env.API_ORIGIN },
  cardKeys: () => JSON.parse(env.CARD_JWKS),
})
