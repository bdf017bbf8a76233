import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { json, textOf, toJson } from '../../../lib/http/json.ts'

describe('toJson', () => {
  it('writes a bigint above 2^53 to the last digit', () => {
    expect(toJson({ amount: 9007199254740993n })).toBe('{"amount":9007199254740993}')
    expect(toJson(2n ** 200n)).toBe(String(2n ** 200n))
    expect(toJson(-1n)).toBe('-1')
  })

  it('writes bigints at any depth', () => {
    expect(toJson({ a: [{ b: 1n }, [2n, null]], c: { d: { e: 3n } } })).toBe(
      '{"a":[{"b":1},[2,null]],"c":{"d":{"e":3}}}',
    )
    fc.assert(
      fc.property(fc.bigInt(), (amount) => {
        expect(toJson({ deep: [[{ amount }]] })).toBe(`{"deep":[[{"amount":${amount}}]]}`)
      }),
    )
  })

  it('writes every integer exactly, below and above 2^53', () => {
    for (const amount of [2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, 10n ** 21n, 0n]) {
      expect(toJson([amount, -amount])).toBe(`[${amount},${-amount}]`)
    }
  })

  it('does not change its input', () => {
    const inner = Object.freeze({ amount: 1n, list: Object.freeze([2n]) })
    const value = Object.freeze({ inner, same: inner, text: 'a' })
    expect(toJson(value)).toBe('{"inner":{"amount":1,"list":[2]},"same":{"amount":1,"list":[2]},"text":"a"}')
    expect(inner).toEqual({ amount: 1n, list: [2n] })
  })

  it('writes a member called __proto__ like any other', () => {
    const text = '{"a":0,"__proto__":{"b":1}}'
    const value = JSON.parse(text)
    expect(toJson({ ...value, a: 5n })).toBe('{"a":5,"__proto__":{"b":1}}')
    const withAmount = JSON.parse(text, (key, member) => (key === 'b' ? 7n : member))
    expect(toJson(withAmount)).toBe('{"a":0,"__proto__":{"b":7}}')
    expect(toJson({ at: new Date(0), amount: 1n })).toBe('{"at":"1970-01-01T00:00:00.000Z","amount":1}')
  })

  it('omits undefined members at any depth', () => {
    expect(toJson({ a: undefined, b: { c: undefined, d: 1 } })).toBe('{"b":{"d":1}}')
  })

  it('is otherwise plain JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(toJson(value)).toBe(JSON.stringify(value))
      }),
    )
  })
})

describe('json', () => {
  it('makes a response with the media type, the status and the headers', async () => {
    const response = json({ amount: 2n ** 60n }, 201, { location: '/v1/agents/1' })
    expect(response.status).toBe(201)
    expect(Object.fromEntries(response.headers)).toEqual({
      'content-type': 'application/json',
      location: '/v1/agents/1',
    })
    expect(await response.text()).toBe('{"amount":1152921504606846976}')
  })

  it('stores its text, for the ETag', async () => {
    const response = json({ amount: 2n ** 60n, text: 'ü' })
    expect(textOf(response)).toBe(await response.text())
    expect(textOf(new Response('{}'))).toBeUndefined()
  })

  it('has status 200 by default', () => {
    expect(json({}).status).toBe(200)
  })
})
