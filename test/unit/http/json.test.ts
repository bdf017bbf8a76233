import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { json, toJson } from '../../../lib/http/json.ts'

describe('toJson', () => {
  it('writes a bigint above 2^53 to the last digit', () => {
    expect(toJson({ amount: 9007199254740993n })).toBe('{"amount":9007199254740993}')
    expect(toJson(2n ** 200n)).toBe(String(2n ** 200n))
    expect(toJson(-1n)).toBe('-1')
  })

  it('writes bigints wherever they stand', () => {
    expect(toJson({ a: [{ b: 1n }, [2n, null]], c: { d: { e: 3n } } })).toBe(
      '{"a":[{"b":1},[2,null]],"c":{"d":{"e":3}}}',
    )
    fc.assert(
      fc.property(fc.bigInt(), (amount) => {
        expect(toJson({ deep: [[{ amount }]] })).toBe(`{"deep":[[{"amount":${amount}}]]}`)
      }),
    )
  })

  it('omits what is undefined, at any depth', () => {
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
  it('is a response with the media type, the status and the headers', async () => {
    const response = json({ amount: 2n ** 60n }, 201, { location: '/v1/agents/1' })
    expect(response.status).toBe(201)
    expect(Object.fromEntries(response.headers)).toEqual({
      'content-type': 'application/json',
      location: '/v1/agents/1',
    })
    expect(await response.text()).toBe('{"amount":1152921504606846976}')
  })

  it('is 200 unless said otherwise', () => {
    expect(json({}).status).toBe(200)
  })
})
