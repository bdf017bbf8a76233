import { createClient, logIn } from '../client.ts'
import { createWallet } from '../wallet.ts'
import { expect, heading, show } from './telling.ts'

/** An agent's owner charges for its work within the hirer's budget, is refused more, and takes one back. */
export async function charges(baseUrl: string) {
  heading('An agent is hired on a budget')
  const asOwner = createClient(baseUrl, await logIn(baseUrl, createWallet()))
  const asHirer = createClient(baseUrl, await logIn(baseUrl, createWallet()))
  const agent = await expect(
    201,
    'It takes 5 % of what it earns the hirer',
    asOwner('POST', '/agents/register', {
      name: 'Yield Scout',
      agentType: 'autonomous',
      supportedLayers: [17],
      feeModel: 'percentage',
      feeAmount: 500,
    }),
  )
  const order = { agentId: agent.id, budgetLimit: 3_000_000_000 }
  const hire = await expect(
    201,
    'It is hired for at most 3 CRED a period',
    asHirer('POST', '/agents/hire', order),
  )
  show({ budgetLimit: hire.budgetLimit, spent: hire.spent, remaining: hire.remaining, period: hire.period })

  heading('Its owner charges for what it did')
  const charge = (reference: string, capturedValue: number) =>
    asOwner('POST', '/payments/charges', { hireId: hire.id, reference, capturedValue, layer: 17 })
  const first = await expect(201, 'For 40 CRED earned', charge('job-1', 40_000_000_000))
  show({ id: first.id, amount: first.amount, status: first.status })
  const again = await expect(201, 'Sent again, it is the same charge', charge('job-1', 40_000_000_000))
  show({ id: again.id })
  await expect(409, 'The same reference with another value is refused', charge('job-1', 50_000_000_000))
  const refusal = await expect(
    409,
    'For 30 CRED more the budget is too small',
    charge('job-2', 30_000_000_000),
  )
  show({ code: refusal.code, remaining: refusal.remaining })
  await expect(
    404,
    'The hirer cannot charge on its own hire',
    asHirer('POST', '/payments/charges', { hireId: hire.id, reference: 'mine', capturedValue: 1_000_000 }),
  )

  heading('Both sides see it, and one is taken back')
  const seen = await expect(200, 'The hirer lists it', asHirer('GET', '/payments/charges?role=hirer'))
  show({ count: seen.count })
  await expect(200, 'The owner voids it', asOwner('POST', `/payments/charges/${first.id}/void`))
  const hirers = await expect(200, 'The owner lists who hired', asOwner('GET', `/agents/${agent.id}/hires`))
  show(hirers.hires)
  await expect(201, 'The budget is whole again', charge('job-2', 30_000_000_000))
}
