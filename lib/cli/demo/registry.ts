import { manifestExample } from '../../../schema/wire/registry.ts'
import { createClient } from '../client.ts'
import { createWallet } from '../wallet.ts'
import { expect, heading, show } from './telling.ts'

/** Registers an agent by a signature of its own key, and updates its entry. */
export async function registry(baseUrl: string) {
  heading('An agent registers itself by signature')
  const anyone = createClient(baseUrl)
  const agent = createWallet()
  const catalog = await expect(
    200,
    'The catalog says what it may declare',
    anyone('GET', '/registry/catalog'),
  )
  show({ capabilities: (catalog.capabilities as unknown[]).length, message: catalog.message })
  const signed = async (changes: Record<string, unknown>, timestamp: number) => {
    const declared = {
      name: 'Ledger Keeper',
      pubkey: agent.publicKey,
      timestamp,
      agentType: 'defi',
      capabilities: ['portfolio', 'tax_optimization'],
      feeModel: 'subscription',
      feeAmount: 20_000_000,
      serviceManifest: manifestExample,
      ...changes,
    }
    const { message } = await expect(
      200,
      'Read the message to sign',
      anyone('POST', '/registry/message', declared),
    )
    return { ...declared, signature: agent.sign(String(message)) }
  }
  const probe = { pubkey: agent.publicKey, timestamp: 0 }
  const clock = await expect(200, 'The service tells its time', anyone('POST', '/registry/message', probe))
  const now = Date.parse(String(clock.serverTime))
  const first = await signed({}, now)
  const register = (body: unknown) => anyone('POST', '/registry/agents', body)
  const { agent: entry } = await expect(201, 'Signed, it is registered', register(first))
  show(entry)
  await expect(201, 'The same request again gets the same answer', register(first))
  await expect(409, 'The signature is not valid for another body', register({ ...first, name: 'Another' }))
  const late = await expect(401, 'Nor for another timestamp', register({ ...first, timestamp: now + 1 }))
  show(late.detail)
  await expect(200, 'A later one updates the entry', register(await signed({ feeAmount: 0 }, now + 1)))
  const list = await expect(200, 'It is listed', anyone('GET', '/registry/agents?layer=19&limit=1'))
  show({ count: list.count })
  await expect(200, 'It can be read by its key', anyone('GET', `/registry/agents/${agent.publicKey}`))
}
