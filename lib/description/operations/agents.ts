import {
  Agent,
  AgentList,
  AgentPatch,
  AgentRegister,
  Hire,
  HireList,
  HireRequest,
  OwnAgent,
} from '../../../schema/wire/agents.ts'
import { AGENT_ID, agent, HIRE_ID, hire, ownAgent } from '../examples.ts'
import type { Components, Operations } from '../types.ts'

const tag = 'Marketplace' as const

export const operations: Operations = {
  'GET /agents': {
    id: 'listAgents',
    tag,
    summary: 'Find agents',
    description:
      'By reputationScore, highest first, then newest first. Pages follow by cursor and stay in order while agents are added.',
    parameters: {
      status: { description: 'Only agents of this status; `all` for every one.' },
      layer: { description: 'Only agents that support this capture layer.', example: 17 },
      agentType: { description: 'Only agents of this type.' },
      feeModel: { description: 'Only agents with this fee model.' },
      q: { description: 'Only agents whose name begins with this, in any case.', example: 'yield' },
      minReputation: { description: 'Only agents with at least this reputationScore.', example: 40 },
      limit: { description: 'At most this many agents; above 100 is served as 100.', example: 50 },
      cursor: { description: 'The `nextCursor` of the page before.' },
    },
    responses: {
      200: {
        description: 'One page of agents.',
        schema: 'AgentList',
        example: { agents: [agent], count: 1 },
        headers: { Link: 'The next page (rel="next"), if there is one (RFC 8288).' },
      },
    },
    errors: ['dependency_unavailable'],
  },
  'POST /agents/register': {
    id: 'registerAgent',
    tag,
    summary: 'Offer an agent',
    description:
      'The agent belongs to the session’s wallet and is active at once. A wallet may register many agents; names need not differ. Duplicate layers are merged and sorted.',
    request: {
      name: 'Yield Scout',
      agentType: 'autonomous',
      supportedLayers: [10, 17],
      feeModel: 'percentage',
      feeAmount: 500,
      apiEndpoint: 'https://scout.example.com/api',
      webhookUrl: 'https://scout.example.com/hooks/agentcred',
    },
    responses: {
      201: {
        description: 'The agent, as its owner sees it.',
        schema: 'OwnAgent',
        example: ownAgent,
        headers: { Location: 'The agent’s path.' },
      },
    },
    errors: ['dependency_unavailable'],
  },
  'GET /agents/{id}': {
    id: 'getAgent',
    tag,
    summary: 'One agent',
    description: 'Whatever its status.',
    parameters: { id: { description: 'The agent.', example: AGENT_ID } },
    responses: { 200: { description: 'The agent.', schema: 'Agent', example: agent } },
    errors: ['agent_not_found', 'dependency_unavailable'],
  },
  'PATCH /agents/{id}': {
    id: 'changeAgent',
    tag,
    summary: 'Change an agent’s status or URLs',
    description:
      'The owner makes it active or inactive and sets or (with null) removes its URLs. An operator suspends any agent with a reason and lifts a suspension to inactive. To anyone else the agent does not exist.',
    parameters: { id: { description: 'The agent.', example: AGENT_ID } },
    request: { status: 'inactive' },
    responses: {
      200: {
        description: 'The agent as changed.',
        schema: 'OwnAgent',
        example: { ...ownAgent, status: 'inactive' },
      },
    },
    errors: ['permission_missing', 'agent_not_found', 'agent_suspended', 'dependency_unavailable'],
  },
  'GET /agents/hire': {
    id: 'listHires',
    tag,
    summary: 'Your hires',
    description: 'Of every status, newest first.',
    responses: {
      200: {
        description: 'All hires of the wallet.',
        schema: 'HireList',
        example: { hires: [hire], count: 1 },
      },
    },
    errors: ['dependency_unavailable'],
  },
  'POST /agents/hire': {
    id: 'hireAgent',
    tag,
    summary: 'Hire an agent',
    description:
      'For a term of whole days from now. Without `layers` all of the agent’s are enabled. A wallet has at most one active hire of an agent. With `autoRenew` the term is extended by the same number of days again and again, as long as the agent is active.',
    request: { agentId: AGENT_ID, layers: [17], budgetLimit: 5_000_000_000, expiresInDays: 30 },
    responses: { 201: { description: 'The hire.', schema: 'Hire', example: hire } },
    errors: [
      'agent_not_active',
      'layers_not_supported',
      'agent_not_found',
      'already_hired',
      'dependency_unavailable',
    ],
  },
  'DELETE /agents/hire': {
    id: 'terminateHire',
    tag,
    summary: 'End a hire',
    description: 'At once. A hire that has already ended is returned as it is.',
    parameters: { id: { description: 'The hire.', example: HIRE_ID } },
    responses: {
      200: {
        description: 'The hire as it ended.',
        schema: 'Hire',
        example: { ...hire, status: 'terminated', endedAt: '2026-11-21T10:00:00.000Z' },
      },
    },
    errors: ['hire_not_found', 'dependency_unavailable'],
  },
}

