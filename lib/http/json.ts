declare global {
  interface JSON {
    /**
     * From the ES proposal "JSON.parse source text access": in V8 since 11.4, not in TypeScript's library.
     */
    rawJSON(text: string): unknown
  }
}

/**
 * Serializes a value to JSON. Bigints become exact integers (JSON.rawJSON above 2^53). Undefined members are
 * left out.
 */
export const toJson = (value: unknown): string => JSON.stringify(withoutBigints(value))

/**
 * Returns the value in a form that JSON.stringify writes without a replacer, which it would call for every
 * member. Parts without a bigint are not copied.
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

/** Returns a number up to 2^53, which is written several times faster than raw JSON. */
const integer = (value: bigint): unknown => {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : JSON.rawJSON(value.toString())
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** A response whose status and body type the compiler knows. */
export type JsonResponse<Status, Body> = Response & { readonly '~answer'?: { status: Status; body: Body } }

/** Makes a JSON response; {@link toJson} serializes the body. */
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

/** Makes a JSON response from JSON text. The caller vouches for its type. */
export function jsonText(text: string, status = 200, headers: Record<string, string> = {}): Response {
  const response = new Response(text, {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  })
  texts.set(response, text)
  return response
}

/** Returns the body of a response made by {@link jsonText}, without copying it from the response. */
export const textOf = (response: Response): string | undefined => texts.get(response)
