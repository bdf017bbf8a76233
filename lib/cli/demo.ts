import { base58 } from '@scure/base'
import { createClient, logIn } from './client.ts'
import { type Cluster, openCluster } from './cluster.ts'
import { SERVICE_MANIFEST } from './description/examples.ts'
import { createWallet, signTransaction, walletFromSecretKey } from './wallet.ts'

/**
 * `npm run demo [-- <base URL> [<RPC URL>]]`: walks every flow of a running local platform and stops at the first
 * surprise. It moves the platform's clock a month ahead to see a lock end.
 */
async function main(baseUrl: string, cluster: Cluster) {
  await marketplace(baseUrl)
  await vault(baseUrl, cluster)
  await reputation(baseUrl)
  await registry(baseUrl)
  await pioneers(baseUrl)
  console.log('\nEvery step answered as it should.')
}

async function marketplace(baseUrl: string) {
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
  await expect(404, 'A stranger can not', asUser('PATCH', `/agents/${agent.id}`, { status: 'inactive' }))
  await expect(200, 'Its owner can', asDeveloper('PATCH', `/agents/${agent.id}`, { status: 'inactive' }))
  await expect(400, 'It can not be hired now', asUser('POST', '/agents/hire', order))
}

async function vault(baseUrl: string, cluster: Cluster) {
  heading('A user stakes CRED')
  const anyone = createClient(baseUrl)
  const staker = createWallet()
  const terms = await expect(200, 'The vault states its terms', anyone('GET', '/vault/terms'))
  show({ mint: terms.mint, authority: terms.authority, recovery: terms.recovery })
  await cluster.fund(staker.publicKey, String(terms.mint), 1_000n * ONE)
  let asStaker = createClient(baseUrl, await logIn(baseUrl, staker))
  const send = async (step: string, built: Record<string, unknown>) => {
    const transaction = signTransaction(String(built.transaction), staker)
    await expect(200, step, asStaker('POST', '/vault/transactions', { id: built.id, transaction }))
  }
  const position = async (step: string) => {
    await cluster.travel(4_000)
    const state = await expect(200, step, anyone('GET', `/vault?owner=${staker.publicKey}`))
    show(state.balances)
  }
  const stack = asStaker('POST', '/vault/stack', { amount: Number(100n * ONE), lockDays: 30 })
  const stake = await expect(200, 'A stake of 100 CRED for 30 days is built, cosigned', stack)
  show(stake.message)
  await send('Signed by its owner, the network takes it', stake)
  await position('Principal and the yield of the whole term are in escrow')
  await expect(400, 'It is locked', asStaker('POST', '/vault/unstack', { positionId: 0 }))

  heading('Time passes')
  await cluster.travel(15 * DAY_MS)
  asStaker = createClient(baseUrl, await logIn(baseUrl, staker))
  const claim = await expect(
    200,
    'Half-way, half of the yield can be claimed',
    asStaker('POST', '/vault/claim'),
  )
  show(claim.message)
  await send('Claimed', claim)
  await cluster.travel(16 * DAY_MS)
  asStaker = createClient(baseUrl, await logIn(baseUrl, staker))
  await position('The lock has ended')
  const exit = asStaker('POST', '/vault/unstack', { positionId: 0 })
  const unstake = await expect(200, 'The rest can be withdrawn', exit)
  show(unstake.message)
  await send('Withdrawn', unstake)
  await position('The vault is empty, and stays')
}

