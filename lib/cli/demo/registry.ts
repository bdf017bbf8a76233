import { manifestExample } from '../../../schema/wire/registry.ts'
import { type Answer, createClient, logIn } from '../client.ts'
import { createWallet } from '../wallet.ts'
import { trustedWallet } from './roles.ts'
import { expect, heading, hint, show } from './telling.ts'

/**
 * Registers an agent by a signature of its own key, and updates its entry; an operator suspends and removes
 * it if OPERATOR_KEY holds the secret key of one.
 */
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
  const again = async () => register(await signed({}, now + 2))
  await moderation(baseUrl, agent.publicKey, again)
}

/** Suspends an entry of the registry and removes it for good. */
async function moderation(baseUrl: string, pubkey: string, registerAgain: () => Promise<Answer>) {
  heading('An operator suspends the agent')
  const anyone = createClient(baseUrl)
  const path = `/registry/agents/${pubkey}`
  const suspension = { status: 'suspended', reason: 'Phishing' }
  const asUser = createClient(baseUrl, await logIn(baseUrl, createWallet()))
  await expect(403, 'A wallet that is not an operator cannot', asUser('PATCH', path, suspension))
  const operator = trustedWallet('OPERATOR_KEY')
  if (!operator) {
    return hint(
      'Start the platform with OPERATOR_WALLETS and the demo with OPERATOR_KEY to see an operator do it.',
    )
  }
  const asOperator = createClient(baseUrl, await logIn(baseUrl, operator))
  await expect(200, 'An operator suspends it', asOperator('PATCH', path, suspension))
  const entry = await expect(200, 'It can still be read, and is in no list', anyone('GET', path))
  show({ status: entry.status, statusReason: entry.statusReason })
  const lifted = asOperator('PATCH', path, { status: 'active' })
  await expect(200, 'The suspension is lifted', lifted)
  await expect(200, 'An operator removes it for good', asOperator('DELETE', path))
  await expect(404, 'It is gone', anyone('GET', path))
  await expect(403, 'Its key can not register again', registerAgain())
}
