import { createClient } from '../../client/index.ts'
import { createWallet, signerOf } from '../wallet.ts'
import { heading, refused, show, step } from './telling.ts'

/** Shows what points cost, and that nobody rates a hire for which nothing was collected. */
export async function ratings(baseUrl: string) {
  heading('A rating costs something')
  const asOwner = createClient({ baseUrl, wallet: signerOf(createWallet()) })
  const asHirer = createClient({ baseUrl, wallet: signerOf(createWallet()) })
  const rules = asHirer.call('GET /reputation/rules')
  const { reliability } = await step('The rules name the price of points', rules)
  show(
    Object.fromEntries(
      reliability.prices.map(({ points, feeFormatted }) => [points, `${feeFormatted} CRED`]),
    ),
  )
  const body = { name: 'Rated agent', agentType: 'autonomous' as const, supportedLayers: [6] }
  const agent = await step('An agent is offered', asOwner.call('POST /agents/register', { body }))
  const hire = await step('Somebody hires it', asHirer.hire({ agentId: agent.id }))
  const rating = { hireId: hire.id, rating: 1, comment: 'I paid nothing for this.' }
  const free = asHirer.call('POST /reputation/ratings', { body: rating })
  const { message } = await refused('too_little_paid', 'A hire that paid nothing is not rated', free)
  show(message)
  const query = { agentId: agent.id }
  const list = asHirer.call('GET /reputation/ratings', { query })
  show({ count: (await step('The agent has no ratings', list)).count })
}
