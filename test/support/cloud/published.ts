import { fits } from '../json-schema.ts'

/**
 * Excerpts of published API descriptions, with the parameters of operations. Each is bound to a type of the
 * official client, so that a field which the client drops or adds stops the compiler. Cloudflare (cloudflare
 * 7.3.0) and Neon (@neondatabase/api-client 2.7.3; both of October 2026) generate these types from OpenAPI.
 */

/** A JSON Schema of values of a type. */
export type Schema<T> = Record<string, unknown> & { readonly of?: T }

/** A schema for every field of a type; `maybe` for optional ones. */
type Fields<P> = {
  [K in keyof P]-?: Record<never, never> extends Pick<P, K> ? { maybe: Schema<P[K]> } : Schema<P[K]>
}

/** The name of a query parameter: a field, or a field of a field. */
type QueryName<P> = (keyof P & string) | `${keyof P & string}.${string}`

export type Operation = {
  /** Of parameters of the query by name. */
  query?: Record<string, Schema<unknown>>
  body?: Schema<unknown>
}

export const text: Schema<string> = { type: 'string', minLength: 1 }
export const flag: Schema<boolean> = { type: 'boolean' }
export const count: Schema<number> = { type: 'integer', minimum: 0 }
export const like = (pattern: string): Schema<string> => ({ type: 'string', pattern })
export const oneOf = <const T extends string>(...values: T[]): Schema<T> => ({ enum: values })
export const listOf = <T>(items: Schema<T>): Schema<T[]> => ({ type: 'array', items })
export const anyOf = <T>(...schemas: Schema<T>[]): Schema<T> => ({ anyOf: schemas })
export const within = (minimum: number, maximum: number): Schema<number> => ({
  type: 'integer',
  minimum,
  maximum,
})
export const maybe = <T>(schema: Schema<T>) => ({ maybe: schema })

/**
 * An object of a published type, without any other field.
 * @param own fields that its one sender adds, which are published nowhere
 */
export function fields<P>(of: Fields<P>, own: Record<string, Schema<unknown>> = {}): Schema<P> {
  const all = Object.entries(of) as [string, Schema<unknown> & { maybe?: Schema<unknown> }][]
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(all.map(([name, schema]) => [name, schema.maybe ?? schema])),
      ...own,
    },
    required: all.flatMap(([name, schema]) => (schema.maybe ? [] : [name])),
    additionalProperties: false,
  }
}

/** Query parameters of an operation, which the published type must have. */
export const query = <P>(of: { [K in QueryName<P>]?: Schema<unknown> }) =>
  of as Record<string, Schema<unknown>>

/**
 * Returns what does not match an operation in a request; undefined if all of it matches.
 * @param body parsed; undefined without a body
 */
export function misfit(
  { query: allowed = {}, body: schema }: Operation,
  given: URLSearchParams,
  body: unknown,
): string | undefined {
  for (const [name, value] of given) {
    const one = allowed[name]
    if (one === undefined) return `the query ${name} is not published`
    const isNumber = one.type === 'integer' && /^\d+$/.test(value)
    if (!fits(one, isNumber ? Number(value) : value)) return `the query ${name} can't be ${value}`
  }
  if (schema === undefined) return body === undefined ? undefined : 'it takes no body'
  return fits(schema, body) ? undefined : `its body does not fit ${JSON.stringify(schema)}`
}
