import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../../../lib/api-error.ts'
import { decodeCursor, encodeCursor } from '../../../lib/registry/list-queries.ts'
import { times, wallets } from '../../support/arbitraries.ts'

const PUBKEY = '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T'
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

describe('a cursor of the registry', () => {
  it('decodes to its values', () => {
    fc.assert(
      fc.property(times, wallets, (registeredAt, pubkey) => {
        expect(decodeCursor(encodeCursor({ registeredAt, pubkey }))).toEqual({ registeredAt, pubkey })
      }),
    )
  })

  it.each([
    ['nothing', ''],
    ['no list', encoded({ registeredAt: 1, pubkey: PUBKEY })],
    ['a time that is text', encoded(['2026-11-20', PUBKEY])],
    ['a time with a fraction', encoded([1.5, PUBKEY])],
    ['a time that has no plain text', encoded([253_402_300_800_000, PUBKEY])],
    ['a time before 1970', encoded([-1, PUBKEY])],
    ['a key that is no wallet', encoded([1, "' or 1=1 --"])],
  ])('that is %s is rejected', (_what, cursor) => {
    expect(() => decodeCursor(cursor)).toThrow(ApiError)
  })
})
