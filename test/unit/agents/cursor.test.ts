import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  decodeCursor,
  decodeNeedCursor,
  encodeCursor,
  encodeNeedCursor,
  isNeedCursor,
} from '../../../lib/agents/listing/cursor.ts'
import { ApiError } from '../../../lib/api-error.ts'
import { agentSorts } from '../../../schema/values.ts'

const ID = '0190a1b2-0000-7000-8000-00000000000f'
const encoded = (text: string) => Buffer.from(text).toString('base64url')

function expectRefused(cursor: string) {
  let error: unknown
  try {
    decodeCursor(cursor)
  } catch (thrown) {
    error = thrown
  }
  expect(error, cursor).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ code: 'invalid_request', details: { errors: [{ path: 'cursor' }] } })
}

describe('a cursor', () => {
  it('decodes to the position that it encodes, to the last digit', () => {
    const scores = fc.double({ min: 0, max: 100, noNaN: true })
    fc.assert(
      fc.property(scores, fc.uuid(), (sortKey, id) => {
        expect(decodeCursor(encodeCursor({ sortKey, id }))).toEqual({ sortKey, id })
      }),
    )
  })

  it('is rejected by a list in another order', () => {
    const place = { sortKey: 1.5, id: ID }
    expect(decodeCursor(encodeCursor(place, 'newest'), 'newest').id).toBe(ID)
    expectRefused(encodeCursor(place, 'newest'))
    expect(() => decodeCursor(encodeCursor(place), 'newest')).toThrow(ApiError)
    for (const sort of agentSorts)
      for (const wanted of agentSorts.filter((other) => other !== sort)) {
        expect(() => decodeCursor(encodeCursor(place, sort), wanted)).toThrow(ApiError)
        expect(() => decodeNeedCursor(encodeNeedCursor(undefined, sort), wanted)).toThrow(ApiError)
      }
  })

  it('of a search by need is told from one of the list, and decodes to its position', () => {
    const position = { isClose: true, keys: [50, 1.25] as [number, number], id: ID }
    for (const sort of agentSorts) {
      for (const last of [undefined, position]) {
        const cursor = encodeNeedCursor(last, sort)
        expect(isNeedCursor(cursor)).toBe(true)
        expect(decodeNeedCursor(cursor, sort)).toEqual(last)
        expect(() => decodeCursor(cursor, sort)).toThrow(ApiError)
      }
      const ofList = encodeCursor({ sortKey: 1.5, id: ID }, sort)
      expect(isNeedCursor(ofList)).toBe(false)
      expect(() => decodeNeedCursor(ofList, sort)).toThrow(ApiError)
    }
  })

  it('needs no escaping in a URL', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 100, noNaN: true }), fc.uuid(), (sortKey, id) => {
        expect(encodeCursor({ sortKey, id })).toMatch(/^[\w-]+$/)
      }),
    )
  })

  it('contains only the position', () => {
    const agent = { sortKey: 1.5, id: ID, webhookUrl: 'https://secret.example.com' }
    expect(Buffer.from(encodeCursor(agent), 'base64url').toString()).toBe(JSON.stringify([1.5, ID]))
  })

  it.each([
    ['nothing', ''],
    ['no Base64', '!!!'],
    ['padded', `${encoded(JSON.stringify([1, ID]))}=`],
    ['no JSON', encoded('x')],
    ['no list', encoded(JSON.stringify({ sortKey: 1, id: ID }))],
    ['too short a list', encoded(JSON.stringify([1]))],
    ['too long a list', encoded(JSON.stringify([1, ID, 1]))],
    ['a score that is text', encoded(JSON.stringify(['1', ID]))],
    ['a score that is null', encoded(JSON.stringify([null, ID]))],
    ['an infinite score', encoded(`[1e999,"${ID}"]`)],
    ['an id that is none', encoded(JSON.stringify([1, "' or 1=1 --"]))],
    ['an id with more after it', encoded(JSON.stringify([1, `${ID}\n`]))],
    ['a nesting too deep to read', encoded('['.repeat(100_000))],
  ])('that is %s is refused', (_what, cursor) => {
    expectRefused(cursor)
  })

  it('is rejected when it is any other text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), expectRefused))
    fc.assert(fc.property(fc.json(), (text) => expectRefused(encoded(text))))
  })
})
