import { base58 } from '@scure/base'
import { address } from '@solana/kit'
import { paymentSigners } from '../payments/keys.ts'
import { addressOf } from '../solana/address.ts'
import { networkOf, parseChain } from '../solana/chains.ts'
import { generateSecretKey } from '../tools/keys/solana.ts'
import { generateKeySecret } from '../tools/keys/x402.ts'
import { keyringOf } from '../vault/keyring.ts'
import { readKeySecrets } from '../x402/keys/facilitator-key.ts'
import { importFeePayers } from '../x402/keys/fee-payers.ts'
import { openChain } from './chain/chain.ts'
import { seedChain } from './chain/genesis.ts'
import { chainHandler, serveChain } from './chain/server.ts'
import type { TokenProgram } from './chain/svm.ts'
import type { Clock } from './clock.ts'
import type { StateFolder } from './state.ts'
import type { Outbound } from './workers/outbound.ts'

/** The settings of keys, and of the x402 network: VAULT_*, PAYMENTS_* and X402_* of wrangler.toml. */
type KeyBindings = Record<
  | 'SOLANA_RPC_URL'
  | 'VAULT_MINT'
  | 'VAULT_AUTHORITY_KEYS'
  | 'VAULT_AUTHORITY_ADDRESSES'
  | 'VAULT_RECOVERY_ADDRESSES'
  | 'PAYMENTS_AUTHORITY_KEYS'
  | 'PAYMENTS_AUTHORITY_ADDRESSES'
  | 'PAYMENTS_RECOVERY_ADDRESSES'
  | 'X402_FEE_PAYER_KEY'
  | 'X402_KEY_SECRET'
  | 'X402_NETWORK',
  string
>

/** The platform's Solana: the embedded chain, or a real cluster. */
type LocalSolana = {
  /** The URL for people and wallets. */
  url: string
  bindings: KeyBindings
  outbound: Outbound
  close(): Promise<void>
}

/** A name that exists only inside the platform. */
const EMBEDDED_RPC_URL = 'https://rpc.agentcred.internal/'

/** A billion CRED, so that the yield of stakes does not use it up. */
const TREASURY_AMOUNT = 1_000_000_000n * 10n ** 9n

/**
 * The keys that the first start makes: Base58 of 64 bytes each, as wallets import them; and the secret of
 * agents' facilitator keys.
 */
type SolanaKeys = Record<
  'authority' | 'recovery' | 'mint' | 'payments' | 'jobsRecovery' | 'feePayer' | 'facilitator',
  string
>

/**
 * Opens the embedded chain of a state folder, or in memory without one, with the mint, its authority and a
 * funded treasury. Serves it on `port`, and its WebSocket on the next.
 * @throws Error that names the port in use, or the unreadable file
 */
export async function openEmbeddedSolana(options: {
  state?: StateFolder | undefined
  clock: Clock
  port: number
  tokenProgram?: TokenProgram
}): Promise<LocalSolana & { keys: SolanaKeys }> {
  const { state, clock, port, tokenProgram } = options
  // An older state folder lacks the newer keys.
  const keys = { ...makeKeys(), ...state?.read<SolanaKeys>('solana-keys') }
  state?.write('solana-keys', keys)
  const chain = await openChain({ clock, tokenProgram, ...(state ? { folder: state.path('solana') } : {}) })
  try {
    const authority = base58.decode(keys.authority)
    await seedChain(chain.ledger, {
      mint: base58.decode(keys.mint),
      mintAuthority: authority,
      treasuryOwner: publicAddress(keys.authority),
      treasuryAmount: TREASURY_AMOUNT,
      funded: [publicAddress(keys.feePayer)],
    })
    const server = await serveChain(chain, port)
    const handler = chainHandler(chain)
    return {
      url: server.url,
      keys,
      bindings: bindingsOf(keys),
      outbound: (request) => (request.url === EMBEDDED_RPC_URL ? handler(request) : undefined),
      close: async () => {
        await server.close()
        await chain.close()
      },
    }
  } catch (error) {
    await chain.close()
    throw error
  }
}

