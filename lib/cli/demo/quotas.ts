import { ACTIVE_AGENTS_PER_WALLET } from '../../../schema/values.ts'
import { AgentCredError, createClient } from '../../client/index.ts'
import { createWallet, signerOf } from '../wallet.ts'
import { heading, hint, refused, show, step } from './telling.ts'

const AT_ONCE = 20

/** Registers as many agents as a wallet may have, is refused one more, and withdraws them all. */
export async function quotas(baseUrl: string) {
  heading('A wallet offers agents without end')
  const asDeveloper = createClient({ baseUrl, wallet: signerOf(createWallet()), retries: 0 })
  const ids: string[] = []
  const register = async () => {
    const body = { name: 'One of many', agentType: 'autonomous' as const, supportedLayers: [17] }
    ids.push((await asDeveloper.call('POST /agents/register', { body })).id)
  }
  const withdraw = async () => {
    const id = ids.pop() ?? ''
    await asDeveloper.call('PATCH /agents/{id}', { path: { id }, body: { status: 'inactive' } })
  }
  try {
    await inTurns(ACTIVE_AGENTS_PER_WALLET, register)
  } catch (error) {
    if (!(error instanceof AgentCredError) || error.code !== 'rate_limited') throw error
    return hint(
      `The platform counts rates (RATE_LIMITS=on), which stops it at ${ids.length} agents; they stay.`,
    )
  }
  show({ registered: ids.length })
  const { code, message } = await refused('quota_exceeded', 'One more is refused', register())
  show({ code, detail: message })
  await step('One is taken off the market', withdraw())
  await step('Now there is a place for another', register())
  await step('All are withdrawn', inTurns(ids.length, withdraw))
}

/** Does something so many times, some at a time. */
async function inTurns(count: number, action: () => Promise<void>): Promise<void> {
  for (let done = 0; done < count; done += AT_ONCE)
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - done) }, action))
}
