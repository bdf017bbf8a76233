import type { AgentRegister, Client } from '../../client/index.ts'

const offered: { client: Client; id: string }[] = []

/** Registers an agent, which {@link withdrawAgents} withdraws at the end of the demo's part. */
export async function offerAgent(client: Client, body: AgentRegister) {
  const agent = await client.call('POST /agents/register', { body })
  offered.push({ client, id: agent.id })
  return agent
}

/** Withdraws the agents that were registered since the last call. */
export async function withdrawAgents(): Promise<void> {
  for (const { client, id } of offered.splice(0))
    await client.call('PATCH /agents/{id}', { path: { id }, body: { status: 'inactive' } })
}
