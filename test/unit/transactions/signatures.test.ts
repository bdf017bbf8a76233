import { randomUUID } from 'node:crypto'
import { Point } from '@noble/ed25519'
import { Keypair, PublicKey } from '@solana/web3.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { importSigner } from '../../../lib/keys/signer.ts'
import { encodeTransaction } from '../../../lib/solana/transaction.ts'
import { checkWalletFirst } from '../../../lib/transactions/cosigning/check.ts'
import { COSIGN_ERRORS } from '../../../lib/transactions/cosigning/errors.ts'
import { checkParties, claimFor } from '../../support/cosigning.ts'
import { bytesOf, satisfiesEquation, scalarHex, smallOrderForgeries } from '../../support/signatures.ts'
import { authority, claim, errorOf, messageOf, owner } from '../../support/tampering.ts'
import { createWallet, PHANTOM } from '../../support/wallets.ts'

describe('the signatures', () => {
  const message = messageOf(createWallet(owner, PHANTOM).sign(claim))
  const signedBy = async (keypair: Keypair, bytes = message) =>
    (await importSigner(keypair.secretKey)).sign(bytes)
  const empty = new Uint8Array(64)
  let ownerSignature: Uint8Array<ArrayBuffer>
  let authoritySignature: Uint8Array<ArrayBuffer>
  beforeAll(async () => {
    ownerSignature = await signedBy(owner)
    authoritySignature = await signedBy(authority)
  })
  const withSignatures = (...signatures: Uint8Array<ArrayBuffer>[]) =>
    encodeTransaction({ signatures, message })

  it('are the owner’s, and an empty slot', async () => {
    const submitted = withSignatures(ownerSignature, empty)
    expect(await checkWalletFirst(claim, submitted, checkParties)).toMatchObject({
      ok: true,
      message,
      ownerSignature,
    })
  })

  it('are refused when the authority’s slot is filled, even with its signature', async () => {
    const ones = [authoritySignature, ownerSignature, new Uint8Array([...new Uint8Array(63), 1])]
    for (const one of ones) {
      expect(await errorOf(claim, withSignatures(ownerSignature, one))).toBe('authority_slot_filled')
    }
  })

  it('are refused when the owner’s is missing, another’s, or of another message', async () => {
    const others = [
      empty,
      authoritySignature,
      await signedBy(owner, messageOf(claim)),
      await signedBy(Keypair.generate()),
    ]
    for (const one of others) {
      expect(await errorOf(claim, withSignatures(one, empty))).toBe('owner_signature_invalid')
    }
    expect(await errorOf(claim, withSignatures(empty, ownerSignature))).toBe('authority_slot_filled')
  })

  it('are refused when the owner’s has the group order added to S', async () => {
    const s = BigInt(`0x${Buffer.from(ownerSignature.subarray(32)).reverse().toString('hex')}`)
    const malleated = bytesOf(
      Buffer.from(ownerSignature.subarray(0, 32)).toString('hex') + scalarHex(s + Point.CURVE().n),
    )
    expect(await errorOf(claim, withSignatures(malleated, empty))).toBe('owner_signature_invalid')
  })

  it.each(smallOrderForgeries((publicKey) => Buffer.from(messageOf(claimOf(publicKey, randomUUID())))))(
    'are refused when they satisfy the equation without a commitment: $name',
    async (forgery) => {
      expect(satisfiesEquation(forgery)).toBe(true)
      const forged = bytesOf(forgery.message)
      const recorded = encodeTransaction({ signatures: [empty, empty], message: forged })
      const submitted = encodeTransaction({
        signatures: [bytesOf(forgery.signature), empty],
        message: forged,
      })
      expect(await checkWalletFirst(recorded, submitted, checkParties)).toEqual({
        ok: false,
        error: 'owner_signature_invalid',
      })
    },
  )

  it('are refused as recorded, unsigned', async () => {
    expect(await errorOf(claim, claim)).toBe('owner_signature_invalid')
  })
})

/** A claim of any owner, with a text of its own. */
const claimOf = (publicKey: string, text: string): string =>
  claimFor({ owner: { publicKey: new PublicKey(bytesOf(publicKey)) }, authority: authority.publicKey }, text)

it('has a sentence for every error', () => {
  for (const sentence of Object.values(COSIGN_ERRORS)) expect(sentence).toMatch(/^[A-Z].{20,120}\.$/)
})
