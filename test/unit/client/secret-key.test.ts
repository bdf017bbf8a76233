import {
  Keypair,
  type PublicKey,
  SystemProgram,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { base58, fromSecretKey, type Wallet } from '../../../lib/client/index.ts'

const keypair = Keypair.fromSeed(new Uint8Array(32).fill(7))
const other = Keypair.fromSeed(new Uint8Array(32).fill(8))
const ADDRESS = keypair.publicKey.toBase58()
const { secretKey } = keypair
const seed = secretKey.slice(0, 32)

const isSignature = async (signature: Uint8Array, message: Uint8Array) => {
  const key = await crypto.subtle.importKey(
    'raw',
    new Uint8Array(keypair.publicKey.toBytes()),
    'Ed25519',
    false,
    ['verify'],
  )
  return crypto.subtle.verify('Ed25519', key, new Uint8Array(signature), new Uint8Array(message))
}

const signedBy = async ({ signTransaction }: Wallet, transaction: Uint8Array) =>
  VersionedTransaction.deserialize((await signTransaction?.(transaction)) ?? new Uint8Array())

/** A transaction that both wallets must sign. */
function transfers(feePayer: PublicKey) {
  const transaction = new Transaction({ feePayer, blockhash: ADDRESS, lastValidBlockHeight: 1 })
  for (const [from, to] of [
    [keypair, other],
    [other, keypair],
  ] as const)
    transaction.add(
      SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to.publicKey, lamports: 1 }),
    )
  return transaction
}

describe('a wallet of a secret key', () => {
  it.each([
    ['64 bytes', secretKey],
    ['32 bytes', seed],
    ['Base58 of 64 bytes', base58.encode(secretKey)],
    ['Base58 of 32 bytes', base58.encode(seed)],
    ['the text of a key file', `${JSON.stringify([...secretKey])}\n`],
    ['the numbers of a key file', [...secretKey]],
  ])('signs messages when it is made of %s', async (_form, key) => {
    const wallet = await fromSecretKey(key)
    expect(wallet.publicKey).toBe(ADDRESS)
    const message = new TextEncoder().encode('Sign in')
    expect(await isSignature((await wallet.signMessage?.(message)) ?? message, message)).toBe(true)
  })

  it.each([
    ['its fee payer', keypair],
    ['another signer', other],
  ])('adds its signature to a legacy transaction when it is %s', async (_role, payer) => {
    const transaction = transfers(payer.publicKey)
    transaction.partialSign(other)
    const wire = transaction.serialize({ requireAllSignatures: false })
    const signed = (await (await fromSecretKey(secretKey)).signTransaction?.(wire)) ?? wire
    expect(Transaction.from(signed).verifySignatures()).toBe(true)
  })

  it('adds its signature to a versioned transaction', async () => {
    const { instructions } = transfers(keypair.publicKey)
    const content = { payerKey: other.publicKey, recentBlockhash: ADDRESS, instructions }
    const transaction = new VersionedTransaction(new TransactionMessage(content).compileToV0Message())
    const signed = await signedBy(await fromSecretKey(secretKey), transaction.serialize())
    const [none, own] = signed.signatures
    expect(none?.every((byte) => byte === 0)).toBe(true)
    expect(await isSignature(own ?? seed, signed.message.serialize())).toBe(true)
  })

  it.each([
    ['bytes that are not a transaction', new Uint8Array([1, 2, 3])],
    ['no bytes', new Uint8Array()],
    [
      'a transaction of another wallet',
      new VersionedTransaction(
        new TransactionMessage({
          payerKey: other.publicKey,
          recentBlockhash: ADDRESS,
          instructions: [],
        }).compileToLegacyMessage(),
      ).serialize(),
    ],
  ])('refuses to sign %s', async (_title, transaction) => {
    const { signTransaction } = await fromSecretKey(secretKey)
    await expect(signTransaction?.(transaction)).rejects.toThrow(TypeError)
  })

  it.each([
    ['63 bytes', secretKey.slice(1)],
    ['no bytes', new Uint8Array()],
    ['an empty text', ''],
    ['text that is not Base58', `0${base58.encode(secretKey)}`],
    ['text that is not JSON', '[1, 2'],
    ['numbers above 255', [...seed.slice(1), 256]],
    ['numbers below 0', [...seed.slice(1), -1]],
    ['texts', JSON.stringify([...seed].map(String))],
    ['a public half of another key', new Uint8Array([...seed, ...other.publicKey.toBytes()])],
  ])('refuses %s without repeating them', async (_title, key) => {
    const refused = await fromSecretKey(key).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(TypeError)
    expect(String(refused)).toMatch(/^TypeError: not a secret key: /)
    expect((refused as Error).cause).toBeUndefined()
  })
})

/** What older browsers answer: they have Web Crypto, but not this algorithm. */
const notSupported = () => Promise.reject(new DOMException('Unrecognized name.', 'NotSupportedError'))

describe.each([
  ['no Web Crypto', undefined],
  ['a Web Crypto without Ed25519', { subtle: { importKey: notSupported } }],
])('a wallet of a secret key, in a runtime with %s', (_lack, lacking) => {
  const { crypto } = globalThis
  afterEach(() => void vi.unstubAllGlobals())

  it('signs as Web Crypto does', async () => {
    const seeds = fc.uint8Array({ minLength: 32, maxLength: 32 })
    await fc.assert(
      fc.asyncProperty(seeds, fc.uint8Array({ maxLength: 300 }), async (drawn, message) => {
        vi.stubGlobal('crypto', crypto)
        const expected = await fromSecretKey(drawn)
        const signature = await expected.signMessage(message)
        vi.stubGlobal('crypto', lacking)
        const wallet = await fromSecretKey(drawn)
        expect(wallet.publicKey).toBe(expected.publicKey)
        expect(await wallet.signMessage(message)).toEqual(signature)
      }),
      { numRuns: 30 },
    )
  })

  it('adds its signature to a transaction', async () => {
    vi.stubGlobal('crypto', lacking)
    const transaction = transfers(keypair.publicKey)
    transaction.partialSign(other)
    const wire = transaction.serialize({ requireAllSignatures: false })
    const signed = (await (await fromSecretKey(secretKey)).signTransaction?.(wire)) ?? wire
    expect(Transaction.from(signed).verifySignatures()).toBe(true)
  })

  it('refuses a public half of another key', async () => {
    vi.stubGlobal('crypto', lacking)
    const key = new Uint8Array([...seed, ...other.publicKey.toBytes()])
    await expect(fromSecretKey(key)).rejects.toThrow(/^not a secret key: /)
  })
})
