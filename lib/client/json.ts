import { AMOUNT_FIELDS } from './generated/facts.ts'

const INTEGER = /^-?\d+$/

/**
 * Parses JSON: amounts, which the API's description marks as int64, become bigint to their last digit, all
 * else is as JSON.parse has it.
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

/** Whether the runtime tells a reviver the source text, as ECMAScript 2026 has it. Node 20 does not. */
const hasSource = (): boolean => parseWith('1', (_key, _value, context) => context?.source === '1') === true

/** For a runtime that gives revivers the source text. */
export const parseBySource = (text: string): unknown =>
  parseWith(text, (key, value, context) =>
    typeof value === 'number' && isAmount(key, context?.source ?? '') ? BigInt(context?.source ?? '') : value,
  )

/** For any runtime. */
export function parseByTokens(text: string): unknown {
  // It refuses text that is not JSON, so the rest may rely on the form.
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
  throw new RangeError(`${amount} is beyond 2^53-1, the largest amount that the service takes`)
}
