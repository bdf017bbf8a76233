import { utf8 } from './encoding.ts'

/** A webhook that is not verified; the message says why. */
export class WebhookRefused extends Error {
  override readonly name = 'WebhookRefused'
}

/** Headers of any library, or a record of them: in any case, with texts or lists of one. */
type ArrivedHeaders =
  | { get(name: string): unknown }
  | Readonly<Record<string, string | readonly string[] | undefined>>

/** A webhook as it arrived. The body must be the bytes as sent: JSON written again may have others. */
export type ArrivedWebhook = {
  headers: ArrivedHeaders
  body: Uint8Array | ArrayBuffer | string
}

/** Returns the one value of a header. @throws WebhookRefused where there is none, or more than one */
export function headerOf(headers: ArrivedHeaders, name: string): string {
  const [value, another] = valuesOf(headers, name).flat()
  if (value && !another) return `${value}`
  throw new WebhookRefused(`${name} is missing or repeated`)
}

/** Not by the class of the headers: node-fetch, undici and test environments have classes of their own. */
const valuesOf = (headers: ArrivedHeaders, name: string): unknown[] =>
  typeof headers.get === 'function'
    ? [headers.get(name)]
    : Object.entries(headers).map(([key, value]) => (key.toLowerCase() === name ? value : []))

/**
 * Returns the bytes of a body. Not by its class: each global environment has classes of its own.
 * @throws TypeError for a body that was parsed: no way leads back to the bytes that are signed
 */
export function bodyBytes(body: unknown): Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return utf8(body)
  const { buffer = body, byteOffset, byteLength } = Object(body)
  if (byteLength >= 0) return new Uint8Array(buffer, byteOffset, byteLength)
  throw new TypeError('pass the raw body, not a parsed one')
}
