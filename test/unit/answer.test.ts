import * as v from 'valibot'
import { expect, it } from 'vitest'
import { answer } from '../../lib/answer.ts'
import { Timestamp, WireAmount } from '../../schema/wire/common.ts'

const Part = v.strictObject({ at: Timestamp, note: v.optional(v.string()) })
const Whole = v.pipe(
  v.strictObject({
    id: v.string(),
    amount: WireAmount,
    part: v.optional(Part),
    parts: v.array(Part),
    layers: v.array(v.number()),
  }),
  v.check(() => true),
)
const AT = new Date('2026-11-21T12:00:00.123Z')
const row = { id: 'a', amount: 2n ** 60n, part: null, parts: [], layers: [1, 2] }

it('has exactly the fields that the schema names, at every depth', () => {
  const secret = { ...row, webhookSecret: 'whsec_', parts: [{ at: AT, note: 'x', webhookSecret: 'whsec_' }] }
  expect(answer(Whole, secret)).toStrictEqual({
    id: 'a',
    amount: 2n ** 60n,
    parts: [{ at: AT.toISOString(), note: 'x' }],
    layers: [1, 2],
  })
})

it('writes times as text and leaves out what is null or undefined', () => {
  const part = { at: '2026-11-21T12:00:00.000Z', note: undefined }
  expect(answer(Whole, { ...row, part, parts: [{ at: AT, note: null }] })).toStrictEqual({
    id: 'a',
    amount: 2n ** 60n,
    part: { at: part.at },
    parts: [{ at: AT.toISOString() }],
    layers: [1, 2],
  })
})

it('takes only rows that fit the schema', () => {
  const { part: _, ...unnamed } = row
  // @ts-expect-error an optional field is named, too
  answer(Whole, unnamed)
  // @ts-expect-error a required field is never null
  answer(Whole, { ...row, id: null })
  // @ts-expect-error an amount is a bigint
  answer(Whole, { ...row, amount: 1 })
  // @ts-expect-error also in a list
  answer(Whole, { ...row, parts: [{ at: AT }] })
})
