import { UNTRUSTED } from '../../../schema/docs.ts'

export type Json = Record<string, unknown>
export type Schemas = Record<string, Json>

const REFERENCE = '#/components/schemas/'

/** A schema's name, and after it the names of all schemas that it refers to. */
export function closureOf(schemas: Schemas, name: string, known: string[] = []): string[] {
  if (known.includes(name)) return known
  return referencesIn(schemas[name]).reduce(
    (names, next) => closureOf(schemas, next, names),
    [...known, name],
  )
}

/** The names of the schemas that a part of the document refers to. */
export const referencesIn = (value: unknown): string[] =>
  isObject(value)
    ? Object.entries(value).flatMap(([key, member]) =>
        key === '$ref'
          ? [String(member)].filter((to) => to.startsWith(REFERENCE)).map((to) => to.slice(REFERENCE.length))
          : referencesIn(member),
      )
    : []

/** Formats of texts that can't contain words. */
const WORDLESS = ['uuid', 'date-time', 'date']

/**
 * Returns the schemas with `x-untrusted` only at the texts of answers that others than the service wrote.
 * @param schemas the document's schemas, whose texts of answers state who wrote them
 * @param answers the parts of the document that refer to schemas of answers
 * @throws Error that names the texts of answers that state nothing
 */
export function markUntrusted(schemas: Schemas, answers: unknown): Schemas {
  const inAnswers = new Set(referencesIn(answers).flatMap((name) => closureOf(schemas, name)))
  const unstated = [...inAnswers].flatMap((name) => unstatedIn(schemas[name], name))
  if (unstated.length > 0)
    throw new Error(`use UserText or OwnText (schema/wire/answer-text.ts) for ${unstated.join(', ')}`)
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, marked(schema, inAnswers.has(name)) as Json]),
  )
}

/** The places of texts that state nothing, as in `Agent.name`. A value of any type may be a text. */
function unstatedIn(schema: unknown, place: string): string[] {
  if (!isObject(schema) || typeof schema[UNTRUSTED] === 'boolean') return []
  const { properties = {}, items, additionalProperties, anyOf, oneOf } = schema
  const inner = [items, additionalProperties, ...[anyOf ?? oneOf ?? []].flat()]
  return [
    ...(isText(schema) ? [place] : []),
    ...Object.entries(properties as Json).flatMap(([name, field]) => unstatedIn(field, `${place}.${name}`)),
    ...inner.flatMap((each) => unstatedIn(each, place)),
  ]
}

function isText({ type, format, ...rest }: Json): boolean {
  if (['$ref', 'enum', 'const', 'anyOf', 'oneOf'].some((keyword) => keyword in rest)) return false
  return type === undefined || (type === 'string' && !WORDLESS.includes(String(format)))
}

/** Returns a part of a schema without the statements of the service's own texts, and of all in requests. */
function marked(part: unknown, isAnswer: boolean): unknown {
  if (Array.isArray(part)) return part.map((each) => marked(each, isAnswer))
  if (!isObject(part)) return part
  return Object.fromEntries(
    Object.entries(part)
      .filter(([key, value]) => key !== UNTRUSTED || (isAnswer && value === true))
      .map(([key, value]) => [key, marked(value, isAnswer)]),
  )
}

export const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null
