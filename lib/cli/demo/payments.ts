import { createClient, type TransactOptions } from '../../client/index.ts'
import { createWallet, signerOf } from '../wallet.ts'
import type { LocalChain } from './local-chain.ts'
import { heading, refused, show, step } from './telling.ts'

const ONE = 10n ** 9n

/**
 * A hire that pays: its hirer funds a budget account, the agent's owner charges and collects, the hirer rates
 * the agent and takes back what is left.
 */
export async function payments(baseUrl: string, chain: LocalChain) {
  heading('A hire pays')
  const [owner, hirer] = [createWallet(), createWallet()]
  const { mint } = await createClient({ baseUrl }).call('GET /vault/terms')
  await chain.fund(owner.publicKey, mint, 0n)
  await chain.fund(hirer.publicKey, mint, 1_000n * ONE)
  const asOwner = createClient({ baseUrl, wallet: signerOf(owner) })
  const asHirer = createClient({ baseUrl, wallet: signerOf(hirer) })
  const offer = {
    name: 'Paid agent',
    agentType: 'autonomous' as const,
    supportedLayers: [1, 17],
    feeModel: 'flat' as const,
    feeAmount: Number(20n * ONE),
  }
  const registration = asOwner.call('POST /agents/register', { body: offer })
  const agent = await step('An agent takes 20 CRED for each job', registration)
  await land('Its owner makes its collector, once', (flow) => asOwner.openCollector(flow))
  const order = { agentId: agent.id, budgetLimit: 100n * ONE }
  const hire = await step('It is hired, for at most 100 CRED a month', asHirer.hire(order))
  const funding = { hireId: hire.id, amount: 80n * ONE }
  await land('The hirer puts 80 CRED into a budget account of its own', (flow) => asHirer.fund(funding, flow))

  const charge = (reference: string, units: bigint) =>
    asOwner.call('POST /payments/charges', { body: { hireId: hire.id, reference, units, layer: 17 } })
  await step('Three jobs are charged', charge('jobs-1', 3n))
  await refused('budget_exhausted', 'Three more would pass the budget', charge('jobs-2', 3n))
  const rating = { hireId: hire.id, rating: 5, comment: 'It did what it says.' }
  const rate = () => asHirer.call('POST /reputation/ratings', { body: rating })
  await refused('too_little_paid', 'Nothing was collected yet, so nothing can be rated', rate())
  const budgets = () => asHirer.call('GET /payments/budgets')
  show((await step('Both sides see what is due and what is there', budgets())).budgets[0])
  await land('The owner collects, less the protocol fee', (flow) => asOwner.collect({}, flow))
  show((await step('So much is left', budgets())).budgets[0])

  show(await step('The hirer rates the agent', rate()))
  const read = asHirer.call('GET /agents/{id}', { path: { id: agent.id } })
  const { rating: average, ratings, reputationScore } = await step('The agent shows it', read)
  show({ rating: average, ratings, reputationScore })
  await land('The hirer takes back what is left', (flow) => asHirer.withdraw({ hireId: hire.id }, flow))
}

/** Runs a flow, and says what signing does. */
async function land(name: string, flow: (options: TransactOptions) => Promise<{ status: string }>) {
  const onStep: TransactOptions['onStep'] = ({ step, transaction }) => {
    if (step === 'sign') show(transaction.message)
  }
  await step(name, flow({ onStep }))
}
