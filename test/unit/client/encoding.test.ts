import * as scure from '@scure/base'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { base58, fromBase64, toBase64 } from '../../../lib/client/encoding.ts'

const bytes = fc.uint8Array({ maxLength: 80 })

it('Base58 is what other software writes, with leading zeros too', () => {
  fc.assert(
    fc.property(fc.nat(3), bytes, (zeros, tail) => {
      const all = new Uint8Array([...Array(zeros).fill(0), ...tail])
      expect(base58(all)).toBe(scure.base58.encode(all))
    }),
  )
})

it('Base64 is what other software writes, and is read back', () => {
  fc.assert(
    fc.property(bytes, (all) => {
      expect(toBase64(all)).toBe(scure.base64.encode(all))
      expect(fromBase64(toBase64(all))).toEqual(all)
    }),
  )
})
