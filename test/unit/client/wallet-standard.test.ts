import { describe, expect, it, vi } from 'vitest'
import { fromWalletStandard } from '../../../lib/client/index.ts'

const ADDRESS = 'FB5MvS1kKs9f9qPzDwGcqYhTnPqRb3Q6X2mYxH8pDq4o'
const bytes = new Uint8Array([1, 2, 3])
const signature = new Uint8Array(64).fill(7)
const publicKey = new Uint8Array(32).fill(5)
/** An off-chain message begins with this byte, which no text has. */
const envelope = new Uint8Array([0xff, 1])
const signedTransaction = new Uint8Array([4])

/** An account, and a wallet that has all features, by default also for version 0. */
function createWallet(names: string[], versions: unknown[] = ['legacy', 0], address = ADDRESS) {
  const account = {
    address: ADDRESS,
    publicKey,
    chains: ['eip155:1', 'solana:devnet', 'solana:mainnet'],
    features: names,
  }
  const features = {
    'solana:signIn': {
      version: '1.0.0',
      signIn: vi.fn(async () => [{ account: { address }, signature, signedMessage: bytes }]),
    },
    'solana:signOffchainMessage': {
      supportedMessageVersions: [1] as unknown[],
      signOffchainMessage: vi.fn(async () => [{ signature, signedOffchainMessage: envelope }]),
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

  it('signs off-chain messages where its wallet takes version 1', async () => {
    const { account, features } = createWallet(['solana:signOffchainMessage', 'solana:signMessage'])
    const wallet = fromWalletStandard({ features }, account)
    expect(await wallet.signOffchainMessage?.('text')).toEqual({ signature, signedMessage: envelope })
    const input = { messageVersion: 1, account, message: 'text', requiredSigners: [publicKey] }
    const { signOffchainMessage } = features['solana:signOffchainMessage']
    expect(signOffchainMessage).toHaveBeenCalledExactlyOnceWith(input)
    features['solana:signOffchainMessage'].supportedMessageVersions = [0, 2]
    expect(fromWalletStandard({ features }, account).signOffchainMessage).toBeUndefined()
    const unlisted = createWallet(['solana:signMessage'])
    expect(fromWalletStandard(unlisted, unlisted.account).signOffchainMessage).toBeUndefined()
  })

  it('does not sign in by a feature that it does not list when it signs off-chain messages', () => {
    const { account, features } = createWallet(['solana:signOffchainMessage'])
    expect(fromWalletStandard({ features }, account).signIn).toBeUndefined()
  })

  it.each([
    ['1.1.0', [], true],
    ['1.10.0', ['solana:signIn'], true],
    ['2.0.0', ['solana:signIn'], true],
    ['1.0.0', ['solana:signIn'], false],
    ['1.1.0', ['solana:signIn', 'solana:signMessage'], false],
  ])('signs in at version %s with %j as an off-chain message: %s', async (version, listed, isOffchain) => {
    const input = { domain: 'app.example.com' } as never
    const { account, features } = createWallet(listed)
    features['solana:signIn'].version = version
    await fromWalletStandard({ features }, account).signIn?.(input)
    expect(features['solana:signIn'].signIn).toHaveBeenCalledExactlyOnceWith({
      domain: 'app.example.com',
      ...(isOffchain ? { useOffchainMessage: { messageVersion: 1 } } : {}),
    })
  })

  it('returns what was signed when the wallet has put the text into an off-chain message', async () => {
    const input = { domain: 'app.example.com' } as never
    const { account, features } = createWallet([...ALL, 'solana:signIn'])
    const output = { account: { address: ADDRESS }, signature, signedMessage: envelope }
    features['solana:signIn'].signIn.mockResolvedValue([output])
    features['solana:signMessage'].signMessage.mockResolvedValue([output])
    const wallet = fromWalletStandard({ features }, account)
    expect(await wallet.signIn?.(input)).toEqual({ signature, signedMessage: envelope })
    expect(await wallet.signMessage?.(bytes)).toEqual({ signature, signedMessage: envelope })
  })
})
