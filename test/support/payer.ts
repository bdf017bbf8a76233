import type { Keypair } from '@solana/web3.js'
import { register } from './agents.ts'
import type { Answer, Body, Service } from './service.ts'
import { createStaker, type Staker, travel } from './staker.ts'
import { verifyBuilt } from './verified.ts'
import type { WalletHabits } from './wallets.ts'

/* Hires that pay, over HTTP: an agent's owner, its hirers, and the transactions that both sign. */

/** A wallet that builds, signs and relays transactions of payments. */
export async function createPayer(service: Service, cred?: bigint | number, keypair?: Keypair) {
  const wallet = await createStaker(service, cred, keypair)
  const post = async (path: string, body?: Body) => {
    const answer = await wallet.call('POST', `/payments/${path}`, body === undefined ? {} : { body })
    await verifyBuilt(service, wallet.owner, `/payments/${path}`, body ?? {}, answer)
    return answer
  }
  const relay = (built: Answer, habits?: WalletHabits) =>
    post('transactions', { id: built.body.id, transaction: wallet.signFirst(built, habits) })
  const status = async (built: Answer): Promise<Body> => {
    await travel(service, 2_001)
    return (await service.call('GET', `/payments/transactions/${built.body.id}`)).body
  }
  return {
    ...wallet,
    post,
    relay,
    status,
    openCollector: () => post('collectors'),
    fund: (hireId: string, amount: bigint | number) => post('budgets', { hireId, amount: Number(amount) }),
    withdraw: (hireId: string, leaveOpen?: boolean) => post('budgets/withdraw', { hireId, leaveOpen }),
    collect: (hireId?: string) => post('collect', hireId === undefined ? {} : { hireId }),
    charge: async (hireId: string, amount: bigint | number): Promise<Body & { id: string }> => {
      const reference = crypto.randomUUID()
      const answer = await post('charges', { hireId, reference, units: Number(amount) })
      if (answer.status !== 201) throw new Error(`not charged: ${answer.text}`)
      return answer.body as Body & { id: string }
    },
    /** The budget account of a hire, as this side sees it. */
    budget: async (hireId: string, role: 'hirer' | 'owner' = 'hirer'): Promise<Body | undefined> => {
      const { body } = await wallet.call('GET', `/payments/budgets?role=${role}&hireId=${hireId}`)
      return (body.budgets as Body[])[0]
    },
    /** Signs, relays and settles. @throws Error when it was not built, not sent, or has not landed */
    async land(building: Promise<Answer>, habits?: WalletHabits): Promise<Answer> {
      const built = await building
      if (built.status !== 200) throw new Error(`not built: ${built.text}`)
      const sent = await relay(built, habits)
      if (sent.status !== 200) throw new Error(`not sent: ${sent.text}`)
      const { status: outcome } = await status(built)
      if (outcome !== 'landed') throw new Error(`not landed: ${outcome}`)
      return built
    },
  }
}

export type Payer = Awaited<ReturnType<typeof createPayer>>

/** An agent that takes one lamport for each unit, and its owner with a payout account. */
export async function createAgent(
  service: Service,
  { hasCollector = true, cred }: { hasCollector?: boolean; cred?: number } = {},
) {
  const owner = await createPayer(service, cred)
  const agent = await register(owner.call, { feeModel: 'flat', feeAmount: 1 })
  if (hasCollector) await owner.land(owner.openCollector())
  return { owner, agentId: agent.id }
}

/** Hires an agent. @returns the hire's id */
export async function hireAgent(
  hirer: Pick<Staker, 'call'>,
  agentId: string,
  terms: Body = {},
): Promise<string> {
  const answer = await hirer.call('POST', '/agents/hire', { body: { agentId, ...terms } })
  if (answer.status !== 201) throw new Error(`not hired: ${answer.text}`)
  return String(answer.body.id)
}

/** A hirer with a hire of the agent and so much in its budget account. */
export async function createHirer(service: Service, agentId: string, funds: bigint | number = 0) {
  const hirer = await createPayer(service)
  const hireId = await hireAgent(hirer, agentId)
  if (BigInt(funds) > 0n) await hirer.land(hirer.fund(hireId, funds))
  return { hirer, hireId }
}
