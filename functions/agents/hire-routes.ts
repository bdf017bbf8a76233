import { hireAgent } from '../../lib/agents/hiring/hire.ts'
import { listHirers, listHires, readHire } from '../../lib/agents/hiring/read.ts'
import { terminateHire } from '../../lib/agents/hiring/terminate.ts'
import { hireRow, hirerRow, hireView } from '../../lib/agents/views.ts'
import { clientAddress } from '../../lib/http/client-address.ts'
import { json } from '../../lib/http/json.ts'
import { operationFor } from '../../lib/http/operation.ts'
import { pageAnswer } from '../../lib/http/page.ts'
import { withSession } from '../../lib/http/session.ts'
import { figure } from '../../schema/figures.ts'
import { ACTIVE_HIRES_PER_WALLET, HIRES_PER_DAY } from '../../schema/values.ts'
import { AgentPath } from '../../schema/wire/agents.ts'
import {
  Hire,
  HireList,
  HireListQuery,
  HirePath,
  HireQuery,
  HireRequest,
  HirerList,
  hireExample,
} from '../../schema/wire/hires.ts'
import type { Deps } from './deps.ts'

const operation = operationFor<Cloudflare.AgentsEnv, Deps>()

/** Hires: the hirer's own, and the hires of an owner's agent. */
export const hireRoutes = [
  operation({
    method: 'GET',
    path: '/agents/{id}/hires',
    access: withSession(),
    limit: 'WALLET_LIMIT',
    params: AgentPath,
    query: HireListQuery,
    docs: {
      id: 'listHirers',
      summary: 'List an agent’s hires',
      description:
        'For the agent’s owner: the hirers, the terms and the rest of each budget. Newest first; pages follow by cursor. Anyone else gets 404 `agent_not_found`.',
      answers: {
        200: {
          description: 'One page of the agent’s hires.',
          schema: HirerList,
          headers: { Link: 'The next page (rel="next"), if there is one (RFC 8288).' },
          links: { chargeHire: { hireId: '#/hires/0/id' } },
        },
      },
      errors: ['agent_not_found', 'dependency_unavailable'],
    },
    handle: async ({ deps, session, params, query, url }) => {
      const agent = { id: params.id, owner: session.wallet }
      const page = await listHirers(deps, agent, query)
      return pageAnswer(HirerList, 'hires', page.hires.map(hirerRow), { url, ...page })
    },
  }),
  operation({
    method: 'GET',
    path: '/agents/hire',
    access: withSession('agents:hire'),
    limit: 'WALLET_LIMIT',
    query: HireListQuery,
    docs: {
      id: 'listHires',
      summary: 'List your hires',
      description: 'Hires of every status, or of one by `status`, newest first. Pages follow by cursor.',
      answers: {
        200: {
          description: 'One page of the wallet’s hires.',
          schema: HireList,
          headers: { Link: 'The next page (rel="next"), if there is one (RFC 8288).' },
          links: { terminateHire: { id: '#/hires/0/id' }, getAgent: { id: '#/hires/0/agent/id' } },
        },
      },
      errors: ['dependency_unavailable'],
    },
    handle: async ({ deps, session, query, url }) => {
      const page = await listHires(deps, session.wallet, query)
      return pageAnswer(HireList, 'hires', page.hires.map(hireRow), { url, ...page })
    },
  }),
  operation({
    method: 'GET',
    path: '/agents/hire/{id}',
    access: withSession('agents:register', 'agents:charge', 'agents:hire'),
    limit: 'WALLET_LIMIT',
    params: HirePath,
    docs: {
      id: 'getHire',
      summary: 'Read a hire',
      description:
        'Returns a hire as it is now, for its hirer or its agent’s owner. Anyone else gets 404 `hire_not_found`.',
      answers: {
        200: {
          description: 'The hire.',
          schema: Hire,
          links: { terminateHire: { id: '#/id' }, getAgent: { id: '#/agent/id' } },
        },
      },
      errors: ['hire_not_found', 'dependency_unavailable'],
    },
    handle: async ({ deps, session, params }) =>
      json(hireView(await readHire(deps, session.wallet, params.id))),
  }),
  operation({
    method: 'POST',
    path: '/agents/hire',
    access: withSession('agents:hire'),
    limit: 'WALLET_LIMIT',
    body: HireRequest,
    docs: {
      id: 'hireAgent',
      summary: 'Hire an agent',
      description: [
        'Hires the agent for a term of whole days from now. Without `layers` all of the agent’s layers are enabled.',
        `A wallet has at most one active hire of an agent, ${figure(ACTIVE_HIRES_PER_WALLET)} active hires in total, and ${figure(HIRES_PER_DAY)} new ones each UTC day.`,
        'A client address may make 300 new hires an hour; protocol fees that the wallet has paid raise this limit. With `autoRenew` the term is renewed for the same number of days while the agent is active: at most three times in a row without a login of the hirer or a collected charge. For a client with a spending limit, `budgetLimit` is required and counts against that limit, also after the hire has ended; `autoRenew` is refused.',
      ].join(' '),
      answers: {
        201: {
          description: 'The hire.',
          schema: Hire,
          links: { terminateHire: { id: '#/id' }, getAgent: { id: '#/agent/id' } },
        },
      },
      errors: [
        'agent_not_active',
        'layers_not_supported',
        'agent_not_found',
        'price_changed',
        'already_hired',
        'spend_limit_exceeded',
        'quota_exceeded',
        'dependency_unavailable',
      ],
    },
    handle: async ({ deps, session, body, headers }) =>
      json(hireView(await hireAgent(deps, session.wallet, body, clientAddress(headers), session.grant)), 201),
  }),
  operation({
    method: 'DELETE',
    path: '/agents/hire',
    access: withSession('agents:register', 'agents:hire'),
    limit: 'WALLET_LIMIT',
    query: HireQuery,
    docs: {
      id: 'terminateHire',
      summary: 'End a hire',
      description:
        'Ends the hire at once, for its hirer or its agent’s owner. Both receive an event that says who ended it. A hire that has already ended is returned unchanged.',
      answers: {
        200: {
          description: 'The ended hire.',
          schema: Hire,
          example: { ...hireExample, status: 'terminated', endedAt: '2026-11-21T10:00:00.000Z' },
        },
      },
      errors: ['hire_not_found', 'dependency_unavailable'],
    },
    handle: async ({ deps, session, query }) =>
      json(hireView(await terminateHire(deps, session.wallet, query.id))),
  }),
]
