import { base64urlnopad } from '@scure/base'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '../../lib/mcp/catalog.ts'
import { WALLET } from '../../schema/examples.ts'
import { hasMisplacedInvisible } from '../../schema/hidden.ts'
import { register } from '../support/agents.ts'
import { fields, saidOfText } from '../support/description.ts'
import { argumentsOf, callRaw, type Json } from '../support/mcp.ts'
import { type Change, openRequests } from '../support/openapi-requests.ts'
import { type Operation, operations, type Place, valueAt } from '../support/openapi-texts.ts'
import type { Answer } from '../support/service.ts'

/** Invalid in every text: U+0000, which Postgres can not store, and halves of surrogate pairs. */
const UNSTORABLE = ['\0', '\ud800', '\udc00\ud800']
/** Characters of four bytes in UTF-8, including the last of Unicode. */
const FOUR_BYTES = ['😀', '\u{10ffff}']
/** The same in a URL. Invalid UTF-8 is read as U+FFFD, so only U+0000 can not be stored. */
const IN_URL = ['%00', '%ED%A0%80', '%FF', ...FOUR_BYTES.map(encodeURIComponent)]
/** What nobody sees: a tag, and a letter without a glyph. */
const HIDDEN = ['\u{e0061}', '\u3164']

let requests: Awaited<ReturnType<typeof openRequests>>
beforeAll(async () => {
  requests = await openRequests()
})
afterAll(() => requests.service.stop())

/** Errors that are returned before any text is read. */
const MADE_BEFORE = [
  'token_missing',
  'token_invalid',
  'permission_missing',
  'malformed_json',
  'unsupported_media_type',
  'method_not_allowed',
  'rate_limited',
]

/** Returns the error in the answer to a request with one hostile field, or undefined. */
function errorOf(field: string, isRefused: boolean, { status, body }: Answer): string | undefined {
  if (status >= 500) return 'fails'
  if (MADE_BEFORE.includes(String(body.code))) return 'is not looked at'
  const names = ((body.errors ?? []) as { path: string }[]).map(({ path }) => path)
  if (!names.every((name) => field === name || field.startsWith(`${name}.`)))
    return `is not looked at: ${names} is wrong`
  return isRefused && (status !== 400 || names.length === 0) ? 'is not refused by its name' : undefined
}

type Case = { title: string; send(): Promise<Answer>; errorIn(answer: Answer): string | undefined }

/** Sends eight requests at a time. Each answer is also checked against the API description. */
async function faultsOf(cases: Case[]): Promise<string[]> {
  const rest = cases.values()
  const errors: string[] = []
  const work = async () => {
    for (const { title, send, errorIn } of rest) {
      const answer = await send().catch((error: Error) => error)
      if (answer instanceof Error) errors.push(`${title}: ${answer.message}`)
      else if (errorIn(answer))
        errors.push(`${title} ${errorIn(answer)}: ${answer.status} ${answer.body.code}`)
    }
  }
  await Promise.all(Array.from({ length: 8 }, work))
  return errors
}

const shown = (text: string) =>
  JSON.stringify(text).replace(/[^ -~]/gu, (character) => `U+${character.codePointAt(0)?.toString(16)}`)
const nameOf = ({ id }: Operation, place: Place) => `${id} ${place.in} ${place.keys.join('.')}`

/** The beginnings of valid texts, as far as a pattern shows them; the hostile text is appended. */
const beginnings = (schema: Json, example: unknown): string[] => {
  const plain = String(schema.pattern).includes('://') ? 'https://a.example/' : 'abc'
  return [typeof example === 'string' ? example : '', plain]
}

/** Texts of bodies that nobody is shown: they are searched by, or compared with what is known. */
const OPAQUE =
  /^(login body|registerClient body|giveConsent body|createConnection body (nonce|signature|publicKey|signedMessage)$|\w+ body (transaction|inviteCode|pageToken|request)$|registerSignedAgent body signature$|(search|explore)Entries body query|callMcp)/

/** Operations whose bodies may have members that they do not know. */
const OPEN = /^(callMcp(OfWallet)?|registerClient|(verify|settle)X402Payment)$/

/**
 * Fields that are verified or looked up: a hostile text gets an error code of the field's own, or not found.
 */
const UNKNOWN =
  /^((login|giveConsent|createConnection) body (nonce|signature|publicKey|signedMessage|agentId)|\w+Consent(Challenge)? body request|\w+ body (transaction|inviteCode)|registerSignedAgent body signature|getPioneer query user_id|\w+X402\w+ path key)$/

