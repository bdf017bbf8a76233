import { randomBytes } from 'node:crypto'
import { getAddressDecoder, isOffCurveAddress } from '@solana/kit'
import { PublicKey } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { isOnCurve } from '../../../lib/solana/address.ts'
import { edgeEncodings, isCanonical, signedZeros, smallOrderPoints } from '../../support/signatures.ts'

const isOnCurveOfKit = (bytes: Uint8Array) => !isOffCurveAddress(getAddressDecoder().decode(bytes))

describe('isOnCurve', () => {
  it('agrees with web3.js and kit when bytes are random', () => {
    for (let i = 0; i < 2_000; i++) {
      const bytes = randomBytes(32)
      const is = isOnCurve(bytes)
      expect([PublicKey.isOnCurve(bytes), isOnCurveOfKit(bytes)], bytes.toString('hex')).toEqual([is, is])
    }
  })

  it('agrees with kit at the edges, and with web3.js when they are canonical', () => {
    for (const bytes of edgeEncodings()) {
      expect(isOnCurve(bytes), String(bytes)).toBe(isOnCurveOfKit(bytes))
      if (isCanonical(bytes)) expect(isOnCurve(bytes), String(bytes)).toBe(PublicKey.isOnCurve(bytes))
    }
  })

  it('is true of points of small order, and of x = 0 with a sign', () => {
    // The runtime decompresses a signed zero as ZIP 215 does; web3.js and kit refuse it.
    const points = [...smallOrderPoints().map((point) => point.toBytes()), ...signedZeros()]
    expect(points.map(isOnCurve)).toEqual(points.map(() => true))
  })
})
