type Json = Record<string, unknown>

/**
 * Checks a value against a JSON Schema, as far as the API description uses it for requests. Formats are only
 * annotations. Patterns are read as ECMA-262 with the flag u.
 * @throws Error for a keyword that it does not know, so that none is passed over
 */
export function fits(schema: Json | boolean, value: unknown, schemas: Record<string, Json> = {}): boolean {
  if (typeof schema === 'boolean') return schema
  return Object.entries(schema).every(([keyword, said]) => {
    const rule = rules[keyword]
    if (!rule) throw new Error(`unknown keyword: ${keyword}`)
    return rule(said as never, value, { schema, schemas })
  })
}

type Rule = (said: never, value: unknown, context: { schema: Json; schemas: Record<string, Json> }) => boolean

const always: Rule = () => true
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const ofNumber = (rule: (said: number, value: number) => boolean): Rule => {
  return (said, value) => typeof value !== 'number' || rule(said, value)
}
const ofText = <T>(rule: (said: T, value: string) => boolean): Rule => {
  return (said, value) => typeof value !== 'string' || rule(said, value)
}
const ofList = (rule: (said: number, value: unknown[]) => boolean): Rule => {
  return (said, value) => !Array.isArray(value) || rule(said, value)
}

const types: Record<string, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: Array.isArray,
  object: isObject,
}

const rules: Record<string, Rule> = {
  description: always,
  default: always,
  format: always,
  $ref: (said: string, value, { schemas }) =>
    fits(schemas[said.split('/').at(-1) ?? ''] ?? false, value, schemas),
  type: (said: string, value) => types[said]?.(value) ?? false,
  enum: (said: unknown[], value) => said.includes(value),
  const: (said, value) => said === value,
  minimum: ofNumber((said, value) => value >= said),
  maximum: ofNumber((said, value) => value <= said),
  minLength: ofText((said: number, text) => [...text].length >= said),
  maxLength: ofText((said: number, text) => [...text].length <= said),
  pattern: ofText((said: string, text) => new RegExp(said, 'u').test(text)),
  minItems: ofList((said, list) => list.length >= said),
  maxItems: ofList((said, list) => list.length <= said),
  items: (said: Json, value, { schemas }) =>
    !Array.isArray(value) || value.every((item) => fits(said, item, schemas)),
  allOf: (said: Json[], value, { schemas }) => said.every((part) => fits(part, value, schemas)),
  not: (said: Json, value, { schemas }) => !fits(said, value, schemas),
  if: (said: Json, value, { schema, schemas }) =>
    fits(Object(fits(said, value, schemas) ? schema.then : schema.else), value, schemas),
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: always,
  else: always,
  dependentSchemas: (said: Record<string, Json>, value, { schemas }) =>
    !isObject(value) ||
    Object.entries(said).every(([name, also]) => !(name in value) || fits(also, value, schemas)),
  anyOf: (said: Json[], value, { schemas }) => said.some((option) => fits(option, value, schemas)),
  minProperties: (said: number, value) => !isObject(value) || Object.keys(value).length >= said,
  required: (said: string[], value) => !isObject(value) || said.every((name) => name in value),
  dependentRequired: (said: Record<string, string[]>, value) =>
    !isObject(value) ||
    Object.entries(said).every(
      ([name, others]) => !(name in value) || others.every((other) => other in value),
    ),
  properties: (said: Record<string, Json>, value, { schemas }) =>
    !isObject(value) ||
    Object.entries(said).every(
      ([name, property]) => !(name in value) || fits(property, value[name], schemas),
    ),
  additionalProperties: (said: boolean, value, { schema }) =>
    said || !isObject(value) || Object.keys(value).every((name) => name in Object(schema.properties)),
}
