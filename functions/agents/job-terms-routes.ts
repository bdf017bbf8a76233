import { setJobTerms } from '../../lib/agents/job-terms.ts'
import { readAgent } from '../../lib/agents/read.ts'
import { agentView } from '../../lib/agents/views.ts'
import { json } from '../../lib/http/json.ts'
import { operationFor } from '../../lib/http/operation.ts'
import { withSession } from '../../lib/http/session.ts'
import { Agent, AgentPath } from '../../schema/wire/agents.ts'
import { JobTerms, JobTermsRequest } from '../../schema/wire/job-terms.ts'
import type { Deps } from './deps.ts'

const operation = operationFor<Cloudflare.AgentsEnv, Deps>()

/** The terms under which an agent is sent jobs. */
export const jobTermsRoutes = [
  operation({
    method: 'PUT',
    path: '/agents/{id}/job-terms',
    access: withSession('agents:register'),
    limit: 'WALLET_LIMIT',
    params: AgentPath,
    body: JobTermsRequest,
    docs: {
      id: 'setJobTerms',
      summary: 'Accept orders of jobs',
      description:
        'For the agent’s owner: from now on the agent is sent jobs under these terms (POST /jobs). Jobs that were ordered before keep theirs. To be paid, the owner needs a payout account (POST /payments/collectors).',
      answers: { 200: { description: 'The terms.', schema: JobTerms } },
      errors: ['agent_not_found', 'dependency_unavailable'],
    },
    handle: async ({ deps, session, params, body }) => {
      await setJobTerms(deps, session.wallet, params.id, body)
      return json(body)
    },
  }),
  operation({
    method: 'DELETE',
    path: '/agents/{id}/job-terms',
    access: withSession('agents:register'),
    limit: 'WALLET_LIMIT',
    params: AgentPath,
    docs: {
      id: 'endJobTerms',
      summary: 'Accept no more orders of jobs',
      description:
        'For the agent’s owner: the agent is sent no jobs any more. Orders that are open stay; accept or end them.',
      answers: { 200: { description: 'The agent, without jobTerms.', schema: Agent } },
      errors: ['agent_not_found', 'dependency_unavailable'],
    },
    handle: async ({ deps, session, params }) => {
      await setJobTerms(deps, session.wallet, params.id)
      return json(agentView(await readAgent(deps, params.id)))
    },
  }),
]
