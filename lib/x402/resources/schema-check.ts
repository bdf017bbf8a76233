import { isObject, type JsonObject } from './json.ts'

/** The most schemas, keywords and values that a check visits, and the deepest nesting. */
const MAX_STEPS = 2_000
const MAX_DEPTH = 12

/** Keywords that are kept but never evaluated. A pattern of a stranger can run for hours. */
const UNCHECKED = ['$schema', 'title', 'description', 'default', 'examples', 'pattern', 'format']

/**
 * A value that fits every schema, but equals no part of a `const` or `enum`: part of a path, which a probe of
 * the literal path does not know.
 */
export const ANYTHING = Symbol('anything')

/** The check ends: a keyword is unknown or malformed, or a limit is reached. */
const UNDECIDED = Symbol('undecided')

type Check = { count: (amount?: number) => void }

/**
 * Evaluates a value against a JSON Schema that a stranger wrote, within limits. It knows type, const, enum,
 * required, properties, additionalProperties, items, lengths and ranges, and ignores those of UNCHECKED.
 * @returns `undecided` if the schema has any other keyword, a malformed one, or more than the limits allow.
 *   `valid` says nothing about `pattern` and `format`
 */
export function checkSchema(schema: unknown, value: unknown): 'valid' | 'invalid' | 'undecided' {
  let left = MAX_STEPS
  const check: Check = {
    count(amount = 1) {
      left -= amount
      if (left < 0) throw UNDECIDED
    },
  }
  try {
    requireKnown(check, schema, 0)
    return fits(check, schema, value, 0) ? 'valid' : 'invalid'
  } catch (error) {
    if (error === UNDECIDED) return 'undecided'
    throw error
  }
}

const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']

const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0
const isTexts = (value: unknown) => Array.isArray(value) && value.every((one) => typeof one === 'string')

/** The form of each keyword's value. Schemas inside it are visited by their own. */
const FORMS: Record<string, (value: unknown) => boolean> = {
  type: (value) => (Array.isArray(value) ? value : [value]).every((one) => TYPES.includes(one as string)),
  const: () => true,
  enum: (value) => Array.isArray(value),
  required: isTexts,
  properties: isObject,
  additionalProperties: () => true,
  items: () => true,
  minLength: isCount,
  maxLength: isCount,
  minItems: isCount,
  maxItems: isCount,
  minProperties: isCount,
  maxProperties: isCount,
  minimum: Number.isFinite,
  maximum: Number.isFinite,
  exclusiveMinimum: Number.isFinite,
  exclusiveMaximum: Number.isFinite,
  ...Object.fromEntries(UNCHECKED.map((keyword) => [keyword, () => true])),
}

/** Checks that every keyword is known, also in parts that the value does not reach. */
function requireKnown(check: Check, schema: unknown, depth: number): void {
  check.count()
  if (typeof schema === 'boolean') return
  if (!isObject(schema) || depth > MAX_DEPTH) throw UNDECIDED
  for (const [keyword, value] of Object.entries(schema)) {
    check.count()
    if (!Object.hasOwn(FORMS, keyword) || !FORMS[keyword]?.(value)) throw UNDECIDED
  }
  const { properties, additionalProperties, items } = keywordsOf(schema)
  if (isObject(properties))
    for (const member of Object.values(properties)) requireKnown(check, member, depth + 1)
  for (const member of [additionalProperties, items])
    if (member !== undefined) requireKnown(check, member, depth + 1)
}

/** Reads keywords that the schema itself has, not its prototype. */
const keywordsOf = (schema: JsonObject): JsonObject => Object.assign(Object.create(null), schema)

function fits(check: Check, schema: unknown, value: unknown, depth: number): boolean {
  check.count()
  if (value === ANYTHING || schema === true) return true
  if (schema === false) return false
  if (depth > MAX_DEPTH) throw UNDECIDED
  const keywords = keywordsOf(schema as JsonObject)
  if (keywords.type !== undefined && !typesOf(keywords.type).some((type) => isOfType(value, type)))
    return false
  if ('const' in keywords && !equals(check, keywords.const, value)) return false
  if (Array.isArray(keywords.enum) && !keywords.enum.some((one) => equals(check, one, value))) return false
  if (typeof value === 'string') return isWithin(keywords, 'Length', [...value].length)
  if (typeof value === 'number') return isInRange(keywords, value)
  if (Array.isArray(value)) {
    const { items } = keywords
    if (!isWithin(keywords, 'Items', value.length)) return false
    return items === undefined || value.every((item) => fits(check, items, item, depth + 1))
  }
  return !isObject(value) || objectFits(check, keywords, value, depth)
}

function objectFits(check: Check, keywords: JsonObject, value: JsonObject, depth: number): boolean {
  const { required = [], additionalProperties = true } = keywords
  const properties = keywordsOf((keywords.properties ?? {}) as JsonObject)
  const members = Object.entries(value)
  if (!isWithin(keywords, 'Properties', members.length)) return false
  check.count((required as string[]).length)
  if (!(required as string[]).every((name) => Object.hasOwn(value, name))) return false
  return members.every(([name, member]) =>
    fits(check, name in properties ? properties[name] : additionalProperties, member, depth + 1),
  )
}

const typesOf = (type: unknown) => (Array.isArray(type) ? type : [type])

function isOfType(value: unknown, type: unknown): boolean {
  if (type === 'array') return Array.isArray(value)
  if (type === 'null') return value === null
  if (type === 'object') return isObject(value)
  return type === 'integer' ? Number.isInteger(value) : typeof value === type
}

function isWithin(keywords: JsonObject, what: string, count: number): boolean {
  const { [`min${what}`]: min = 0, [`max${what}`]: max = Number.POSITIVE_INFINITY } = keywords
  return count >= (min as number) && count <= (max as number)
}

function isInRange(keywords: JsonObject, value: number): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = keywords as Record<
    string,
    number | undefined
  >
  return (
    (minimum === undefined || value >= minimum) &&
    (maximum === undefined || value <= maximum) &&
    (exclusiveMinimum === undefined || value > exclusiveMinimum) &&
    (exclusiveMaximum === undefined || value < exclusiveMaximum)
  )
}

/** Compares two JSON values. Each visited part is a step. */
function equals(check: Check, one: unknown, other: unknown): boolean {
  check.count()
  if (Array.isArray(one))
    return (
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((member, index) => equals(check, member, other[index]))
    )
  if (!isObject(one) || !isObject(other)) return one === other
  const names = Object.keys(one)
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && equals(check, one[name], other[name]))
  )
}
