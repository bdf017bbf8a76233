import { describe, expect, it } from 'vitest'
import type { Described } from '../../../lib/tools/description/offered.ts'
import { openApi30 } from '../../../lib/tools/description/openapi-3-0.ts'
import { whenFits } from '../../../schema/docs.ts'
import { document, type Json, operations, schemas } from '../../support/description.ts'

// What generators of clients stumble over. `npm run check:generators` runs them; this is the quick part.

type Found = { where: string; schema: unknown }

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null

/** A schema and all that it is made of. */
function within(schema: unknown, where: string): Found[] {
  if (!isObject(schema)) return [{ where, schema }]
  const parts = Object.entries(schema).flatMap(([keyword, value]) => {
    const path = `${where}.${keyword}`
    if (keyword === 'properties' || keyword === 'dependentSchemas')
      return Object.entries(Object(value)).flatMap(([name, each]) => within(each, `${path}.${name}`))
    if (keyword === 'anyOf' || keyword === 'oneOf' || keyword === 'allOf')
      return (value as unknown[]).flatMap((each, i) => within(each, `${path}.${i}`))
    if (keyword === 'additionalProperties') return isObject(value) ? within(value, path) : []
    return ['items', 'not', 'if', 'then', 'else', 'propertyNames'].includes(keyword)
      ? within(value, path)
      : []
  })
  return [{ where, schema }, ...parts]
}

const inParameters = operations.flatMap(({ operationId, parameters = [] }) =>
  parameters.flatMap(({ name, schema }) => within(schema, `${operationId}.${name}`)),
)
const all = [...Object.entries(schemas).flatMap(([name, schema]) => within(schema, name)), ...inParameters]
const whereNot = (isFine: (schema: Json) => boolean) =>
  all.filter(({ schema }) => !isFine(Object(schema))).map(({ where }) => where)

describe('the API description', () => {
  it('has no boolean schemas', () => {
    expect(all.filter(({ schema }) => !isObject(schema)).map(({ where }) => where)).toEqual([])
  })

  it('gives every constant and every list of values a type, integers where all are', () => {
    const typeOf = (values: unknown[]) => (values.every(Number.isInteger) ? 'integer' : typeof values[0])
    const isTyped = ({ type, const: only, enum: values = [only] }: Json) =>
      (values as unknown[])[0] === undefined || type === typeOf(values as unknown[])
    expect(whereNot(isTyped)).toEqual([])
  })

  it('has no alternatives next to fields, since generators would drop the fields', () => {
    const hasOne = ({ properties, anyOf, oneOf, allOf }: Json) => !properties || !(anyOf ?? oneOf ?? allOf)
    expect(whereNot(hasOne)).toEqual([])
  })

  it('has links without a requestBody, which may only be a text for some', () => {
    const links = operations.flatMap(({ responses }) =>
      Object.values(responses).flatMap((answer) => Object.values(answer.links ?? {})),
    )
    expect(links.filter((link) => 'requestBody' in link)).toEqual([])
  })

  it('has webhooks under a tag that no operation has', () => {
    const tagsOf = (each: { tags: string[] }[]) => new Set(each.flatMap(({ tags }) => tags))
    const ofWebhooks = tagsOf(Object.values(document.webhooks).map(({ post }) => post))
    expect([...tagsOf(operations)].filter((tag) => ofWebhooks.has(tag))).toEqual([])
  })

  it('names no schema as generators name what they make of another', () => {
    const names = Object.keys(schemas)
    // NewAgent makes an Agent in Go; AgentStatus is the type of Agent.status.
    const made = Object.entries(schemas).flatMap(([name, { properties }]) => [
      `New${name}`,
      `Nullable${name}`,
      ...Object.entries(Object(properties) as Record<string, Json>).flatMap(
        ([field, { type, enum: values }]) => (values || type === 'object' ? [name + field] : []),
      ),
    ])
    const taken = new Set(made.map((name) => name.toLowerCase()))
    expect(names.filter((name) => taken.has(name.toLowerCase()))).toEqual([])
  })

  it.each(['schemas', 'responses', 'examples'])('has no two names in %s that differ by case', (kind) => {
    const names = Object.keys(document.components[kind] ?? {}).map((name) => name.toLowerCase())
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
  })

  it('has no two operations whose names differ by case', () => {
    const ids = [...operations, ...Object.values(document.webhooks).map(({ post }) => post)].map(
      ({ operationId }) => operationId.toLowerCase(),
    )
    expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([])
  })
})

describe('the description as OpenAPI 3.0', () => {
  const translated = Object(openApi30(document as unknown as Described))
  const ownSchemas: Record<string, Json> = translated.components.schemas

  it('has every operation, and no webhooks', () => {
    expect(translated.openapi).toBe('3.0.3')
    expect(Object.keys(translated.paths)).toEqual(Object.keys(document.paths))
    expect(translated.webhooks).toBeUndefined()
    expect(translated.info.summary).toBeUndefined()
  })

  it('has every schema except those of webhooks alone, and every schema referred to', () => {
    const names = Object.keys(ownSchemas)
    expect(Object.keys(schemas).filter((name) => !names.includes(name))).toEqual(['EndpointVerification'])
    const refs = JSON.stringify(translated).matchAll(/"#\/components\/schemas\/(\w+)"/g)
    expect([...refs].filter(([, name = '']) => !names.includes(name))).toEqual([])
  })

  it('has no keyword that OpenAPI 3.0 does not have', () => {
    const parts = Object.entries(ownSchemas).flatMap(([name, schema]) => within(schema, name))
    const wrong = parts.filter(({ schema }) => {
      const { type, $ref, ...rest } = Object(schema)
      const keywords = ['const', 'if', 'then', 'dependentRequired', 'dependentSchemas', 'propertyNames']
      return (
        type === 'null' || keywords.some((name) => name in rest) || ($ref && Object.keys(rest).length > 0)
      )
    })
    expect(wrong).toEqual([])
  })

  it.each([
    [
      { const: false, type: 'boolean' },
      { enum: [false], type: 'boolean' },
    ],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, { type: 'string', nullable: true }],
    [
      { description: 'How.', anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }] },
      { description: 'How.', type: 'string', enum: ['a', null], nullable: true },
    ],
    [{ anyOf: [{ type: 'string' }, { const: 1 }] }, { anyOf: [{ type: 'string' }, { enum: [1] }] }],
    [{ $ref: '#/components/schemas/Hire', description: 'It.' }, { $ref: '#/components/schemas/Hire' }],
    [
      { properties: { const: { const: 1 } }, ...whenFits({}, {}, {}) },
      { properties: { const: { enum: [1] } } },
    ],
    [{ type: 'object', required: [] }, { type: 'object' }],
    [{ items: { not: { const: 1 } } }, { items: { not: { enum: [1] } } }],
  ])('has for %j what it means', (schema, expected) => {
    const paths = { '/': { get: { parameters: [{ schema }], example: schema } } }
    const { get } = Object(openApi30({ ...document, paths, components: {} } as unknown as Described).paths)[
      '/'
    ]
    expect(get).toEqual({ parameters: [{ schema: expected }], example: schema })
  })
})
