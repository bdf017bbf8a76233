/** JSON with exact integers: lamports and token amounts are u64 and do not fit a JavaScript number. */

declare global {
  interface JSON {
    /** ES proposal "JSON.parse source text access", in V8 since 11.4; TypeScript's library lacks it. */
    parse(
      text: string,
      reviver: (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown,
    ): unknown
  }
}

/**
 * Parses JSON; an integer beyond 2^53 becomes a bigint instead of a rounded number.
 * @throws SyntaxError when the text is not JSON
 */
export function parseJson(text: string): unknown {
  return JSON.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && source && /^-?\d+$/.test(source)
      ? BigInt(source)
      : value,
  )
}
