import { createClient, logIn } from '../client.ts'
import { createWallet } from '../wallet.ts'
import { expect, heading, show } from './telling.ts'

/** Shows what points cost, and that nobody rates a hire for which nothing was collected. */
export async function ratings(baseUrl: string) {
  heading('A rating costs something')
  const anyone = createClient(baseUrl)
  const asOwner = createClient(baseUrl, await logIn(baseUrl, createWallet()))
  const asHirer = createClient(baseUrl, await logIn(baseUrl, createWallet()))
  const rules = await expect(200, 'The rules name the price of points', anyone('GET', '/reputation/rules'))
  const { prices } = rules.reliability as { prices: { points: number; feeFormatted: string }[] }
  show(Object.fromEntries(prices.map(({ points, feeFormatted }) => [points, `${feeFormatted} CRED`])))
  const offer = { name: 'Rated agent', agentType: 'autonomous', supportedLayers: [6] }
  const agent = await expect(201, 'An agent is offered', asOwner('POST', '/agents/register', offer))
  const hire = await expect(201, 'Somebody hires it', asHirer('POST', '/agents/hire', { agentId: agent.id }))
  const rating = { hireId: hire.id, rating: 1, comment: 'I paid nothing for this.' }
  const refused = await expect(
    409,
    'A hire that paid nothing is not rated',
    asHirer('POST', '/reputation/ratings', rating),
  )
  show(refused.detail)
  await expect(200, 'The agent has no ratings', anyone('GET', `/reputation/ratings?agentId=${agent.id}`))
}
