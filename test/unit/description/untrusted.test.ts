import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { toJson } from '../../../lib/tools/description/schemas.ts'
import { markUntrusted } from '../../../lib/tools/description/untrusted.ts'
import { OwnText, OwnValue, UserText, UserValue } from '../../../schema/wire/answer-text.ts'
import { Timestamp, WireUuid } from '../../../schema/wire/common.ts'
import { Name } from '../../../schema/wire/text.ts'

const answers = { schema: { $ref: '#/components/schemas/Answer' } }
const marksOf = (entries: v.ObjectEntries) =>
  markUntrusted({ Answer: toJson(v.strictObject(entries)) }, answers).Answer?.properties

const members = { type: 'object', propertyNames: { type: 'string' } }

describe('texts of answers', () => {
  it('are marked when a user wrote them, in lists and values of any type, too', () => {
    expect(
      marksOf({
        message: v.optional(UserText),
        tags: v.array(UserText),
        info: v.record(v.string(), UserValue),
        detail: OwnText,
        data: v.record(v.string(), OwnValue),
        id: WireUuid,
        at: Timestamp,
        kind: v.picklist(['a']),
        one: v.literal('b'),
        count: v.number(),
      }),
    ).toEqual({
      message: { type: 'string', 'x-untrusted': true },
      tags: { type: 'array', items: { type: 'string', 'x-untrusted': true } },
      info: { ...members, additionalProperties: { 'x-untrusted': true } },
      detail: { type: 'string' },
      data: { ...members, additionalProperties: {} },
      id: { type: 'string', format: 'uuid' },
      at: { type: 'string', format: 'date-time' },
      kind: { type: 'string', enum: ['a'] },
      one: { type: 'string', const: 'b' },
      count: { type: 'number' },
    })
  })

  it.each<[string, v.GenericSchema]>([
    ['a text', v.string()],
    ['a text with a pattern', Name(1, 9)],
    ['a URL', v.pipe(v.string(), v.url())],
    ['a list', v.array(v.string())],
    ['an alternative', v.union([v.string(), v.number()])],
    ['a value of any type', v.record(v.string(), v.unknown())],
    ['an inner object', v.strictObject({ note: v.string() })],
  ])('are refused when %s states no writer', (_, schema) => {
    expect(() => marksOf({ message: schema })).toThrow(/ for Answer\.message(\.note)?$/)
  })

  it('are followed through references, and requests are not marked', () => {
    const schemas = {
      Answer: { properties: { inner: { $ref: '#/components/schemas/Inner' } } },
      Inner: { properties: { note: { type: 'string' } } },
      Request: { properties: { name: { type: 'string' }, id: { type: 'string', 'x-untrusted': true } } },
    }
    expect(() => markUntrusted(schemas, answers)).toThrow('Inner.note')
    expect(markUntrusted(schemas, {}).Request).toEqual({
      properties: { name: { type: 'string' }, id: { type: 'string' } },
    })
  })
})
