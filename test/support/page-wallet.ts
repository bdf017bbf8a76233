import {
  getOffchainMessageEncoder,
  offchainMessageApplicationDomain,
  offchainMessageContentUtf8Of1232BytesMax,
} from '@solana/offchain-messages'
import { createSignInMessage } from '@solana/wallet-standard-util'
import { type Connection, Keypair } from '@solana/web3.js'
import type { BrowserContext, Page } from 'playwright-core'
import { walletFromSecretKey } from '../../lib/cli/wallet.ts'
import { offerWallet } from './page-wallet-script.ts'
import { createWallet, type WalletHabits } from './wallets.ts'

/** A wallet's features besides connecting, by their names in the Wallet Standard without the prefix. */
type Feature = 'signIn' | 'signOffchainMessage' | 'signMessage' | 'signTransaction' | 'signAndSendTransaction'

type PageWalletOptions = {
  name?: string
  keypair?: Keypair
  /** A message and a transaction, unless given. */
  features?: readonly Feature[]
  /** The account's name, and the accounts that it shows beside it. */
  label?: string
  others?: readonly OtherAccount[]
  /** Changes of a transaction before it signs. */
  habits?: WalletHabits
  /** The node to which it sends transactions. */
  connection?: Connection
  /** Puts each plain text into an off-chain message of version 0, as hardware wallets do. */
  isHardware?: boolean
  /** What happens while it shows its question. */
  beforeSigning?: () => Promise<unknown>
}

/** An account beside the first, which can do what that can do, unless given. */
type OtherAccount = {
  label?: string | undefined
  keypair?: Keypair
  features?: readonly Feature[]
  chains?: string[]
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
  label,
  others = [],
  habits = {},
  connection,
  isHardware = false,
  beforeSigning,
}: PageWalletOptions = {}) {
  const accounts = [{ label, keypair }, ...others].map((account) => accountOf(account, features, habits))
  const [{ address }] = accounts as [Account]
  /** The requests to it, in order. */
  const asked: Feature[] = []
  /** Features that it refuses from now on, like a person who presses Cancel. */
  const refused = new Set<Feature>()
  /** The error of a feature from now on; with a code at its end: `Cancelled [4001]`. */
  const errors = new Map<Feature, string>()

  /** Does one thing for the page. Bytes come and go in Base64, signatures in Base58. */
  async function answer(feature: Feature, input: string, signer: string): Promise<string> {
    const { sign, signBytes } = accounts.find((account) => account.address === signer) as Account
    asked.push(feature)
    await beforeSigning?.()
    const error = errors.get(feature)
    if (error !== undefined) throw new Error(error)
    if (refused.has(feature)) throw new Error('User rejected the request.')
    if (feature === 'signMessage' || feature === 'signOffchainMessage' || feature === 'signIn') {
      const message = messageOf(feature, input, signer, isHardware)
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
    /** The addresses of the first account and of the others. */
    addresses: accounts.map((account) => account.address),
    keypair,
    asked,
    refused,
    errors,
    /** Makes every page of a context find the wallet as it would find an extension's. */
    async installIn(context: BrowserContext): Promise<void> {
      const binding = `ask ${name}`
      await context.exposeFunction(binding, answer)
      const offered = accounts.map(({ sign, signBytes, ...account }) => account)
      await context.addInitScript(offerWallet, { name, binding, accounts: offered })
    },
    /** Shows a page only these accounts from now on, like a person who changes the wallet's settings. */
    show: (page: Page, addresses: readonly string[]): Promise<void> =>
      page.evaluate(`globalThis[${JSON.stringify(`show ${name}`)}](${JSON.stringify(addresses)})`),
  }
}

/** What a wallet signs for a feature: the text, or an off-chain message around it. */
function messageOf(feature: Feature, input: string, signer: string, isHardware: boolean): Uint8Array {
  const requiredSignatories = [{ address: signer as never }]
  const offchain = (content: string) =>
    Uint8Array.from(getOffchainMessageEncoder().encode({ version: 1, content, requiredSignatories }))
  if (feature === 'signOffchainMessage') return offchain(input)
  if (feature === 'signIn') {
    const { useOffchainMessage, ...fields } = JSON.parse(input)
    const message = createSignInMessage({ domain: 'not given', address: signer, ...fields })
    return useOffchainMessage ? offchain(new TextDecoder().decode(message)) : message
  }
  const message = Buffer.from(input, 'base64')
  if (!isHardware) return message
  const content = offchainMessageContentUtf8Of1232BytesMax(message.toString())
  const applicationDomain = offchainMessageApplicationDomain(signer)
  return Uint8Array.from(
    getOffchainMessageEncoder().encode({ version: 0, applicationDomain, content, requiredSignatories }),
  )
}

type Account = ReturnType<typeof accountOf>

function accountOf(
  { keypair = Keypair.generate(), chains = ['solana:localnet'], ...account }: OtherAccount,
  features: readonly Feature[],
  habits: WalletHabits,
) {
  const key = walletFromSecretKey(keypair.secretKey)
  const { owner: address, sign } = createWallet(keypair, habits)
  return {
    label: account.label,
    address,
    publicKey: [...keypair.publicKey.toBytes()],
    chains,
    features: [...(account.features ?? features)],
    sign,
    signBytes: (bytes: Uint8Array) => key.sign(bytes),
  }
}
