import { base64urlnopad } from '@scure/base'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { makeCursor, pageOf, readCursor } from '../../lib/cursor.ts'

describe('a page', () => {
  it.each([
    { read: 0, rows: 0, hasMore: false },
    { read: 2, rows: 2, hasMore: false },
    { read: 3, rows: 3, hasMore: false },
    { read: 4, rows: 3, hasMore: true },
  ])('of at most 3, of $read that were read, has $rows', ({ read, rows, hasMore }) => {
    const all = Array.from({ length: read }, (_, n) => n)
    expect(pageOf(all, 3)).toEqual({ rows: all.slice(0, rows), last: all[rows - 1], hasMore })
  })
})

describe('a cursor', () => {
  const Parts = v.strictTuple([v.number(), v.string()])

  it('opens as the value that was encoded, for any text', () => {
    for (const parts of [
      [0, ''],
      [1.5, 'ß🤖"\\'],
    ])
      expect(readCursor(Parts, makeCursor(parts))).toEqual(parts)
  })

  it.each([
    '',
    '!',
    'e30',
    base64urlnopad.encode(Uint8Array.from('[1,"\xe9"]', (c) => c.charCodeAt(0))),
    makeCursor([1]),
    makeCursor([1, 'a', 2]),
    makeCursor([1, 'a\u0000']),
  ])('from another list is refused by its parameter: %s', (cursor) => {
    expect(() => readCursor(Parts, cursor, 'pageToken')).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        details: expect.objectContaining({
          errors: [{ path: 'pageToken', message: 'was not issued by this list' }],
        }),
      }),
    )
  })
})
