import type { Agent } from '../../client/generated/types.ts'
import type { Client } from '../../client/index.ts'

/** What agents are called, by their ids. */
export type AgentNames = ReadonlyMap<string, string>

/** Asks for every agent of a wallet, of any status: its quota makes that ten pages at most. */
export const allAgentsOf = (client: Client, owner: string, signal: AbortSignal): Promise<Agent[]> =>
  Array.fromAsync(client.list('GET /agents', { query: { owner, status: 'all', limit: 100 }, signal }))

/** The names of agents, with the end of the id where several have the same. */
export function namesOf(agents: readonly Pick<Agent, 'id' | 'name'>[]): AgentNames {
  const named = Map.groupBy(agents, ({ name }) => name)
  return new Map(
    agents.map(({ id, name }) => [id, named.get(name)?.length === 1 ? name : `${name} (…${id.slice(-4)})`]),
  )
}
