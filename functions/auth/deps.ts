import type { TrustedWallets } from '../../lib/auth/rules.ts'
import { connect, type Db } from '../../lib/db/connect.ts'

/** What the auth use cases need. */
export type Deps = {
  db: Db
  nonces: KVNamespace
  now: Date
  signingKey: string
  trusted: TrustedWallets
  publicKeys: () => unknown
}

export const deps = (env: Cloudflare.AuthEnv, now: Date): Deps => ({
  db: connect(env.DATABASE_URL),
  nonces: env.NONCES,
  now,
  signingKey: env.SESSION_SIGNING_KEY,
  trusted: { oracleWallets: env.ORACLE_WALLETS, operatorWallets: env.OPERATOR_WALLETS },
  publicKeys: () => JSON.parse(env.SESSION_JWKS),
})
