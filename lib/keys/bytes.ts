import { hex } from '@scure/base'

/** Joins byte strings. */
export function concat(...parts: ArrayLike<number>[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let offset = 0
  for (const part of parts) {
    joined.set(part, offset)
    offset += part.length
  }
  return joined
}

/** Encodes 32 bits, little-endian. */
export function u32(value: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value, true)
  return bytes
}

/**
 * Encodes 64 bits, little-endian.
 * @throws RangeError outside 0..2⁶⁴-1, because DataView would wrap an amount around
 */
export function u64(value: bigint): Uint8Array<ArrayBuffer> {
  if (BigInt.asUintN(64, value) !== value) throw new RangeError(`${value} does not fit in 64 bits`)
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, value, true)
  return bytes
}

/** Encodes a text as UTF-8. TextEncoder's bytes have a buffer of their own. */
export const utf8 = (text: string) => new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>

export const equalBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, index) => byte === b[index])

/** Returns the SHA-256 of a text's UTF-8, in hexadecimal. */
export const sha256Hex = async (text: string): Promise<string> =>
  hex.encode(new Uint8Array(await crypto.subtle.digest('SHA-256', utf8(text))))

/** Returns random bytes, in hexadecimal. */
export const randomHex = (bytes: number): string => hex.encode(crypto.getRandomValues(new Uint8Array(bytes)))
