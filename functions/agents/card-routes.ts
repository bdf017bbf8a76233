import { agentNotFound } from '../../lib/agents/errors.ts'
import { A2A_CARD_TYPE, cardAnswer, MCP_CARD_TYPE, readCard } from '../../lib/discovery/cards/read.ts'
import { operationFor } from '../../lib/http/operation.ts'
import { exampleAgentCard, exampleServerCard } from '../../schema/example-cards.ts'
import { AgentPath } from '../../schema/wire/agents.ts'
import type { Deps } from './deps.ts'

const operation = operationFor<Cloudflare.AgentsEnv, Deps>()

/** Cards by which other software uses an agent. */
export const cardRoutes = [
  operation({
    method: 'GET',
    path: '/agents/{id}/agent-card.json',
    access: 'public',
    limit: 'READ_LIMIT',
    conditional: true,
    params: AgentPath,
    docs: {
      id: 'getAgentCard',
      summary: 'Read an agent’s A2A agent card',
      description:
        'For a2a-jsonrpc and a2a-http. If the agent’s own host serves a card for this endpoint, returns that card unchanged. Otherwise returns a card that this service makes from the registered data and signs.',
      answers: {
        200: { description: 'An A2A 1.0 agent card.', mediaType: A2A_CARD_TYPE, example: exampleAgentCard },
      },
      errors: ['agent_not_found', 'no_agent_card', 'dependency_unavailable'],
    },
    handle: async ({ deps, params }) =>
      cardAnswer(await readCard(deps, { kind: 'a2a', agentId: params.id }, agentNotFound), A2A_CARD_TYPE),
  }),
  operation({
    method: 'GET',
    path: '/agents/{id}/mcp-server-card',
    access: 'public',
    limit: 'READ_LIMIT',
    conditional: true,
    params: AgentPath,
    docs: {
      id: 'getMcpServerCard',
      summary: 'Read an agent’s MCP server card',
      description: 'For mcp: the server’s address and name, from the registered data.',
      answers: {
        200: { description: 'An MCP server card.', mediaType: MCP_CARD_TYPE, example: exampleServerCard },
      },
      errors: ['agent_not_found', 'no_agent_card', 'dependency_unavailable'],
    },
    handle: async ({ deps, params }) =>
      cardAnswer(await readCard(deps, { kind: 'mcp', agentId: params.id }, agentNotFound), MCP_CARD_TYPE),
  }),
]
