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
 * For the root Worker alone, by a service binding: it asks through the bindings that this Worker works with,
 * and holds none of them.
 */
export class Health extends DatabaseHealth<Cloudflare.AuthEnv> implements AuthHealth {
  async database(): Promise<boolean> {
    return databaseAnswers(connect(this.env.DATABASE_URL))
  }

  async kv(): Promise<boolean> {
    return noncesAnswer(this.env.NONCES)
  }
}
