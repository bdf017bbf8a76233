import { describe, expect, it } from 'vitest'
import { checkWalletFirst } from '../../../lib/transactions/cosigning/check.ts'
import type { CosignError } from '../../../lib/transactions/cosigning/errors.ts'
import { checkParties, claimFor } from '../../support/cosigning.ts'
import { insertKey, rawOf, shortest, signedRaw, writeRaw } from '../../support/raw-message.ts'
import {
  authority,
  changed,
  claim,
  errorOf,
  guardIn,
  messageOf,
  owner,
  stranger,
} from '../../support/tampering.ts'
import { createWallet, PHANTOM } from '../../support/wallets.ts'

describe('the form', () => {
  const message = messageOf(createWallet(owner, PHANTOM).sign(claim))
  const submitted = signedRaw(owner, message, 2)
  const raw = rawOf(message)
  const signed = (bytes: Uint8Array | number[], slots = 2) => signedRaw(owner, new Uint8Array(bytes), slots)
  /** A length of one byte in two. */
  const longer = (length: number) => (length < 0x80 ? [length | 0x80, 0] : shortest(length))

  it.each<[string, CosignError, string]>([
    ['nothing', 'malformed', ''],
    ['no Base64', 'malformed', '*'],
    ['Base64 of another alphabet', 'malformed', `${submitted.slice(0, -4)}-_==`],
    ['Base64 with a line break', 'malformed', `${submitted}\n`],
    ['a text of a megabyte', 'malformed', 'A'.repeat(1_000_000)],
    ['a byte behind the message', 'malformed', signed([...message, 0])],
    ['a message that ends early', 'malformed', signed(message.subarray(0, -1))],
    ['no message', 'malformed', signed([])],
    ['lengths not in their shortest form', 'malformed', signed(writeRaw(raw, longer))],
    ['a length of four bytes', 'malformed', signed(writeRaw(raw, (n) => [n | 0x80, 0x80, 0x80, 0]))],
    ['65,535 accounts', 'malformed', signed([2, 1, 5, 0xff, 0xff, 3, ...message.subarray(4)])],
    ['a length beyond 16 bits', 'malformed', signed([2, 1, 5, 0xff, 0xff, 0x7f, ...message.subarray(4)])],
    ['no signer', 'malformed', signed([0, ...message.subarray(1)], 0)],
    ['one signature less than signers', 'malformed', signed(message, 1)],
    ['one signature more than signers', 'malformed', signed(message, 3)],
    ['version 1', 'unsupported_version', signed([0x81, ...message])],
    ['version 127', 'unsupported_version', signed([0xff, ...message])],
    [
      'version 1 as it is sent',
      'malformed',
      Buffer.from([0x81, ...message, ...new Uint8Array(128)]).toString('base64'),
    ],
    ['version 0 without the end', 'malformed', signed([0x80, ...message])],
    ['version 0 with a byte behind it', 'malformed', signed([0x80, ...message, 0, 0])],
    [
      'a lookup table',
      'lookup_tables',
      signed([0x80, ...message, 1, ...new Uint8Array(32).fill(9), 1, 0, 1, 1]),
    ],
    ['lookup tables by count alone', 'lookup_tables', signed([0x80, ...message, 3])],
    [
      'an instruction that names an account of a lookup table',
      'malformed',
      changed(claim, (one) => {
        one.version = 0x80
        one.tail = [1, ...new Uint8Array(32).fill(9), 1, 0, 0]
        guardIn(one).accounts.push(one.keys.length)
      }),
    ],
  ])('may not be %s: %s', async (_, error, text) => {
    expect(await errorOf(claim, text)).toBe(error)
  })

  it('may not be another text for the same bytes', async () => {
    let padded = 0
    for (const text of ['a', 'ab', 'abc']) {
      const recorded = claimFor({ owner, authority: authority.publicKey }, text)
      const signed = createWallet(owner).sign(recorded)
      const last = signed.search(/.=+$/)
      if (last < 0) continue
      padded += 1
      // The digit before the padding has bits that a lenient reader drops.
      const digit = String.fromCharCode(signed.charCodeAt(last) + 1)
      const other = signed.slice(0, last) + digit + signed.slice(last + 1)
      expect(Buffer.from(other, 'base64')).toEqual(Buffer.from(signed, 'base64'))
      expect([await errorOf(recorded, signed), await errorOf(recorded, other)]).toEqual([
        undefined,
        'malformed',
      ])
    }
    expect(padded).toBe(2)
  })

  it('may be of 1,232 bytes, and not of one more', async () => {
    const sized = (bytes: number) => {
      const room = bytes - Buffer.from(submitted, 'base64').length
      const wire = changed(claim, (one) => {
        const { data } = guardIn(one)
        // A length of 128 or more takes a second byte.
        data.push(...new Uint8Array(room - (data.length + room > 0x7f ? 1 : 0)))
      })
      expect(Buffer.from(wire, 'base64')).toHaveLength(bytes)
      return wire
    }
    expect(await errorOf(claim, sized(1232))).toBeUndefined()
    expect(await errorOf(claim, sized(1233))).toBe('malformed')
  })

  it('must be that of the recorded transaction', async () => {
    await expect(checkWalletFirst('', submitted, checkParties)).rejects.toThrow(TypeError)
    const third = changed(claim, (one) => {
      insertKey(one, stranger, 2)
      one.header[0] += 1
      one.header[1] += 1
    })
    await expect(checkWalletFirst(third, submitted, checkParties)).rejects.toThrow(TypeError)
    const writable = changed(claim, (one) => {
      one.header[1] = 0
    })
    await expect(checkWalletFirst(writable, submitted, checkParties)).rejects.toThrow(TypeError)
  })
})
