import type { GenericPipeAction, GenericSchema, InferInput } from 'valibot'

/**
 * The docs of a body in the API description: its name, its summary, the meaning of each field, and an
 * example.
 */
type SchemaDocs = {
  name: string
  description: string
  fields: Record<string, string>
  example?: unknown
}

/** The docs of query or path parameters in the API description. */
type ParameterDocs = { fields: Record<string, string>; example?: Record<string, unknown> }

/** Docs for exactly the entries of an object schema. */
type FieldsOf<Schema> = Schema extends { entries: infer Entries }
  ? { [Field in keyof Entries]: string }
  : Record<string, never>

/** JSON Schema keywords of a check, which the converter can't read. */
type Keywords = Record<string, unknown>

/** The keyword of a text in an answer: whether a user or another host wrote it. */
export const UNTRUSTED = 'x-untrusted'

const keywords = new WeakMap<object, Keywords>()
const schemas = new Map<GenericSchema, SchemaDocs>()
const parameters = new Map<GenericSchema, ParameterDocs>()

/**
 * Describes the schema of a body. Its example has the form of the wire. An operation with the schema uses it
 * unless the operation has its own.
 */
export function describe<const Schema extends GenericSchema>(
  schema: Schema,
  said: { name: string; description: string; fields: FieldsOf<Schema>; example?: InferInput<Schema> },
): void {
  schemas.set(schema, said)
}

/** Returns the example of a described schema. */
export const exampleOf = <Schema extends GenericSchema>(schema: Schema) =>
  schemas.get(schema)?.example as InferInput<Schema>

/** Describes the parameters of a query or a path; `example` has values for the parameters that need one. */
export function describeParameters<const Schema extends GenericSchema>(
  schema: Schema,
  fields: FieldsOf<Schema>,
  example: Partial<InferInput<Schema>> = {},
): void {
  parameters.set(schema, { fields, example })
}

/**
 * Adds JSON Schema keywords to the API description of a check in code. It checks no value itself. For a
 * schema that accepts any string, the keywords describe which strings can be valid at all. `undefined`
 * removes a keyword of an earlier action.
 */
export function constrain(checked: GenericSchema | GenericPipeAction, said: Keywords): void {
  keywords.set(checked, said)
}

/**
 * Describes in JSON Schema a value that meets a condition, and one that does not. Generators ignore these
 * keywords, whereas with `anyOf` or `oneOf` they would drop the fields of a body.
 */
export const whenFits = (condition: Keywords, then: Keywords, otherwise?: Keywords): Keywords => ({
  if: condition,
  then,
  ...(otherwise ? { else: otherwise } : {}),
})

export const keywordsOf = (checked: object): Keywords | undefined => keywords.get(checked)

/** Returns every described schema of a body. */
export const describedSchemas = (): ReadonlyMap<GenericSchema, SchemaDocs> => schemas

export const parameterDocs = (schema: GenericSchema): ParameterDocs | undefined => parameters.get(schema)
