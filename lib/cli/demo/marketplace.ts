import { base58, createClient } from '../../client/index.ts'
import { WEBHOOK_ENDPOINTS_PER_WALLET } from '../../quotas/rules.ts'
import { offchainMessage } from '../../solana/off-chain.ts'
import { createWallet, type KeyWallet, signerOf } from '../wallet.ts'
import { offerAgent } from './agents.ts'
import { heading, refused, show, step } from './output.ts'

/** Logs in with two wallets: one offers an agent, the other hires it and ends the hire. */
export async function marketplace(baseUrl: string) {
  heading(`AgentCred at ${baseUrl}`)
  const anyone = createClient({ baseUrl })
  const info = await step('The service describes itself', anyone.call('GET /'))
  show({ name: info.name, version: info.version, status: info.status })

  heading('Two wallets log in')
  const [developer, user] = [createWallet(), createWallet()]
  const asDeveloper = createClient({ baseUrl, wallet: signerOf(developer) })
  const asUser = createClient({ baseUrl, wallet: hardwareOf(user) })
  await step('A wallet signs the challenge', asDeveloper.login())
  await step('The other signs it in an off-chain message, as hardware wallets do', asUser.login())
  show({ developer: developer.publicKey, user: user.publicKey })
  const forger = { ...signerOf(createWallet()), publicKey: user.publicKey }
  const forged = createClient({ baseUrl, wallet: forger }).login()
  await refused('login_refused', 'A signature of another key is rejected', forged)

  heading('The developer registers an agent')
  const description = 'Finds staking yield and moves into it.'
  const kind = { agentType: 'autonomous' as const, supportedLayers: [17, 10, 17] }
  const body = { name: 'Yield Scout', description, ...kind }
  const agent = await step('It is registered', offerAgent(asDeveloper, body))
  show({
    id: agent.id,
    supportedLayers: agent.supportedLayers,
    feeModel: agent.feeModel,
    feeAmount: agent.feeAmount,
  })
  const unseen = { ...body, name: '\u3164\u3164\u3164' }
  const nameless = offerAgent(asDeveloper, unseen)
  show((await refused('invalid_request', 'An invisible name is rejected', nameless)).errors)
  const mine = { owner: developer.publicKey, status: 'all' as const }
  const listed = await step('It is listed as the developer’s', anyone.call('GET /agents', { query: mine }))
  show({ count: listed.count, names: listed.agents.map(({ name }) => name) })

  heading('The user finds and hires it')
  const query = { layer: 17, q: 'yield', limit: 5 }
  show({ count: (await step('It is listed', anyone.call('GET /agents', { query }))).count })
  const order = { agentId: agent.id, layers: [17], budgetLimit: 5_000_000_000n, autoRenew: false }
  const need = { q: 'finding yields by staking', limit: 5 }
  const found = await step('It is found by a need', anyone.call('GET /agents', { query: need }))
  show({ names: found.agents.map(({ name }) => name), close: found.close })
  const poem = { q: 'staking of poems', limit: 5 }
  const close = await step('If none fits, others come close', anyone.call('GET /agents', { query: poem }))
  show({ names: close.agents.map(({ name }) => name), close: close.close })
  const { count } = await step('It is counted', anyone.call('GET /agents/counts', { query: { q: 'yield' } }))
  show({ count })
  const hire = await step('It is hired', asUser.hire(order))
  show({ id: hire.id, status: hire.status, layersEnabled: hire.layersEnabled, expiresAt: hire.expiresAt })
  await refused('already_hired', 'A second hire is rejected', asUser.hire(order))
  const mistyped: object = { budgetLimt: 5 }
  const misread = asUser.hire({ agentId: agent.id, ...mistyped })
  show((await refused('invalid_request', 'A mistyped limit is rejected, and named', misread)).errors)

  heading('The user ends the hire')
  const end = { query: { id: hire.id } }
  const asStranger = createClient({ baseUrl, wallet: signerOf(createWallet()) })
  await refused('hire_not_found', 'A stranger cannot', asStranger.call('DELETE /agents/hire', end))
  const ended = await step('The user can', asUser.call('DELETE /agents/hire', end))
  show({ status: ended.status, endedAt: ended.endedAt })
  show({ count: (await step('It stays in the list', asUser.call('GET /agents/hire'))).count })

  heading('The developer sets a new price')
  const price = { feeModel: 'flat' as const, feeAmount: 2_000_000_000 }
  const priced = { path: { id: agent.id }, body: price }
  show({ feeAmount: (await step('It is set', asDeveloper.call('PATCH /agents/{id}', priced))).feeAmount })
  const { feeModel, feeAmount } = agent
  const outdated = asUser.hire({ ...order, feeModel, feeAmount })
  await refused('price_changed', 'A hire at the former price is rejected', outdated)

  heading('The developer deactivates the agent')
  const change = { path: { id: agent.id }, body: { status: 'inactive' as const } }
  await refused('agent_not_found', 'Another wallet cannot', asUser.call('PATCH /agents/{id}', change))
  await step('Its owner can', asDeveloper.call('PATCH /agents/{id}', change))
  await refused('agent_not_active', 'It cannot be hired now', asUser.hire(order))

  heading('The user’s token is stolen')
  const { sessionToken } = await asUser.login()
  await step('The user ends all its sessions', asUser.revoke())
  const { status, code } = await step('The thief tries the token', withToken(baseUrl, sessionToken))
  show({ status, code })
  if (code !== 'session_revoked') throw new Error('a revoked session still works')
  show({ count: (await step('The user logs in again', asUser.call('GET /agents/hire'))).count })
}

/** Returns the wallet as one that signs texts only inside an off-chain message. */
const hardwareOf = (wallet: KeyWallet) => ({
  ...signerOf(wallet),
  signMessage: undefined,
  signOffchainMessage(text: string) {
    const signedMessage = offchainMessage(text, base58.decode(wallet.publicKey))
    return { signature: base58.decode(wallet.sign(signedMessage)), signedMessage }
  },
})

/** Lists hires by a token alone, since the client would log in again. */
async function withToken(baseUrl: string, token: string): Promise<{ status: number; code?: string }> {
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`${baseUrl}/agents/hire`, { headers })
  return { ...(await answer.json()), status: answer.status }
}

/** Makes as many webhook endpoints as a wallet may have, fails to make one more, and deletes them all. */
export async function quotas(baseUrl: string) {
  heading('A wallet makes too many webhook endpoints')
  const asOwner = createClient({ baseUrl, wallet: signerOf(createWallet()), retries: 0 })
  const ids: string[] = []
  const make = async () => {
    const body = { url: 'https://hooks.example.com/', eventTypes: ['agent.registered' as const] }
    ids.push((await asOwner.call('POST /events/endpoints', { body })).id)
  }
  const remove = () => asOwner.call('DELETE /events/endpoints/{id}', { path: { id: ids.pop() ?? '' } })
  for (let count = 0; count < WEBHOOK_ENDPOINTS_PER_WALLET; count += 1) await make()
  show({ made: ids.length })
  const { code, message } = await refused('quota_exceeded', 'One more is refused', make())
  show({ code, detail: message })
  await step('One is deleted', remove())
  await step('After deleting one it can make another', make())
  while (ids.length > 0) await remove()
}
