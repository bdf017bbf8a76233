import { manifestExample } from '../../../schema/wire/registry.ts'
import { createClient, type RequestOf } from '../../client/index.ts'
import { createWallet, signerOf, trustedWallet } from '../wallet.ts'
import { heading, hint, refused, show, step } from './output.ts'

type Registration = RequestOf<'POST /registry/agents'>['body']

/**
 * Registers an agent by a signature of its own key, and updates its entry. If OPERATOR_KEY has an operator's
 * secret key, suspends and removes the entry.
 */
export async function registry(baseUrl: string) {
  heading('An agent registers itself by signature')
  const anyone = createClient({ baseUrl })
  const agent = createWallet()
  const pubkey = agent.publicKey
  const catalog = await step('The catalog says what it may declare', anyone.call('GET /registry/catalog'))
  show({ capabilities: catalog.capabilities.length, message: catalog.message })
  const signed = async (timestamp: number, feeAmount: number): Promise<Registration> => {
    const serviceManifest = manifestExample
    const { namedMessage } = await step(
      'Read the message to sign',
      anyone.call('POST /registry/message', { body: { pubkey, timestamp, serviceManifest } }),
    )
    return {
      name: 'Ledger Keeper',
      pubkey,
      timestamp,
      agentType: 'defi',
      capabilities: ['portfolio', 'tax_optimization'],
      feeModel: 'subscription',
      feeAmount,
      serviceManifest,
      signature: agent.sign(namedMessage),
    }
  }
  const probe = { body: { pubkey, timestamp: 0 } }
  const clock = await step('The service shows its time', anyone.call('POST /registry/message', probe))
  const now = Date.parse(clock.serverTime)
  const first = await signed(now, 20_000_000)
  const register = (body: Registration) => anyone.call('POST /registry/agents', { body })
  show((await step('Signed, it is registered', register(first))).agent)
  await step('The same request again gets the same answer', register(first))
  const another = register({ ...first, name: 'Another' })
  await refused('signature_used', 'The signature cannot be used for another body', another)
  const late = register({ ...first, timestamp: now + 1 })
  show((await refused('registration_refused', 'Nor for another timestamp', late)).message)
  await step('A later one updates the entry', register(await signed(now + 1, 0)))
  const query = { layer: 19, limit: 1 }
  show({ count: (await step('It is listed', anyone.call('GET /registry/agents', { query }))).count })
  const byWords = anyone.call('GET /registry/agents', { query: { q: 'ledger keeper', limit: 1 } })
  show({ count: (await step('It is found by its words', byWords)).count })
  await step('It can be read by its key', anyone.call('GET /registry/agents/{pubkey}', { path: { pubkey } }))
  const again = async () => register(await signed(now + 2, 0))
  await moderation(baseUrl, pubkey, again)
}

/** Suspends an entry of the registry and removes it for good. */
async function moderation(baseUrl: string, pubkey: string, registerAgain: () => Promise<unknown>) {
  heading('An operator suspends the agent')
  const anyone = createClient({ baseUrl })
  const path = { pubkey }
  const suspension = { path, body: { status: 'suspended', reason: 'Phishing' } } as const
  const asUser = createClient({ baseUrl, wallet: signerOf(createWallet()) })
  await refused(
    'permission_missing',
    'A wallet that is not an operator cannot',
    asUser.call('PATCH /registry/agents/{pubkey}', suspension),
  )
  const operator = trustedWallet('OPERATOR_KEY')
  if (!operator) {
    return hint(
      'Start the platform with OPERATOR_WALLETS and the demo with OPERATOR_KEY to see an operator do it.',
    )
  }
  const asOperator = createClient({ baseUrl, wallet: signerOf(operator) })
  const read = () => anyone.call('GET /registry/agents/{pubkey}', { path })
  await step('An operator suspends it', asOperator.call('PATCH /registry/agents/{pubkey}', suspension))
  const entry = await step('It can still be read, and is in no list', read())
  show({ status: entry.status, statusReason: entry.statusReason })
  const lifted = asOperator.call('PATCH /registry/agents/{pubkey}', { path, body: { status: 'active' } })
  await step('The suspension is lifted', lifted)
  const removal = asOperator.call('DELETE /registry/agents/{pubkey}', { path })
  await step('An operator removes it for good', removal)
  await refused('registration_not_found', 'It is gone', read())
  await refused('registration_barred', 'Its key cannot register again', registerAgain())
}
