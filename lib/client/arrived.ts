import { utf8 } from './encoding.ts'

/** The error of a webhook that is not valid; the message says why. */
export class WebhookRefused extends Error {
  override readonly name = 'WebhookRefused'
}

/** Headers of any library, or a record of them: in any case, with strings or lists of one string. */
type ArrivedHeaders =
  | { get(name: string): unknown }
  | Readonly<Record<string, string | readonly string[] | undefined>>

/** A received webhook. The body must be the original bytes: JSON that is written again may differ. */
export type ArrivedWebhook = {
  headers: ArrivedHeaders
  body: Uint8Array | ArrayBuffer | string
}

/** Returns the value of a header. @throws WebhookRefused if the header is missing or repeated */
export function headerOf(headers: ArrivedHeaders, name: string): string {
  const [value, another] = valuesOf(headers, name).flat()
  if (value && !another) return `${value}`
  throw new WebhookRefused(`${name} is missing or repeated`)
}

/** Ignores the class of the headers, since node-fetch, undici and test environments have their own. */
const valuesOf = (headers: ArrivedHeaders, name: string): unknown[] =>
  typeof headers.get === 'function'
    ? [headers.get(name)]
    : Object.entries(headers).map(([key, value]) => (key.toLowerCase() === name ? value : []))

/**
 * Returns the bytes of a body. Ignores its class, since each global environment has its own.
 * @throws TypeError if the body was parsed, since the signed bytes are lost
 */
export function bodyBytes(body: unknown): Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return utf8(body)
  const { buffer = body, byteOffset, byteLength } = Object(body)
  if (byteLength >= 0) return new Uint8Array(buffer, byteOffset, byteLength)
  throw new TypeError('pass the raw body, not a parsed one')
}
