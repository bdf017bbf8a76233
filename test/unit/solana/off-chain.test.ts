import { base58 } from '@scure/base'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { signableForms } from '../../../lib/solana/off-chain.ts'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const signer = new Uint8Array(base58.decode('4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T'))

/** "\xffsolana offchain" */
const DOMAIN = 'ff736f6c616e61206f6666636861696e'

describe('the forms of a text that count as signed', () => {
  it('are, for a known text, exactly these bytes', () => {
    const [key, zeros, text] = [hex(signer), '00'.repeat(32), '48656c6c6f']
    expect([...signableForms('Hello', signer)].map(hex)).toEqual([
      text,
      // Version 0 as the SDK and the older Ledger application write it, then as specified, for each format.
      `${DOMAIN}00000500${text}`,
      `${DOMAIN}00${zeros}0001${key}0500${text}`,
      `${DOMAIN}00010500${text}`,
      `${DOMAIN}00${zeros}0101${key}0500${text}`,
      `${DOMAIN}00020500${text}`,
      `${DOMAIN}00${zeros}0201${key}0500${text}`,
      `${DOMAIN}0101${key}${text}`,
    ])
  })

  it('state the length in bytes, least significant first, above 255 too', () => {
    for (const [length, expected] of [
      [0, '0000'],
      [255, 'ff00'],
      [256, '0001'],
      [1000, 'e803'],
      [65535, 'ffff'],
    ] as const) {
      const [, sdk, specified] = signableForms('a'.repeat(length), signer)
      expect(hex(sdk?.subarray(18, 20) ?? new Uint8Array())).toBe(expected)
      expect(hex(specified?.subarray(83, 85) ?? new Uint8Array())).toBe(expected)
      expect(sdk).toHaveLength(20 + length)
      expect(specified).toHaveLength(85 + length)
    }
  })

  it('count bytes of UTF-8, not characters', () => {
    const [plain, sdk] = signableForms('é😀', signer)
    expect(hex(plain ?? new Uint8Array())).toBe('c3a9f09f9880')
    expect(hex(sdk ?? new Uint8Array())).toBe(`${DOMAIN}00000600c3a9f09f9880`)
  })

  it('name the signer wherever the form has a field for it, and all end in the text', () => {
    const keys = fc.uint8Array({ minLength: 32, maxLength: 32 })
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), keys, (text, key) => {
        const forms = [...signableForms(text, key)].map(hex)
        expect(forms.every((form) => form.endsWith(hex(new TextEncoder().encode(text))))).toBe(true)
        expect(forms.filter((form) => form.includes(`01${hex(key)}`)).length).toBeGreaterThanOrEqual(4)
        expect(new Set(forms).size).toBe(8)
      }),
    )
  })
})
