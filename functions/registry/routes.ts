import type { App } from '../../lib/http/app.ts'
import { publicRead } from '../../lib/http/caching.ts'
import { json } from '../../lib/http/json.ts'
import { nextPageLink } from '../../lib/http/paging.ts'
import { limitByAddress } from '../../lib/http/rate-limit.ts'
import { body, params, query } from '../../lib/http/validate.ts'
import { catalog } from '../../lib/registry/catalog.ts'
import { listRegisteredAgents } from '../../lib/registry/list.ts'
import { prepareMessage } from '../../lib/registry/prepare.ts'
import { readRegisteredAgent } from '../../lib/registry/read.ts'
import { registerSigned } from '../../lib/registry/register.ts'
import {
  messageView,
  registeredAgentListView,
  registeredAgentView,
  registrationView,
} from '../../lib/registry/views.ts'
import {
  RegisteredAgentListQuery,
  RegisteredAgentPath,
  RegistrationMessageRequest,
  RegistrationRequest,
} from '../../schema/wire/registry.ts'
import type { Deps } from './deps.ts'

export function routes(app: App<Cloudflare.RegistryEnv, Deps>) {
  const readLimit = limitByAddress('READ_LIMIT')
  const writeLimit = limitByAddress('PUBLIC_WRITE_LIMIT')

  app.get('/v1/registry/agents', readLimit, publicRead, query(RegisteredAgentListQuery), async (c) => {
    const page = await listRegisteredAgents(c.var.deps, c.req.valid('query'))
    return json(registeredAgentListView(page), 200, nextPageLink(c.req.url, page.nextCursor))
  })

  // No session: the body carries its own signature.
  app.post('/v1/registry/agents', writeLimit, body(RegistrationRequest), async (c) => {
    const { agent, isNew } = await registerSigned(c.var.deps, c.req.valid('json'))
    return json(registrationView(agent), isNew ? 201 : 200)
  })

  app.get('/v1/registry/agents/:pubkey', readLimit, publicRead, params(RegisteredAgentPath), async (c) =>
    json(registeredAgentView(await readRegisteredAgent(c.var.deps, c.req.valid('param').pubkey))),
  )

  app.get('/v1/registry/catalog', readLimit, publicRead, () => json(catalog))

  app.post('/v1/registry/message', writeLimit, body(RegistrationMessageRequest), (c) =>
    json(messageView(prepareMessage(c.var.deps, c.req.valid('json')))),
  )
}
