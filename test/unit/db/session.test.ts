import { neonConfig } from '@neondatabase/serverless'
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { batch } from '../../../lib/db/batch.ts'
import { connect } from '../../../lib/db/connect.ts'
import { requestVerification, revokeProof } from '../../../lib/db/functions.ts'
import { forSession } from '../../../lib/db/session.ts'
import { read, statement } from '../../../lib/db/statement.ts'

type Query = { query: string; params: unknown[] }

/** The queries sent, by request: one query, or a batch. */
let sent: Query[][]
beforeEach(() => {
  sent = []
  Object.assign(neonConfig, { fetchEndpoint: undefined })
  vi.stubGlobal('fetch', async (_url: string, { body }: { body: string }) => {
    const { queries, ...query }: Query & { queries?: Query[] } = JSON.parse(body)
    sent.push(queries ?? [query])
    const answers = (queries ?? [query]).map(({ query }, i) => answerTo(query, i))
    return Response.json(queries ? { results: answers } : answers[0])
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

const FIELD = { name: 'n', dataTypeID: 25, tableID: 0, columnID: 0, dataTypeSize: -1, dataTypeModifier: -1 }
/** Each query's answer is its place in the request. */
const answerTo = (query: string, place: number) => ({
  command: 'SELECT',
  rowCount: 1,
  rowAsArray: true,
  fields: query.includes('toNotify') ? [FIELD, FIELD] : [FIELD],
  rows: [query.includes('toNotify') ? [String(place), null] : [String(place)]],
})

const session = { wallet: 'w', epoch: 7 }
const open = () => connect('postgresql://u:p@db.example/d')
const inSession = () => forSession(open(), session)

const ASSERTION = {
  query: expect.stringMatching(/^select api_\d+\.assert_session\(/),
  params: ['w', '7', null],
}
const one = read({ id: 'text' }, (db, $) => db.select({ n: sql`n` }).from(sql`t where id = ${$.id}`))
const removal = statement({ id: 'text' }, (_db, $) => sql`delete from t where id = ${$.id}`)

const verification = {
  id: 'a',
  wallet: 'w',
  priority: 'normal',
  expeditedPlaces: 3,
  addressHash: 'h',
  expeditedPerAddress: 10,
  now: new Date(0),
}

it('sends the session check before a statement, in one request', async () => {
  expect(await one.run(inSession(), { id: 'x' })).toEqual([{ n: '1' }])
  await removal.run(inSession(), { id: 'x' })
  expect(sent).toMatchObject([
    [ASSERTION, { params: ['x'] }],
    [ASSERTION, { params: ['x'] }],
  ])
})

it('sends the session check before a batch, and keeps the order of results', async () => {
  const items = [one.item({ id: 'x' }), one.item({ id: 'y' })] as const
  expect(await batch(inSession(), items)).toEqual([[{ n: '1' }], [{ n: '2' }]])
  expect(sent).toMatchObject([[ASSERTION, { params: ['x'] }, { params: ['y'] }]])
})

it('sends no session check before a function that does it itself', async () => {
  await requestVerification.call(inSession(), verification)
  await requestVerification.callThenRead(inSession(), verification, one.item({ id: 'x' }))
  const call = { params: expect.arrayContaining([]) }
  expect(sent.map(({ length }) => length)).toEqual([1, 2])
  for (const [first] of sent) {
    expect(first).toMatchObject(call)
    expect(first?.params.slice(0, 3)).toEqual(['w', '7', 'a'])
  }
})

it('sends the session check before any other function', async () => {
  const proof = { id: 'a', account: 'b', slot: 1n, reason: 'c', level: 'self_attested', now: new Date(0) }
  await revokeProof.rows(inSession(), proof as never)
  await batch(inSession(), [one.item({ id: 'x' }), requestVerification.item(verification)])
  expect(sent[0]).toMatchObject([ASSERTION, {}])
  expect(sent[1]).toMatchObject([ASSERTION, { params: ['x'] }, {}])
})

it('sends no session check without a session', async () => {
  await one.run(open(), { id: 'x' })
  await requestVerification.call(open(), verification)
  expect(sent.map(({ length }) => length)).toEqual([1, 1])
  expect(sent[1]?.[0]?.params.slice(0, 3)).toEqual([null, null, 'a'])
})

describe('a session with a grant', () => {
  const GRANT = '01938f4e-5e6f-7a7b-8c9d-1f2a3b4c5d6e'
  const granted = () => forSession(open(), { ...session, grant: GRANT })
  const WITH_GRANT = {
    query: expect.stringMatching(/^select api_\d+\.assert_session\(\$1::text, \$2::integer, \$3::uuid\)$/),
    params: ['w', '7', GRANT],
  }

  it('checks it before each statement and function, in one request', async () => {
    expect(await one.run(granted(), { id: 'x' })).toEqual([{ n: '1' }])
    await requestVerification.call(granted(), verification)
    await requestVerification.callThenRead(granted(), verification, one.item({ id: 'x' }))
    await batch(granted(), [one.item({ id: 'x' }), one.item({ id: 'y' })])
    expect(sent.map(([first, ...rest]) => [first, rest.length])).toMatchObject([
      [WITH_GRANT, 1],
      [WITH_GRANT, 1],
      [WITH_GRANT, 2],
      [WITH_GRANT, 2],
    ])
    expect(sent[1]?.[1]?.params.slice(0, 3)).toEqual(['w', '7', 'a'])
  })
})
