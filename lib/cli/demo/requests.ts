import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { generatePaymentId } from '@x402/extensions/payment-identifier'
import { decodePaymentResponseHeader } from '@x402/fetch'
import { type Client, createClient } from '../../client/index.ts'
import { generateSecretKey } from '../../tools/keys/solana.ts'
import type { LocalChain } from '../solana/local-chain.ts'
import { createWallet, signerOf, walletFromSecretKey } from '../wallet.ts'
import { offerAgent } from './agents.ts'
import { heading, hint, refused, show, step, until } from './output.ts'
import { paidApi } from './paid-api.ts'
import { payingFetch } from './paying-fetch.ts'
import { type ReceiverProcess, startReceiver } from './receiver-process.ts'
import { onStep, readDeployment } from './signing.ts'
import { isRefused } from './webhooks.ts'

const ONE = 10n ** 9n
const PRICE = ONE / 4n
const ROUTE = 'GET /forecast'
/** The number of requests at PRICE that reach MIN_PAID, the minimum for a rating. */
const REQUESTS_TO_RATE = 4

type Sides = { asOwner: Client; owner: string; asPayer: Client; agentId: string }

/** Pays an API for each request, with stock x402 software on both sides. */
export async function requests(baseUrl: string, chain: LocalChain) {
  heading('An API is paid per request')
  const [owner, secretKey] = [createWallet(), generateSecretKey()]
  const payer = walletFromSecretKey(secretKey)
  const deployment = await readDeployment(baseUrl)
  const { mint } = deployment
  await chain.fund(owner.publicKey, mint, 10n * ONE)
  await chain.fund(payer.publicKey, mint, 2n * ONE)
  const asOwner = createClient({ baseUrl, deployment, wallet: signerOf(owner) })
  const asPayer = createClient({ baseUrl, wallet: signerOf(payer) })
  const body = { name: 'Forecast', agentType: 'autonomous' as const, supportedLayers: [17] }
  const path = { id: (await offerAgent(asOwner, body)).id }
  const prices = { prices: [{ name: ROUTE, amount: PRICE }] }
  await step('Its owner sets a price', asOwner.call('PUT /x402/agents/{id}/prices', { path, body: prices }))
  const key = await step('Makes a key', asOwner.call('POST /x402/agents/{id}/key', { path }))
  const purchase = asOwner.buyCredit({ amount: 5n * ONE }, { onStep })
  await step('And buys 5 CRED of credit for network fees', purchase)
  await showInMarket(baseUrl, owner.publicKey)
  const terms = await asOwner.call('GET /x402/agents/{id}', { path, query: { name: ROUTE } })
  // As JSON, like the API's own server would read it.
  const { accepts } = JSON.parse(JSON.stringify({ accepts: terms.accepts }))
  show({ ready: terms.ready, accepts })

  const api = await openApi(key.url, accepts)
  const receiver = await startReceiver({ keysUrl: `${baseUrl}/events/keys` })
  try {
    const sides = { asOwner, owner: owner.publicKey, asPayer, agentId: path.id }
    const isHeard = await hear(sides, receiver)
    const before = await showReputations(
      'Before any payment, the scores of the agent and its owner are',
      sides,
    )
    const unpaid = await step('A request without payment gets the price', fetch(api.url))
    show({ status: unpaid.status, worked: api.worked() })
    if (unpaid.status !== 402) throw new Error('the API works unpaid')
    const pay = await payingFetch(secretKey, mint, chain.url)
    const signature = await payOnce(pay, api)
    await listed(sides)
    if (isHeard) await arrived(receiver, signature)
    const after = await showReputations('The payment raises both scores', sides)
    if (after.reputationScore <= before.reputationScore || after.reliability <= before.reliability)
      throw new Error('the payment does not count')
    await rated(sides, async () => {
      for (let paid = 1; paid < REQUESTS_TO_RATE; paid += 1) await payOnce(pay, api)
    })
    await showReputations('Now they stand at', sides)
    await page(baseUrl, sides)
    await showCatalog(baseUrl, sides)
    await payOnceFor(await payingFetch(secretKey, mint, chain.url, generatePaymentId()), api)
  } finally {
    api.close()
    await receiver.stop()
  }
}

/** Finds the agent in the market by the highest price that a buyer would pay for a request. */
async function showInMarket(baseUrl: string, owner: string) {
  const query = { owner, priced: true as const, maxRequestPrice: PRICE }
  const market = createClient({ baseUrl }).call('GET /agents', { query })
  const { agents } = await step('The market lists it with its price', market)
  show(agents.map(({ name, requests }) => ({ name, requests })))
  if (agents[0]?.requests?.from !== PRICE) throw new Error('the market does not show the price')
}

type Api = { url: string; worked: () => number; close: () => void }

/**
 * Opens an API on this machine whose GET /forecast costs a payment for each request.
 * @param url of the facilitator, from POST /x402/agents/{id}/key
 */
