declare global {
  interface JSON {
    /** ES proposal "JSON.parse source text access", in V8 since 11.4; TypeScript's library lacks it. */
    rawJSON(text: string): unknown
  }
}

/**
 * JSON text in which every bigint is a raw integer (JSON.rawJSON), so that an amount above 2^53 is not
 * rounded. Undefined members are left out: an absent value is omitted, never null.
 */
export const toJson = (value: unknown): string =>
  JSON.stringify(value, (_key, member) =>
    typeof member === 'bigint' ? JSON.rawJSON(member.toString()) : member,
  )

/** A response of which the compiler knows the status and what was serialized. */
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

/** The same of what is JSON text already; the compiler takes its writer's word for what it holds. */
export const jsonText = (text: string, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(text, { status, headers: { 'content-type': 'application/json', ...headers } })
