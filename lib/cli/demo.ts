import { cards, discovery, mcp } from './demo/discovery.ts'
import { live } from './demo/live.ts'
import { type LocalChain, openLocalChain } from './demo/local-chain.ts'
import { marketplace, quotas } from './demo/marketplace.ts'
import { charges, payments } from './demo/payments.ts'
import { registry } from './demo/registry.ts'
import { pioneers, ratings, reputation } from './demo/reputation.ts'
import { requests } from './demo/requests.ts'
import { vault } from './demo/vault.ts'
import { webhookEndpoints, webhooks } from './demo/webhooks.ts'

/**
 * `npm run demo [-- <base URL> [<RPC URL>]]`: walks every flow of a running local platform and stops at the
 * first answer that is not the expected one. It moves the platform's clock a month ahead so that a lock ends.
 */
async function main(baseUrl: string, chain: LocalChain) {
  await marketplace(baseUrl)
  await charges(baseUrl)
  await quotas(baseUrl)
  await payments(baseUrl, chain)
  await requests(baseUrl, chain)
  await vault(baseUrl, chain)
  await reputation(baseUrl)
  await ratings(baseUrl)
  await registry(baseUrl)
  await cards(baseUrl)
  await discovery(baseUrl)
  await pioneers(baseUrl)
  await webhooks(baseUrl)
  await webhookEndpoints(baseUrl)
  await live(baseUrl)
  await mcp(baseUrl)
  console.log('\nEvery step answered as it should.')
}

const baseUrl = process.argv[2] ?? `http://localhost:${process.env.PORT || 8787}/v1`
const rpcUrl = process.argv[3] ?? `http://localhost:${process.env.SOLANA_RPC_PORT || 8899}`
try {
  await main(baseUrl, openLocalChain(rpcUrl))
} catch (error) {
  const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : ''
  console.error(`\nThe demo stopped: ${error instanceof Error ? error.message : error}${cause}`)
  process.exitCode = 1
}
