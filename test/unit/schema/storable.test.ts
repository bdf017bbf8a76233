import fc from 'fast-check'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { makeCursor, readCursor } from '../../../lib/cursor.ts'
import { parse } from '../../../lib/http/validate.ts'
import { unstorableTexts } from '../../../schema/storable.ts'

const HALF = '\ud800'

it('finds every text that can not be stored by its path, names of members among them', () => {
  const value = {
    a: 'x',
    b: ['x', 'x\0', { c: HALF }],
    d: { [`e${HALF}`]: 1 },
    f: null,
    g: 1n,
    h: new Date(0),
  }
  expect(unstorableTexts(value)).toEqual([
    { path: 'b.1', message: 'must not contain U+0000' },
    { path: `d.e${HALF}`, message: 'must be well-formed Unicode' },
    { path: 'b.2.c', message: 'must be well-formed Unicode' },
  ])
  expect(unstorableTexts('\0')).toEqual([{ path: '', message: 'must not contain U+0000' }])
})

it('finds none in what JSON in UTF-8 can say without U+0000', () => {
  const storable = fc
    .jsonValue({ stringUnit: 'binary' })
    .filter((value) => !/\\u0000/.test(JSON.stringify(value)))
  fc.assert(fc.property(storable, (value) => unstorableTexts(value).length === 0))
})

it('finds a text at any depth, and names its field in few words', () => {
  const deep: unknown = JSON.parse(`${'['.repeat(30_000)}"\\u0000"${']'.repeat(30_000)}`)
  expect(unstorableTexts(deep)).toHaveLength(1)
  expect(() => parse(v.unknown(), deep)).toThrow(
    expect.objectContaining({
      details: { errors: [{ path: '0.'.repeat(50), message: 'must not contain U+0000' }] },
    }),
  )
})

it('guards what any schema lets pass, of a request and of a cursor', () => {
  const field = v.strictObject({ field: v.record(v.string(), v.unknown()) })
  expect(() => parse(field, { field: { a: [`\0`] } })).toThrow('field.a.0 must not contain U+0000.')
  expect(() => parse(field, { field: { [HALF]: 1 } })).toThrow('must be well-formed Unicode')
  for (const text of ['\0', HALF])
    expect(() => readCursor(v.unknown(), makeCursor([text]))).toThrow('cursor was not issued by this list.')
  expect(readCursor(v.unknown(), makeCursor(['😀']))).toEqual(['😀'])
})