/** Returns the settings of an embedded chain with these keys. */
export const bindingsOf = (keys: SolanaKeys): KeyBindings => ({
  SOLANA_RPC_URL: EMBEDDED_RPC_URL,
  VAULT_MINT: publicAddress(keys.mint),
  // A folder has the keys of version 1.
  VAULT_AUTHORITY_KEYS: `1:${keys.authority}`,
  VAULT_AUTHORITY_ADDRESSES: `1:${publicAddress(keys.authority)}`,
  VAULT_RECOVERY_ADDRESSES: `1:${publicAddress(keys.recovery)}`,
  PAYMENTS_AUTHORITY_KEYS: `1:${keys.payments}`,
  PAYMENTS_AUTHORITY_ADDRESSES: `1:${publicAddress(keys.payments)}`,
  PAYMENTS_RECOVERY_ADDRESSES: `1:${publicAddress(keys.jobsRecovery)}`,
  X402_FEE_PAYER_KEY: keys.feePayer,
  X402_KEY_SECRET: keys.facilitator,
  X402_NETWORK: networkOf('solana:localnet'),
})

const CLUSTER_SETTINGS = [
  'VAULT_MINT',
  'VAULT_AUTHORITY_KEYS',
  'VAULT_AUTHORITY_ADDRESSES',
  'VAULT_RECOVERY_ADDRESSES',
  'PAYMENTS_AUTHORITY_KEYS',
  'PAYMENTS_AUTHORITY_ADDRESSES',
  'PAYMENTS_RECOVERY_ADDRESSES',
  'X402_FEE_PAYER_KEY',
  'X402_KEY_SECRET',
] as const

type ClusterSettings = Record<(typeof CLUSTER_SETTINGS)[number], string>

/**
 * Uses a real cluster instead. It makes nothing there, so the settings must name the mint and the keys.
 * @throws Error that names the missing or invalid variables
 */
export async function useCluster(rpcUrl: string, env: NodeJS.ProcessEnv): Promise<LocalSolana> {
  const missing = CLUSTER_SETTINGS.filter((name) => !env[name])
  if (missing.length > 0) throw new Error(`with SOLANA_RPC_URL set, ${missing.join(', ')} must be set too`)
  const settings = Object.fromEntries(
    CLUSTER_SETTINGS.map((name) => [name, env[name] ?? '']),
  ) as ClusterSettings
  // Check the keys here, and not in the first request.
  await keyringOf({
    mint: settings.VAULT_MINT,
    authorityKeys: settings.VAULT_AUTHORITY_KEYS,
    authorityAddresses: settings.VAULT_AUTHORITY_ADDRESSES,
    recoveryAddresses: settings.VAULT_RECOVERY_ADDRESSES,
  })
  await paymentSigners(settings.PAYMENTS_AUTHORITY_KEYS, settings.PAYMENTS_AUTHORITY_ADDRESSES)
  await importFeePayers(settings.X402_FEE_PAYER_KEY)
  readKeySecrets(settings.X402_KEY_SECRET)
  const X402_NETWORK = networkOf(parseChain(env.SOLANA_CHAIN || 'solana:devnet'))
  const { host } = new URL(rpcUrl)
  return {
    url: `${new URL(rpcUrl).protocol}//${host}`,
    bindings: { SOLANA_RPC_URL: rpcUrl, ...settings, X402_NETWORK },
    outbound: (request) => (new URL(request.url).host === host ? fetch(request) : undefined),
    close: async () => {},
  }
}

/** Makes new keys of an embedded chain. */
export const makeKeys = (): SolanaKeys => ({
  authority: makeKey(),
  recovery: makeKey(),
  jobsRecovery: makeKey(),
  mint: makeKey(),
  payments: makeKey(),
  feePayer: makeKey(),
  facilitator: generateKeySecret(),
})

const makeKey = (): string => base58.encode(generateSecretKey())

const publicAddress = (key: string) => address(addressOf(base58.decode(key).subarray(32)))
