import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readableJson } from '../../../lib/tools/description/text.ts'

it('writes a list of scalars or an object of one scalar on one line if it fits', () => {
  expect(
    readableJson({
      required: ['id', 'name'],
      list: [{ a: 1 }, { a: 1, b: 2 }],
      long: ['x'.repeat(120)],
      none: [],
    }),
  ).toBe(`{
  "required": ["id", "name"],
  "list": [
    { "a": 1 },
    {
      "a": 1,
      "b": 2
    }
  ],
  "long": [
    "${'x'.repeat(120)}"
  ],
  "none": []
}`)
})

it('changes no value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(readableJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
    }),
    { examples: [[{ a: ['",\n  "b"', '[', ']', '{}', 1e21, -0.5, null, true] }], [[['x'], ['y']]]] },
  )
})
