import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../../../lib/api-error.ts'
import { parse } from '../../../lib/http/validate.ts'
import * as agents from '../../../schema/wire/agents.ts'
import * as auth from '../../../schema/wire/auth.ts'
import { Amount, Integer, IntegerParameter, Url, Uuid, WalletAddress } from '../../../schema/wire/common.ts'
import * as hires from '../../../schema/wire/hires.ts'
import { Name } from '../../../schema/wire/text.ts'

/** Returns the error for a value that the schema refuses. */
function refusalOf(schema: v.GenericSchema<unknown, unknown>, value: unknown): ApiError {
  try {
    parse(schema, value)
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  throw new Error('nothing was refused')
}

const messages = (schema: v.GenericSchema<unknown, unknown>, value: unknown) =>
  Object.fromEntries(
    (refusalOf(schema, value).details.errors ?? []).map(({ path, message }) => [path, message]),
  )

const one = (schema: v.GenericSchema<unknown, unknown>) => v.strictObject({ field: schema })

describe('a rejected request', () => {
  it.each([
    ['a missing field', v.string(), {}, 'is required'],
    ['a field that is explicitly undefined', v.string(), { field: undefined }, 'is required'],
    ['a number for text', v.string(), { field: 1 }, 'must be text'],
    ['null for text', v.string(), { field: null }, 'must be text'],
    ['text for a number', Integer(1), { field: '1' }, 'must be a number'],
    ['text for a truth value', v.boolean(), { field: 'true' }, 'must be true or false'],
    ['an object for a list', v.array(v.string()), { field: {} }, 'must be a list'],
    ['a value that is none of a set', v.picklist(['a', 'b']), { field: 'c' }, 'must be "a" or "b"'],
    ['a number below the least', Integer(1, 9), { field: 0 }, 'must be at least 1'],
    ['a number above the greatest', Integer(1, 9), { field: 10 }, 'must be at most 9'],
    ['a fraction', Integer(1, 9), { field: 1.5 }, 'must be a whole number of at most 9007199254740991'],
    [
      'an integer that is not exact',
      Amount,
      { field: 2 ** 53 },
      'must be a whole number of at most 9007199254740991',
    ],
    ['a negative amount', Amount, { field: -1 }, 'must be at least 0'],
    [
      'too few entries',
      v.pipe(v.array(v.string()), v.minLength(1)),
      { field: [] },
      'must have at least 1 entry',
    ],
    [
      'too few entries',
      v.pipe(v.array(v.string()), v.minLength(2)),
      { field: [] },
      'must have at least 2 entries',
    ],
    [
      'too many entries',
      v.pipe(v.array(v.string()), v.maxLength(1)),
      { field: ['', ''] },
      'must have at most 1 entries',
    ],
    ['a short name', Name(3, 32), { field: 'ab' }, 'must have at least 3 characters'],
    ['a long name', Name(3, 32), { field: 'a'.repeat(33) }, 'must have at most 32 characters'],
    ['control characters', Name(3, 32), { field: 'abc\u0000' }, 'must not contain control characters'],
    ['a parameter that is no number', IntegerParameter(1), { field: 'x' }, 'must be a whole number'],
    ['a parameter below the least', IntegerParameter(1), { field: '0' }, 'must be at least 1'],
    ['a field that has no value', v.optional(v.never()), { field: 'x' }, 'is not supported'],
    ['another id', Uuid, { field: 'x' }, 'must be a UUID'],
    ['another key', WalletAddress, { field: 'x' }, 'must be a wallet public key: Base58 of 32 bytes'],
    [
      'another URL',
      Url('https'),
      { field: 'x' },
      'must be an absolute URL (https) without credentials, spaces, control characters or invisible ones',
    ],
  ])('describes for %s what the value must be', (_title, schema, value, message) => {
    expect(messages(one(schema), value)).toEqual({ field: message })
  })

  it('names an unknown field', () => {
    expect(messages(one(v.optional(v.string())), { budgetLimit: 1 })).toEqual({
      budgetLimit: 'is not a field of this request',
    })
  })

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'names the unknown field %s too',
    (name) => {
      const value: unknown = JSON.parse(`{"${name}": {"field": "x"}}`)
      expect(messages(v.strictObject({ field: v.optional(v.string()) }), value)).toEqual({
        [name]: 'is not a field of this request',
      })
    },
  )

  it('gives the path of a list entry and of a nested field', () => {
    const schema = v.strictObject({ list: v.array(v.strictObject({ layers: v.array(Integer(1, 22)) })) })
    expect(messages(schema, { list: [{ layers: [1] }, { layers: [1, 2, 'x', 23] }] })).toEqual({
      'list.1.layers.2': 'must be a number',
      'list.1.layers.3': 'must be at most 22',
    })
  })

  it('names every invalid field once', () => {
    const refusal = refusalOf(agents.AgentRegister, { name: 'x', agentType: 'x', supportedLayers: [] })
    expect(refusal.details.errors).toEqual([
      { path: 'name', message: 'must have at least 3 characters' },
      { path: 'agentType', message: 'must be "autonomous" or "semi-autonomous" or "oracle"' },
      { path: 'supportedLayers', message: 'must have at least 1 entry' },
    ])
  })

  it('has the first error as a sentence', () => {
    const refusal = refusalOf(one(v.string()), {})
    expect(refusal).toMatchObject({ code: 'invalid_request', message: 'field is required.' })
    expect(refusalOf(agents.AgentPatch, {})).toMatchObject({
      message: 'The body must change at least one field.',
    })
  })

  it('lists at most 50 fields', () => {
    const refusal = refusalOf(one(v.array(Integer(1, 22))), { field: Array(30_000).fill(0) })
    expect(refusal.details.errors).toHaveLength(50)
  })

  it('has the empty path for the value as a whole', () => {
    expect(messages(agents.AgentPatch, {})).toEqual({ '': 'must change at least one field' })
  })
})