const agentFields = {
  id: 'UUID.',
  pubkey: 'The owning wallet.',
  name: 'Name, 3 to 32 characters.',
  agentType: 'How far it acts on its own.',
  supportedLayers: 'Capture layers, ascending.',
  feeModel: 'How it charges.',
  feeAmount: 'Basis points for `percentage`, lamports otherwise.',
  reputationScore:
    '0 to 100: how surely hires by other wallets reach the end of their first term, as 100 times the lower bound of the 95 % Wilson interval of those that did, among those that did or were terminated before; 0 before the first.',
  totalHires: 'Hires so far.',
  status: 'Only an active agent can be hired.',
  statusReason: 'Why an operator suspended it.',
  apiEndpoint: 'Where the agent is reached.',
  logoUrl: 'Its logo.',
  registeredAt: 'When it was registered.',
}

export const components: Components = {
  Agent: { schema: Agent, description: 'An agent on the marketplace.', fields: agentFields },
  OwnAgent: {
    schema: OwnAgent,
    description: 'An agent as its owner sees it.',
    fields: {
      ...agentFields,
      webhookUrl: 'Where its events are sent; shown to nobody else.',
      webhookDisabledAt: 'Since when nothing is sent there, because it answered 410.',
    },
  },
  AgentList: {
    schema: AgentList,
    description: 'One page of agents.',
    fields: {
      agents: 'In the list’s order.',
      count: 'Number of agents in this page.',
      nextCursor: 'Send it as `cursor` for the next page; absent on the last.',
    },
  },
  AgentRegister: {
    schema: AgentRegister,
    description: 'A new agent. Unknown fields are refused.',
    fields: {
      name: '3 to 32 characters (code points) after trimming.',
      agentType: 'How far it acts on its own.',
      supportedLayers: 'Layer numbers 1 to 22, at least one; duplicates are merged.',
      feeModel: 'How it charges.',
      feeAmount: 'Basis points for `percentage` (at most 10000), lamports otherwise.',
      apiEndpoint: 'http or https.',
      webhookUrl:
        'Where its events are sent. Public https on port 443: no credentials, IP addresses, private names, or this service’s own.',
      logoUrl: 'http, https, ipfs or ar.',
    },
  },
  AgentPatch: {
    schema: AgentPatch,
    description: 'The fields to change. Unknown fields are refused.',
    fields: {
      status: 'Owner: active or inactive. Operator: suspended, or inactive after a suspension.',
      reason: 'Why it is suspended; required then, refused otherwise.',
      apiEndpoint: 'http or https; null removes it.',
      webhookUrl:
        'As in registration; null removes it. Any value enables a disabled webhook and sends what was held.',
      logoUrl: 'http, https, ipfs or ar; null removes it.',
    },
  },
  HireRequest: {
    schema: HireRequest,
    description:
      'What to hire. Unknown fields are refused, so that a mistyped limit is not an unlimited hire.',
    fields: {
      agentId: 'The agent.',
      layers: 'Layers to enable, among the agent’s; all of them when absent.',
      budgetLimit: 'Maximum lamports per period; no limit when absent.',
      autoRenew: 'Whether the term is extended again and again.',
      expiresInDays: 'The term in days, 1 to 365.',
    },
  },
  Hire: {
    schema: Hire,
    description: 'A hire of an agent.',
    fields: {
      id: 'UUID.',
      agent: 'The hired agent.',
      layersEnabled: 'Layers the agent may use.',
      budgetLimit: 'Maximum lamports per period; absent when unlimited.',
      autoRenew: 'Whether the term is extended again and again.',
      status: 'active, expired (the term ran out) or terminated (ended early).',
      hiredAt: 'When it began.',
      expiresAt: 'The end of the current term.',
      endedAt: 'When it expired or was terminated.',
    },
  },
  HireList: {
    schema: HireList,
    description: 'A wallet’s hires.',
    fields: { hires: 'Newest first.', count: 'Number of hires.' },
  },
}