const visited = new Set<string>()

function casesOf(operation: Operation, place: Place): Case[] {
  const name = nameOf(operation, place)
  const field = place.keys.join('.')
  const caseOf = (title: string, change: Change, isRefused: boolean): Case => ({
    title: `${name} ${title}`,
    send: () => {
      visited.add(name)
      return requests.send(operation, change)
    },
    errorIn: (answer) =>
      // A text that can not be an id makes another path.
      place.in === 'path' && answer.body.code === 'unknown_path'
        ? undefined
        : errorOf(field, isRefused && !UNKNOWN.test(name), answer),
  })
  if (place.in === 'body') {
    // An MCP message may have fields that no endpoint knows, except in the arguments of tools.
    const refused = operation.id.startsWith('callMcp')
      ? []
      : [...UNSTORABLE, ...(OPAQUE.test(name) ? [] : HIDDEN)]
    const example = valueAt(requests.withIds(operation.body?.example), place.keys)
    const texts = [...UNSTORABLE, ...FOUR_BYTES, ...HIDDEN]
    return texts.flatMap((hostile) =>
      beginnings(place.schema, example).map((beginning) => {
        const text = beginning + hostile
        return caseOf(shown(text), { at: place.keys, put: () => text }, refused.includes(hostile))
      }),
    )
  }
  const { example } = operation.parameters.find((each) => each.name === field) ?? {}
  return IN_URL.flatMap((hostile) =>
    beginnings(place.schema, requests.withIds(example)).map((beginning) => {
      const text = encodeURIComponent(beginning) + hostile
      return caseOf(text, { given: { [field]: text } }, hostile === '%00')
    }),
  )
}

describe('a hostile text', () => {
  it('is rejected by name or harmless in any path, query or body', async () => {
    const cases = operations.flatMap((operation) =>
      operation.texts.flatMap((place) => casesOf(operation, place)),
    )
    expect(await faultsOf(cases)).toEqual([])
    const places = operations.flatMap((operation) => operation.texts.map((place) => nameOf(operation, place)))
    expect([...visited].sort()).toEqual(places.toSorted())
    expect(places.length).toBeGreaterThan(200)
    // The code's own schemas know no text that the description has not.
    const idOf = new Map(operations.map(({ id, method, path }) => [`${method} ${path}`, id]))
    const inCode = fields
      .filter((field) => field.place !== 'body' || saidOfText(field) !== undefined)
      .map(({ where }) => where.replace(/^\S+ \S+/, (route) => idOf.get(route) ?? route))
    expect(inCode.filter((name) => !visited.has(name))).toEqual([])
    expect(inCode.length).toBeGreaterThan(100)
  })

  it('is rejected as the name of a member in every object of a body', async () => {
    const cases = operations.flatMap((operation) =>
      operation.objects.flatMap((at) =>
        [...UNSTORABLE, ...FOUR_BYTES].map(
          (name): Case => ({
            title: `${operation.id} ${at.join('.')} ${shown(name)}`,
            send: () => requests.send(operation, { at, put: (old) => ({ ...Object(old), [name]: 'a' }) }),
            errorIn: ({ status, body }) =>
              status === 400 || (OPEN.test(operation.id) && status < 500) ? undefined : `${body.detail}`,
          }),
        ),
      ),
    )
    expect(cases.length).toBeGreaterThan(100)
    expect(await faultsOf(cases)).toEqual([])
  })

  it('is rejected in a token', async () => {
    const part = (value: unknown) => base64urlnopad.encode(new TextEncoder().encode(JSON.stringify(value)))
    const tokens = [...UNSTORABLE, ...FOUR_BYTES].flatMap((hostile) => [
      `${part({ alg: 'EdDSA', typ: 'session+jwt', kid: hostile })}.${part({ sub: hostile })}.${part(hostile)}`,
      `${part({ alg: hostile, [hostile]: 1 })}.${part({ sub: hostile, permissions: [hostile] })}.`,
    ])
    const guarded = operations.filter(({ needsSession }) => needsSession)
    const cases = guarded.flatMap((operation) =>
      [...tokens, '\u00ff\u00fe', 'é.é.é'].map(
        (token): Case => ({
          title: `${operation.id} ${shown(token)}`,
          send: () => requests.send(operation, { token }),
          errorIn: ({ body }) => (body.code === 'token_invalid' ? undefined : 'is taken'),
        }),
      ),
    )
    expect(guarded.length).toBeGreaterThan(30)
    expect(await faultsOf(cases)).toEqual([])
  })
})

