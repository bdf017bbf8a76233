import { networkOf } from '../../solana/chains.ts'
import { decodeMint } from '../../solana/token-state.ts'
import { readKeySecrets } from '../../x402/keys/facilitator-key.ts'
import { importFeePayers } from '../../x402/keys/fee-payers.ts'
import { type X402Settings, type X402Vars, x402Settings } from '../../x402/settings.ts'
import { type Cluster, chainOfCluster, connectCluster } from '../solana/cluster.ts'

/** A Worker that is to be deployed, as far as payments for requests are concerned. */
type Deployed = { group: string; vars: Record<string, string> }

/** Settings with the addresses of keys that hold tokens. */
const OTHERS = ['VAULT_AUTHORITY_ADDRESSES', 'VAULT_RECOVERY_ADDRESSES', 'PAYMENTS_AUTHORITY_ADDRESSES']

/**
 * Checks the settings of payments for requests before anything is deployed: that they can be read, that the
 * fee payer is no other key of the service, and on the chain that the network is the node's and each asset a
 * mint of the classic Token program, which pays out what was paid in.
 * @param all every Worker of wrangler.toml, of which some know the other keys
 * @param env has SOLANA_RPC_URL and the secrets
 * @throws TypeError, Error that name the setting at fault, never a secret
 */
export async function requireX402(
  workers: Deployed[],
  all: Deployed[],
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const vars = workers.find(({ group }) => group === 'x402')?.vars
  if (!vars) return
  const settings = x402Settings(vars as X402Vars)
  readKeySecrets(env.X402_KEY_SECRET ?? '')
  const feePayers = await importFeePayers(env.X402_FEE_PAYER_KEY ?? '')
  const named = all.flatMap((worker) => OTHERS.map((name) => worker.vars[name] ?? '')).join()
  if (feePayers.all.some(({ address }) => named.includes(address)))
    throw new TypeError(
      'X402_FEE_PAYER_KEY has a key of the vault’s or of payments: the fee payer signs what strangers write',
    )
  await requireOnChain(connectCluster(env.SOLANA_RPC_URL ?? ''), settings)
}

async function requireOnChain(cluster: Cluster, { network, assets }: X402Settings): Promise<void> {
  const actual = networkOf(await chainOfCluster(cluster))
  if (actual !== network)
    throw new Error(`X402_NETWORK is ${network}, but the node of SOLANA_RPC_URL is of ${actual}`)
  const { accounts } = await cluster.rpc.accounts(assets)
  const wrong = assets.filter((_, index) => decodeMint(accounts[index]) === undefined)
  if (wrong.length > 0)
    throw new Error(`X402_ASSETS, VAULT_MINT: ${wrong.join(', ')} is no mint of the classic Token program`)
}
