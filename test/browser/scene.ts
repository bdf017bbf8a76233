import { Keypair } from '@solana/web3.js'
import { payingFetch } from '../../lib/cli/demo/paying-fetch.ts'
import { openApi } from '../../lib/cli/demo/requests.ts'
import { type LocalChain, openLocalChain } from '../../lib/cli/solana/local-chain.ts'
import { createWallet, type KeyWallet, signerOf, walletFromSecretKey } from '../../lib/cli/wallet.ts'
import type { AgentRegister } from '../../lib/client/generated/types.ts'
import { type Client, createClient } from '../../lib/client/index.ts'
import { DAY_MS } from '../../lib/time.ts'

const ONE = 10n ** 9n

const AGENTS: AgentRegister[] = [
  {
    name: 'Harbor',
    description: 'Books berths, cranes and pilots for ships, and pays the harbour dues.',
    agentType: 'autonomous',
    supportedLayers: [1, 4, 17],
    feeModel: 'flat',
    feeAmount: 250_000_000,
  },
  {
    name: 'Yield Scout',
    description: 'Finds staking yield and moves into it.',
    agentType: 'autonomous',
    supportedLayers: [17],
    feeModel: 'percentage',
    feeAmount: 500,
  },
  {
    name: 'Price Keeper',
    description: 'Reports prices of energy and attention, signed, every minute.',
    agentType: 'oracle',
    supportedLayers: [3, 9],
    feeModel: 'flat',
    feeAmount: 10_000_000,
  },
  {
    name: 'Night Courier',
    description: 'Carries data between machines while they are cheap.',
    agentType: 'semi-autonomous',
    feeModel: 'hybrid',
    feeAmount: 50_000_000,
    supportedLayers: [2, 6, 8, 21],
  },
  { name: 'Ledger Clerk', agentType: 'semi-autonomous', supportedLayers: [12] },
]

/**
 * Fills a new local platform with the data of a busy wallet. It has agents of others and its own, hires with
 * charges against their budgets, paid requests, and stakes of two terms, a part of each over.
 * @returns the wallet's key pair, an agent of another wallet with its hire and a paid charge, an agent of its
 *   own that sells requests with a hire of it (`soldId`), and the platform's time
 */
export async function setScene(baseUrl: string, solanaUrl: string) {
  const chain = openLocalChain(solanaUrl)
  const keypair = Keypair.generate()
  const visitor = walletFromSecretKey(keypair.secretKey)
  const clientOf = (wallet: KeyWallet) =>
    createClient({ baseUrl, wallet: signerOf(wallet), sleep: chain.travel })
  const asVisitor = clientOf(visitor)

  await stake(asVisitor, visitor, chain)
  const owner = createWallet()
  const asOwner = clientOf(owner)
  const agents = []
  for (const body of AGENTS) agents.push(await asOwner.call('POST /agents/register', { body }))
  const own = await asVisitor.call('POST /agents/register', {
    body: {
      ...{ name: 'Rain Gauge', agentType: 'oracle', supportedLayers: [5, 14] },
      ...{ feeModel: 'flat', feeAmount: 40_000_000 },
    },
  })
  await asVisitor.call('POST /events/endpoints', {
    body: { url: 'https://hooks.example.com/agentcred', description: 'Harbour office', agentIds: [own.id] },
  })
  const [first, second] = agents
  if (!first || !second) throw new Error('the scene has no agents')
  const hire = await asVisitor.hire({ agentId: first.id, budgetLimit: 5n * ONE, expiresInDays: 30 })
  await asVisitor.hire({ agentId: second.id, budgetLimit: 2n * ONE })
  for (const [reference, units] of [
    ['berth 11', 4n],
    ['berth 12', 6n],
    ['crane', 5n],
  ] as const) {
    await asOwner.call('POST /payments/charges', { body: { hireId: hire.id, reference, units, layer: 4 } })
  }
  const { mint } = await asVisitor.call('GET /vault/terms')
  await chain.fund(owner.publicKey, mint, ONE)
  await asOwner.openCollector()
  await asVisitor.fund({ hireId: hire.id, amount: 4n * ONE })
  await asOwner.collect({})
  const comment = 'Three berths in a week, and not one of them late.'
  await asVisitor.call('POST /reputation/ratings', { body: { hireId: hire.id, rating: 4, comment } })
  // More than the rest of the hire budget, so that a sum is due.
  await asOwner.call('POST /payments/charges', { body: { hireId: hire.id, reference: 'pilot', units: 2n } })
  const query = { role: 'hirer', status: 'collected' } as const
  const { charges } = await asVisitor.call('GET /payments/charges', { query })
  const customer = await clientOf(createWallet()).hire({ agentId: own.id, budgetLimit: ONE })
  const body = { hireId: customer.id, reference: 'October', units: 5n }
  await asVisitor.call('POST /payments/charges', { body })
  await chain.fund(owner.publicKey, mint, 5n * ONE)
  await payRequests(asOwner, { agentId: first.id, mint, count: 7, chain })
  await payRequests(asVisitor, { agentId: own.id, mint, count: 3, chain })
  const { stakedAt } = await asVisitor.call('GET /vault/quote', { query: { amount: ONE, lockDays: '30' } })
  const ids = { agentId: first.id, ownId: own.id, hireId: hire.id, soldId: customer.id }
  return { keypair, ...ids, chargeId: `${charges[0]?.id}`, now: stakedAt }
}

async function stake(client: Client, { publicKey }: KeyWallet, chain: LocalChain): Promise<void> {
  const { mint } = await client.call('GET /vault/terms')
  await chain.fund(publicKey, mint, 10_000n * ONE)
  await client.stake({ amount: 1_500n * ONE, lockDays: 90 })
  await chain.travel(12 * DAY_MS)
  await client.stake({ amount: 250n * ONE, lockDays: 30 })
  await chain.travel(15 * DAY_MS)
}

/** An agent is paid for requests, by a wallet of its own and by stock software of x402. */
async function payRequests(
  owner: Client,
  { agentId, mint, count, chain }: { agentId: string; mint: string; count: number; chain: LocalChain },
): Promise<void> {
  const path = { id: agentId }
  const prices = [{ name: 'GET /forecast', amount: ONE / 8n }]
  await owner.call('PUT /x402/agents/{id}/prices', { path, body: { prices } })
  const { url } = await owner.call('POST /x402/agents/{id}/key', { path })
  await owner.buyCredit({ amount: 2n * ONE })
  const terms = await owner.call('GET /x402/agents/{id}', { path, query: { name: 'GET /forecast' } })
  const { accepts } = JSON.parse(JSON.stringify({ accepts: terms.accepts }))
  const { secretKey, publicKey } = Keypair.generate()
  await chain.fund(publicKey.toBase58(), mint, ONE)
  const pay = await payingFetch(secretKey, mint, chain.url)
  const api = await openApi(url, accepts)
  try {
    for (let paid = 0; paid < count; paid += 1) {
      const { status } = await pay(api.url)
      if (status !== 200) throw new Error(`a paid request was answered ${status}`)
    }
  } finally {
    api.close()
  }
}
