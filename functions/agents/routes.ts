import { changeAgent } from '../../lib/agents/change.ts'
import { hireAgent } from '../../lib/agents/hire.ts'
import { listAgents } from '../../lib/agents/list.ts'
import { listHires, readAgent } from '../../lib/agents/read.ts'
import { registerAgent } from '../../lib/agents/register.ts'
import { terminateHire } from '../../lib/agents/terminate.ts'
import { agentListView, agentView, hireListView, hireView, ownAgentView } from '../../lib/agents/views.ts'
import type { App } from '../../lib/http/app.ts'
import { publicRead } from '../../lib/http/caching.ts'
import { json } from '../../lib/http/json.ts'
import { nextPageLink } from '../../lib/http/paging.ts'
import { limitByAddress, limitByWallet } from '../../lib/http/rate-limit.ts'
import { requireSession } from '../../lib/http/session.ts'
import { body, params, query } from '../../lib/http/validate.ts'
import {
  AgentListQuery,
  AgentPatch,
  AgentPath,
  AgentRegister,
  HireQuery,
  HireRequest,
} from '../../schema/wire/agents.ts'
import type { Deps } from './deps.ts'

export function routes(app: App<Cloudflare.AgentsEnv, Deps>) {
  const publicLimit = limitByAddress('READ_LIMIT')
  const walletLimit = limitByWallet('WALLET_LIMIT')
  // Only what looks like an id is one, so that GET /v1/agents/register is a wrong method and not a wrong id.
  const agentPath = '/v1/agents/:id{[0-9a-fA-F-]{36}}'

  app.get('/v1/agents', publicLimit, publicRead, query(AgentListQuery), async (c) => {
    const page = await listAgents(c.var.deps, c.req.valid('query'))
    return json(agentListView(page), 200, nextPageLink(c.req.url, page.nextCursor))
  })

  app.post(
    '/v1/agents/register',
    requireSession('agents:register'),
    walletLimit,
    body(AgentRegister),
    async (c) => {
      const agent = await registerAgent(c.var.deps, c.var.session.wallet, c.req.valid('json'))
      return json(ownAgentView(agent), 201, { location: `/v1/agents/${agent.id}` })
    },
  )

  app.get('/v1/agents/hire', requireSession('agents:hire'), walletLimit, async (c) =>
    json(hireListView(await listHires(c.var.deps, c.var.session.wallet))),
  )

  app.post('/v1/agents/hire', requireSession('agents:hire'), walletLimit, body(HireRequest), async (c) =>
    json(hireView(await hireAgent(c.var.deps, c.var.session.wallet, c.req.valid('json'))), 201),
  )

  app.delete('/v1/agents/hire', requireSession('agents:hire'), walletLimit, query(HireQuery), async (c) =>
    json(hireView(await terminateHire(c.var.deps, c.var.session.wallet, c.req.valid('query').id))),
  )

  app.get(agentPath, publicLimit, publicRead, params(AgentPath), async (c) =>
    json(agentView(await readAgent(c.var.deps, c.req.valid('param').id))),
  )

  app.patch(agentPath, requireSession(), walletLimit, params(AgentPath), body(AgentPatch), async (c) => {
    const input = { id: c.req.valid('param').id, patch: c.req.valid('json') }
    const agent = await changeAgent(c.var.deps, c.var.session, input)
    return json((agent.pubkey === c.var.session.wallet ? ownAgentView : agentView)(agent))
  })
}
