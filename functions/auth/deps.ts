import type { InferOutput } from 'valibot'
import { type LoginDomains, loginDomainsOf } from '../../lib/auth/login-domains.ts'
import type { RoleSettings } from '../../lib/auth/session/rules.ts'
import { connect, type Db } from '../../lib/db/connect.ts'
import type { RequestScope } from '../../lib/http/context.ts'
import { countCalls } from '../../lib/runtime/subrequests.ts'
import type { JsonWebKeySet } from '../../schema/wire/auth.ts'

/** The dependencies of logins and sessions. */
export type Deps = {
  db: Db
  nonces: KVNamespace
  now: Date
  signingKey: string
  roles: RoleSettings
  loginDomains: LoginDomains
  /** The public keys of session tokens. */
  publicKeys: () => InferOutput<typeof JsonWebKeySet>
}

export const deps = (env: Cloudflare.AuthEnv, { now, subrequests }: RequestScope): Deps => ({
  db: connect(env.DATABASE_URL, subrequests),
  nonces: countCalls(env.NONCES, 'kv', subrequests),
  now,
  signingKey: env.SESSION_SIGNING_KEY,
  roles: env,
  loginDomains: loginDomainsOf(env.LOGIN_DOMAINS),
  publicKeys: () => JSON.parse(env.SESSION_JWKS),
})