describe('an error never repeats the received value', () => {
  const SECRET = 'hunter2hunter2'
  const inputs = { ...agents, ...hires, AuthSubmit: auth.AuthSubmit, ChallengeQuery: auth.ChallengeQuery }
  const names = [
    'AgentRegister',
    'AgentPatch',
    'AgentPath',
    'AgentListQuery',
    'HireRequest',
    'HireQuery',
    'AuthSubmit',
    'ChallengeQuery',
  ] as const

  const junk = fc.oneof(
    fc.constantFrom<unknown>(
      SECRET,
      [SECRET],
      { x: SECRET },
      `https://${SECRET}@x.example`,
      `javascript:${SECRET}`,
      `${SECRET}\u0000`,
      SECRET.repeat(200),
      null,
      [[SECRET]],
      [1, SECRET],
      1.5,
      -1,
      true,
    ),
    fc.jsonValue(),
  )

  it.each(names)('%s', (name) => {
    const schema = inputs[name]
    const fields = schema.entries
    const values = fc.record(Object.fromEntries(Object.keys(fields).map((field) => [field, junk])), {
      requiredKeys: [],
    })
    fc.assert(
      fc.property(values, (value) => {
        let refusal: unknown
        try {
          parse(schema, value)
        } catch (error) {
          refusal = error
        }
        if (refusal === undefined) return
        expect(refusal).toBeInstanceOf(ApiError)
        if (!(refusal instanceof ApiError)) return
        expect(JSON.stringify([refusal.message, refusal.details])).not.toContain(SECRET)
      }),
      { numRuns: 500 },
    )
  })
})

describe('an accepted value', () => {
  it('is the output of the schema', () => {
    expect(
      parse(v.strictObject({ amount: Amount, id: Uuid }), {
        amount: 5,
        id: '0190A1B2-0000-7000-8000-00000000000F',
      }),
    ).toEqual({
      amount: 5n,
      id: '0190a1b2-0000-7000-8000-00000000000f',
    })
  })
})
