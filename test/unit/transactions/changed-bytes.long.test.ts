import { describe, expect, it } from 'vitest'
import { signedRaw } from '../../support/raw-message.ts'
import { claim, errorOf, messageOf, owner } from '../../support/tampering.ts'
import { createWallet, PHANTOM } from '../../support/wallets.ts'

/** The check's word, which is the oracle's as well. */
const verdictOn = async (recorded: string, submitted: string): Promise<boolean> =>
  (await errorOf(recorded, submitted)) === undefined

describe('every byte of a signed transaction', () => {
  it.each([0x01, 0xff])('changed by %d is refused under the old signature', async (mask) => {
    const recorded = claim
    const signed = Buffer.from(createWallet(owner, PHANTOM).sign(recorded), 'base64')
    for (let at = 0; at < signed.length; at += 1) {
      const changed = Buffer.from(signed)
      changed[at] = (changed[at] ?? 0) ^ mask
      expect(await verdictOn(recorded, changed.toString('base64')), `byte ${at}`).toBe(false)
    }
  })

  it.each([0x01, 0xff])(
    'changed by %d and signed again is cosigned where the rule allows it',
    async (mask) => {
      const recorded = claim
      const message = messageOf(createWallet(owner, PHANTOM).sign(recorded))
      let cosigned = 0
      for (let at = 0; at < message.length; at += 1) {
        const changed = new Uint8Array(message)
        changed[at] = (changed[at] ?? 0) ^ mask
        if (await verdictOn(recorded, signedRaw(owner, changed, 2))) cosigned += 1
      }
      // The blockhash, and what guards and the compute budget say.
      expect(cosigned).toBeGreaterThan(32)
    },
  )

  it('left out, or given twice, is refused', async () => {
    const recorded = claim
    const message = messageOf(createWallet(owner, PHANTOM).sign(recorded))
    for (let at = 0; at <= message.length; at += 1) {
      const without = new Uint8Array([...message.subarray(0, at), ...message.subarray(at + 1)])
      const twice = new Uint8Array([...message.subarray(0, at + 1), ...message.subarray(at)])
      if (at < message.length) await verdictOn(recorded, signedRaw(owner, without, 2))
      expect(await verdictOn(recorded, signedRaw(owner, twice, 2)), `byte ${at}`).toBe(at === message.length)
    }
  })
})
