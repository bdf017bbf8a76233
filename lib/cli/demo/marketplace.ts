import { createClient, logIn } from '../client.ts'
import { createWallet } from '../wallet.ts'
import { expect, heading, show } from './telling.ts'

/** Logs two wallets in; one offers an agent, the other hires it and ends the hire. */
export async function marketplace(baseUrl: string) {
  heading(`AgentCred at ${baseUrl}`)
  const anyone = createClient(baseUrl)
  const info = await expect(200, 'The service describes itself', anyone('GET', '/'))
  show({ name: info.name, version: info.version, status: info.status })

  heading('Two wallets log in')
  const developer = createWallet()
  const user = createWallet()
  const asDeveloper = createClient(baseUrl, await logIn(baseUrl, developer))
  const asUser = createClient(baseUrl, await logIn(baseUrl, user))
  show({ developer: developer.publicKey, user: user.publicKey })
  const challenge = await expect(200, 'A third asks for a challenge', anyone('GET', '/auth/handshake'))
  const forged = { nonce: challenge.nonce, signature: user.sign('another text'), publicKey: user.publicKey }
  await expect(401, 'A signature over another text is refused', anyone('POST', '/auth/handshake', forged))

  heading('The developer registers an agent')
  const registration = { name: 'Yield Scout', agentType: 'autonomous', supportedLayers: [17, 10, 17] }
  await expect(401, 'Without a session it is refused', anyone('POST', '/agents/register', registration))
  const agent = await expect(
    201,
    'With one it is registered',
    asDeveloper('POST', '/agents/register', registration),
  )
  show({
    id: agent.id,
    supportedLayers: agent.supportedLayers,
    feeModel: agent.feeModel,
    feeAmount: agent.feeAmount,
  })

  heading('The user finds and hires it')
  const found = await expect(200, 'It is listed', anyone('GET', '/agents?layer=17&q=yield&limit=5'))
  show({ count: found.count })
  const order = { agentId: agent.id, layers: [17], budgetLimit: 5_000_000_000, autoRenew: false }
  const hire = await expect(201, 'It is hired', asUser('POST', '/agents/hire', order))
  show({ id: hire.id, status: hire.status, layersEnabled: hire.layersEnabled, expiresAt: hire.expiresAt })
  await expect(409, 'A second hire is refused', asUser('POST', '/agents/hire', order))
  const mistyped = { agentId: agent.id, budgetLimt: 5 }
  const refusal = await expect(
    400,
    'A mistyped limit is refused by name',
    asUser('POST', '/agents/hire', mistyped),
  )
  show(refusal.errors)

  heading('The user ends the hire')
  await expect(404, 'Nobody else can', asDeveloper('DELETE', `/agents/hire?id=${hire.id}`))
  const ended = await expect(200, 'The user can', asUser('DELETE', `/agents/hire?id=${hire.id}`))
  show({ status: ended.status, endedAt: ended.endedAt })
  const hires = await expect(200, 'It stays in the list', asUser('GET', '/agents/hire'))
  show({ count: hires.count })

  heading('The developer withdraws the agent')
  await expect(404, 'Another wallet cannot', asUser('PATCH', `/agents/${agent.id}`, { status: 'inactive' }))
  await expect(200, 'Its owner can', asDeveloper('PATCH', `/agents/${agent.id}`, { status: 'inactive' }))
  await expect(400, 'It cannot be hired now', asUser('POST', '/agents/hire', order))
}
