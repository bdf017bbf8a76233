import { readFileSync } from 'node:fs'
import { join } from 'node:path'

type Json = Record<string, unknown>
type Parameter = { name: string; in: 'path' | 'query'; required: boolean; schema: Json; example?: unknown }
type Declared = {
  operationId: string
  security: unknown[]
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Json; example: Json }> }
}

/** Keys that lead to a text, in the path, the query or the body of a request. */
export type Place = { in: 'path' | 'query' | 'body'; keys: (string | number)[]; schema: Json }

export type Operation = {
  id: string
  method: string
  path: string
  needsSession: boolean
  parameters: Parameter[]
  body?: { schema: Json; example: Json }
  /** The example of a form, of whose texts nothing is changed. */
  form?: Json
  /** Where a request has texts. In a query all is text, numbers too. */
  texts: Place[]
  /** Where the body has objects, the body itself among them. */
  objects: Place['keys'][]
}

const document: { paths: Record<string, Record<string, Declared>>; components: { schemas: Json } } =
  JSON.parse(readFileSync(join(import.meta.dirname, '../../openapi.json'), 'utf8'))

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The schemas that one stands for: what it refers to, and the options of a union. */
function optionsOf(schema: unknown): Json[] {
  if (!isObject(schema)) return []
  const { $ref, anyOf, ...rest } = schema
  if (typeof $ref === 'string') return optionsOf(document.components.schemas[$ref.split('/').at(-1) ?? ''])
  return [rest, ...((anyOf as unknown[] | undefined) ?? []).flatMap(optionsOf)]
}

/** Every place of a schema, with the schema of what stands there. */
function placesIn(schema: unknown, keys: Place['keys'] = []): { keys: Place['keys']; schema: Json }[] {
  return optionsOf(schema).flatMap((option) => [
    { keys, schema: option },
    ...Object.entries(Object(option.properties)).flatMap(([name, member]) =>
      placesIn(member, [...keys, name]),
    ),
    ...(isObject(option.additionalProperties)
      ? placesIn(option.additionalProperties, [...keys, 'another'])
      : []),
    ...(option.type === 'array' ? placesIn(option.items, [...keys, 0]) : []),
  ])
}

const isText = ({ type, enum: values, const: value, ...rest }: Json) =>
  type === 'string' ||
  (Array.isArray(values) && values.some((one) => typeof one === 'string')) ||
  typeof value === 'string' ||
  // Of what nothing is said, anything can be.
  (type === undefined && values === undefined && value === undefined && !('properties' in rest))

const once = <T>(list: T[], keyOf: (one: T) => string): T[] => [
  ...new Map(list.map((one) => [keyOf(one), one])).values(),
]

function read(path: string, method: string, declared: Declared): Operation {
  const { operationId: id, security, parameters = [], requestBody } = declared
  const body = requestBody?.content['application/json']
  const form = requestBody?.content['application/x-www-form-urlencoded']?.example
  const places = body ? placesIn(body.schema) : []
  const ofBody = places
    .filter(({ keys, schema }) => keys.length > 0 && isText(schema))
    .map((place): Place => ({ ...place, in: 'body' }))
  return {
    id,
    method: method.toUpperCase(),
    path,
    needsSession: security.length > 0,
    parameters,
    ...(body ? { body } : {}),
    ...(form ? { form } : {}),
    texts: [
      ...parameters.map(({ name, in: where, schema }): Place => ({ in: where, keys: [name], schema })),
      ...once(ofBody, ({ keys }) => keys.join('.')),
    ],
    objects: once(
      places.filter(({ schema }) => schema.type === 'object').map(({ keys }) => keys),
      (keys) => keys.join('.'),
    ),
  }
}

/** Every operation of openapi.json, with every place in which a request of it has a text. */
export const operations: Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, declared]) => read(path, method, declared)),
)

/** A copy of a body in which what stands at the keys is changed; objects and lists on the way are made. */
export function changed(
  body: unknown,
  [key, ...rest]: Place['keys'],
  change: (old: unknown) => unknown,
): unknown {
  if (key === undefined) return change(body)
  if (typeof key === 'number') return [changed(Array.isArray(body) ? body[key] : undefined, rest, change)]
  const object = isObject(body) ? body : {}
  return { ...object, [key]: changed(object[key], rest, change) }
}

/** What stands at the keys. */
export const valueAt = (body: unknown, keys: Place['keys']): unknown =>
  keys.reduce<unknown>((value, key) => Object(value)[key], body)
