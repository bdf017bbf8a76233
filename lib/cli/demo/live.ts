import { createClient } from '../../client/index.ts'
import { createWallet, signerOf } from '../wallet.ts'
import { offerAgent } from './agents.ts'
import { heading, show, step, until } from './output.ts'

/** Follows an owner's log by a socket, while its agent is registered, hired and paused. */
export async function live(baseUrl: string) {
  heading('An owner receives live events')
  const asOwner = createClient({ baseUrl, wallet: signerOf(createWallet()) })
  const asUser = createClient({ baseUrl, wallet: signerOf(createWallet()) })
  const types: string[] = []
  const stop = new AbortController()
  const listening = (async () => {
    for await (const { type } of asOwner.events({ live: true, signal: stop.signal })) types.push(type)
  })().catch((error: unknown) => {
    if (!stop.signal.aborted) throw error
  })
  try {
    const body = { name: 'Heard At Once', agentType: 'autonomous' as const, supportedLayers: [17] }
    const agent = await step('Its agent is registered', offerAgent(asOwner, body))
    await until('It receives the event', () => types.includes('agent.registered'))
    await step('Somebody hires the agent', asUser.hire({ agentId: agent.id }))
    await until('The owner receives the event', () => types.includes('hire.created'))
    const history = asOwner.call('GET /agents/{id}/history', { path: { id: agent.id } })
    show((await step('The agent’s history counts the hire', history)).days.at(-1))
    const newest = asOwner.call('GET /agents', { query: { sort: 'newest', limit: 1 } })
    show((await step('It is the newest agent of the market', newest)).agents.map(({ name }) => name))
  } finally {
    stop.abort()
    await listening
  }
}
