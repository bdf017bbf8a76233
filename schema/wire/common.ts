import * as v from 'valibot'
import { constrain } from '../docs.ts'
import { BASE58_OF_32_BYTES, BASE58_OF_64_BYTES, UUID, urlWith } from '../patterns.ts'
import { isUrl, MAX_URL_LENGTH } from '../urls.ts'
import { apiProtocols } from '../values.ts'
import { isWallet, type Wallet } from '../wallet.ts'
import { Opaque } from './text.ts'

// Messages complete the sentence "<field> …". Messages of bounds, types and allowed values are in
// lib/http/validate.ts. `constrain` adds JSON Schema keywords to the description; it checks no value.

const WALLET_ERROR = 'must be a wallet public key: Base58 of 32 bytes'

export const WalletAddress = v.pipe(
  v.string(),
  v.regex(BASE58_OF_32_BYTES, WALLET_ERROR),
  v.check(isWallet, WALLET_ERROR),
  v.transform((text) => text as Wallet),
)

/**
 * A signature in Base58. The pattern is only in the API description. This schema accepts any text, so that a
 * malformed signature gets the same error code as one that does not verify.
 */
export const Signature = Opaque(BASE58_OF_64_BYTES.source)

export const Uuid = v.pipe(v.string(), v.regex(UUID, 'must be a UUID'), v.toLowerCase())

/** A JSON integer of at most 2^53-1, the largest that every client can write exactly. */
export const Integer = (min: number, max: number = Number.MAX_SAFE_INTEGER) =>
  v.pipe(v.number(), v.safeInteger(), v.minValue(min), v.maxValue(max))

/** The format of every amount in the API description: clients read it as a 64-bit integer, exactly. */
const AMOUNT_FORMAT = { format: 'int64' }

const AmountNumber = v.number()
constrain(AmountNumber, AMOUNT_FORMAT)

/** An amount (lamports or basis points) from `min` on: a JSON integer on the wire, a bigint in our code. */
export const AmountFrom = (min: number) =>
  v.pipe(
    AmountNumber,
    v.safeInteger(),
    v.minValue(min),
    v.maxValue(Number.MAX_SAFE_INTEGER),
    v.transform((amount) => BigInt(amount)),
  )

export const Amount = AmountFrom(0)

/** A filter in a query string that is on or absent. */
export const Yes = v.pipe(
  v.literal('true'),
  v.transform(() => true as const),
)

/** A whole number in a query string. */
export const IntegerParameter = (min: number, max: number = Number.MAX_SAFE_INTEGER) =>
  v.pipe(
    v.string(),
    v.regex(/^-?[0-9]{1,16}$/, 'must be a whole number'),
    v.transform((digits) => Number(digits)),
    v.minValue(min),
    v.maxValue(max),
  )

/** An amount of at least one in a query string: a bigint in our code. */
export const AmountParameter = v.pipe(
  IntegerParameter(1),
  v.transform((amount) => BigInt(amount)),
)
constrain(AmountParameter, AMOUNT_FORMAT)

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 100

/** The number of entries on a page of a list. Numbers above 100 are lowered to 100. */
export const pageLimit = (usual: number) =>
  v.optional(
    v.pipe(
      IntegerParameter(1),
      v.transform((limit) => Math.min(limit, MAX_LIMIT)),
    ),
    String(usual),
  )

/** The number of entries on a page of a list: 50 by default. */
export const PageLimit = pageLimit(DEFAULT_LIMIT)

/** The `nextCursor` of an earlier page. The list checks its content (lib/cursor.ts). */
export const Cursor = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]+$/, 'was not issued by this list'))

/** An absolute URL with one of the schemes. */
export function Url(...schemes: string[]) {
  const error = `must be an absolute URL (${schemes.join(', ')}) without credentials, spaces, control characters or invisible ones`
  const protocols = schemes.map((scheme) => `${scheme}:`)
  return v.pipe(
    v.string(),
    v.maxCodePoints(MAX_URL_LENGTH),
    v.regex(urlWith(schemes), error),
    v.check((text) => isUrl(text, protocols), error),
  )
}

/** The protocol of an agent's apiEndpoint, and its description. */
export const ApiProtocol = v.picklist(apiProtocols)
export const API_PROTOCOL =
  'What apiEndpoint speaks: MCP over streamable HTTP (`mcp`), A2A 1.0 by JSON-RPC or HTTP+JSON, an OpenAPI document (`openapi`), or something else (`http`). Without apiProtocol, the service sends no request to the endpoint.'
/**
 * The pattern of a day such as 2028-02-29, without `^` and `$`, so that longer patterns can contain it. It
 * allows 29 February in every year.
 */
export const DAY =
  '(000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|[12][0-9]))'

const isDay = v.check((text: string) => {
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}, 'must be a day that exists')
// In the API description, the format excludes 29 February of other years than leap years.
constrain(isDay, { format: 'date' })

/** An existing day of the calendar, such as 2028-02-29. Postgres has no year 0. */
export const CalendarDate = v.pipe(
  v.string(),
  v.regex(new RegExp(`^${DAY}$`), 'must be a calendar date, such as 2026-11-20'),
  isDay,
)

/**
 * The capture layers that an agent or a hire can have. A capture layer is the number of a field of work;
 * layerNames (schema/registry.ts) names each. Only registered agents can have layer 23.
 */
export const FIRST_LAYER = 1
export const LAST_LAYER = 22

/** A non-empty list of layer numbers; duplicates are merged and the order becomes ascending. */
export const Layers = v.pipe(
  v.array(Integer(FIRST_LAYER, LAST_LAYER)),
  v.minLength(1),
  v.maxLength(100),
  v.transform((layers) => [...new Set(layers)].sort((a, b) => a - b)),
)

/** The time in an answer: RFC 3339 in UTC with milliseconds. */
export const Timestamp = v.pipe(v.string(), v.isoTimestamp())

/**
 * An amount in an answer: a bigint in our code, and a JSON integer on the wire, also above 2^53
 * (lib/http/json.ts). No Worker runs this schema on a value: it gives views their type, and the API its
 * description.
 */
export const WireAmount = v.pipe(
  AmountNumber,
  v.integer(),
  v.minValue(0),
  v.transform((amount) => BigInt(amount)),
)

/** A number of things in an answer. */
export const Count = v.pipe(v.number(), v.integer(), v.minValue(0))

export const WireUuid = v.pipe(v.string(), v.uuid())

/** A span of time: from `start`, until before `end`. */
export const Period = v.strictObject({ start: Timestamp, end: Timestamp })

/**
 * The value that a view returns for a schema: exactly the schema's fields. A view must also name optional
 * fields; their value may be undefined, and the JSON omits them then.
 */
export type Wire<Schema extends v.GenericSchema> = RequireKeys<v.InferOutput<Schema>>

/** Makes each optional key required, at every depth; its value may still be undefined. */
type RequireKeys<T> = T extends readonly (infer Entry)[]
  ? readonly RequireKeys<Entry>[]
  : T extends object
    ? { readonly [Field in keyof T]-?: RequireKeys<T[Field]> }
    : T
