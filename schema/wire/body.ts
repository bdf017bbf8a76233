import * as v from 'valibot'
import { describe, describeParameters, exampleOf } from '../docs.ts'
import { OwnText } from './answer-text.ts'
import { Count, Cursor, PageLimit } from './common.ts'

/** The fields of a body, or parameters, by name: the schema, and the meaning in the API description. */
type Fields = Record<string, readonly [schema: v.GenericSchema, meaning: string]>

type EntriesOf<F extends Fields> = { -readonly [Name in keyof F]: F[Name][0] }
type ObjectOf<F extends Fields> = v.StrictObjectSchema<EntriesOf<F>, undefined>

const schemasOf = <F extends Fields>(fields: F) =>
  Object.fromEntries(Object.entries(fields).map(([name, [schema]]) => [name, schema])) as EntriesOf<F>
const meaningsOf = (fields: Fields) =>
  Object.fromEntries(Object.entries(fields).map(([name, [, meaning]]) => [name, meaning]))

/**
 * Makes the schema of a body with its docs. It rejects unknown fields.
 * @param name its name in the API description
 * @param example as on the wire. Operations use it unless they have their own
 * @param checked adds checks of several fields
 */
export function body<const F extends Fields, Schema extends v.GenericSchema = ObjectOf<F>>(
  name: string,
  description: string,
  fields: F,
  example?: v.InferInput<ObjectOf<F>>,
  checked?: (object: ObjectOf<F>) => Schema,
): Schema {
  const object: ObjectOf<F> = v.strictObject(schemasOf(fields))
  const schema = (checked ? checked(object) : object) as Schema
  describe(schema, { name, description, fields: meaningsOf(fields) as never, example: example as never })
  return schema
}

/** Makes the schema of a query or a path with its docs. Unknown parameters are ignored. */
export function parameters<const F extends Fields>(
  fields: F,
  example: { [Name in keyof F]?: string } = {},
): v.ObjectSchema<EntriesOf<F>, undefined> {
  const schema = v.object(schemasOf(fields))
  describeParameters(schema, meaningsOf(fields) as never, example as never)
  return schema
}

/** The parameters of every list, after its filters. */
export const pageFields = {
  limit: [PageLimit, 'Page size; values above 100 count as 100.'],
  cursor: [v.optional(Cursor), 'The `nextCursor` of the previous page.'],
} as const satisfies Fields

type PageFields<Key extends string, Entry extends v.GenericSchema, More extends Fields> = More & {
  readonly [Name in Key]: readonly [v.ArraySchema<Entry, undefined>, string]
} & {
  readonly count: readonly [typeof Count, string]
  readonly nextCursor: readonly [v.OptionalSchema<typeof OwnText, undefined>, string]
}

/**
 * Makes the schema of one page of a list, whose entries are the member `key`. Its example has one entry's.
 * @param noun names the entries, in the plural
 * @param more further fields of the page
 */
export function pageOf<
  Key extends string,
  Entry extends v.GenericSchema,
  const More extends Fields = Record<never, never>,
>(
  [name, key, description]: readonly [name: string, key: Key, description: string],
  entry: Entry,
  [order, noun]: readonly [order: string, noun: string],
  more?: More,
) {
  const fields = {
    [key]: [v.array(entry), order],
    count: [Count, `Number of ${noun} on this page.`],
    nextCursor: [v.optional(OwnText), 'Send it as `cursor` for the next page; absent on the last.'],
    ...more,
  } as unknown as PageFields<Key, Entry, More>
  return body(name, description, fields, { [key]: [exampleOf(entry)], count: 1 } as never)
}
