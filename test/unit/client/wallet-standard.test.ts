import { describe, expect, it, vi } from 'vitest'
import { fromWalletStandard } from '../../../lib/client/index.ts'

const ADDRESS = 'FB5MvS1kKs9f9qPzDwGcqYhTnPqRb3Q6X2mYxH8pDq4o'
const bytes = new Uint8Array([1, 2, 3])
const signature = new Uint8Array(64).fill(7)
const signedTransaction = new Uint8Array([4])

/** An account, and a wallet that has all features, by default also for version 0. */
function createWallet(names: string[], versions: unknown[] = ['legacy', 0], address = ADDRESS) {
  const account = {
    address: ADDRESS,
    chains: ['eip155:1', 'solana:devnet', 'solana:mainnet'],
    features: names,
  }
  const features = {
    'solana:signIn': {
      signIn: vi.fn(async () => [{ account: { address }, signature, signedMessage: bytes }]),
    },
    'solana:signMessage': { signMessage: vi.fn(async () => [{ signature, signedMessage: bytes }]) },
    'solana:signTransaction': {
      supportedTransactionVersions: versions,
      signTransaction: vi.fn(async () => [{ signedTransaction }]),
    },
    'solana:signAndSendTransaction': {
      supportedTransactionVersions: versions,
      signAndSendTransaction: vi.fn(async () => [{ signature }]),
    },
  }
  return { account, features }
}

const ALL = ['solana:signMessage', 'solana:signTransaction', 'solana:signAndSendTransaction']

describe('an account of a Wallet Standard wallet', () => {
  it('signs by its features, on its first chain of Solana or the one given', async () => {
    const { account, features } = createWallet(ALL)
    const wallet = fromWalletStandard({ features }, account)
    expect(wallet.publicKey).toBe(ADDRESS)
    expect(await wallet.signMessage?.(bytes)).toBe(signature)
    expect(features['solana:signMessage'].signMessage).toHaveBeenCalledWith({ account, message: bytes })
    expect(await wallet.signTransaction?.(bytes)).toBe(signedTransaction)
    const input = { account, transaction: bytes, chain: 'solana:devnet' }
    expect(features['solana:signTransaction'].signTransaction).toHaveBeenCalledWith(input)
    await fromWalletStandard({ features }, account, 'solana:mainnet').signAndSendTransaction?.(bytes)
    const other = { ...input, chain: 'solana:mainnet' }
    expect(features['solana:signAndSendTransaction'].signAndSendTransaction).toHaveBeenCalledWith(other)
  })

  it('can do what the account can, not all that the wallet could', () => {
    const { account, features } = createWallet(['solana:signAndSendTransaction'])
    const wallet = fromWalletStandard({ features }, account)
    expect(wallet.signTransaction).toBeUndefined()
    expect(wallet.signMessage).toBeUndefined()
    expect(wallet.signAndSendTransaction).toBeDefined()
  })

  it('signs no transactions where it does not take the legacy format', () => {
    const { account, features } = createWallet(ALL, [0])
    const wallet = fromWalletStandard({ features }, account)
    expect(wallet.signTransaction).toBeUndefined()
    expect(wallet.signAndSendTransaction).toBeUndefined()
  })

  it('signs in where the account lists it, or can do nothing else', () => {
    const signIn = (listed: string[]) => {
      const { account, features } = createWallet(listed)
      return fromWalletStandard({ features }, account).signIn
    }
    expect(signIn(['solana:signMessage', 'solana:signIn'])).toBeDefined()
    expect(signIn(['solana:signMessage'])).toBeUndefined()
    expect(signIn([])).toBeDefined()
  })

  it('signs in where the wallet offers it, as this account only', async () => {
    const input = { domain: 'app.example.com' } as never
    const { account, features } = createWallet([])
    expect(await fromWalletStandard({ features }, account).signIn?.(input)).toBe(signature)
    const other = createWallet([], [], 'another')
    const wallet = fromWalletStandard({ features: other.features }, account)
    await expect(wallet.signIn?.(input)).rejects.toMatchObject({ code: 'wallet_refused' })
    expect(fromWalletStandard({ features: {} }, account).signIn).toBeUndefined()
  })
})
