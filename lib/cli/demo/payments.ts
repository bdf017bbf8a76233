import { createClient, type TransactOptions } from '../../client/index.ts'
import type { LocalChain } from '../solana/local-chain.ts'
import { createWallet, signerOf } from '../wallet.ts'
import { offerAgent } from './agents.ts'
import { heading, refused, show, step } from './output.ts'
import { onStep, readDeployment } from './signing.ts'
import { sendingWallet } from './vault.ts'

/** Charges for an agent's work within the hirer's budget, fails to charge more, and voids one charge. */
export async function charges(baseUrl: string) {
  heading('An agent is hired on a budget')
  const asOwner = createClient({ baseUrl, wallet: signerOf(createWallet()) })
  const asHirer = createClient({ baseUrl, wallet: signerOf(createWallet()) })
  const registration = offerAgent(asOwner, {
    name: 'Yield Scout',
    agentType: 'autonomous',
    supportedLayers: [17],
    feeModel: 'percentage',
    feeAmount: 500,
  })
  const agent = await step('It charges 5 % of what it earns for the hirer', registration)
  const hiring = asHirer.hire({ agentId: agent.id, budgetLimit: 3_000_000_000n })
  const hire = await step('It is hired for at most 3 CRED a period', hiring)
  show({ budgetLimit: hire.budgetLimit, spent: hire.spent, remaining: hire.remaining, period: hire.period })

  heading('Its owner charges for its work')
  const charge = (reference: string, capturedValue: bigint, client = asOwner) =>
    client.call('POST /payments/charges', { body: { hireId: hire.id, reference, capturedValue, layer: 17 } })
  const first = await step('For 40 CRED earned', charge('job-1', 40_000_000_000n))
  show({ id: first.id, amount: first.amount, status: first.status })
  const again = await step('Sent again, it is the same charge', charge('job-1', 40_000_000_000n))
  show({ id: again.id })
  const differs = charge('job-1', 50_000_000_000n)
  await refused('charge_differs', 'The same reference with another value is rejected', differs)
  const beyond = charge('job-2', 30_000_000_000n)
  const refusal = await refused('budget_exhausted', '30 CRED more exceed the budget', beyond)
  show({ code: refusal.code, remaining: refusal.problem?.remaining })
  const own = charge('mine', 1_000_000n, asHirer)
  await refused('hire_not_found', 'The hirer cannot charge on its own hire', own)

  heading('Both sides see it, and the owner voids a charge')
  const query = { role: 'hirer' as const }
  const seen = await step('The hirer lists it', asHirer.call('GET /payments/charges', { query }))
  show({ count: seen.count })
  const path = { id: first.id }
  const { status } = await step(
    'The hirer reads it by its id',
    asHirer.call('GET /payments/charges/{id}', { path }),
  )
  const due = asHirer.call('GET /payments/budgets', { query: { due: true } })
  const [owed] = (await step('No budget pays for it yet', due)).budgets
  show({ status, unpaid: owed?.unpaid, covered: owed?.covered })
  const voiding = asOwner.call('POST /payments/charges/{id}/void', { path: { id: first.id } })
  await step('The owner voids it', voiding)
  const hirers = asOwner.call('GET /agents/{id}/hires', { path: { id: agent.id } })
  show((await step('The owner lists who hired', hirers)).hires)
  const reading = asOwner.call('GET /agents/hire/{id}', { path: { id: hire.id } })
  const { hirer, spent } = await step('The owner reads the hire by its id', reading)
  show({ hirer, spent })
  await step('The charge that exceeded the budget now fits', charge('job-2', 30_000_000_000n))
}

const ONE = 10n ** 9n

/**
 * Shows a hire that pays. The hirer funds a budget account, and the agent's owner charges and collects. Then
 * the hirer rates the agent and takes back the rest.
 */
