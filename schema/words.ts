import type { GenericPipeAction, GenericSchema, InferInput } from 'valibot'

declare global {
  /**
   * Whether this program has the words of the API description: what fields, operations and errors mean, and
   * examples. A Worker has not: wrangler.toml and lib/local/bundle.ts define it as false, so that the bundler
   * leaves out whatever stands in `if (WORDS) …` or `WORDS && …`.
   */
  var WORDS: boolean
}

if (typeof WORDS === 'undefined') globalThis.WORDS = true

/**
 * What the API description says of a body: its name there, what it is, what each field means, and an example.
 */
type SchemaWords = {
  name: string
  description: string
  fields: Record<string, string>
  example?: unknown
}

/** What the API description says of query or path parameters. */
type ParameterWords = { fields: Record<string, string>; example?: Record<string, unknown> }

/** Words for each entry of an object schema, and for nothing else. */
type FieldsOf<Schema> = Schema extends { entries: infer Entries }
  ? { [Field in keyof Entries]: string }
  : Record<string, never>

/** What JSON Schema says of a check, beyond what the converter reads. */
type Keywords = Record<string, unknown>

const keywords = new WeakMap<object, Keywords>()
const schemas = new Map<GenericSchema, SchemaWords>()
const parameters = new Map<GenericSchema, ParameterWords>()

/**
 * Describes the schema of a body. An example is as on the wire: whoever answers with the schema, or takes it,
 * has this one unless it gives its own.
 */
export function describe<const Schema extends GenericSchema>(
  schema: Schema,
  said: { name: string; description: string; fields: FieldsOf<Schema>; example?: InferInput<Schema> },
): void {
  schemas.set(schema, said)
}

/** Describes the parameters of a query or a path; `example` has values for the parameters that need one. */
export function describeParameters<const Schema extends GenericSchema>(
  schema: Schema,
  fields: FieldsOf<Schema>,
  example: Partial<InferInput<Schema>> = {},
): void {
  parameters.set(schema, { fields, example })
}

/**
 * Says in JSON Schema what a check in code does, or (of a text that any string may stand in for) what can
 * never be accepted. `undefined` takes back a keyword of an action before it.
 */
export function constrain(checked: GenericSchema | GenericPipeAction, said: Keywords): void {
  keywords.set(checked, said)
}

/**
 * Says in JSON Schema what holds of a value that fits a condition, and of one that does not. Generators pass
 * over these keywords, where they drop the fields of a body that has `anyOf` or `oneOf` beside them.
 */
export const whenFits = (condition: Keywords, then: Keywords, otherwise?: Keywords): Keywords => ({
  if: condition,
  then,
  ...(otherwise ? { else: otherwise } : {}),
})

export const keywordsOf = (checked: object): Keywords | undefined => keywords.get(checked)

/** Every described schema of a body. */
export const describedSchemas = (): ReadonlyMap<GenericSchema, SchemaWords> => schemas

export const parameterWords = (schema: GenericSchema): ParameterWords | undefined => parameters.get(schema)
