import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { Point } from '@noble/ed25519'
import { PublicKey } from '@solana/web3.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isStrictPoint, verifiesAny } from '../../../lib/keys/signature.ts'
import {
  bytesOf,
  edgeEncodings,
  noPointsOfTheCurve,
  type SignatureCase,
  satisfiesEquation,
  scalarHex,
  signedZeros,
  smallOrderForgeries,
  smallOrderPoints,
  speccheckCases,
  systemProgramForgeries,
  withSign,
  wycheproofCases,
} from '../../support/signatures.ts'

const isAccepted = ({ publicKey, signature, message }: SignatureCase) =>
  verifiesAny(bytesOf(publicKey), bytesOf(signature), [bytesOf(message)])

function signer() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const spki = publicKey.export({ format: 'der', type: 'spki' })
  return { privateKey, publicKey: new Uint8Array(spki.subarray(-32)) }
}

const signed = (key: KeyObject, message: Uint8Array) => new Uint8Array(sign(null, message, key))

describe('published vectors', () => {
  it('has all of them', () => {
    expect(wycheproofCases()).toHaveLength(151)
    expect(wycheproofCases().filter(({ accepted }) => accepted)).toHaveLength(88)
    expect(speccheckCases()).toHaveLength(12)
  })

  it.each(wycheproofCases())('$name: accepted $accepted', async (vector) => {
    expect(await isAccepted(vector)).toBe(vector.accepted)
  })

  it.each(speccheckCases())('$name: accepted $accepted', async (vector) => {
    expect(await isAccepted(vector)).toBe(vector.accepted)
  })
})

describe('points of small order', () => {
  it('are eight different ones', () => {
    const points = smallOrderPoints()
    expect(new Set(points.map((point) => point.toHex())).size).toBe(8)
    for (const point of points) expect(point.isSmallOrder()).toBe(true)
  })

  it.each(smallOrderForgeries())(
    'refuses a signature that satisfies the equation: $name',
    async (forgery) => {
      expect(satisfiesEquation(forgery)).toBe(true)
      expect(await isAccepted(forgery)).toBe(false)
    },
  )

  it('rejects their other encodings as a key', async () => {
    const p = Point.CURVE().p
    // y = 0 and 1 written as p and p + 1, and x = 0 with a sign.
    const zeroAndOne = [p, p + 1n].map((y) => bytesOf(scalarHex(y)))
    const encodings = [...zeroAndOne, ...zeroAndOne.map(withSign), ...signedZeros()].map((bytes) =>
      Buffer.from(bytes).toString('hex'),
    )
    for (const publicKey of encodings) {
      for (const signature of [`01${'00'.repeat(63)}`, `${scalarHex(p - 1n)}${'00'.repeat(32)}`]) {
        for (let i = 0; i < 16; i++) {
          const message = Buffer.from([i]).toString('hex')
          expect(await isAccepted({ name: '', publicKey, signature, message, accepted: false })).toBe(false)
        }
      }
    }
  })

  it('rejects the System Program key for every message', async () => {
    const forgeries = systemProgramForgeries(200)
    expect(forgeries.map(satisfiesEquation)).toContain(true)
    expect(await Promise.all(forgeries.map(isAccepted))).not.toContain(true)
  })
})

describe('verifiesAny', () => {
  it('accepts a signature of any of the messages', async () => {
    const messages = fc.array(fc.uint8Array({ maxLength: 300 }), { minLength: 1, maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(messages, fc.nat(), async (all, pick) => {
        const { privateKey, publicKey } = signer()
        const signature = signed(privateKey, all[pick % all.length] ?? new Uint8Array())
        expect(
          await verifiesAny(
            publicKey,
            signature,
            all.map((message) => new Uint8Array(message)),
          ),
        ).toBe(true)
      }),
    )
  })

  it('rejects a signature of another message, by another key, or with one bit changed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 100 }), fc.nat(511), async (text, bit) => {
        const message = new Uint8Array(text)
        const { privateKey, publicKey } = signer()
        const signature = signed(privateKey, message)
        expect(await verifiesAny(publicKey, signature, [new Uint8Array([...message, 0])])).toBe(false)
        expect(await verifiesAny(signer().publicKey, signature, [message])).toBe(false)
        const changed = signature.map((byte, i) => (i === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte))
        expect(await verifiesAny(publicKey, changed, [message])).toBe(false)
      }),
    )
  })

  it('rejects a signature whose S has the group order added', async () => {
    const { privateKey, publicKey } = signer()
    const message = new Uint8Array([1, 2, 3])
    const hex = Buffer.from(signed(privateKey, message)).toString('hex')
    const s = BigInt(`0x${Buffer.from(hex.slice(64), 'hex').reverse().toString('hex')}`)
    const malleated = bytesOf(hex.slice(0, 64) + scalarHex(s + Point.CURVE().n))
    expect(await verifiesAny(publicKey, malleated, [message])).toBe(false)
  })

  it('rejects keys and signatures of another length without throwing', async () => {
    const { privateKey, publicKey } = signer()
    const message = new Uint8Array([1])
    const signature = signed(privateKey, message)
    for (const length of [0, 31, 33, 64]) {
      expect(await verifiesAny(new Uint8Array(length), signature, [message])).toBe(false)
    }
    for (const length of [0, 32, 63]) {
      expect(await verifiesAny(publicKey, signature.slice(0, length), [message])).toBe(false)
    }
    expect(await verifiesAny(publicKey, new Uint8Array([...signature, 0]), [message])).toBe(false)
  })

  it('rejects a key or an R that is not a point of the curve', async () => {
    const { privateKey, publicKey } = signer()
    const message = new Uint8Array([1])
    const signature = signed(privateKey, message)
    const noPoints = noPointsOfTheCurve(20)
    for (const noPoint of noPoints) {
      expect(await verifiesAny(noPoint, signature, [message])).toBe(false)
      const altered = new Uint8Array([...noPoint, ...signature.subarray(32)])
      expect(await verifiesAny(publicKey, altered, [message])).toBe(false)
    }
  })

  it('rejects when there is no message', async () => {
    const { privateKey, publicKey } = signer()
    expect(await verifiesAny(publicKey, signed(privateKey, new Uint8Array()), [])).toBe(false)
  })
})

describe('isStrictPoint', () => {
  it('agrees with web3.js, except for points of small order', () => {
    const smallOrder = new Set(smallOrderPoints().map((point) => String(point.toBytes())))
    const random = Array.from({ length: 300 }, () => new Uint8Array(randomBytes(32)))
    for (const bytes of [...edgeEncodings(), ...signedZeros(), ...random]) {
      const expected = PublicKey.isOnCurve(bytes) && !smallOrder.has(String(bytes))
      expect(isStrictPoint(bytes), String(bytes)).toBe(expected)
    }
  })

  it('rejects the eight points of small order, and accepts their sums with a key', () => {
    const key = Point.fromBytes(signer().publicKey)
    for (const point of smallOrderPoints()) {
      expect(isStrictPoint(point.toBytes())).toBe(false)
      expect(isStrictPoint(point.add(key).toBytes())).toBe(true)
    }
  })

  it('rejects bytes of another length', () => {
    const { publicKey } = signer()
    expect(isStrictPoint(publicKey.subarray(1))).toBe(false)
    expect(isStrictPoint(new Uint8Array([...publicKey, 0]))).toBe(false)
  })
})
