import { UNTRUSTED } from '../../../schema/docs.ts'
import { closureOf, isObject, type Json, referencesIn, type Schemas } from './untrusted.ts'

/**
 * Translates the API's schemas for tools: amounts are decimal text, since models and their clients round
 * numbers above 2^53.
 * @param answers the names of the schemas that tools answer with
 * @param inputs the arguments of each tool
 * @throws Error that names a field which is an amount in one place and none in another
 */
export function createTranslation(schemas: Schemas, answers: string[], inputs: Schemas[] = []) {
  const used = new Set(answers.flatMap((name) => closureOf(schemas, name)))
  const fields = [
    ...[...used].flatMap((name) => fieldsIn(schemas[name])),
    ...inputs.flatMap((properties) => Object.entries(properties)),
  ]
  const amounts = new Set(fields.filter(([, { format }]) => format === 'int64').map(([name]) => name))
  for (const [name, { type }] of fields) {
    if (amounts.has(name) && type !== 'integer') throw new Error(`${name} is not an amount everywhere`)
  }
  return {
    amounts: [...amounts].sort(),
    /**
     * Returns the input schema of a tool with these arguments.
     * @throws Error that names an argument whose schema is elsewhere
     */
    input({ properties, required }: { properties: Schemas; required: string[] }) {
      const translated = Object.entries(properties).map(([name, schema]) => {
        if (referencesIn(schema).length > 0) throw new Error(`the argument ${name} refers to a schema`)
        return [name, amounts.has(name) ? decimalText(schema) : withoutLongPattern(schema)] as const
      })
      return {
        properties: Object.fromEntries(translated),
        ...(required.length === 0 ? {} : { required }),
        additionalProperties: false,
      }
    },
    /** Returns the fields that others than the service write, in an answer of this schema. */
    untrusted(name: string): string[] {
      const texts = closureOf(schemas, name)
        .flatMap((each) => fieldsIn(schemas[each]))
        .filter(([, schema]) => isUntrusted(schema))
      return [...new Set(texts.map(([field]) => field))].sort()
    },
  }
}

const decimalText = ({ description }: Json): Json => ({
  type: 'string',
  pattern: '^[0-9]+$',
  ...(description === undefined ? {} : { description }),
})

/** The length of the longest pattern that an argument has. */
const MAX_PATTERN = 50

/** Drops a pattern that no model needs, such as the one of an id: the service checks all values. */
const withoutLongPattern = ({ pattern, ...schema }: Json): Json =>
  typeof pattern === 'string' && pattern.length <= MAX_PATTERN ? { pattern, ...schema } : schema

/** Every property by its name, at any depth, without following references. */
const fieldsIn = (value: unknown): [string, Json][] =>
  isObject(value)
    ? [...Object.entries(value.properties ?? {}), ...Object.values(value).flatMap(fieldsIn)]
    : []

/** Whether a field, or each entry of its list, is a text that others than the service write. */
const isUntrusted = (schema: unknown): boolean =>
  isObject(schema) &&
  (schema[UNTRUSTED] === true ||
    [schema.items, schema.additionalProperties, ...[schema.anyOf ?? []].flat()].some(isUntrusted))
