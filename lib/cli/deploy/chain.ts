import { parseChain } from '../../solana/chains.ts'
import { chainOfCluster, connectCluster } from '../solana/cluster.ts'

/** A Worker that is to be deployed, as far as the chain is concerned. */
type Deployed = { group: string; requiredSecrets: string[] }

/**
 * Checks that wallets are asked to sign for the cluster that the Workers settle on: whoever signs for
 * another sees the transaction fail, at best. Nothing to check where neither the console is deployed nor a
 * Worker that asks an RPC node.
 * @param env has SOLANA_RPC_URL, and SOLANA_CHAIN unless it is mainnet
 * @throws Error that names both clusters, or the setting at fault; never the URL, which may hold a key
 */
export async function requireChain(workers: Deployed[], env: NodeJS.ProcessEnv): Promise<void> {
  if (!workers.some(hasChain)) return
  const { SOLANA_RPC_URL: url = '' } = env
  if (!/^https?:/.test(url) || !URL.canParse(url))
    throw new Error('SOLANA_RPC_URL must be an http or https URL (functions/operate.md, "Deployment")')
  const asked = parseChain(env.SOLANA_CHAIN || 'solana:mainnet')
  const actual = await chainOfCluster(connectCluster(url))
  if (actual !== asked)
    throw new Error(`SOLANA_CHAIN is ${asked}, but the node of SOLANA_RPC_URL is of ${actual}`)
}

const hasChain = ({ group, requiredSecrets }: Deployed): boolean =>
  group === 'console' || requiredSecrets.includes('SOLANA_RPC_URL')
