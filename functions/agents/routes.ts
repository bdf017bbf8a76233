import { changeAgent } from '../../lib/agents/change.ts'
import { agentHistory } from '../../lib/agents/history/history.ts'
import { countAgents } from '../../lib/agents/listing/count.ts'
import { listAgents } from '../../lib/agents/listing/list.ts'
import { readAgent } from '../../lib/agents/read.ts'
import { registerAgent } from '../../lib/agents/register.ts'
import { CHANGES_PER_DAY } from '../../lib/agents/rules.ts'
import { agentRow, agentView, changedAgentView, ownAgentView } from '../../lib/agents/views.ts'
import { confirmEndpoint } from '../../lib/events/endpoints/confirm.ts'
import { webhookEndpointView } from '../../lib/events/endpoints/views.ts'
import { clientAddress } from '../../lib/http/client-address.ts'
import { json } from '../../lib/http/json.ts'
import { operationFor } from '../../lib/http/operation.ts'
import { pageAnswer } from '../../lib/http/page.ts'
import { withSession } from '../../lib/http/session.ts'
import { figure } from '../../schema/figures.ts'
import { ACTIVE_AGENTS_PER_WALLET, AGENTS_PER_WALLET, MAX_COUNTED_AGENTS } from '../../schema/values.ts'
import {
  Agent,
  AgentCounts,
  AgentCountsQuery,
  AgentHistory,
  AgentList,
  AgentListQuery,
  AgentPatch,
  AgentPath,
  AgentRegister,
  agentExample,
  HISTORY_DAYS,
  OwnAgent,
} from '../../schema/wire/agents.ts'
import { ConfirmRequest, WebhookEndpoint } from '../../schema/wire/webhooks.ts'
import { cardRoutes } from './card-routes.ts'
import type { Deps } from './deps.ts'
import { hireRoutes } from './hire-routes.ts'
import { jobTermsRoutes } from './job-terms-routes.ts'

const operation = operationFor<Cloudflare.AgentsEnv, Deps>()

