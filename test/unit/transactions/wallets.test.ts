import { Keypair, Transaction, VersionedTransaction } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { importSigner } from '../../../lib/keys/signer.ts'
import { addressOf } from '../../../lib/solana/address.ts'
import { checkWalletFirst, completeTransaction } from '../../../lib/transactions/cosigning/check.ts'
import { checkParties, claimFor, stackFor, vaultOpeningFor } from '../../support/cosigning.ts'
import { createWallet, PHANTOM, type WalletHabits } from '../../support/wallets.ts'

const owner = Keypair.generate()
const authority = Keypair.generate()
const parties = { owner, authority: authority.publicKey }
const otherBlockhash = addressOf(new Uint8Array(32).fill(77))

const habits: [string, WalletHabits][] = [
  ['signs what it is given', {}],
  ['puts guards around it, as Phantom does', PHANTOM],
  ['puts guards between the instructions as well', { guards: 'between' }],
  ['sets its own priority fee', { budget: { units: 300_000, microLamports: 50_000n } }],
  ['compiles it in version 0', { version: 0 }],
  ['takes a newer blockhash', { blockhash: otherBlockhash }],
  [
    'does all of it',
    { ...PHANTOM, version: 0, blockhash: otherBlockhash, budget: { units: 1, microLamports: 0n } },
  ],
]

describe.each([
  ['stack', stackFor(parties)],
  ['claim', claimFor(parties)],
])('a built %s', (_, recorded) => {
  it.each(habits)('is cosigned when the wallet %s', async (_, habit) => {
    const submitted = createWallet(owner, habit).sign(recorded)
    const check = await checkWalletFirst(recorded, submitted, checkParties)
    expect(check).toMatchObject({ ok: true, blockhash: habit.blockhash ?? blockhashOf(recorded) })
    if (!check.ok) return
    const signer = await importSigner(authority.secretKey)
    const sent = completeTransaction(check.message, check.ownerSignature, await signer.sign(check.message))
    expect(VersionedTransaction.deserialize(Buffer.from(sent, 'base64')).signatures).toHaveLength(2)
    if (habit.version === 0) return
    expect(Transaction.from(Buffer.from(sent, 'base64')).verifySignatures()).toBe(true)
  })
})

it.each(habits)('a transaction of the owner alone is completed when the wallet %s', async (_, habit) => {
  const recorded = vaultOpeningFor(parties)
  const submitted = createWallet(owner, habit).sign(recorded)
  const check = await checkWalletFirst(recorded, submitted, checkParties)
  expect(check).toMatchObject({ ok: true })
  if (!check.ok) return
  expect(completeTransaction(check.message, check.ownerSignature, undefined)).toBe(submitted)
})

it('a wallet that signs first refuses what the service has signed', async () => {
  const recorded = claimFor(parties)
  const check = await checkWalletFirst(recorded, createWallet(owner).sign(recorded), checkParties)
  if (!check.ok) throw new Error(check.error)
  const signer = await importSigner(authority.secretKey)
  const sent = completeTransaction(check.message, check.ownerSignature, await signer.sign(check.message))
  expect(() => createWallet(owner, PHANTOM).sign(sent)).toThrow('before')
  expect(createWallet(owner, {}).sign(sent)).toBe(sent)
})

const blockhashOf = (text: string): string =>
  VersionedTransaction.deserialize(Buffer.from(text, 'base64')).message.recentBlockhash
