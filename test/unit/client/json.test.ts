import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AMOUNT_FIELDS } from '../../../lib/client/generated/facts.ts'
import { parseBySource, parseByTokens, parseJson, writeJson } from '../../../lib/client/json.ts'

const parsers = { parseJson, parseBySource, parseByTokens }
const [amountField = ''] = AMOUNT_FIELDS

/** Any JSON, including amounts of any size and strings that look like JSON. */
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { maxDepth: 5, depthSize: 'medium' },
    fc.jsonValue(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('"', '\\', '{"amount":1}', '1]', '\u2028', '\\"amount\\":2'),
    fc.array(tie('json')),
    fc.dictionary(
      fc.oneof(fc.constantFrom(...AMOUNT_FIELDS, '__proto__', 'amounts', ''), fc.string()),
      tie('json'),
    ),
  ),
}))

/** The same value with any white space that JSON allows. */
const spaced = fc
  .tuple(json, fc.constantFrom('', ' ', '\t', '\n  '))
  .map(([value, space]) => JSON.stringify(value, null, space))

describe('parsing', () => {
  it('is the same on runtimes with and without the source text', () => {
    fc.assert(
      fc.property(spaced, (text) => {
        expect(parseByTokens(text)).toEqual(parseBySource(text))
      }),
    )
  })

  it('differs from JSON.parse in amounts alone', () => {
    const rounded = (value: unknown): unknown =>
      JSON.parse(JSON.stringify(value, (_key, part) => (typeof part === 'bigint' ? Number(part) : part)))
    fc.assert(
      fc.property(spaced, (text) => {
        expect(rounded(parseByTokens(text))).toEqual(JSON.parse(text))
      }),
    )
  })

  it.each(Object.entries(parsers))('%s keeps every digit of an amount', (_name, parse) => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }), (amount) => {
        const text = `{"${amountField}":${amount},"list":[{"${amountField}":${amount}}],"id":1}`
        expect(parse(text)).toEqual({ [amountField]: amount, list: [{ [amountField]: amount }], id: 1 })
      }),
    )
  })

  it.each(Object.entries(parsers))('%s makes a bigint of whole amounts alone', (_name, parse) => {
    const text = `{"${amountField}":1.5,"a":{"${amountField}":1e3},"b":{"${amountField}":"7"},"c":[3],"d":4}`
    expect(parse(text)).toEqual(JSON.parse(text))
    expect(parse(`{"${amountField}":null}`)).toEqual({ [amountField]: null })
  })

  it.each(Object.entries(parsers))('%s takes __proto__ for a name like any other', (_name, parse) => {
    const parsed = parse('{"__proto__":{"polluted":true}}') as Record<string, unknown>
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype)
    expect(Object.keys(parsed)).toEqual(['__proto__'])
  })

  it.each(['', '{', '[1,]', '{"a" 1}', 'NaN', '01', '"\n"', '{"a":1}}', '\u00a0'])(
    '%j is refused',
    (text) => {
      for (const parse of Object.values(parsers)) expect(() => parse(text)).toThrow(SyntaxError)
    },
  )

  it('takes a text of a megabyte', () => {
    const text = JSON.stringify({ long: '\\"x'.repeat(300_000), [amountField]: 1 })
    expect(parseByTokens(text)).toEqual({ ...JSON.parse(text), [amountField]: 1n })
  })
})

describe('writing', () => {
  it('writes every amount of a request as its integer, and nothing else', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 53n - 1n }), (amount) => {
        expect(writeJson({ a: amount, b: [amount], c: 'x', d: undefined })).toBe(
          `{"a":${amount},"b":[${amount}],"c":"x"}`,
        )
      }),
    )
  })

  it.each([2n ** 53n, -(2n ** 53n), 2n ** 64n])('refuses %d, which a number would round', (amount) => {
    expect(() => writeJson({ amount })).toThrow(RangeError)
  })
})
