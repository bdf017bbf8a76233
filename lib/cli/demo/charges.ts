import { createClient } from '../../client/index.ts'
import { createWallet, signerOf } from '../wallet.ts'
import { heading, refused, show, step } from './telling.ts'

/** An agent's owner charges for its work within the hirer's budget, is refused more, and takes one back. */
export async function charges(baseUrl: string) {
  heading('An agent is hired on a budget')
  const asOwner = createClient({ baseUrl, wallet: signerOf(createWallet()) })
  const asHirer = createClient({ baseUrl, wallet: signerOf(createWallet()) })
  const registration = asOwner.call('POST /agents/register', {
    body: {
      name: 'Yield Scout',
      agentType: 'autonomous',
      supportedLayers: [17],
      feeModel: 'percentage',
      feeAmount: 500,
    },
  })
  const agent = await step('It takes 5 % of what it earns the hirer', registration)
  const order = asHirer.hire({ agentId: agent.id, budgetLimit: 3_000_000_000n })
  const hire = await step('It is hired for at most 3 CRED a period', order)
  show({ budgetLimit: hire.budgetLimit, spent: hire.spent, remaining: hire.remaining, period: hire.period })

  heading('Its owner charges for what it did')
  const charge = (reference: string, capturedValue: bigint, client = asOwner) =>
    client.call('POST /payments/charges', { body: { hireId: hire.id, reference, capturedValue, layer: 17 } })
  const first = await step('For 40 CRED earned', charge('job-1', 40_000_000_000n))
  show({ id: first.id, amount: first.amount, status: first.status })
  const again = await step('Sent again, it is the same charge', charge('job-1', 40_000_000_000n))
  show({ id: again.id })
  const differs = charge('job-1', 50_000_000_000n)
  await refused('charge_differs', 'The same reference with another value is refused', differs)
  const beyond = charge('job-2', 30_000_000_000n)
  const refusal = await refused('budget_exhausted', 'For 30 CRED more the budget is too small', beyond)
  show({ code: refusal.code, remaining: refusal.problem?.remaining })
  const own = charge('mine', 1_000_000n, asHirer)
  await refused('hire_not_found', 'The hirer cannot charge on its own hire', own)

  heading('Both sides see it, and one is taken back')
  const query = { role: 'hirer' as const }
  const seen = await step('The hirer lists it', asHirer.call('GET /payments/charges', { query }))
  show({ count: seen.count })
  const voiding = asOwner.call('POST /payments/charges/{id}/void', { path: { id: first.id } })
  await step('The owner voids it', voiding)
  const hirers = asOwner.call('GET /agents/{id}/hires', { path: { id: agent.id } })
  show((await step('The owner lists who hired', hirers)).hires)
  await step('The budget is whole again', charge('job-2', 30_000_000_000n))
}
