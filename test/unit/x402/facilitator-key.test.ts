import { base64urlnopad } from '@scure/base'
import { describe, expect, it } from 'vitest'
import { readFacilitatorKey, writeFacilitatorKey } from '../../../lib/x402/keys/facilitator-key.ts'

const secret = base64urlnopad.encode(new Uint8Array(32).fill(5))
const agentId = '0199a3c0-1111-7222-8333-444455556666'

describe('a key of the facilitator', () => {
  it.each([1, 2, 2 ** 31 - 1])('is read as it was made, with version %i', async (keyVersion) => {
    const key = await writeFacilitatorKey(secret, { agentId, keyVersion })
    expect(key).toMatch(/^[\w-]{70}$/)
    expect(await readFacilitatorKey(secret, key)).toEqual({ agentId, keyVersion })
  })

  it('is refused with any character changed, left out or added', async () => {
    const key = await writeFacilitatorKey(secret, { agentId, keyVersion: 3 })
    for (let at = 0; at < key.length; at += 1) {
      const other = key[at] === 'A' ? 'B' : 'A'
      expect(await readFacilitatorKey(secret, key.slice(0, at) + other + key.slice(at + 1))).toBeUndefined()
      expect(await readFacilitatorKey(secret, key.slice(0, at) + key.slice(at + 1))).toBeUndefined()
    }
    for (const other of [
      '',
      `${key}A`,
      `${key}=`,
      'x'.repeat(100_000),
      key.slice(0, 69),
      `${key.slice(0, 69)}!`,
    ])
      expect(await readFacilitatorKey(secret, other)).toBeUndefined()
  })

  it('is refused under another secret, and of a version that is never made', async () => {
    const other = base64urlnopad.encode(new Uint8Array(32).fill(6))
    expect(
      await readFacilitatorKey(secret, await writeFacilitatorKey(other, { agentId, keyVersion: 1 })),
    ).toBeUndefined()
    expect(
      await readFacilitatorKey(secret, await writeFacilitatorKey(secret, { agentId, keyVersion: 0 })),
    ).toBeUndefined()
  })
})