type CursorValues = (string | number | CursorValues)[]
const ID = '01938f3e-8f6a-7c1e-9d0b-3a5c7e9f1b2d'
const AT = '2026-11-20T09:05:00.000Z'
/** The parts of cursors that are not a single id, by operation; a list within the list is a cursor, too. */
const CURSORS: Record<string, CursorValues[]> = {
  listAgents: [[40, ID]],
  getOracleQueue: [['0', 'normal', AT, ID]],
  listRegisteredAgents: [[1_795_165_200_000, WALLET]],
  listAttempts: [[AT, ID]],
  listDeliveries: [[ID, ID]],
  listEntries: [
    ['agent', [40, ID]],
    ['registered', [1_795_165_200_000, WALLET]],
  ],
  searchEntries: [[50, -1, 'agent', ID]],
  searchX402Resources: [[20]],
  searchX402ResourcesByKey: [[20]],
}

const encode = (values: CursorValues): string =>
  base64urlnopad.encode(
    new TextEncoder().encode(JSON.stringify(values.map((one) => (Array.isArray(one) ? encode(one) : one)))),
  )

/** Returns the values once for each of their texts, with that text changed. */
const spoilt = (values: CursorValues, hostile: string): CursorValues[] =>
  values.flatMap((value, at) => {
    if (typeof value === 'number') return []
    const others = Array.isArray(value) ? spoilt(value, hostile) : [hostile, value + hostile]
    return others.map((other) => values.with(at, other))
  })

it('rejects a cursor with texts that can not be stored', async () => {
  const isCursor = ({ keys }: Place) => ['cursor', 'pageToken'].includes(String(keys.at(-1)))
  const lists = operations.filter(({ texts }) => texts.some(isCursor))
  expect(lists.length).toBeGreaterThan(Object.keys(CURSORS).length)
  const cases = lists.flatMap((operation) => {
    const place = operation.texts.find(isCursor)
    const name = String(place?.keys.at(-1))
    const read = (values: CursorValues) => {
      const cursor = encode(values)
      const inBody = { at: place?.keys ?? [], put: () => cursor }
      return requests.send(operation, place?.in === 'body' ? inBody : { given: { [name]: cursor } })
    }
    return (CURSORS[operation.id] ?? [[ID]]).flatMap((values): Case[] => [
      {
        title: `${operation.id} ${JSON.stringify(values)}`,
        send: () => read(values),
        errorIn: ({ status }) => (status === 200 ? undefined : 'is no cursor of this list'),
      },
      ...[...UNSTORABLE, ...FOUR_BYTES].flatMap((hostile) =>
        spoilt(values, hostile).map((others) => ({
          title: `${operation.id} ${shown(JSON.stringify(others))}`,
          send: () => read(others),
          errorIn: (answer: Answer) => errorOf(name, UNSTORABLE.includes(hostile), answer),
        })),
      ),
    ])
  })
  expect(await faultsOf(cases)).toEqual([])
})

/** A call of a tool; what it refuses is 400, as the API says it. */
async function callTool(name: string, args: Json): Promise<Answer> {
  const answer = await callRaw(requests.service, name, args, { authorization: `Bearer ${requests.token}` })
  const result = answer.body.result as {
    isError?: true
    structuredContent: Json
    content: { text: string }[]
  }
  if (!result.isError) return { ...answer, status: 200, body: result.structuredContent }
  return { ...answer, status: 400, body: JSON.parse(result.content[0]?.text ?? '') }
}

it('rejects hostile texts by name, or without harm, in arguments of MCP tools', async () => {
  const cases = catalog.tools.flatMap(({ name, inputSchema: { properties } }) =>
    Object.keys(properties)
      .filter((argument) => properties[argument]?.type === 'string')
      .flatMap((argument) =>
        [...UNSTORABLE, ...FOUR_BYTES].map(
          (hostile): Case => ({
            title: `${name} ${argument} ${shown(hostile)}`,
            send: () =>
              callTool(name, { ...Object(requests.withIds(argumentsOf(name))), [argument]: `abc${hostile}` }),
            // In the URL that a tool asks, half a pair has become U+FFFD.
            errorIn: (answer) => errorOf(argument, hostile === '\0', answer),
          }),
        ),
      ),
  )
  expect(cases.length).toBeGreaterThan(100)
  expect(await faultsOf(cases)).toEqual([])
})

