import { createClient, logIn } from '../client.ts'
import { createWallet, signTransaction } from '../wallet.ts'
import type { LocalChain } from './local-chain.ts'
import { expect, heading, show } from './telling.ts'

const ONE = 10n ** 9n

/**
 * A hire that pays: its hirer funds a budget account, the agent's owner charges and collects, and the hirer
 * takes back what is left.
 */
export async function payments(baseUrl: string, chain: LocalChain) {
  heading('A hire pays')
  const [owner, hirer] = [createWallet(), createWallet()]
  const { mint } = await expect(
    200,
    'The staking token is what is paid in',
    createClient(baseUrl)('GET', '/vault/terms'),
  )
  await chain.fund(owner.publicKey, String(mint), 0n)
  await chain.fund(hirer.publicKey, String(mint), 100n * ONE)
  const asOwner = createClient(baseUrl, await logIn(baseUrl, owner))
  const asHirer = createClient(baseUrl, await logIn(baseUrl, hirer))
  const land = async (by: typeof owner, step: string, path: string, body: object) => {
    const call = by === owner ? asOwner : asHirer
    const built = await expect(200, step, call('POST', `/payments/${path}`, body))
    show(built.message)
    const transaction = signTransaction(String(built.transaction), by)
    await expect(
      200,
      'Signed by its wallet, the service sends it',
      call('POST', '/payments/transactions', { id: built.id, transaction }),
    )
    await chain.travel(4_000)
    const outcome = await expect(200, 'It has landed', call('GET', `/payments/transactions/${built.id}`))
    show({ status: outcome.status })
  }
  const agent = await expect(
    201,
    'An agent takes 2 CRED for each job',
    asOwner('POST', '/agents/register', {
      name: 'Paid agent',
      agentType: 'autonomous',
      supportedLayers: [1, 17],
      feeModel: 'flat',
      feeAmount: Number(2n * ONE),
    }),
  )
  await land(owner, 'Its owner makes its collector, once', 'collectors', {})
  const hire = await expect(
    201,
    'It is hired, for at most 10 CRED a month',
    asHirer('POST', '/agents/hire', { agentId: agent.id, budgetLimit: Number(10n * ONE) }),
  )
  const budget = (amount: bigint) => ({ hireId: hire.id, amount: Number(amount) })
  await land(hirer, 'The hirer puts 8 CRED into a budget account of its own', 'budgets', budget(8n * ONE))
  const charge = (reference: string, units: number) =>
    asOwner('POST', '/payments/charges', { hireId: hire.id, reference, units, layer: 17 })
  await expect(201, 'Three jobs are charged', charge('jobs-1', 3))
  await expect(409, 'Three more would pass the budget', charge('jobs-2', 3))
  const [before] = await budgets(asHirer)
  show(before)
  await land(owner, 'The owner collects, less the protocol fee', 'collect', {})
  const [after] = await budgets(asHirer)
  show(after)
  await land(hirer, 'The hirer takes back what is left', 'budgets/withdraw', { hireId: hire.id })
}

const budgets = async (call: ReturnType<typeof createClient>) => {
  const list = await expect(
    200,
    'Both sides see what is due and what is there',
    call('GET', '/payments/budgets'),
  )
  return list.budgets as object[]
}
