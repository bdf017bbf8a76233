import { base58 } from '@scure/base'
import {
  getOffchainMessageEncoder,
  OffchainMessageContentFormat,
  offchainMessageApplicationDomain,
  offchainMessageContentUtf8Of1232BytesMax,
} from '@solana/offchain-messages'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { signableForms, signedText } from '../../../lib/solana/off-chain.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const hexOf = (text: string) => hex(bytesOf(text))
const textIn = (message: Uint8Array, key: Uint8Array) => {
  const text = signedText(message, key)
  return text && hex(text)
}
const keys = fc.uint8Array({ minLength: 32, maxLength: 32 })
const texts = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 })
const addressOf = (key: Uint8Array) => base58.encode(key) as never

/** The message as @solana/offchain-messages writes it. */
const written = (text: string, version: 0 | 1, signers: Uint8Array[], domain = new Uint8Array(32)) => {
  const requiredSignatories = signers.map((key) => ({ address: addressOf(key) }))
  const applicationDomain = offchainMessageApplicationDomain(base58.encode(domain))
  const content = offchainMessageContentUtf8Of1232BytesMax(text)
  return Uint8Array.from(
    getOffchainMessageEncoder().encode(
      version === 0
        ? { version, applicationDomain, content, requiredSignatories }
        : { version, content: text, requiredSignatories },
    ),
  )
}

/** `\xffsolana offchain`, as in the specification. */
const DOMAIN = [0xff, ...bytesOf('solana offchain')]
const key = new Uint8Array(32).fill(7)
const other = new Uint8Array(32).fill(9)
const HELLO = [...bytesOf('Hello')]
const message = (...parts: (number | readonly number[] | Uint8Array)[]) =>
  Uint8Array.from([...DOMAIN, ...parts.flatMap((part) => (typeof part === 'number' ? [part] : [...part]))])

describe('the text of a signed message', () => {
  it('is found in every form in which a text can be signed', () => {
    fc.assert(
      fc.property(texts, keys, (text, key) => {
        const found = [...signableForms(text, key)].map((form) => textIn(form, key))
        expect(found).toEqual(Array(8).fill(hexOf(text)))
      }),
    )
  })

  it('is found in what @solana/offchain-messages writes, for any application domain', () => {
    fc.assert(
      fc.property(texts, keys, keys, (text, key, domain) => {
        expect(textIn(written(text, 0, [key], domain), key)).toBe(hexOf(text))
        expect(textIn(written(text, 1, [key]), key)).toBe(hexOf(text))
      }),
    )
  })

  it('is undefined when an envelope names another signer, or a second one', () => {
    fc.assert(
      fc.property(
        texts,
        keys,
        keys,
        keys,
        fc.constantFrom<0 | 1>(0, 1),
        (text, key, rest, domain, version) => {
          fc.pre(hex(key) !== hex(rest))
          expect(textIn(written(text, version, [rest], domain), key)).toBeUndefined()
          const both = [key, rest].sort((a, b) => Buffer.compare(a, b))
          expect(textIn(written(text, version, both, domain), key)).not.toBe(hexOf(text))
        },
      ),
    )
  })

  it('is another or undefined when the message is cut, longer or changed anywhere', () => {
    const changes = fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 }))
    fc.assert(
      fc.property(
        texts,
        keys,
        fc.constantFrom<0 | 1>(0, 1),
        changes,
        (text, key, version, [place, change]) => {
          const whole = written(text, version, [key])
          for (let length = 0; length < whole.length; length++)
            expect(textIn(whole.subarray(0, length), key)).not.toBe(hexOf(text))
          expect(textIn(Uint8Array.from([...whole, 0]), key)).not.toBe(hexOf(text))
          const at = place % whole.length
          // An application domain and a format may be any.
          if (version === 0 && at >= 17 && at <= 49) return
          const changed = whole.slice()
          changed[at] = (whole[at] ?? 0) ^ change
          expect(textIn(changed, key)).not.toBe(hexOf(text))
        },
      ),
    )
  })

  it.each<[string, Uint8Array]>([
    ['has nothing after the signing domain', message()],
    [
      'has another signing domain',
      Uint8Array.from([0xff, ...bytesOf('solana offchaim'), 1, 1, ...key, ...HELLO]),
    ],
    ['is of version 2', message(2, 1, key, HELLO)],
    ['has no signer in version 1', message(1, 0, HELLO)],
    ['has the signer twice in version 1', message(1, 2, key, key, HELLO)],
    ['has another signer in version 1', message(1, 1, other, HELLO)],
    ['has half a signer in version 1', message(1, 1, key.subarray(16))],
    ['has no signer in version 0', message(0, other, 1, 0, 5, 0, HELLO)],
    ['has two signers in version 0', message(0, other, 1, 2, key, other, 5, 0, HELLO)],
    ['has another signer in version 0', message(0, other, 1, 1, other, 5, 0, HELLO)],
    ['has an unknown format', message(0, other, 3, 1, key, 5, 0, HELLO)],
    ['has an unknown format in the older form', message(0, 3, 5, 0, HELLO)],
    ['states a smaller length', message(0, other, 1, 1, key, 4, 0, HELLO)],
    ['states a larger length', message(0, other, 1, 1, key, 6, 0, HELLO)],
    ['states the length with the other byte first', message(0, other, 1, 1, key, 0, 5, HELLO)],
    ['states a smaller length in the older form', message(0, 1, 4, 0, HELLO)],
    ['ends in the application domain', message(0, other.subarray(1))],
    ['ends in the length', message(0, other, 1, 1, key, 5)],
  ])('is undefined when the envelope %s', (_, bytes) => {
    expect(textIn(bytes, key)).toBeUndefined()
  })

  it('is empty when the envelope has no text', () => {
    for (const bytes of [message(1, 1, key), message(0, 0, 0, 0), message(0, other, 1, 1, key, 0, 0)])
      expect(textIn(bytes, key)).toBe('')
  })

  it('ends where the stated length ends, for lengths of two bytes', () => {
    const text = 'a'.repeat(1000)
    expect(textIn(message(0, other, 1, 1, key, 0xe8, 3, bytesOf(text)), key)).toBe(hexOf(text))
    expect(OffchainMessageContentFormat.UTF8_1232_BYTES_MAX).toBe(1)
  })
})
