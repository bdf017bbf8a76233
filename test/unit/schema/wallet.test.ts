import { base58 } from '@scure/base'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isWallet, publicKeyBytes, signatureBytes } from '../../../schema/wallet.ts'

const bytes = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((list) => new Uint8Array(list))
const SYSTEM_PROGRAM = '1'.repeat(32)
const LARGEST = base58.encode(new Uint8Array(32).fill(255))

describe('a wallet address', () => {
  it('is the Base58 of any 32 bytes, and reads back as they were', () => {
    fc.assert(
      fc.property(bytes(32), (key) => {
        const text = base58.encode(key)
        expect(isWallet(text)).toBe(true)
        expect(publicKeyBytes(text)).toEqual(key)
      }),
    )
  })

  it('is 32 to 44 characters long', () => {
    expect(isWallet(SYSTEM_PROGRAM)).toBe(true)
    expect(LARGEST).toHaveLength(44)
    expect(isWallet(LARGEST)).toBe(true)
  })

  it.each([0, 1, 31, 33, 64])('is not the Base58 of %i bytes', (length) => {
    fc.assert(
      fc.property(bytes(length), (key) => {
        expect(isWallet(base58.encode(key))).toBe(false)
      }),
    )
  })

  it.each(['0', 'O', 'I', 'l', ' ', '+', '/', '=', '\u0000', 'é', '١'])('has no %j in it', (character) => {
    for (const at of [0, 16, 31, 32]) {
      expect(isWallet(SYSTEM_PROGRAM.slice(0, at) + character + SYSTEM_PROGRAM.slice(at + 1))).toBe(false)
    }
    expect(isWallet(` ${LARGEST}`)).toBe(false)
    expect(isWallet(`${LARGEST}\n`)).toBe(false)
  })

  it('has one spelling only', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{30,45}$/), (text) => {
        const key = publicKeyBytes(text)
        if (key) expect(base58.encode(key)).toBe(text)
      }),
    )
  })

  // To decode it would take quadratic time: hours.
  it('is refused when the text is too long, without being decoded', () => {
    expect(isWallet('z'.repeat(1_000_000))).toBe(false)
    expect(isWallet('1'.repeat(45))).toBe(false)
    expect(signatureBytes('z'.repeat(1_000_000))).toBeUndefined()
  })
})

describe('a signature', () => {
  it('is the Base58 of any 64 bytes', () => {
    fc.assert(
      fc.property(bytes(64), (signature) => {
        expect(signatureBytes(base58.encode(signature))).toEqual(signature)
      }),
    )
    expect(signatureBytes('1'.repeat(64))).toEqual(new Uint8Array(64))
    expect(signatureBytes(base58.encode(new Uint8Array(64).fill(255)))).toHaveLength(64)
  })

  it.each([0, 32, 63, 65])('is not the Base58 of %i bytes', (length) => {
    fc.assert(
      fc.property(bytes(length), (signature) => {
        expect(signatureBytes(base58.encode(signature))).toBeUndefined()
      }),
    )
  })

  it('is not hexadecimal or Base64', () => {
    const signature = new Uint8Array(64).fill(171)
    expect(signatureBytes(Buffer.from(signature).toString('hex'))).toBeUndefined()
    expect(signatureBytes(Buffer.from(signature).toString('base64'))).toBeUndefined()
  })
})
