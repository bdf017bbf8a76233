import type { Agent, RequestOf } from '../client/index.ts'
import { type Paged, usePages } from './pages.ts'

/** The filters, order and page size of `GET /agents`. */
export type AgentsQuery = RequestOf<'GET /agents'>['query']

export type AgentList = Paged & { agents: Agent[] }

/** Lists agents of the marketplace. It needs no login: `useAgents({ layer: 17, sort: 'reputation' })`. */
export function useAgents(query: AgentsQuery = {}): AgentList {
  const { pages, ...paged } = usePages('GET /agents', { query })
  return { ...paged, agents: pages.flatMap(({ agents }) => agents) }
}
