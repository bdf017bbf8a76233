import { type Described, withUsedComponents } from './offered.ts'

type Json = Record<string, unknown>

/** Keywords of JSON Schema 2020-12 that OpenAPI 3.0 lacks. They are left out. */
const LEFT_OUT = ['if', 'then', 'else', 'dependentRequired', 'dependentSchemas', 'propertyNames', '$schema']

/** Keywords whose members are schemas by name. */
const NAMED = ['properties']

/**
 * Translates the API description to OpenAPI 3.0, for generators without 3.1: no webhooks, a constant as a
 * list of one, `nullable` for null. It leaves out rules that 3.0 can't express, so a value that fits the 3.1
 * document also fits this one.
 */
export function openApi30<T extends Described & { webhooks?: unknown }>(document: T): Json {
  const { webhooks: _, info, ...rest } = document
  const { summary: _summary, ...shortInfo } = info as Json
  const translated = withSchemas({ ...rest, info: shortInfo }) as unknown as Described
  return { ...withUsedComponents(translated), openapi: '3.0.3' }
}

/** Translates the schemas in any part of the document, except in examples, which may look like schemas. */
function withSchemas(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withSchemas)
  if (!isObject(part)) return part
  return Object.fromEntries(
    Object.entries(part).map(([key, member]) => {
      if (key === 'schema') return [key, schema30(member)]
      if (key === 'schemas') return [key, eachOf(member, schema30)]
      return [key, key === 'example' || key === 'examples' ? member : withSchemas(member)]
    }),
  )
}

/** Translates a schema, and its inner schemas. */
function schema30(schema: unknown): unknown {
  if (!isObject(schema)) return schema
  // 3.0 ignores keywords next to a reference.
  if (schema.$ref !== undefined) return { $ref: schema.$ref }
  const {
    const: only,
    anyOf,
    ...rest
  } = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !LEFT_OUT.includes(keyword)))
  // 3.0 does not allow an empty list of required fields.
  if (Array.isArray(rest.required) && rest.required.length === 0) delete rest.required
  const inner = Object.fromEntries(
    Object.entries(rest).map(([keyword, value]) => {
      if (NAMED.includes(keyword)) return [keyword, eachOf(value, schema30)]
      if (keyword === 'oneOf' || keyword === 'allOf') return [keyword, (value as unknown[]).map(schema30)]
      return [keyword, ['items', 'additionalProperties', 'not'].includes(keyword) ? schema30(value) : value]
    }),
  )
  return {
    ...inner,
    ...(only === undefined ? {} : { enum: [only] }),
    ...(anyOf === undefined ? {} : optionsOf(anyOf as Json[])),
  }
}

/** Translates options. If one is null, the others become nullable. */
function optionsOf(options: Json[]): Json {
  const others = options.filter(({ type }) => type !== 'null').map(schema30) as Json[]
  const nullable = others.length < options.length ? { nullable: true } : {}
  const [only, another] = others
  if (only === undefined || another !== undefined) return { anyOf: others, ...nullable }
  // A list of values must include null, since it also applies to null.
  const values = Array.isArray(only.enum) && 'nullable' in nullable ? { enum: [...only.enum, null] } : {}
  return { ...only, ...values, ...nullable }
}

const eachOf = (members: unknown, translate: (schema: unknown) => unknown): Json =>
  Object.fromEntries(Object.entries(Object(members)).map(([name, member]) => [name, translate(member)]))

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