/** Every text of a body that others read, but for URLs and what has a fixed form. */
const READ_BY_OTHERS = [
  'answerRating answer',
  'attestSkill credentialId',
  'attestSkill credentialType',
  'attestSkill issuingAuthority',
  'changeAgent description',
  'changeAgent reason',
  'changeX402Route name',
  'chargeHire description',
  'chargeHire reference',
  'chargeHire result',
  'checkX402Route name',
  'createConnection name',
  'createEndpoint description',
  'decideAttestation reason',
  'deliverJob text',
  'fundJob input',
  'getConnectionChallenge name',
  'judgeJob reason',
  'moderateRegisteredAgent reason',
  'objectToJob reason',
  'postJob brief',
  'postJob reference',
  'postJob title',
  'prepareRegistration description',
  'prepareRegistration name',
  'rateHire comment',
  'registerAgent description',
  'registerAgent name',
  'registerSignedAgent description',
  'registerSignedAgent name',
  'setX402Prices prices.0.name',
  'updateEndpoint description',
]

/** Every text that stands anywhere in a value. */
const textsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values(Object(value)).flatMap(textsIn)

describe('a text that others read', () => {
  const honest = ['می‌خواهم ❤️', '👨‍👩‍👧 🏴‍☠️ 1️⃣ ශ්‍රී']
  const isFree = ({ pattern }: Json) =>
    typeof pattern === 'string' && honest.every((text) => new RegExp(pattern, 'u').test(text))
  const free = () =>
    operations.flatMap((operation) =>
      operation.texts
        .filter(({ in: where, schema }) => where === 'body' && isFree(schema))
        .filter((place) => !OPAQUE.test(nameOf(operation, place)))
        .map(({ keys }) => ({ operation, keys, name: `${operation.id} ${keys.join('.')}` })),
    )
  const casesFor = (
    texts: string[],
    errorIn: (field: string, answer: Answer) => string | undefined,
  ): Case[] =>
    free().flatMap(({ operation, keys, name }) =>
      texts.map((text) => ({
        title: `${name} ${shown(text)}`,
        send: () => requests.send(operation, { at: keys, put: () => text }),
        errorIn: (answer: Answer) => errorIn(keys.join('.'), answer),
      })),
    )

  it('is rejected if nothing is visible, and accepted as people write it', async () => {
    expect(
      free()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(READ_BY_OTHERS)
    const blank = [
      '\u3164\u3164\u3164',
      '\u2800\u2800\u2800',
      '   ',
      '\u3000\u3000\u3000',
      '\u200d\u200d\u200d',
    ]
    expect(await faultsOf(casesFor(blank, (field, answer) => errorOf(field, true, answer)))).toEqual([])
    const refusals = casesFor(honest, (_, { body }) =>
      body.code === 'invalid_request' ? 'is refused' : undefined,
    )
    expect(await faultsOf(refusals)).toEqual([])
  })

  it('reaches programs and models unchanged, and is cut at a visible character', async () => {
    const long = '👨‍👩‍👧'.repeat(90)
    for (const [description, apiProtocol] of [
      [honest[0], 'a2a-http'],
      [long, 'mcp'],
    ] as const) {
      const agent = { name: honest[1], description, apiProtocol, apiEndpoint: 'https://a.example/❤' }
      const { id } = await register(requests.call, agent)
      const answers = await Promise.all([
        callTool('get_agent', { id }),
        requests.call('GET', `/agents/${id}`),
        requests.call(
          'GET',
          `/agents/${id}/${apiProtocol === 'mcp' ? 'mcp-server-card' : 'agent-card.json'}`,
        ),
        requests.call('GET', `/ard/agents/urn:air:agentcred.example:agent:${id}`),
      ])
      for (const { status, body } of answers) {
        expect(status).toBe(200)
        expect(textsIn(body)).toEqual(expect.arrayContaining([honest[1]]))
        expect(textsIn(body).filter(hasMisplacedInvisible)).toEqual([])
      }
    }
  })
})

// The last of all, since it deletes what can be deleted.
it('ignores hostile texts in unused query parameters and headers', async () => {
  const headers = {
    origin: 'https://\u00e4.example/\u00ff',
    'if-none-match': '"\u00ff"',
    'x-request-id': '\u00ff',
    'user-agent': '\u00ff',
    'mcp-session-id': '\u00ff',
  }
  const query = 'hostile=%00%ED%A0%80&%FF=%F0%9F%98%80&%00'
  const cases = operations.map(
    (operation): Case => ({
      title: operation.id,
      send: () => requests.send(operation, { query, headers }),
      errorIn: ({ status }) => (status >= 500 ? 'fails' : undefined),
    }),
  )
  expect(cases.length).toBeGreaterThan(70)
  expect(await faultsOf(cases)).toEqual([])
})
