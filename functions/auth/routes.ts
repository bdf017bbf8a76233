import { createChallenge } from '../../lib/auth/challenge.ts'
import { login } from '../../lib/auth/login.ts'
import { requesterOf } from '../../lib/auth/messages.ts'
import { challengeView, sessionView } from '../../lib/auth/views.ts'
import type { App } from '../../lib/http/app.ts'
import { publicRead } from '../../lib/http/caching.ts'
import { json } from '../../lib/http/json.ts'
import { limitByAddress } from '../../lib/http/rate-limit.ts'
import { body, query } from '../../lib/http/validate.ts'
import { AuthSubmit, ChallengeQuery } from '../../schema/wire/auth.ts'
import type { Deps } from './deps.ts'

export function routes(app: App<Cloudflare.AuthEnv, Deps>) {
  app.get('/v1/auth/handshake', limitByAddress('LOGIN_LIMIT'), query(ChallengeQuery), async (c) => {
    const requester = requesterOf(c.req.header('origin'), c.req.url)
    return json(challengeView(await createChallenge(c.var.deps, { requester, ...c.req.valid('query') })))
  })

  app.post('/v1/auth/handshake', limitByAddress('LOGIN_LIMIT'), body(AuthSubmit), async (c) =>
    json(sessionView(await login(c.var.deps, c.req.valid('json')))),
  )

  app.get('/v1/auth/jwks.json', limitByAddress('READ_LIMIT'), publicRead, (c) =>
    json(c.var.deps.publicKeys()),
  )
}
