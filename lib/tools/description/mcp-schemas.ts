export type Json = Record<string, unknown>
export type Schemas = Record<string, Json>

/** Text that the service itself writes. All other free text in answers was written by its users. */
const OWN_TEXT = [
  'address',
  'asset',
  'decidedBy',
  'hirer',
  'message',
  'nextCursor',
  'owner',
  'payer',
  'pubkey',
  'referrer',
  'signature',
  'transaction',
  'userId',
  'vaultPda',
  'wallet',
  /Formatted$/,
]

/** Fields that only a call makes which no tool makes: models are not told of secrets. */
const SECRETS = ['webhookSecret']

const REFERENCE = '#/components/schemas/'

/**
 * Translates the API's schemas into schemas of tools: amounts are decimal text, since models and their
 * clients round numbers above 2^53; a schema holds all that it refers to.
 * @param answers the names of the schemas that tools answer with
 * @throws Error that names a field which is an amount in one place and none in another
 */
export function createTranslation(schemas: Schemas, answers: string[]) {
  const used = new Set(answers.flatMap((name) => closureOf(schemas, name)))
  const fields = [...used].flatMap((name) => fieldsIn(schemas[name]))
  const amounts = new Set(fields.filter(([, { format }]) => format === 'int64').map(([name]) => name))
  for (const [name, { type }] of fields) {
    if (amounts.has(name) && type !== 'integer') throw new Error(`${name} is not an amount everywhere`)
  }
  const translate = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(translate)
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => {
        if (key === '$ref') return [key, String(member).replace(REFERENCE, '#/$defs/')]
        return [key, key === 'properties' ? translateFields(member as Schemas) : translate(member)]
      }),
    )
  }
  const translateFields = (properties: Schemas): Schemas =>
    Object.fromEntries(
      Object.entries(properties)
        .filter(([name]) => !SECRETS.includes(name))
        .map(([name, schema]) => [name, amounts.has(name) ? decimalText(schema) : Object(translate(schema))]),
    )
  return {
    amounts: [...amounts].sort(),
    /** The input schema of a tool with these arguments. */
    input: ({ properties, required }: { properties: Schemas; required: string[] }) => ({
      properties: translateFields(properties),
      ...(required.length === 0 ? {} : { required }),
      additionalProperties: false,
    }),
    /** The output schema of a tool that answers with this, and the fields that others have written. */
    answer(name: string) {
      const [, ...referred] = closureOf(schemas, name)
      const definitions = Object.fromEntries(
        referred.map((each) => [each, shortened(translate(schemas[each]), each.endsWith('Event'))]),
      )
      const texts = closureOf(schemas, name)
        .flatMap((each) => fieldsIn(schemas[each]))
        .filter(([field]) => !SECRETS.includes(field))
      return {
        schema: {
          ...Object(shortened(translate(schemas[name]), false)),
          ...(referred.length === 0 ? {} : { $defs: definitions }),
        },
        untrusted: [...new Set(texts.filter(isUsersText).map(([field]) => field))].sort(),
      }
    },
  }
}

/**
 * Leaves out of an answer what no model needs: formats of ids and times, that a schema is closed, the words
 * for fields that all events have, and all but the first sentence about an event.
 */
function shortened(value: unknown, isEvent: boolean): unknown {
  if (Array.isArray(value)) return value.map((each) => shortened(each, false))
  if (!isObject(value)) return value
  const { format: _, additionalProperties, ...rest } = value
  // A constant says its own type.
  if ('const' in rest) delete rest.type
  const kept = additionalProperties ? { ...rest, additionalProperties } : rest
  return Object.fromEntries(
    Object.entries(kept).map(([key, member]) => {
      if (isEvent && key === 'description') return [key, firstSentence(String(member))]
      if (!isEvent || key !== 'properties') return [key, shortened(member, false)]
      const fields = Object.entries(Object(member)).map(([name, field]) => {
        const { description: _, ...bare } = Object(shortened(field, false))
        return [name, bare]
      })
      return [key, Object.fromEntries(fields)]
    }),
  )
}

const firstSentence = (text: string): string => /^.*?\.(?= |$)/.exec(text)?.[0] ?? text

const decimalText = ({ description }: Json): Json => ({
  type: 'string',
  pattern: '^[0-9]+$',
  ...(description === undefined ? {} : { description }),
})

/** A schema's name, and after it the names of all schemas that it refers to. */
function closureOf(schemas: Schemas, name: string, known: string[] = []): string[] {
  if (known.includes(name)) return known
  return referencesIn(schemas[name]).reduce(
    (names, next) => closureOf(schemas, next, names),
    [...known, name],
  )
}

const referencesIn = (value: unknown): string[] =>
  isObject(value)
    ? Object.entries(value).flatMap(([key, member]) =>
        key === '$ref' ? [String(member).replace(REFERENCE, '')] : referencesIn(member),
      )
    : []

/** Every property by its name, at any depth, without following references. */
const fieldsIn = (value: unknown): [string, Json][] =>
  isObject(value)
    ? [...Object.entries(value.properties ?? {}), ...Object.values(value).flatMap(fieldsIn)]
    : []

const isUsersText = ([name, schema]: [string, Json]): boolean =>
  schema.type === 'string' &&
  !['enum', 'const', 'format', 'pattern'].some((keyword) => keyword in schema) &&
  !OWN_TEXT.some((own) => (typeof own === 'string' ? own === name : own.test(name)))

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null
