import type { InferOutput } from 'valibot'
import { connect, type Db } from '../../lib/db/connect.ts'
import type { Publication } from '../../lib/discovery/ard/publication.ts'
import type { RequestScope } from '../../lib/http/context.ts'
import type { JsonWebKeySet } from '../../schema/wire/auth.ts'

/** What the protocols by which other software finds and uses agents need. */
export type Deps = {
  db: Db
  now: Date
  /** Under whose name and where we publish. */
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
