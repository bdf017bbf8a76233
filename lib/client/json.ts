import { AMOUNT_FIELDS } from './generated/facts.ts'

const INTEGER = /^-?\d+$/

/**
 * Parses JSON. Amounts, which are int64 in the API's description, become exact bigints. All other values are
 * the same as in JSON.parse.
 * @throws SyntaxError
 */
export const parseJson = (text: string): unknown => (hasSource() ? parseBySource(text) : parseByTokens(text))

/** Writes JSON; a bigint becomes an integer. The service takes none above 2^53-1. */
export const writeJson = (value: unknown): string =>
  JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'bigint' ? exactNumber(member) : member,
  )

type SourceReviver = (key: string, value: unknown, context?: { source?: string }) => unknown
const parseWith = JSON.parse as (text: string, reviver: SourceReviver) => unknown

/** Returns whether the runtime passes the source text to a reviver (ECMAScript 2026). Node 20 does not. */
const hasSource = (): boolean => parseWith('1', (_key, _value, context) => context?.source === '1') === true

/** Parses in a runtime that passes the source text to revivers. */
export const parseBySource = (text: string): unknown =>
  parseWith(text, (key, value, context) =>
    typeof value === 'number' && isAmount(key, context?.source ?? '') ? BigInt(context?.source ?? '') : value,
  )

/** Parses in any runtime. */
export function parseByTokens(text: string): unknown {
  // Throws if the text is not JSON, so the rest can rely on the syntax.
  JSON.parse(text)
  const tokens = text.match(/"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}]|[^\s",:[\]{}]+/g) ?? []
  let at = 0
  const next = (): string => tokens[at++] ?? ''
  const value = (key?: string): unknown => {
    const token = next()
    if (token === '[') return [...until(']', () => value())]
    if (token !== '{') return isAmount(key, token) ? BigInt(token) : JSON.parse(token)
    const members = until('}', (): [string, unknown] => {
      const name: string = JSON.parse(next())
      return [name, value(name)]
    })
    return Object.fromEntries(members)
  }
  function* until<T>(end: string, read: () => T): Generator<T> {
    while (tokens[at] !== end) yield read()
    at += 1
  }
  return value()
}

const isAmount = (key: string | undefined, source: string): boolean =>
  key !== undefined && AMOUNT_FIELDS.has(key) && INTEGER.test(source)

function exactNumber(amount: bigint): number {
  const number = Number(amount)
  if (Number.isSafeInteger(number)) return number
  throw new RangeError(`${amount} exceeds 2^53-1, the largest amount that the service accepts`)
}