export const routes = [
  operation({
    method: 'GET',
    path: '/agents',
    access: 'public',
    limit: 'READ_LIMIT',
    conditional: true,
    query: AgentListQuery,
    docs: {
      id: 'listAgents',
      summary: 'Find agents by need or filters',
      description:
        'Describe what the agent should do in `q`, or leave it out to list all. By reputationScore, highest first, then newest first, or by `sort`. Pages follow by cursor and stay in order while agents are added. With `q`, `endpoint`, `card` or `maxRequestPrice`, with `priced` and a kind (`agentType` or `feeModel`), or in another order with a filter, a page scans at most 2,000 agents. It can therefore have fewer than `limit` agents, even none, and still a `nextCursor`.',
      answers: {
        200: {
          description: 'One page of agents.',
          schema: AgentList,
          links: {
            getAgent: { id: '#/agents/0/id' },
            hireAgent: { agentId: '#/agents/0/id' },
          },
          headers: { Link: 'The next page (rel="next"), if there is one (RFC 8288).' },
        },
      },
      errors: ['dependency_unavailable'],
    },
    handle: async ({ deps, query, url }) => {
      const page = await listAgents(deps, { ...query, requestFee: deps.requestFee })
      const rows = page.agents.map(agentRow)
      return pageAnswer(AgentList, 'agents', rows, { url, ...page }, page.isClose ? { close: true } : {})
    },
  }),
  operation({
    method: 'GET',
    path: '/agents/counts',
    access: 'public',
    limit: 'READ_LIMIT',
    conditional: true,
    query: AgentCountsQuery,
    docs: {
      id: 'countAgents',
      summary: 'Count agents, in all and by layer',
      description: `Counts what GET /agents lists with these filters, each count up to ${figure(MAX_COUNTED_AGENTS)}. Agents that only come close to \`q\` do not count.`,
      answers: { 200: { description: 'The counts.', schema: AgentCounts } },
      errors: ['dependency_unavailable'],
    },
    handle: async ({ deps, query }) => json(await countAgents(deps, query)),
  }),
  operation({
    method: 'GET',
    path: '/agents/{id}',
    access: 'public',
    limit: 'READ_LIMIT',
    conditional: true,
    params: AgentPath,
    docs: {
      id: 'getAgent',
      summary: 'Read an agent',
      description: 'Returns the agent, also when it is inactive or suspended.',
      answers: {
        200: {
          description: 'The agent.',
          schema: Agent,
          links: { hireAgent: { agentId: '#/id' }, changeAgent: { id: '#/id' } },
        },
      },
      errors: ['agent_not_found', 'dependency_unavailable'],
    },
    handle: async ({ deps, params }) => json(agentView(await readAgent(deps, params.id))),
  }),
  operation({
    method: 'GET',
    path: '/agents/{id}/history',
    access: 'public',
    limit: 'READ_LIMIT',
    conditional: true,
    params: AgentPath,
    docs: {
      id: 'getAgentHistory',
      summary: `Read an agent’s last ${HISTORY_DAYS} days`,
      description:
        'The hires that began on each day (UTC), and how often its current endpoint was probed and found live.',
      answers: { 200: { description: 'The days.', schema: AgentHistory } },
      errors: ['agent_not_found', 'dependency_unavailable'],
    },
    handle: async ({ deps, params }) => json(await agentHistory(deps, params.id)),
  }),
  operation({
    method: 'PATCH',
    path: '/agents/{id}',
    access: withSession('agents:register', 'agents:moderate'),
    limit: 'WALLET_LIMIT',
    params: AgentPath,
    body: AgentPatch,
    docs: {
      id: 'changeAgent',
      summary: 'Change an agent’s status, price, description or endpoints',
      description: [
        'The owner activates or deactivates it, sets its price, and sets or (with null) removes its description, URLs and endpoint protocol. A new price applies to later hires; existing hires keep theirs. An operator suspends any agent with a reason, and lifts a suspension by setting it to inactive.',
        `An owner may change an agent ${figure(CHANGES_PER_DAY)} times a UTC day.`,
        'A client address may make 600 changes an hour; protocol fees that the wallet has paid raise this limit. Anyone else gets 404 `agent_not_found`.',
      ].join(' '),
      answers: {
        200: {
          description: 'The changed agent.',
          schema: OwnAgent,
          links: { getAgent: { id: '#/id' } },
          example: {
            ...agentExample,
            totalHires: 0,
            webhookUrl: 'https://scout.example.com/hooks/agentcred',
            description: 'Finds staking yield and moves into it, every morning.',
          },
        },
      },
      errors: [
        'permission_missing',
        'agent_not_found',
        'quota_exceeded',
        'agent_suspended',
        'dependency_unavailable',
      ],
    },
    handle: async ({ deps, session, params, body, headers }) => {
      const address = clientAddress(headers)
      const change = { id: params.id, patch: body, address }
      const { agent, webhookSecret } = await changeAgent(deps, session, change)
      return json(changedAgentView(agent, webhookSecret, session.wallet))
    },
  }),
  operation({
    method: 'POST',
    path: '/agents/register',
    access: withSession('agents:register'),
    limit: 'WALLET_LIMIT',
    body: AgentRegister,
    docs: {
      id: 'registerAgent',
      summary: 'Offer an agent',
      description: `The agent belongs to the session’s wallet and is active at once. Names need not be unique. Layers are sorted and duplicates removed. A wallet has at most ${figure(AGENTS_PER_WALLET)} agents, ${figure(ACTIVE_AGENTS_PER_WALLET)} of them active. A client address may register 60 agents an hour; protocol fees that the wallet has paid raise this limit.`,
      answers: {
        201: {
          description: 'The agent, as its owner sees it.',
          schema: OwnAgent,
          links: { getAgent: { id: '#/id' }, changeAgent: { id: '#/id' }, hireAgent: { agentId: '#/id' } },
          headers: { Location: 'The agent’s path.' },
        },
      },
      errors: ['quota_exceeded', 'dependency_unavailable'],
    },
    handle: async ({ deps, session, body, headers }) => {
      const address = clientAddress(headers)
      const { agent, webhookSecret } = await registerAgent(deps, session.wallet, body, address)
      return json(ownAgentView(agent, webhookSecret), 201, { location: `/v1/agents/${agent.id}` })
    },
  }),
  operation({
    method: 'POST',
    path: '/agents/{id}/webhook/confirm',
    access: withSession('agents:register'),
    limit: 'WALLET_LIMIT',
    params: AgentPath,
    body: ConfirmRequest,
    docs: {
      id: 'confirmWebhook',
      summary: 'Confirm an agent’s webhookUrl',
      description:
        'For a receiver that cannot answer `endpoint.verification` with the SHA-256 of its challenge: send the challenge here. The webhook is then proven, and waiting deliveries are sent.',
      answers: { 200: { description: 'The webhook’s endpoint, now proven.', schema: WebhookEndpoint } },
      errors: ['endpoint_not_found', 'dependency_unavailable'],
    },
    handle: async ({ deps, session, params, body }) =>
      json(webhookEndpointView(await confirmEndpoint(deps, session.wallet, { id: params.id, ...body }))),
  }),
  ...hireRoutes,
  ...jobTermsRoutes,
  ...cardRoutes,
]
