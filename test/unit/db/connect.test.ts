import { neonConfig } from '@neondatabase/serverless'
import { sql } from 'drizzle-orm'
import { pgTable, text } from 'drizzle-orm/pg-core'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { batch, type Item } from '../../../lib/db/batch.ts'
import { connect, DATABASE_TIMEOUT_MS } from '../../../lib/db/connect.ts'
import { outageReason, sqlStateOf } from '../../../lib/db/failures.ts'
import { read, statement } from '../../../lib/db/statement.ts'
import { proxyError } from '../../../lib/local/neon/handler.ts'
import { createSubrequestCounter } from '../../../lib/runtime/subrequests.ts'

const URL = 'postgresql://user:password@db.example.com/agentcred'
// Another name than the tables of other test files: Drizzle caches a table's columns by its name.
const memos = pgTable('memos', { id: text().primaryKey() })

type Call = { url: string; body: string; signal: AbortSignal | null | undefined; init: RequestInit }
type Outcome = Response | Error

/** Replaces fetch: each call gets the next outcome. */
function answering(...outcomes: Outcome[]): Call[] {
  const calls: Call[] = []
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    calls.push({ url, body: String(init.body), signal: init.signal, init })
    const outcome = outcomes[calls.length - 1] ?? new Error('one call too many')
    if (outcome instanceof Error) throw outcome
    return outcome
  })
  return calls
}

