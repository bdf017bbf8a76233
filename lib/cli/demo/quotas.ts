import { ACTIVE_AGENTS_PER_WALLET } from '../../quotas/rules.ts'
import { type Answer, createClient, logIn } from '../client.ts'
import { createWallet } from '../wallet.ts'
import { expect, heading, hint, show } from './telling.ts'

const AT_ONCE = 20

/** Registers as many agents as a wallet may have, is refused one more, and withdraws them all. */
export async function quotas(baseUrl: string) {
  heading('A wallet offers agents without end')
  const asDeveloper = createClient(baseUrl, await logIn(baseUrl, createWallet()))
  const register = (number: number) =>
    asDeveloper('POST', '/agents/register', {
      name: `Agent ${number}`,
      agentType: 'autonomous',
      supportedLayers: [17],
    })
  const answers = await inTurns(ACTIVE_AGENTS_PER_WALLET, register)
  const [other] = answers.filter(({ status }) => status !== 201)
  const ids = answers.filter(({ status }) => status === 201).map(({ body }) => String(body.id))
  const withdraw = (id = '') => asDeveloper('PATCH', `/agents/${id}`, { status: 'inactive' })
  if (other?.status === 429) {
    return hint(
      `The platform counts rates (RATE_LIMITS=on), which stops it at ${ids.length} agents; they stay.`,
    )
  }
  if (other) await expect(201, 'An agent is registered', other)
  show({ registered: ids.length })
  const refusal = await expect(409, 'One more is refused', register(ids.length))
  show({ code: refusal.code, detail: refusal.detail })
  await expect(200, 'One is taken off the market', withdraw(ids.pop()))
  const next = await expect(201, 'Now there is a place for another', register(ids.length))
  await inTurns(ids.length, (index) => withdraw(ids[index]))
  await expect(200, 'All are withdrawn', withdraw(String(next.id)))
}

/** Makes so many requests, some at a time. Returns their answers in order. */
async function inTurns(count: number, request: (index: number) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = []
  while (answers.length < count) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - answers.length) }, (_, i) => i)
    answers.push(...(await Promise.all(some.map((i) => request(answers.length + i)))))
  }
  return answers
}
