import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { decodeTransaction } from '../../../lib/solana/transaction.ts'
import { publicKeyBytes, signatureBytes } from '../../../schema/wallet.ts'
import { type Field, fields, saidOfText } from '../../support/description.ts'
import { fits } from '../../support/json-schema.ts'

/** Rules that JSON Schema can't express (lib/tools/description/README.md), by what their refusal says. */
const BEYOND_JSON_SCHEMA = [
  /^must be a wallet public key: Base58 of 32 bytes$/,
  /^must be an absolute URL /,
  /^must be a public https URL /,
  /^must contain a visible character$/,
  /^must not contain invisible characters/,
  /^must be a (day|time) that exists$/,
]

const isNoToken = (text: string) => !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(text)
const isNoKey = (text: string) => !/^[\w-]{70}$/.test(text)

/**
 * Fields that accept any string and refuse an invalid one later, by another code: the texts that they refuse.
 */
const REFUSED_LATER: Record<string, (text: string) => boolean> = {
  'POST /auth/handshake body nonce': (text) => !/^[0-9a-f]+$/.test(text),
  'POST /auth/handshake body publicKey': (text) => publicKeyBytes(text) === undefined,
  'POST /auth/handshake body signature': (text) => signatureBytes(text) === undefined,
  'POST /auth/handshake body signedMessage': (text) => !/^[A-Za-z0-9+/]+={0,2}$/.test(text),
  'POST /oauth/challenge body request': isNoToken,
  'POST /oauth/consent body request': isNoToken,
  'POST /oauth/consent body nonce': (text) => !/^[0-9a-f]+$/.test(text),
  'POST /oauth/consent body publicKey': (text) => publicKeyBytes(text) === undefined,
  'POST /oauth/consent body signature': (text) => signatureBytes(text) === undefined,
  'POST /oauth/consent body signedMessage': (text) => !/^[A-Za-z0-9+/]+={0,2}$/.test(text),
  'POST /oauth/grants body nonce': (text) => !/^[0-9a-f]+$/.test(text),
  'POST /oauth/grants body publicKey': (text) => publicKeyBytes(text) === undefined,
  'POST /oauth/grants body signature': (text) => signatureBytes(text) === undefined,
  'POST /oauth/grants body signedMessage': (text) => !/^[A-Za-z0-9+/]+={0,2}$/.test(text),
  'POST /registry/agents body signature': (text) => signatureBytes(text) === undefined,
  'POST /vault/transactions body transaction': (text) => decodeTransaction(text) === undefined,
  'GET /x402/k/{key}/supported path key': isNoKey,
  'GET /x402/k/{key}/discovery/resources path key': isNoKey,
  'GET /x402/k/{key}/discovery/search path key': isNoKey,
  'POST /x402/k/{key}/verify path key': isNoKey,
  'POST /x402/k/{key}/settle path key': isNoKey,
  'POST /payments/transactions body transaction': (text) => decodeTransaction(text) === undefined,
}

/** Texts whose every other character is named by a pattern. */
const specials = [
  ...'\u0000\t\n\r \u007f\u0085\u00a0\u00ad\u061c\u200b\u200e\u202e\u2028\u2069\u3000\ufeff\u0301\u3164\u{e0041}\ud800\udc00\ue000😀é:/?#@[]\\%.+-_=<>^|0OIl19azAZ',
]
const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom(...specials, ...'abc') }),
  fc.string({ unit: fc.constantFrom(...'abc 😀\u0301'), maxLength: 600, size: 'max' }),
)

/** Texts on both sides of a pattern: such as it describes, the same with one character changed, and any. */
function around(pattern: string | undefined) {
  if (pattern === undefined) return texts
  const inside = fc.stringMatching(new RegExp(pattern, 'u'))
  const changed = fc
    .tuple(inside, fc.nat(), fc.constantFrom('', ...specials))
    .map(
      ([text, at, other]) =>
        text.slice(0, at % (text.length + 1)) + other + text.slice((at % (text.length + 1)) + 1),
    )
  const padded = inside.map((text) => ` \u00a0${text}\u2003 `)
  return fc.oneof(inside, changed, padded, texts)
}

const described = (field: Field) => ({ field, said: saidOfText(field) })
const textFields = fields
  .map(described)
  .flatMap(({ field, said }) => (said && !said.enum ? [{ ...field, said }] : []))

describe('a text of a request', () => {
  it.each(textFields)('fits its schema where the check accepts it: $where', ({ check, said, where }) => {
    const pattern = said.pattern as string | undefined
    fc.assert(
      fc.property(around(pattern), (text) => {
        const { issues } = v.safeParse(check, text, { abortPipeEarly: true })
        if (issues === undefined) {
          const isLater = !fits(said, text) && REFUSED_LATER[where]?.(text)
          return isLater || fits(said, text)
        }
        const isListed = BEYOND_JSON_SCHEMA.some((rule) => rule.test(issues[0].message))
        return isListed || !fits(said, text)
      }),
      { numRuns: 300 },
    )
  })

  it('has a pattern or a bound wherever the code checks more than that it is text', () => {
    const free = textFields.filter(({ said }) => !said.pattern && !said.maxLength && !said.minLength)
    expect(free.map(({ where }) => where)).toEqual(['POST /pioneer body inviteCode'])
  })

  it('never contains U+0000, which can not be stored, except in ids that are looked up', () => {
    const taken = textFields.filter(({ said }) => fits(said, '\0') || fits(said, 'abc\0def'))
    expect(taken.map(({ where }) => where).sort()).toEqual([
      'GET /pioneer query user_id',
      'POST /auth/handshake body agentId',
      'POST /pioneer body inviteCode',
    ])
  })
})

it.each(fields.filter(({ said }) => said.type === 'integer'))(
  'a whole number fits its schema exactly where the check accepts it: $where',
  ({ check, said, place }) => {
    const edges = [said.minimum, said.maximum, 0, Number.MAX_SAFE_INTEGER].flatMap((edge) => [
      Number(edge) - 1,
      Number(edge),
      Number(edge) + 1,
    ])
    fc.assert(
      fc.property(fc.oneof(fc.constantFrom(...edges), fc.maxSafeInteger(), fc.integer()), (number) => {
        fc.pre(Number.isSafeInteger(number) || number === 2 ** 53)
        const sent = place === 'body' ? number : String(number)
        return v.is(check, sent) === fits(said, number)
      }),
    )
  },
)

it('every pattern is one that ECMA-262 with u, Python and Rust read alike', () => {
  const patterns = textFields.flatMap(({ said }) =>
    said.pattern === undefined ? [] : [String(said.pattern)],
  )
  expect(patterns.length).toBeGreaterThan(40)
  for (const pattern of new Set(patterns)) {
    expect(() => new RegExp(pattern, 'u')).not.toThrow()
    expect([pattern.at(0), pattern.at(-1)]).toEqual(['^', '$'])
    // No classes that differ between dialects, no lookaround, no names.
    expect(pattern).not.toMatch(/\\[pPdDwWsSbBuU](?![0-9a-f]{4})|\(\?[^:]/)
  }
})
