import * as scure from '@scure/base'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fromBase64, toBase64 } from '../../../lib/client/encoding.ts'
import { base58 } from '../../../lib/client/index.ts'

const bytes = fc.uint8Array({ maxLength: 80 })

it('writes and reads Base58 as other software does, with leading zeros too', () => {
  fc.assert(
    fc.property(fc.nat(3), bytes, (zeros, tail) => {
      const all = new Uint8Array([...Array(zeros).fill(0), ...tail])
      expect(base58.encode(all)).toBe(scure.base58.encode(all))
      expect(base58.decode(scure.base58.encode(all))).toEqual(all)
    }),
  )
})

it.each(['0', 'O', 'I', 'l', 'ab c', 'é'])('refuses to decode %j, which is not Base58', (text) => {
  expect(() => base58.decode(text)).toThrow(TypeError)
})

it('Base64 is what other software writes, and is read back', () => {
  fc.assert(
    fc.property(bytes, (all) => {
      expect(toBase64(all)).toBe(scure.base64.encode(all))
      expect(fromBase64(toBase64(all))).toEqual(all)
    }),
  )
})
