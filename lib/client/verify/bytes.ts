/** Joins bytes. */
export function concat(...parts: ArrayLike<number>[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let offset = 0
  for (const part of parts) {
    all.set(part, offset)
    offset += part.length
  }
  return all
}

/** Writes a number in little-endian bytes. */
export const littleEndian = (value: bigint, length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, index) => Number((value >> BigInt(8 * index)) & 255n))

/** Reads 64 little-endian bits; 0 beyond the end. The comparison with the exact list finds short data. */
export function u64At(bytes: Uint8Array | undefined, offset: number): bigint {
  const read = bytes?.subarray(offset, offset + 8).reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n)
  return read ?? 0n
}

/** Writes bytes in lowercase hexadecimal. */
export const hex = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')

export const isEqual = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, index) => byte === b[index])
