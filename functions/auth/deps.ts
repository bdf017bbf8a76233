import type { InferOutput } from 'valibot'
import { ApiError } from '../../lib/api-error.ts'
import { type LoginDomains, loginDomainsOf } from '../../lib/auth/login-domains.ts'
import type { ClientDeps, ClientDocumentReader } from '../../lib/auth/oauth/client.ts'
import type { RoleSettings } from '../../lib/auth/session/rules.ts'
import { connect, type Db } from '../../lib/db/connect.ts'
import { type Notify, scheduleAndNotifyOf } from '../../lib/events/outbox/notify.ts'
import type { RequestScope } from '../../lib/http/context.ts'
import { countCalls } from '../../lib/runtime/subrequests.ts'
import type { JsonWebKeySet } from '../../schema/wire/auth.ts'

/** The dependencies of logins, sessions, and programs that ask for access. */
export type Deps = Omit<ClientDeps, 'countDocument'> & {
  db: Db
  nonces: KVNamespace
  roles: RoleSettings
  loginDomains: LoginDomains
  notify: Notify
  /** New consents of a client's address in an hour. */
  consentsPerAddress: number
  limits: Pick<Cloudflare.AuthEnv, 'READ_LIMIT' | 'LOGIN_LIMIT' | 'PUBLIC_WRITE_LIMIT' | 'WALLET_LIMIT'>
  /** The public keys of session tokens. */
  publicKeys: () => InferOutput<typeof JsonWebKeySet>
}

export function deps(env: Cloudflare.AuthEnv, scope: RequestScope): Deps {
  const { now, subrequests } = scope
  return {
    db: connect(env.DATABASE_URL, subrequests),
    nonces: countCalls(env.NONCES, 'kv', subrequests),
    now,
    notify: scheduleAndNotifyOf(env, scope).notify,
    signingKey: env.SESSION_SIGNING_KEY,
    jwks: env.SESSION_JWKS,
    apiOrigin: env.API_ORIGIN,
    apiHost: env.API_HOST,
    roles: env,
    loginDomains: loginDomainsOf(env.LOGIN_DOMAINS),
    consentsPerAddress: Number(env.CONSENTS_PER_ADDRESS),
    limits: env,
    publicKeys: () => JSON.parse(env.SESSION_JWKS),
    // wrangler's types know the names of other Workers' entrypoints, not their methods.
    readClientDocument: (url) => readDocument(env.CLIENT_DOCUMENTS as unknown as ClientDocumentReader, url),
  }
}

async function readDocument(reader: ClientDocumentReader, url: string): Promise<string | undefined> {
  try {
    return await reader.read(url)
  } catch (cause) {
    const detail = 'Metadata documents can’t be read now. Try again.'
    throw new ApiError('dependency_unavailable', detail, { retryAfterSeconds: 2, cause })
  }
}