export async function payments(baseUrl: string, chain: LocalChain) {
  heading('A hire pays')
  const [owner, hirer] = [createWallet(), createWallet()]
  const deployment = await readDeployment(baseUrl)
  const { mint } = deployment
  // SOL for fees, no CRED.
  await chain.fund(owner.publicKey, mint, 0n)
  await chain.fund(hirer.publicKey, mint, 1_000n * ONE)
  const asOwner = createClient({ baseUrl, deployment, wallet: signerOf(owner) })
  const asHirer = createClient({ baseUrl, deployment, wallet: signerOf(hirer) })
  const offer = {
    name: 'Paid agent',
    agentType: 'autonomous' as const,
    supportedLayers: [1, 17],
    feeModel: 'flat' as const,
    feeAmount: Number(20n * ONE),
  }
  const registration = offerAgent(asOwner, offer)
  const agent = await step('An agent takes 20 CRED for each job', registration)
  const foreign = { ...deployment, mint: createWallet().publicKey }
  const pinned = createClient({ baseUrl, deployment: foreign, wallet: signerOf(owner) }).openCollector()
  const name = 'A client that pins another token signs nothing'
  show((await refused('transaction_unexpected', name, pinned)).message)
  await land('Its owner opens a payout account, once', (flow) => asOwner.openCollector(flow))
  const { canBePaid } = await step(
    'The agent shows that it can be paid',
    asOwner.call('GET /agents/{id}', { path: { id: agent.id } }),
  )
  show({ canBePaid })
  const order = { agentId: agent.id, budgetLimit: 100n * ONE }
  const hire = await step('It is hired, for at most 100 CRED a month', asHirer.hire(order))
  const funding = { hireId: hire.id, amount: 80n * ONE, owner: agent.pubkey }
  await land('The hirer puts 80 CRED into a budget account of its own', (flow) => asHirer.fund(funding, flow))

  const charge = (reference: string, units: bigint) =>
    asOwner.call('POST /payments/charges', { body: { hireId: hire.id, reference, units, layer: 17 } })
  await step('Three jobs are charged', charge('jobs-1', 3n))
  await refused('budget_exhausted', 'Three more would exceed the budget', charge('jobs-2', 3n))
  const rating = { hireId: hire.id, rating: 5, comment: 'It did what it says.' }
  const rate = () => asHirer.call('POST /reputation/ratings', { body: rating })
  await refused('too_little_paid', 'Nothing was collected yet, so nothing can be rated', rate())
  const budgets = () => asHirer.call('GET /payments/budgets')
  show((await step('Both sides see what is due and what is funded', budgets())).budgets[0])
  await land('The owner collects, less the protocol fee', (flow) => asOwner.collect({}, flow))
  show((await step('So much is left', budgets())).budgets[0])
  const totals = asOwner.call('GET /payments/totals', { query: { role: 'owner' } })
  const { kinds, unpaid } = await step('The owner’s totals say what it has earned, and the fee', totals)
  show({ kinds, unpaid })

  show(await step('The hirer rates the agent', rate()))
  const read = asHirer.call('GET /agents/{id}', { path: { id: agent.id } })
  const { rating: average, ratings, reputationScore } = await step('The agent shows it', read)
  show({ rating: average, ratings, reputationScore })
  await land('The hirer withdraws the rest', (flow) => asHirer.withdraw({ hireId: hire.id }, flow))
  show(await step('It is back in its wallet', asHirer.call('GET /payments/balances')))

  heading('Another hirer’s wallet sends the transaction itself')
  const sender = createWallet()
  await chain.fund(sender.publicKey, mint, 1_000n * ONE)
  const asSender = createClient({ baseUrl, deployment, wallet: sendingWallet(sender, chain) })
  const sent = await step('It hires the agent', asSender.hire(order))
  const ownFunding = { hireId: sent.id, amount: 40n * ONE, owner: agent.pubkey }
  await land('The service finds the funding on the chain', (flow) => asSender.fund(ownFunding, flow))
  const jobs = { hireId: sent.id, reference: 'jobs-3', units: 2n, layer: 17 }
  await step('Two jobs are charged', asOwner.call('POST /payments/charges', { body: jobs }))
  await land('The owner collects them', (flow) => asOwner.collect({ hireId: sent.id }, flow))
}

/** Runs a transaction's flow until it has landed, and prints what the wallet signs. */
async function land(name: string, flow: (options: TransactOptions) => Promise<{ status: string }>) {
  await step(name, flow({ onStep }))
}
