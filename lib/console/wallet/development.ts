import { getWallets } from '@wallet-standard/app'
import type { Wallet, WalletAccount } from '@wallet-standard/base'
import { base58 } from '../../client/encoding.ts'
import { development } from '../development.ts'
import { openLocalChain } from './local-chain.ts'

const NAME = 'Development wallet'
/** The icon of the wallet, as the data URL that the Wallet Standard requires. */
const ICON = `data:image/svg+xml;base64,${btoa(
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><rect width='16' height='16' rx='4' fill='#b45309'/><path d='M4 11V5h2a3 3 0 0 1 0 6z' stroke='white' fill='none'/></svg>",
)}` as const
/**
 * The accounts: three, so that one person can try both sides of a hire or a job, and judge it. The platform
 * makes their keys; the example market has jobs of them. A key that this browser has stored goes first.
 */
const ACCOUNTS = [
  { label: 'Account 1', key: 'agentcred:development-wallet' },
  { label: 'Account 2', key: 'agentcred:development-wallet:2' },
  { label: 'Account 3 (judge)', key: undefined },
]

/**
 * Offers a wallet that needs no installing: it signs every request. The local platform's build alone has it
 * (main.tsx), and its chain gives it funds when it connects.
 */
export function registerDevelopmentWallet(): void {
  const chain = 'solana:localnet'
  const features = ['solana:signMessage', 'solana:signTransaction'] as const
  let accounts: WalletAccount[] = []
  let loading: Promise<Pair[]> | undefined
  /** Loads the key pairs once; again after a failure. */
  const pairs = () => {
    loading ??= allPairs().catch((error) => {
      loading = undefined
      throw error
    })
    return loading
  }
  /** Signs with an account's key. */
  const signOf = async ({ address }: { address: string }): Promise<Sign> => {
    const pair = (await pairs()).find(({ publicKey }) => base58(publicKey) === address)
    if (!pair) throw new Error(`${NAME} has no such account.`)
    return pair.sign
  }
  const wallet: Wallet = {
    version: '1.0.0',
    name: NAME,
    icon: ICON,
    chains: [chain],
    get accounts() {
      return accounts
    },
    features: {
      'standard:connect': {
        version: '1.0.0',
        async connect() {
          accounts = (await pairs()).map(({ publicKey, label }) => ({
            ...{ address: base58(publicKey), publicKey, chains: [chain], features, label },
          }))
          // Also when nobody is asked: the chain may have been begun anew since the last visit.
          await Promise.all(accounts.map(({ address }) => ready(address)))
          return { accounts }
        },
      },
      'solana:signMessage': {
        version: '1.1.0',
        async signMessage({
          account,
          message,
        }: {
          account: WalletAccount
          message: Uint8Array<ArrayBuffer>
        }) {
          const sign = await signOf(account)
          return [{ signedMessage: message, signature: await sign(message) }]
        },
      },
      'solana:signTransaction': {
        version: '1.0.0',
        supportedTransactionVersions: ['legacy', 0],
        async signTransaction(asked: { account: WalletAccount; transaction: Uint8Array<ArrayBuffer> }) {
          return [{ signedTransaction: await signFirst(asked.transaction, await signOf(asked.account)) }]
        },
      },
    },
  }
  getWallets().register(wallet)
}

type Sign = (message: Uint8Array<ArrayBuffer>) => Promise<Uint8Array<ArrayBuffer>>

/**
 * Puts the signature into the first slot, the fee payer's: signatures come first, 64 bytes each, behind their
 * count, which is below 128.
 */
async function signFirst(transaction: Uint8Array<ArrayBuffer>, sign: Sign): Promise<Uint8Array> {
  const count = transaction[0] ?? 0
  const signed = transaction.slice()
  signed.set(await sign(transaction.slice(1 + count * 64)), 1)
  return signed
}

type Pair = { label: string; publicKey: Uint8Array<ArrayBuffer>; sign: Sign }

/** The key pairs of all accounts. */
async function allPairs(): Promise<Pair[]> {
  const { accounts = [] } = await development()
  const pairs = ACCOUNTS.map(({ label, key }, index) => {
    const stored = key === undefined ? null : localStorage.getItem(key)
    const jwk: JsonWebKey | undefined = stored === null ? accounts[index] : JSON.parse(stored)
    return jwk && pairOf(label, jwk)
  })
  return (await Promise.all(pairs)).filter((pair) => pair !== undefined)
}

async function pairOf(label: string, jwk: JsonWebKey): Promise<Pair> {
  const key = await crypto.subtle.importKey('jwk', jwk, 'Ed25519', false, ['sign'])
  const publicKey = Uint8Array.from(
    atob((jwk.x ?? '').replaceAll('-', '+').replaceAll('_', '/')),
    (character) => character.charCodeAt(0),
  )
  return {
    ...{ label, publicKey },
    sign: async (message) => new Uint8Array(await crypto.subtle.sign('Ed25519', key, message)),
  }
}

/** A wallet with less SOL than this, 0.1, gets test funds when it connects. */
const LEAST_LAMPORTS = 100_000_000n

/**
 * Adds test funds to a wallet that has little SOL.
 * @throws Error if the platform uses a real cluster, or the chain does not answer
 */
async function ready(address: string): Promise<void> {
  const chain = await openLocalChain()
  if (!chain) throw new Error('This platform uses a real Solana cluster. Connect your own wallet.')
  const { sol } = await chain.balancesOf(address)
  if (sol < LEAST_LAMPORTS) await chain.addTestFunds(address)
}