export async function openApi(url: string, accepts: Parameters<typeof paidApi>[1]): Promise<Api> {
  let worked = 0
  const app = paidApi(url, accepts, () => {
    worked += 1
    return 'sunny'
  })
  // Other parts of the demo need the process's own Response.
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1', overrideGlobalObjects: false })
  if (!server.listening) await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/forecast`, worked: () => worked, close: () => server.close() }
}

/** Pays for a request, and checks that the API worked once. @returns the transaction's signature */
async function payOnce(pay: typeof fetch, { url, worked }: Api): Promise<string> {
  const before = worked()
  const answer = await step('A paid request gets its answer', pay(url))
  const { transaction } = decodePaymentResponseHeader(answer.headers.get('payment-response') ?? '')
  show({ status: answer.status, answer: await answer.json(), transaction })
  if (answer.status !== 200 || worked() !== before + 1)
    throw new Error('the API was paid and did not work once')
  return transaction
}

/** Pays for a purchase with an id, then signs again, as after a lost answer: that is refused. */
async function payOnceFor(pay: typeof fetch, api: Api) {
  const transaction = await payOnce(pay, api)
  const again = await step('The same purchase is not paid a second time', pay(api.url))
  const refused = decodePaymentResponseHeader(again.headers.get('payment-response') ?? '')
  show({ status: again.status, errorReason: refused.errorReason, transaction: refused.transaction })
  if (refused.errorReason !== 'payment_identifier_used' || refused.transaction !== transaction)
    throw new Error('a purchase was paid twice')
}

/**
 * Sends the agent's events to a receiver on this machine, if the platform allows it.
 * @returns whether it does
 */
async function hear({ asOwner, agentId }: Sides, { url }: ReceiverProcess): Promise<boolean> {
  const change = asOwner.call('PATCH /agents/{id}', { path: { id: agentId }, body: { webhookUrl: url } })
  if (await isRefused(change, 'webhookUrl')) {
    hint('Start the platform with ALLOW_LOCAL_WEBHOOKS=1 to see the webhook arrive.')
    return false
  }
  await step('It names a webhook', change)
  return true
}

/** Checks that both sides list the payment, and find it in their logs. */
async function listed({ asOwner, asPayer }: Sides) {
  for (const [name, client, role] of [
    ['owner', asOwner, 'owner'],
    ['payer', asPayer, 'payer'],
  ] as const) {
    const list = await step(`The ${name} lists it`, client.call('GET /x402/payments', { query: { role } }))
    show(list.payments.map(({ status, amount }) => ({ status, amount })))
    await until(`It is in the owner’s log`, async () => {
      const { events } = await client.call('GET /events')
      return events.some(({ type }) => type === 'payment.settled')
    })
  }
}

async function arrived({ received }: ReceiverProcess, signature: string) {
  const find = () =>
    received.find(({ type, data }) => type === 'payment.settled' && data.signature === signature)
  await until('The webhook has payment.settled, its signature verified', () => find() !== undefined)
  show(find()?.data)
}

/** Rates the agent once the payer's payments for requests reach MIN_PAID. */
async function rated({ asPayer, agentId }: Sides, payMore: () => Promise<void>) {
  const body = { agentId, rating: 5, comment: 'It was sunny.' }
  const rate = () => asPayer.call('POST /reputation/ratings', { body })
  const { message } = await refused('too_little_paid', 'After one request the payer cannot rate yet', rate())
  show(message)
  await payMore()
  await step(`After ${REQUESTS_TO_RATE} it rates the agent`, rate())
}

/** Shows the effect of payments and ratings. @returns the scores of the agent and its owner */
async function showReputations(name: string, { asOwner, owner, agentId }: Sides) {
  const agent = await asOwner.call('GET /agents/{id}', { path: { id: agentId } })
  const { reputationScore, rating, ratings, ratingsWeight } = agent
  const read = asOwner.call('GET /reputation', { query: { user_id: owner } })
  const { score, breakdown } = await step(name, read)
  const { reliability, social } = breakdown
  show({ agent: { reputationScore, rating, ratings, ratingsWeight }, owner: { score, reliability, social } })
  return { reputationScore, reliability }
}

/** Shows why the catalog lacks the route, since the agent has no public endpoint, and searches it. */
async function showCatalog(baseUrl: string, { asOwner, agentId }: Sides) {
  const read = asOwner.call('GET /x402/agents/{id}/resources', { path: { id: agentId } })
  const { routes } = await step('Its owner sees why the catalog does not list the route', read)
  show(routes.map(({ name, state, code, remedy }) => ({ name, state, code, remedy })))
  if (!routes.some(({ name, code }) => name === ROUTE && code === 'no_endpoint'))
    throw new Error('the owner does not see that the endpoint is missing')
  const query = { query: 'weather forecast' }
  const search = createClient({ baseUrl }).call('GET /x402/discovery/search', { query })
  const { resources } = await step('Software searches the catalog', search)
  show(resources.map(({ resource }) => resource))
}

/** Shows the public view of the payments: the agent's history. */
async function page(baseUrl: string, { agentId }: Sides) {
  const history = createClient({ baseUrl }).call('GET /agents/{id}/history', { path: { id: agentId } })
  const { days } = await step('The agent’s history counts the requests', history)
  const paid = days.filter(({ requests }) => requests > 0)
  show(paid.map(({ day, requests, requestsPaid }) => ({ day, requests, requestsPaid })))
  if (paid.reduce((sum, { requests }) => sum + requests, 0) !== REQUESTS_TO_RATE)
    throw new Error('the history does not count each request once')
  hint(`Its page: ${new URL(`/console/agents/${agentId}`, baseUrl)}`)
}
