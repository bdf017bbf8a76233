import { A2A_CARD_TYPE, cardAnswer, MCP_CARD_TYPE, readCard } from '../../lib/discovery/cards/read.ts'
import { operationFor } from '../../lib/http/operation.ts'
import { notRegistered } from '../../lib/registry/errors.ts'
import { exampleAgentCard, exampleServerCard } from '../../schema/example-cards.ts'
import { RegisteredAgentPath } from '../../schema/wire/registry.ts'
import type { Deps } from './deps.ts'

const operation = operationFor<Cloudflare.RegistryEnv, Deps>()

/** Cards by which other software uses a registered agent. */
export const cardRoutes = [
  operation({
    method: 'GET',
    path: '/registry/agents/{pubkey}/agent-card.json',
    access: 'public',
    limit: 'READ_LIMIT',
    conditional: true,
    params: RegisteredAgentPath,
    docs: {
      id: 'getRegisteredAgentCard',
      summary: 'Read a registered agent’s A2A agent card',
      description:
        'For a2a-jsonrpc and a2a-http. If the agent’s own host serves a card for this endpoint, returns that card unchanged. Otherwise returns a card that this service makes from the registered data and signs.',
      answers: {
        200: { description: 'An A2A 1.0 agent card.', mediaType: A2A_CARD_TYPE, example: exampleAgentCard },
      },
      errors: ['registration_not_found', 'no_agent_card', 'dependency_unavailable'],
    },
    handle: async ({ deps, params }) =>
      cardAnswer(await readCard(deps, { kind: 'a2a', pubkey: params.pubkey }, notRegistered), A2A_CARD_TYPE),
  }),
  operation({
    method: 'GET',
    path: '/registry/agents/{pubkey}/mcp-server-card',
    access: 'public',
    limit: 'READ_LIMIT',
    conditional: true,
    params: RegisteredAgentPath,
    docs: {
      id: 'getRegisteredMcpServerCard',
      summary: 'Read a registered agent’s MCP server card',
      description: 'For mcp: the server’s address and name, from the registered data.',
      answers: {
        200: { description: 'An MCP server card.', mediaType: MCP_CARD_TYPE, example: exampleServerCard },
      },
      errors: ['registration_not_found', 'no_agent_card', 'dependency_unavailable'],
    },
    handle: async ({ deps, params }) =>
      cardAnswer(await readCard(deps, { kind: 'mcp', pubkey: params.pubkey }, notRegistered), MCP_CARD_TYPE),
  }),
]
