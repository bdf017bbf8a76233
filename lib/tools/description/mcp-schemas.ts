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
  'webhookSecret',
  /Formatted$/,
]

const REFERENCE = '#/components/schemas/'

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
        return [name, amounts.has(name) ? decimalText(schema) : schema] as const
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
        .filter(isUsersText)
      return [...new Set(texts.map(([field]) => field))].sort()
    },
  }
}

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
