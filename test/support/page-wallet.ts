import { createSignInMessage } from '@solana/wallet-standard-util'
import { type Connection, Keypair } from '@solana/web3.js'
import type { BrowserContext } from 'playwright-core'
import { walletFromSecretKey } from '../../lib/cli/wallet.ts'
import { offerWallet } from './page-wallet-script.ts'
import { createWallet, type WalletHabits } from './wallets.ts'

/** What a wallet can do beside connecting, by the names of the Wallet Standard without their prefix. */
export type Feature = 'signIn' | 'signMessage' | 'signTransaction' | 'signAndSendTransaction'

type PageWalletOptions = {
  name?: string
  keypair?: Keypair
  /** A message and a transaction, unless given. */
  features?: readonly Feature[]
  /** What it does to a transaction before it signs. */
  habits?: WalletHabits
  /** Where it sends what it signs and sends. */
  connection?: Connection
  /** What happens while it shows its question. */
  beforeSigning?: () => Promise<unknown>
}

export type PageWallet = ReturnType<typeof createPageWallet>

/**
 * A browser wallet for the pages of a test. Its key stays with the test, which signs for it: so it signs by
 * the same unmodified software as the wallets of the API's tests.
 */
export function createPageWallet({
  name = 'Test wallet',
  keypair = Keypair.generate(),
  features = ['signMessage', 'signTransaction'],
  habits = {},
  connection,
  beforeSigning,
}: PageWalletOptions = {}) {
  const key = walletFromSecretKey(keypair.secretKey)
  const { owner: address, sign } = createWallet(keypair, habits)
  const signBytes = (bytes: Uint8Array) => key.sign(bytes)
  /** What it has been asked for, in order. */
  const asked: Feature[] = []
  /** What it refuses from now on, as a person does who presses Cancel. */
  const refused = new Set<Feature>()

  /** Does one thing for the page. Bytes come and go in Base64, signatures in Base58. */
  async function answer(feature: Feature, input: string): Promise<string> {
    asked.push(feature)
    await beforeSigning?.()
    if (refused.has(feature)) throw new Error('User rejected the request.')
    if (feature === 'signMessage') return signBytes(Buffer.from(input, 'base64'))
    if (feature === 'signIn') {
      const message = createSignInMessage({ domain: 'not given', address, ...JSON.parse(input) })
      return JSON.stringify({ message: [...message], signature: signBytes(message) })
    }
    const signed = sign(input)
    if (feature === 'signTransaction') return signed
    if (!connection) throw new Error('this wallet was given no network')
    return connection.sendRawTransaction(Buffer.from(signed, 'base64'))
  }

  return {
    name,
    address,
    keypair,
    asked,
    refused,
    /** Makes every page of a context find the wallet as it would find an extension's. */
    async installIn(context: BrowserContext): Promise<void> {
      const binding = `ask ${name}`
      await context.exposeFunction(binding, answer)
      const publicKey = [...keypair.publicKey.toBytes()]
      await context.addInitScript(offerWallet, { name, binding, address, publicKey, features: [...features] })
    },
  }
}
