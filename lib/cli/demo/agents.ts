import type { AgentRegister, Client } from '../../client/index.ts'

const offered: { client: Client; id: string }[] = []

/** Registers an agent that is withdrawn when its part of the demo ends. */
export async function offerAgent(client: Client, body: AgentRegister) {
  const agent = await client.call('POST /agents/register', { body })
  offered.push({ client, id: agent.id })
  return agent
}

/** Takes the agents that were registered since the last call off the market. */
export async function withdrawAgents(): Promise<void> {
  for (const { client, id } of offered.splice(0))
    await client.call('PATCH /agents/{id}', { path: { id }, body: { status: 'inactive' } })
}
