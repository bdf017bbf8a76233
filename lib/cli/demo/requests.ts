import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { decodePaymentResponseHeader } from '@x402/fetch'
import { createClient } from '../../client/index.ts'
import { generateSecretKey } from '../../tools/keys/solana.ts'
import { createWallet, signerOf, walletFromSecretKey } from '../wallet.ts'
import type { LocalChain } from './local-chain.ts'
import { heading, show, step, until } from './output.ts'
import { paidApi } from './paid-api.ts'
import { payingFetch } from './paying-fetch.ts'

const ONE = 10n ** 9n

/** An API is paid for each request: by stock software of x402, on both sides. */
export async function requests(baseUrl: string, chain: LocalChain) {
  heading('An API is paid for each request')
  const [owner, secretKey] = [createWallet(), generateSecretKey()]
  const payer = walletFromSecretKey(secretKey)
  const { mint } = await createClient({ baseUrl }).call('GET /vault/terms')
  await chain.fund(owner.publicKey, mint, 10n * ONE)
  await chain.fund(payer.publicKey, mint, ONE)
  const asOwner = createClient({ baseUrl, wallet: signerOf(owner) })
  const asPayer = createClient({ baseUrl, wallet: signerOf(payer) })
  const body = { name: 'Forecast', agentType: 'autonomous' as const, supportedLayers: [17] }
  const path = { id: (await asOwner.call('POST /agents/register', { body })).id }
  const prices = { prices: [{ name: 'forecast', amount: ONE / 4n }] }
  await step('Its owner names a price', asOwner.call('PUT /x402/agents/{id}/prices', { path, body: prices }))
  const key = await step('Makes a key', asOwner.call('POST /x402/agents/{id}/key', { path }))
  await step('And buys 5 CRED of credit for network fees', asOwner.buyCredit({ amount: 5n * ONE }))
  const terms = await asOwner.call('GET /x402/agents/{id}', { path, query: { name: 'forecast' } })
  // What the API's own server would read as JSON.
  const { accepts } = JSON.parse(JSON.stringify({ accepts: terms.accepts }))
  show({ ready: terms.ready, accepts })

  let worked = 0
  const app = paidApi(key.url, accepts, () => {
    worked += 1
    return 'sunny'
  })
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
  try {
    if (!server.listening) await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/forecast`
    const unpaid = await step('Whoever asks is told the price', fetch(url))
    show({ status: unpaid.status, worked })
    if (unpaid.status !== 402) throw new Error('the API works unpaid')
    const pay = await payingFetch(secretKey, mint, chain.url)
    const paid = await step('Whoever pays has an answer', pay(url))
    const settlement = decodePaymentResponseHeader(paid.headers.get('payment-response') ?? '')
    show({ status: paid.status, answer: await paid.json(), transaction: settlement.transaction })
    if (paid.status !== 200 || worked !== 1) throw new Error('the API was paid and did not work once')
  } finally {
    server.close()
  }
  for (const [name, client, role] of [
    ['owner', asOwner, 'owner'],
    ['payer', asPayer, 'payer'],
  ] as const) {
    const listed = await step(`The ${name} lists it`, client.call('GET /x402/payments', { query: { role } }))
    show(listed.payments.map(({ status, amount }) => ({ status, amount })))
    await until(`And finds it in its log`, async () => {
      const { events } = await client.call('GET /events')
      return events.some(({ type }) => type === 'payment.settled')
    })
  }
}
