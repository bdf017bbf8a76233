import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseTrustedProofs, proofOf } from '../../../lib/reputation/attestations/proofs.ts'
import type { Address } from '../../../lib/solana/address.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import { attestationAccount } from '../../support/attestation-accounts.ts'
import { newWallet } from '../../support/stored-agents.ts'

const NOW = new Date('2026-11-20T12:00:00.000Z')
const [issuer, schema, wallet] = [newWallet(), newWallet(), newWallet()] as string[] as [
  Address,
  Address,
  Wallet,
]
const trusted = { issuer, schema, credentialType: 'kyc' }

describe('the setting ATTESTATION_ISSUERS', () => {
  it('lists issuer, schema and type', () => {
    expect(parseTrustedProofs('')).toEqual([])
    expect(parseTrustedProofs(` ${issuer}:${schema}:kyc , ${issuer}:${schema}:a: b,`)).toEqual([
      trusted,
      { ...trusted, credentialType: 'a:b' },
    ])
  })

  it.each([
    [issuer, 'must be issuer:schema:type'],
    [`${issuer},${schema}`, 'must be issuer:schema:type'],
    [`${issuer}:${schema}`, 'must be issuer:schema:type'],
    [`${issuer}:${schema}:`, 'must be issuer:schema:type'],
    [`${issuer}::kyc`, 'must be issuer:schema:type'],
    [`${issuer}:kyc:${schema}`, 'kyc is not a Solana address'],
    [`x:${schema}:kyc`, 'x is not a Solana address'],
  ])('refuses %s: %s', (text, message) => {
    expect(() => parseTrustedProofs(text)).toThrow(message)
    expect(() => parseTrustedProofs(text)).toThrow('ATTESTATION_ISSUERS')
  })
})

describe('a proof', () => {
  const account = (expiry: bigint, nonce: string = wallet) => ({
    owner: '22zoJMtdu4tQc2PzL74ZUT7FrwgB1Udec8DdW4yw4BdG' as Address,
    lamports: 1n,
    data: new Uint8Array(
      Buffer.from(attestationAccount({ nonce, credential: issuer, schema, expiry }), 'hex'),
    ),
  })
  const proves = (expiry: bigint, trustedProofs = [trusted], now = NOW) =>
    proofOf({ wallet, credentialType: 'kyc' }, account(expiry), { trustedProofs, now })

  it('ends with its account, at the end of the year 9999 at the latest, not earlier', () => {
    const seconds = BigInt(NOW.getTime() / 1000)
    expect(proves(0n)).toEqual({ expiresAt: undefined })
    expect(proves(seconds)).toBeUndefined()
    expect(proves(seconds + 1n)).toEqual({ expiresAt: new Date(NOW.getTime() + 1000) })
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (expiry) => {
        const proof = proves(expiry)
        expect(proof !== undefined).toBe(expiry === 0n || expiry > seconds)
        if (expiry <= seconds) return
        expect(proof?.expiresAt?.toISOString()).toMatch(/^\d{4}-/)
      }),
    )
  })

  it('is by a listed issuer, of the schema for the type, about the wallet', () => {
    expect(proves(0n, [])).toBeUndefined()
    expect(proves(0n, [{ ...trusted, issuer: schema }])).toBeUndefined()
    expect(proves(0n, [{ ...trusted, schema: issuer }])).toBeUndefined()
    expect(proves(0n, [{ ...trusted, credentialType: 'degree' }])).toBeUndefined()
    const context = { trustedProofs: [trusted], now: NOW }
    const row = { wallet, credentialType: 'kyc' }
    expect(proofOf(row, account(0n, newWallet()), context)).toBeUndefined()
    expect(proofOf(row, undefined, context)).toBeUndefined()
    const cut = { ...account(0n), data: account(0n).data.subarray(0, 150) }
    expect(proofOf(row, cut, context)).toBeUndefined()
  })
})
