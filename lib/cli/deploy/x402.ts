import { networkOf, parseChain } from '../../solana/chains.ts'
import { decodeMint } from '../../solana/token-state.ts'
import { readKeySecrets } from '../../x402/keys/facilitator-key.ts'
import { importFeePayers } from '../../x402/keys/fee-payers.ts'
import { type X402Settings, type X402Vars, x402Settings } from '../../x402/settings.ts'
import { connectCluster } from '../solana/cluster.ts'

/** A Worker to deploy: the fields that matter to payments for requests. */
type Deployed = { group: string; vars: Record<string, string> }

/** Settings with the addresses of keys that hold tokens. */
const OTHERS = [
  'VAULT_AUTHORITY_ADDRESSES',
  'VAULT_RECOVERY_ADDRESSES',
  'PAYMENTS_AUTHORITY_ADDRESSES',
  'PAYMENTS_RECOVERY_ADDRESSES',
]

/**
 * Checks the settings of payments for requests before anything is deployed. They must be readable, the fee
 * payer must be no other key of the service, and the network must be the deployment's. The node must show
 * that each asset is a mint of the classic Token program, where a recipient gets the full amount.
 * @param all every Worker of wrangler.toml; some have the other keys
 * @param env has SOLANA_RPC_URL, SOLANA_CHAIN and the secrets
 * @throws TypeError, Error that name the invalid setting, never a secret
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
      'X402_FEE_PAYER_KEY has a key of the vault or of payments: use a separate key, because the fee payer signs transactions of strangers',
    )
  const network = networkOf(parseChain(env.SOLANA_CHAIN || 'solana:mainnet'))
  if (settings.network !== network)
    throw new TypeError(`X402_NETWORK is ${settings.network}, but the deployment is on ${network}`)
  await requireMints(env.SOLANA_RPC_URL ?? '', settings)
}

/** Checks every asset but CRED. CRED's mint may not exist yet, and the Workers that move CRED check it. */
async function requireMints(url: string, { mint, assets }: X402Settings): Promise<void> {
  const others = assets.filter((asset) => asset !== mint)
  if (others.length === 0) return
  const { accounts } = await connectCluster(url).rpc.accounts(others)
  const wrong = others.filter((_, index) => decodeMint(accounts[index]) === undefined)
  if (wrong.length > 0)
    throw new Error(`X402_ASSETS: ${wrong.join(', ')} is not a mint of the classic Token program`)
}
