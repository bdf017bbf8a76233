import { type ConversionConfig, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema'
import type { GenericSchema } from 'valibot'
import { describedSchemas, keywordsOf, parameterDocs } from '../../../schema/docs.ts'
import { keyOf, type Route } from './routes.ts'
import type { Json, Schemas } from './untrusted.ts'

/** Returns the document's named schemas, in alphabetical order. @param bodies the schemas of requests */
export function componentSchemas(bodies: readonly GenericSchema[]): Schemas {
  const closed = new Set(bodies.flatMap((schema) => within(schema as unknown as Step)))
  const described = [...describedSchemas()].sort(([, a], [, b]) => (a.name < b.name ? -1 : 1))
  const definitions = toJsonSchemaDefs(
    Object.fromEntries(described.map(([schema, { name }]) => [name, schema])),
    conversion,
  )
  return Object.fromEntries(
    described.map(([schema, { name, description, fields }]) => {
      const { $schema: _, additionalProperties, ...rest } = definitions[name] ?? {}
      const properties = Object.entries(rest.properties ?? {}).map(([field, property]) => [
        field,
        { ...(property as object), description: fields[field] },
      ])
      return [
        name,
        {
          ...rest,
          ...keywordsOf(schema),
          description,
          ...(rest.oneOf ? {} : { properties: Object.fromEntries(properties) }),
          // A request is closed, also its inner objects; an answer may gain fields.
          ...(closed.has(schema as unknown as Step) ? { additionalProperties } : {}),
        },
      ]
    }),
  )
}

/**
 * Returns a body's media type: a reference to its schema, and an example.
 * @throws Error if the schema has no docs
 */
export function mediaOf(schema: GenericSchema, example?: unknown): { schema: Json; example: unknown } {
  const said = describedSchemas().get(schema)
  if (!said) throw new Error('the schema of a body is not described')
  return { schema: { $ref: `#/components/schemas/${said.name}` }, example: example ?? said.example }
}

/**
 * Returns the parameters of a route, in its path and its query.
 * @throws Error that names a route whose path and path parameters differ, or whose parameters have no docs
 */
export function parametersOf(route: Route): Json[] {
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  const parameters = [
    ...(route.params ? parametersIn(route, 'path', route.params) : []),
    ...(route.query ? parametersIn(route, 'query', route.query) : []),
  ]
  const declared = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
  if (inPath.join() !== declared.join()) throw new Error(`${keyOf(route)} declares other path parameters`)
  return parameters
}

function parametersIn(route: Route, place: 'path' | 'query', schema: GenericSchema): Json[] {
  const said = parameterDocs(schema)
  if (!said) throw new Error(`${keyOf(route)}: its parameters are not described`)
  const { properties = {}, required = [] } = toJsonSchema(schema, conversion)
  const { entries } = schema as unknown as { entries: Record<string, Step> }
  return Object.entries(properties).map(([name, property]) => {
    const entry = entries[name] ?? { type: 'unknown' }
    const parsed = trueInText(entry)
    const integer = numberInText(entry)
    const example = said.example?.[name]
    return {
      name,
      in: place,
      required: required.includes(name),
      description: said.fields[name],
      schema: parsed ?? (integer ? { ...integer, ...keywordsOf(entry.wrapped ?? entry) } : property),
      ...(example === undefined ? {} : { example: integer ? Number(example) : example }),
    }
  })
}

const conversion: ConversionConfig = {
  target: 'draft-2020-12',
  typeMode: 'input',
  errorMode: 'ignore',
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  overrideAction: ({ valibotAction, jsonSchema }) => {
    const { type, requirement } = valibotAction as { type: string; requirement?: unknown }
    const said = keywordsOf(valibotAction)
    if (said) return { ...jsonSchema, ...said }
    if (type === 'regex') return { ...jsonSchema, pattern: patternOf(requirement, jsonSchema.pattern) }
    if (type === 'min_code_points') return { ...jsonSchema, minLength: Number(requirement) }
    if (type === 'max_code_points') return { ...jsonSchema, maxLength: Number(requirement) }
    return type === 'safe_integer' ? { ...jsonSchema, type: 'integer' } : undefined
  },
  overrideSchema: ({ valibotSchema, jsonSchema }) => ({
    ...jsonSchema,
    ...typeOfValues(jsonSchema),
    ...keywordsOf(valibotSchema),
  }),
}

/** Returns the JSON Schema of a schema. */
export const toJson = (schema: GenericSchema): Json => ({ ...toJsonSchema(schema, conversion) })

/**
 * Returns the type of fixed values. The converter gives constants no type, and integers the type of any
 * number. Generated clients would accept anything, and send 30.0.
 */
function typeOfValues({
  const: only,
  enum: values = [only],
}: {
  const?: unknown
  enum?: unknown[] | undefined
}): Json {
  const [first] = values
  if (first === undefined) return {}
  return { type: values.every(Number.isInteger) ? 'integer' : typeof first }
}

/** Returns a pattern without the escapes that only JavaScript's literals need. */
function patternOf(requirement: unknown, pattern: string | undefined): string {
  const { source } = requirement as RegExp
  // Of two patterns the converter uses the first.
  if (pattern !== source) throw new Error(`a second regular expression: ${source}`)
  return source.replace(/\\(.)/g, (escaped, character) => (character === '/' ? '/' : escaped))
}

type Step = {
  type: string
  requirement?: unknown
  pipe?: Step[]
  wrapped?: Step
  entries?: Record<string, Step>
  item?: Step
  default?: unknown
  options?: unknown[]
  literal?: unknown
}

/** Returns a schema and all its inner schemas. */
function within(schema: Step): Step[] {
  const parts = [schema.wrapped, schema.item, ...Object.values(schema.entries ?? {})]
  return [schema, ...parts.flatMap((part) => (part ? within(part) : []))]
}

/**
 * Returns the schema of a query parameter that is parsed from digits: an integer, one of several or within
 * the bounds after parsing.
 */
function numberInText(schema: Step): Json | undefined {
  const steps = flatten(schema.wrapped ?? schema)
  const numbers = steps[0]?.options?.map(Number)
  if (numbers?.every(Number.isInteger) && steps.some(({ type }) => type === 'transform'))
    return { enum: numbers, type: 'integer' }
  const bound = (type: string) => steps.find((step) => step.type === type)?.requirement
  if (bound('min_value') === undefined) return undefined
  return {
    type: 'integer',
    minimum: bound('min_value'),
    maximum: bound('max_value'),
    ...(schema.default === undefined ? {} : { default: Number(schema.default) }),
  }
}

/** Returns the schema of a query parameter that can only be `true`. */
const trueInText = (schema: Step): Json | undefined =>
  flatten(schema.wrapped ?? schema)[0]?.literal === 'true' ? { const: true, type: 'boolean' } : undefined

const flatten = (step: Step): Step[] =>
  step.pipe?.flatMap((inner) => (inner.pipe ? flatten(inner) : [inner])) ?? [step]
