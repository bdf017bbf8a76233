import type { RequestPrice, X402Accepts } from '../../../client/generated/types.ts'
import { priceWords } from './price-draft.ts'
import { literal, portOf, routeOf } from './server-text.ts'

/** Installs the packages of the customer. */
export const INSTALL_CUSTOMER = 'npm install @solana/kit @x402/fetch@2 @x402/svm@2'

/** Runs it. */
export const PAY = 'node pay.mjs'

/** The local platform's embedded chain, and the lines that have it fund the customer (local-funding.ts). */
export type FundingChain = { rpcUrl: string; funding: string }

/**
 * Writes a customer that pays for one request, of published packages as they are. Its wallet is a file that
 * the first run makes, so the text has no secret.
 * @param accepts of this price, from GET /x402/agents/{id}
 * @param mint CRED's
 * @param apiEndpoint the agent's; without one, the API is a copied server on this machine
 * @param chain the local platform's, if there is one
 */
export function customerText(
  price: RequestPrice,
  accepts: X402Accepts,
  mint: string,
  apiEndpoint: string | undefined,
  chain: FundingChain | undefined,
): string {
  const { method, path } = routeOf(price.name)
  const url = new URL(path, apiEndpoint ?? `http://localhost:${portOf(apiEndpoint)}`).href
  const words = priceWords(price, mint)
  return `// pay.mjs pays ${words} for one request: ${method} ${url}
import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createKeyPairSignerFromBytes } from '@solana/kit'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { ExactSvmScheme } from '@x402/svm/exact/client'

const url = process.argv[2] ?? ${literal(url)}
const network = ${literal(accepts.network)}
const asset = ${literal(price.asset)}
const price = '${price.amount}'
${chain ? `const rpcUrl = ${literal(chain.rpcUrl)}\n` : ''}
// The customer's wallet. The first run makes it.
if (!existsSync('customer.pem')) {
  const { privateKey } = generateKeyPairSync('ed25519')
  writeFileSync('customer.pem', privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
}
const { d, x } = createPrivateKey(readFileSync('customer.pem')).export({ format: 'jwk' })
const secretKey = Buffer.concat([Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')])
const wallet = await createKeyPairSignerFromBytes(secretKey)
console.log('The customer is', wallet.address)
${chain ? chain.funding : ''}
// It pays in this token only, and never more than the price.
const client = new x402Client()
  .register(network, new ExactSvmScheme(wallet${chain ? ', { rpcUrl }' : ''}))
  .setSpendControls({ allowedAssets: [{ network, asset, maxAmountPerPayment: price }] })
const answer = await wrapFetchWithPayment(fetch, client)(url${method === 'GET' ? '' : `, { method: '${method}' }`})
console.log(answer.status, await answer.text())
const header = (name) => JSON.parse(atob(answer.headers.get(name) ?? 'e30='))
const { success, transaction } = header('payment-response')
const { error } = header('payment-required')
if (success) console.log('Paid ${words} by the transaction', transaction)
else if (error) console.log(\`Not paid (\${error}). Does \${wallet.address} have ${words}?\`)
else if (answer.ok) console.log('Nothing was paid, because the server asked for no payment.')
else console.log('The server failed. If it took a payment, its owner sees it in the list of payments.')
`
}
