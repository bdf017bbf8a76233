import { readCommandLine, runMain, UsageError } from './arguments.ts'
import { access } from './demo/access.ts'
import { withdrawAgents } from './demo/agents.ts'
import { cards, discovery, mcp } from './demo/discovery.ts'
import { jobs } from './demo/jobs.ts'
import { live } from './demo/live.ts'
import { marketplace, quotas } from './demo/marketplace.ts'
import { ownKey } from './demo/own-key.ts'
import { charges, payments } from './demo/payments.ts'
import { registry } from './demo/registry.ts'
import { pioneers, ratings, reputation } from './demo/reputation.ts'
import { requests } from './demo/requests.ts'
import { vault } from './demo/vault.ts'
import { webhookEndpoints, webhooks } from './demo/webhooks.ts'
import { type LocalChain, openLocalChain } from './solana/local-chain.ts'

/**
 * `npm run demo`: walks through every flow of a running local platform. It moves the platform's clock a month
 * ahead, so that a lock ends, and says so first. It withdraws its agents.
 */
async function main() {
  const { PORT, SOLANA_RPC_PORT } = process.env
  const [baseUrl, rpcUrl, ...others] = readCommandLine('demo').positionals
  if (others.length > 0) throw new UsageError('too many arguments')
  const url = baseUrl ?? `http://localhost:${PORT || 8787}/v1`
  const chain = openLocalChain(rpcUrl ?? `http://localhost:${SOLANA_RPC_PORT || 8899}`)
  await requirePlatform(url)
  console.log(LEAVES)
  for (const part of PARTS) {
    try {
      await part(url, chain)
    } catch (error) {
      // Report the error that stopped the part, not a later one.
      await withdrawAgents().catch(() => {})
      throw error
    }
    // After each part, since sessions end when the clock moves, and the number of logins is limited.
    await withdrawAgents()
  }
  console.log('\nEvery step had the expected answer. The demo’s agents are deactivated.')
}

/** @throws Error that says what to do if nothing answers at the URL */
async function requirePlatform(url: string): Promise<void> {
  await fetch(`${url}/health`).catch((cause) => {
    throw new Error(`no platform answers at ${url}: start it with npm run dev`, { cause })
  })
}

/** A note about the data that the demo leaves. */
const LEAVES = `The demo changes this platform: it moves the clock a month ahead, permanently.
It deactivates its agents at the end. Their hires, payments and stakes stay, and so does a registry entry.
To keep your platform as it is, start another one for the demo (lib/cli/README.md).`

const PARTS: readonly ((baseUrl: string, chain: LocalChain) => Promise<void>)[] = [
  ...[marketplace, charges, quotas, payments, jobs, requests, vault, reputation, ratings, registry, cards],
  ...[discovery, pioneers, webhooks, webhookEndpoints, live, mcp, access, ownKey],
]

await runMain('demo', main)
