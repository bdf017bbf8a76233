import * as v from 'valibot'
import { isUrl } from '../urls.ts'
import { isWallet, type Wallet } from '../wallet.ts'

// Messages complete the sentence "<field> …". Bounds, types and allowed values get theirs in
// lib/http/validate.ts.

/**
 * Any text that Postgres can store and every client can show as it is: well-formed Unicode, without control
 * characters and without those that reverse the direction of what follows.
 */
export const Text = v.pipe(
  v.string(),
  v.check(
    (text) => text.isWellFormed() && !/[\p{Cc}\p{Bidi_Control}]/u.test(text),
    'must not contain control characters',
  ),
)

/**
 * Text without surrounding white space that shows at least one character; its length counted in code points.
 */
export const Name = (min: number, max: number) =>
  v.pipe(
    Text,
    v.trim(),
    v.minCodePoints(min),
    v.maxCodePoints(max),
    v.check((text) => /[^\p{C}\p{Z}\p{M}]/u.test(text), 'must have a visible character'),
  )

export const WalletAddress = v.pipe(
  v.string(),
  v.check(isWallet, 'must be a wallet public key: Base58 of 32 bytes'),
  v.transform((text) => text as Wallet),
)

export const Uuid = v.pipe(
  v.string(),
  v.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, 'must be a UUID'),
  v.toLowerCase(),
)

/** A JSON integer of at most 2^53-1, the largest that every client can write exactly. */
export const Integer = (min: number, max: number = Number.MAX_SAFE_INTEGER) =>
  v.pipe(v.number(), v.safeInteger(), v.minValue(min), v.maxValue(max))

/** An amount (lamports or basis points): a JSON integer outside, a bigint inside. */
export const Amount = v.pipe(
  Integer(0),
  v.transform((amount) => BigInt(amount)),
)

/** A whole number in a query string. */
export const IntegerParameter = (min: number, max: number = Number.MAX_SAFE_INTEGER) =>
  v.pipe(
    v.string(),
    v.regex(/^-?\d{1,16}$/, 'must be a whole number'),
    v.transform((digits) => Number(digits)),
    v.minValue(min),
    v.maxValue(max),
  )

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 100

/** How many entries a page of a list has: 50 unless asked; more than 100 are served as 100. */
export const PageLimit = v.optional(
  v.pipe(
    IntegerParameter(1),
    v.transform((limit) => Math.min(limit, MAX_LIMIT)),
  ),
  String(DEFAULT_LIMIT),
)

/** An absolute URL with one of the schemes. */
export const Url = (...schemes: string[]) =>
  v.pipe(
    Text,
    v.check(
      (text) =>
        isUrl(
          text,
          schemes.map((scheme) => `${scheme}:`),
        ),
      `must be an absolute URL (${schemes.join(', ')}) without credentials`,
    ),
  )

/** The contract's capture layers that agents and hires may name. */
export const FIRST_LAYER = 1
export const LAST_LAYER = 22

/** A non-empty list of layer numbers; duplicates are merged and the order becomes ascending. */
export const Layers = v.pipe(
  v.array(Integer(FIRST_LAYER, LAST_LAYER)),
  v.minLength(1),
  v.maxLength(100),
  v.transform((layers) => [...new Set(layers)].sort((a, b) => a - b)),
)

/** RFC 3339 in UTC with milliseconds, in answers. */
export const Timestamp = v.pipe(v.string(), v.isoTimestamp())
/** A non-negative integer that may lie above 2^53: raw digits on the wire, a bigint inside. */
export const WireAmount = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(0),
  v.transform((amount) => BigInt(amount)),
)
export const WireUuid = v.pipe(v.string(), v.uuid())

/**
 * What a view returns for a schema: every field by name, and none besides. An optional one may be undefined,
 * which the JSON leaves out; it may not be forgotten.
 */
export type Wire<Schema extends v.GenericSchema> = Named<v.InferOutput<Schema>>

type Named<T> = T extends readonly (infer Entry)[]
  ? readonly Named<Entry>[]
  : T extends object
    ? { readonly [Field in keyof T]-?: Named<T[Field]> }
    : T
