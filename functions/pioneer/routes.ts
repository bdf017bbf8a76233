import type { App } from '../../lib/http/app.ts'
import { publicRead } from '../../lib/http/caching.ts'
import { json } from '../../lib/http/json.ts'
import { limitByAddress } from '../../lib/http/rate-limit.ts'
import { body, query } from '../../lib/http/validate.ts'
import { readPioneer } from '../../lib/pioneer/read.ts'
import { redeemInviteCode } from '../../lib/pioneer/redeem.ts'
import { pioneerView } from '../../lib/pioneer/views.ts'
import { PioneerQuery, PioneerRegister } from '../../schema/wire/pioneer.ts'
import type { Deps } from './deps.ts'

export function routes(app: App<Cloudflare.PioneerEnv, Deps>) {
  app.get('/v1/pioneer', limitByAddress('READ_LIMIT'), publicRead, query(PioneerQuery), async (c) =>
    json(pioneerView(await readPioneer(c.var.deps, c.req.valid('query').user_id))),
  )

  app.post('/v1/pioneer', limitByAddress('PIONEER_LIMIT'), body(PioneerRegister), async (c) =>
    json(pioneerView(await redeemInviteCode(c.var.deps, c.req.valid('json'))), 201),
  )
}