async function reputation(baseUrl: string) {
  heading('A wallet earns a reputation')
  const anyone = createClient(baseUrl)
  const expert = createWallet()
  const asExpert = createClient(baseUrl, await logIn(baseUrl, expert))
  const standing = async (step: string) => {
    const found = await expect(200, step, anyone('GET', `/reputation?user_id=${expert.publicKey}`))
    show({ score: found.score, tier: found.tier, breakdown: found.breakdown })
  }
  await standing('It begins at nothing')
  const credential = { credentialType: 'certification', credentialId: 'AWS-SAA-12345' }
  const attest = () => asExpert('POST', '/reputation/attest/skill', credential)
  const attestation = await expect(201, 'It records a credential', attest())
  show({ verificationLevel: attestation.verificationLevel, pointsAwarded: attestation.pointsAwarded })
  await expect(201, 'The same again is the same record', attest())
  const request = { attestation_id: attestation.id, priority: 'expedited' }
  await expect(200, 'It asks for verification', asExpert('POST', '/reputation/verify', request))
  const status = `/reputation/verify?attestation_id=${attestation.id}`
  await until(
    'The queue hands it to the oracles',
    async () => (await anyone('GET', status)).body.status === 'in_review',
  )
  const decision = { attestationId: attestation.id, decision: 'verified' }
  await expect(
    403,
    'A wallet that is no oracle can not decide',
    asExpert('POST', '/reputation/oracle/decisions', decision),
  )
  const oracleKey = process.env.ORACLE_KEY
  if (!oracleKey) {
    console.log(
      '     (Start the platform with ORACLE_WALLETS and the demo with ORACLE_KEY to see an oracle decide.)',
    )
    return
  }
  const asOracle = createClient(baseUrl, await logIn(baseUrl, walletFromSecretKey(base58.decode(oracleKey))))
  await expect(200, 'An oracle sees it', asOracle('GET', '/reputation/oracle/queue'))
  await expect(200, 'An oracle verifies it', asOracle('POST', '/reputation/oracle/decisions', decision))
  await expect(409, 'A decision is final', asOracle('POST', '/reputation/oracle/decisions', decision))
  await standing('It counts')
}

async function registry(baseUrl: string) {
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
      serviceManifest: SERVICE_MANIFEST,
      ...changes,
    }
    const { message } = await expect(
      200,
      'The message to sign',
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
  await expect(201, 'The same again is the same answer', register(first))
  await expect(409, 'The signature does not serve for another body', register({ ...first, name: 'Another' }))
  const late = await expect(401, 'Nor for another time', register({ ...first, timestamp: now + 1 }))
  show(late.detail)
  await expect(200, 'A later one updates the entry', register(await signed({ feeAmount: 0 }, now + 1)))
  const list = await expect(200, 'It is listed', anyone('GET', '/registry/agents?layer=19&limit=1'))
  show({ count: list.count })
  await expect(200, 'It can be read by its key', anyone('GET', `/registry/agents/${agent.publicKey}`))
}

async function pioneers(baseUrl: string) {
  heading('A wallet joins the pioneers')
  const anyone = createClient(baseUrl)
  const wallet = createWallet().publicKey
  const status = async (step: string) => {
    show(await expect(200, step, anyone('GET', `/pioneer?user_id=${wallet}`)))
    show(await expect(200, 'The statistics', anyone('GET', '/marketplace/stats')))
  }
  await status('It is none')
  const claim = (inviteCode: string) =>
    anyone('POST', '/pioneer', { inviteCode, walletAddress: wallet, referredBy: createWallet().publicKey })
  const refusal = await expect(400, 'A guessed code is refused', claim('CRED-0000-0000'))
  show(refusal.detail)
  const inviteCode = process.env.INVITE_CODE
  if (!inviteCode) {
    console.log('     (Start the demo with INVITE_CODE to see a spot claimed: npm run invites -- issue)')
    return
  }
  await expect(201, 'With an invite code, however it is written, it joins', claim(inviteCode.toLowerCase()))
  await expect(409, 'Once', claim(inviteCode))
  await status('It is one')
}

/** Waits for what happens by itself, ten seconds at most. */
async function until(step: string, happened: () => Promise<boolean>) {
  for (let attempt = 0; attempt < 50; attempt++) {
    if (await happened()) return console.log(`  ok      ${step}`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error(`this has not happened: ${step}`)
}

const ONE = 10n ** 9n
const DAY_MS = 86_400_000

const heading = (text: string) => console.log(`\n== ${text}`)
const show = (value: unknown) => console.log(`     ${JSON.stringify(value)}`)

async function expect(status: number, step: string, answer: ReturnType<ReturnType<typeof createClient>>) {
  const { status: got, body } = await answer
  console.log(`  ${got === status ? 'ok' : 'NO'} ${got}  ${step}`)
  if (got !== status) throw new Error(`expected ${status}: ${JSON.stringify(body)}`)
  return body
}

const baseUrl = process.argv[2] ?? `http://localhost:${process.env.PORT || 8787}/v1`
const rpcUrl = process.argv[3] ?? `http://localhost:${process.env.SOLANA_RPC_PORT || 8899}`
try {
  await main(baseUrl, openCluster(rpcUrl))
} catch (error) {
  const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : ''
  console.error(`\nThe demo stopped: ${error instanceof Error ? error.message : error}${cause}`)
  process.exitCode = 1
}
