declare global {
  interface JSON {
    /** ES proposal "JSON.parse source text access", in V8 since 11.4; TypeScript's library lacks it. */
    rawJSON(text: string): unknown
  }
}

/**
 * JSON text in which every bigint is an integer to its last digit (JSON.rawJSON above 2^53). Undefined
 * members are left out: an absent value is omitted, never null.
 */
export const toJson = (value: unknown): string => JSON.stringify(withoutBigints(value))

/**
 * The value as JSON.stringify can write it by itself: a replacer would be called for every member. What holds
 * no bigint is not copied.
 */
function withoutBigints(value: unknown): unknown {
  if (typeof value === 'bigint') return integer(value)
  if (!isObject(value)) return value
  if (Array.isArray(value)) return value.map(withoutBigints)
  let copy = value
  for (const key of Object.keys(value)) {
    const member = value[key]
    if (typeof member !== 'bigint' && !isObject(member)) continue
    const written = withoutBigints(member)
    if (written === member) continue
    if (copy === value) copy = { ...value }
    copy[key] = written
  }
  return copy
}

/** A number is written several times faster than raw JSON, and is as exact up to 2^53. */
const integer = (value: bigint): unknown => {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : JSON.rawJSON(value.toString())
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** A response of which the compiler knows the status and the serialized body. */
export type JsonResponse<Status, Body> = Response & { readonly '~answer'?: { status: Status; body: Body } }

/** A JSON response; the body is serialized by {@link toJson}. */
export function json<const Body>(value: Body): JsonResponse<200, Body>
export function json<const Body, Status extends number>(
  value: Body,
  status: Status,
  headers?: Record<string, string>,
): JsonResponse<Status, Body>
export function json(value: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return jsonText(toJson(value), status, headers)
}

const texts = new WeakMap<Response, string>()

/** The same from a body that is JSON text already; the compiler takes its writer's word for its type. */
export function jsonText(text: string, status = 200, headers: Record<string, string> = {}): Response {
  const response = new Response(text, {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  })
  texts.set(response, text)
  return response
}

/** The body of a response that was made here: to read it from the response would copy it. */
export const textOf = (response: Response): string | undefined => texts.get(response)
