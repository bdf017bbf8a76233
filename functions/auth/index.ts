import { noncesAnswer } from '../../lib/auth/nonces.ts'
import { databaseAnswers } from '../../lib/db/answers.ts'
import { connect } from '../../lib/db/connect.ts'
import { createApp } from '../../lib/http/app.ts'
import { DatabaseHealth } from '../../lib/http/database-health.ts'
import type { AuthHealth } from '../../lib/http/health.ts'
import { deps } from './deps.ts'
import { oauthErrorMembers } from './oauth-errors.ts'
import { routes } from './routes.ts'

export default createApp({ routes, deps, problemMembers: oauthErrorMembers })

/**
 * Answers the root Worker, by a service binding, whether the database and KV of this Worker work. So root
 * needs no connection string of its own.
 */
export class Health extends DatabaseHealth<Cloudflare.AuthEnv> implements AuthHealth {
  async database(): Promise<boolean> {
    return databaseAnswers(connect(this.env.DATABASE_URL))
  }

  async kv(): Promise<boolean> {
    return noncesAnswer(this.env.NONCES)
  }
}