// A test file that ran before in this process may have left its own.
beforeAll(() => {
  Object.assign(neonConfig, { fetchEndpoint: undefined })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

const FIELD = { tableID: 0, columnID: 0, dataTypeSize: -1, dataTypeModifier: -1, format: 'text' }
const answer = {
  command: 'SELECT',
  rowCount: 1,
  rowAsArray: true,
  fields: [{ name: 'id', dataTypeID: 25, ...FIELD }],
  rows: [['a']],
}
const found = () => Response.json(answer)
const bothFound = () => Response.json({ results: [answer, answer] })
const sqlError = (code: string) => Response.json({ message: 'refused', code }, { status: 400 })
const down = () => new Response('<html>Bad gateway</html>', { status: 503 })
const networkFailure = () => new TypeError('fetch failed')
const timeout = () => new DOMException('The operation was aborted due to timeout', 'TimeoutError')

const thrownBy = (action: Promise<unknown>): Promise<unknown> =>
  action.then(
    () => undefined,
    (error: unknown) => error,
  )

const lostInQuery = () => proxyError(400, 'connection closed')

/** Selects, under any declaration. */
const allMemos = read({}, (db) => db.select().from(memos))
const undeclared = statement({}, (db) => db.select().from(memos))
const inserted = statement({}, (db) => db.insert(memos).values({ id: 'a' }).returning())
const selectAfterInsert = statement({}, (db) => {
  const added = db.$with('added').as(db.insert(memos).values({ id: 'a' }).returning())
  return db.with(added).select().from(added)
})
const ofFunction = statement({}, () => sql<{ id: string }>`select id from hire_agent()`)

const running = (...items: [Item<unknown>, ...Item<unknown>[]]) => {
  return () => batch(connect(URL), items)
}
const select = () => allMemos.run(connect(URL), {})
const insert = () => inserted.run(connect(URL), {})
const writes = {
  insert,
  update: () => statement({}, (db) => db.update(memos).set({ id: 'b' }).returning()).run(connect(URL), {}),
  delete: () => statement({}, (db) => db.delete(memos).returning()).run(connect(URL), {}),
  'select from a CTE that inserts': () => selectAfterInsert.run(connect(URL), {}),
  'select that nobody declares a read': () => undeclared.run(connect(URL), {}),
  'select from a function': async () => (await ofFunction.run(connect(URL), {})).rows,
  'select of the driver’s own': () => connect(URL).$client.query('select id from memos'),
}
const everything = { select, ...writes }

describe('a statement that succeeds', () => {
  it.each(Object.entries(everything))('is sent once: %s', async (_name, run) => {
    const calls = answering(found())
    expect(await run()).toEqual([{ id: 'a' }])
    expect(calls).toHaveLength(1)
    expect(calls[0]?.url).toContain('example.com/sql')
  })

  it('opens no connection before it is sent', () => {
    const calls = answering()
    connect(URL)
    expect(calls).toEqual([])
  })
})

/** What says nothing of whether the statement ran. */
const losses: [string, () => Outcome][] = [
  ['a network failure', networkFailure],
  ['a 503', down],
  ['a 500', () => new Response('', { status: 500 })],
  ['a connection lost in the query', lostInQuery],
]

describe('a read', () => {
  it.each(losses)('is repeated once after %s', async (_what, failure) => {
    const calls = answering(failure(), found())
    expect(await select()).toEqual([{ id: 'a' }])
    expect(calls).toHaveLength(2)
    expect(calls[1]?.body).toBe(calls[0]?.body)
  })

  it.each(losses)('is not repeated twice after %s', async (_what, failure) => {
    const calls = answering(failure(), failure(), found())
    expect(outageReason(await thrownBy(select()))).toBe('unreachable')
    expect(calls).toHaveLength(2)
  })

  it('throws the error of the second attempt, not the first', async () => {
    answering(networkFailure(), sqlError('42P01'))
    expect(sqlStateOf(await thrownBy(select()))).toBe('42P01')
  })

  it('may be a batch of reads', async () => {
    for (const [, failure] of losses) {
      const calls = answering(failure(), bothFound())
      await running(allMemos.item({}), allMemos.item({}))()
      expect(calls).toHaveLength(2)
    }
  })

  it('is not repeated after another 4xx', async () => {
    for (const status of [401, 404, 429]) {
      const calls = answering(new Response('', { status }), found())
      expect(await thrownBy(select())).toBeInstanceOf(Error)
      expect(calls).toHaveLength(1)
    }
  })
})

describe('a write', () => {
  it.each(Object.entries(writes))('is not repeated if it may have been done: %s', async (_name, run) => {
    for (const [, failure] of losses) {
      const calls = answering(failure(), found())
      expect(outageReason(await thrownBy(run()))).toBe('unreachable')
      expect(calls).toHaveLength(1)
    }
  })

  it('is not repeated in a batch with reads', async () => {
    for (const [, failure] of losses) {
      const calls = answering(failure())
      const run = running(allMemos.item({}), inserted.item({}))
      expect(outageReason(await thrownBy(run()))).toBe('unreachable')
      expect(calls).toHaveLength(1)
    }
  })
})

describe('a statement that never reached Postgres', () => {
  it.each([
    'Failed to acquire permit to connect to the database. Too many database connection attempts are currently ongoing.',
    'Control plane request failed',
    'Control plane request failed: endpoint is temporarily unavailable. Check your quotas and/or contact our support.',
    "Couldn't connect to compute node",
    'error connecting to server: Connection refused (os error 111)',
    'pooled connection closed at inconsistent state',
  ])('is repeated once: %s', async (message) => {
    for (const run of Object.values(everything)) {
      const calls = answering(proxyError(500, message), found())
      expect(await run()).toEqual([{ id: 'a' }])
      expect(calls).toHaveLength(2)
      answering(proxyError(500, message), proxyError(500, message), found())
      expect(outageReason(await thrownBy(run()))).toBe('unreachable')
    }
  })

  it.each([
    ['the proxy could not read the answer', proxyError(500, 'could not parse postgres response')],
    ['the answer is too large', proxyError(500, 'response is too large (max is 10485760 bytes)')],
    [
      'Postgres uses the proxy’s words',
      Response.json({ message: 'Control plane request failed', code: 'P0001' }, { status: 400 }),
    ],
    ['the words stand elsewhere', proxyError(500, 'not: Control plane request failed')],
    ['the answer has no message', Response.json({ code: '' }, { status: 500 })],
    ['the answer is null', Response.json(null, { status: 500 })],
  ])('is not repeated when %s', async (_case, answer) => {
    const calls = answering(answer, found())
    expect(await thrownBy(insert())).toBeInstanceOf(Error)
    expect(calls).toHaveLength(1)
  })
})

describe('a statement that Postgres rolled back', () => {
  it.each(
    Object.entries(everything).flatMap(
      ([name, run]) =>
        [
          ['40001', name, run],
          ['40P01', name, run],
        ] as const,
    ),
  )('with %s is repeated once: %s', async (code, _name, run) => {
    const calls = answering(sqlError(code), found())
    expect(await run()).toEqual([{ id: 'a' }])
    expect(calls).toHaveLength(2)
  })

  it('throws with its code when rolled back again', async () => {
    const calls = answering(sqlError('40001'), sqlError('40001'), found())
    expect(sqlStateOf(await thrownBy(insert()))).toBe('40001')
    expect(calls).toHaveLength(2)
  })
})

describe('a statement that Postgres rejected', () => {
  it.each(['23505', '42601', '57014', '08006'])(
    'with %s is not repeated, and keeps its code',
    async (code) => {
      for (const run of Object.values(everything)) {
        const calls = answering(sqlError(code), found())
        expect(sqlStateOf(await thrownBy(run()))).toBe(code)
        expect(calls).toHaveLength(1)
      }
    },
  )
})

describe('a timeout', () => {
  it.each(Object.entries(everything))('is not repeated: %s', async (_name, run) => {
    const calls = answering(timeout(), found())
    expect(outageReason(await thrownBy(run()))).toBe('unreachable')
    expect(calls).toHaveLength(1)
  })

  it('is five seconds for each attempt', async () => {
    const limits: number[] = []
    vi.stubGlobal('AbortSignal', {
      timeout(ms: number) {
        limits.push(ms)
        return new AbortController().signal
      },
    })
    const calls = answering(networkFailure(), found())
    await select()
    expect(limits).toEqual([DATABASE_TIMEOUT_MS, DATABASE_TIMEOUT_MS])
    expect(DATABASE_TIMEOUT_MS).toBe(5000)
    expect(calls[0]?.signal).toBeDefined()
    expect(calls[1]?.signal).not.toBe(calls[0]?.signal)
  })
})

describe('the subrequest counter', () => {
  it('counts every attempt of its client, also of batches', async () => {
    const calls = answering(networkFailure(), found(), found(), sqlError('23505'))
    const [mine, other] = [createSubrequestCounter(), createSubrequestCounter()]
    const client = connect(URL, mine)
    await allMemos.run(client, {})
    await allMemos.run(connect(URL, other), {})
    await thrownBy(batch(client, [inserted.item({})]))
    expect(mine.counts()).toEqual({ sql: 3 })
    expect(other.counts()).toEqual({ sql: 1 })
    expect(calls).toHaveLength(4)
    expect(calls.some(({ init }) => 'subrequests' in init || 'isRead' in init)).toBe(false)
  })
})

describe('an answer that is not Neon’s', () => {
  it('counts as an outage', async () => {
    answering(new Response('<html>Welcome</html>', { status: 200 }))
    expect(outageReason(await thrownBy(select()))).toBe('unreadable answer')
  })
})
