import { neonConfig } from '@neondatabase/serverless'
import { sql } from 'drizzle-orm'
import { pgTable, text } from 'drizzle-orm/pg-core'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { connect, DATABASE_TIMEOUT_MS } from '../../../lib/db/connect.ts'
import { sqlStateOf, unavailability } from '../../../lib/db/failures.ts'
import { createMeter, type Meter } from '../../../lib/meter.ts'
import { drizzleOver } from '../../support/database.ts'

const URL = 'postgresql://user:password@db.example.com/agentcred'
const notes = pgTable('notes', { id: text().primaryKey() })

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

const found = (...ids: string[]) =>
  Response.json({
    command: 'SELECT',
    rowCount: ids.length,
    rowAsArray: true,
    fields: [
      {
        name: 'id',
        dataTypeID: 25,
        tableID: 0,
        columnID: 0,
        dataTypeSize: -1,
        dataTypeModifier: -1,
        format: 'text',
      },
    ],
    rows: ids.map((id) => [id]),
  })
const sqlError = (code: string) => Response.json({ message: 'refused', code }, { status: 400 })
const down = () => new Response('<html>Bad gateway</html>', { status: 503 })
const networkFailure = () => new TypeError('fetch failed')
const timeout = () => new DOMException('The operation was aborted due to timeout', 'TimeoutError')

const thrownBy = (action: Promise<unknown>): Promise<unknown> =>
  action.then(
    () => undefined,
    (error: unknown) => error,
  )

const db = (meter?: Meter) => drizzleOver(connect(URL, meter))
const select = () => db().select().from(notes)
const insert = () => db().insert(notes).values({ id: 'a' }).returning()
const update = () => db().update(notes).set({ id: 'b' }).returning()
const remove = () => db().delete(notes).returning()
const selectAfterInsert = () => {
  const added = db()
    .$with('added')
    .as(db().insert(notes).values({ id: 'a' }).returning())
  return db().with(added).select().from(added)
}
const writes = { insert, update, delete: remove, 'select from a CTE that inserts': selectAfterInsert }
const everything = { select, ...writes }

describe('a statement that succeeds', () => {
  it.each(Object.entries(everything))('is sent once: %s', async (_name, run) => {
    const calls = answering(found('a'))
    expect(await run()).toEqual([{ id: 'a' }])
    expect(calls).toHaveLength(1)
    expect(calls[0]?.url).toContain('example.com/sql')
  })

  it('opens nothing before it is sent', () => {
    const calls = answering()
    connect(URL)
    expect(calls).toEqual([])
  })
})

describe('a SELECT', () => {
  it.each([
    ['a network failure', networkFailure],
    ['a 503', down],
    ['a 500', () => new Response('', { status: 500 })],
  ])('is repeated once after %s', async (_what, failure) => {
    const calls = answering(failure(), found('a'))
    expect(await select()).toEqual([{ id: 'a' }])
    expect(calls).toHaveLength(2)
    expect(calls[1]?.body).toBe(calls[0]?.body)
  })

  it.each([
    ['a network failure', networkFailure],
    ['a 503', down],
  ])('is not repeated twice: the second outcome of %s is the answer', async (_what, failure) => {
    const calls = answering(failure(), failure(), found('a'))
    expect(unavailability(await thrownBy(select()))).toBe('unreachable')
    expect(calls).toHaveLength(2)
  })

  it('says what the second try met, not the first', async () => {
    answering(networkFailure(), sqlError('42P01'))
    expect(sqlStateOf(await thrownBy(select()))).toBe('42P01')
  })

  it('of raw SQL, however spaced and spelled, is one too', async () => {
    for (const text of ['select 1', '  SELECT 1', 'Select*from notes']) {
      const calls = answering(networkFailure(), found())
      await db().execute(sql.raw(text))
      expect(calls).toHaveLength(2)
    }
  })

  it('is not repeated after a 4xx', async () => {
    for (const status of [401, 404, 429]) {
      const calls = answering(new Response('', { status }), found('a'))
      expect(await thrownBy(select())).toBeInstanceOf(Error)
      expect(calls).toHaveLength(1)
    }
  })
})

describe('a write', () => {
  it.each(Object.entries(writes))(
    'is not repeated after a network failure or a 503: %s',
    async (_name, run) => {
      for (const failure of [networkFailure, down]) {
        const calls = answering(failure(), found('a'))
        expect(unavailability(await thrownBy(run()))).toBe('unreachable')
        expect(calls).toHaveLength(1)
      }
    },
  )

  it('in a batch that begins with a SELECT is not repeated either', async () => {
    const calls = answering(networkFailure())
    const client = db()
    const batch = client.batch([client.select().from(notes), client.insert(notes).values({ id: 'a' })])
    expect(unavailability(await thrownBy(batch))).toBe('unreachable')
    expect(calls).toHaveLength(1)
  })

  it('whose text only begins like a SELECT is not repeated', async () => {
    const calls = answering(networkFailure())
    await thrownBy(db().execute(sql.raw('selected_call()')))
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
    const calls = answering(sqlError(code), found('a'))
    expect(await run()).toEqual([{ id: 'a' }])
    expect(calls).toHaveLength(2)
  })

  it('and rolled back again surfaces with its code', async () => {
    const calls = answering(sqlError('40001'), sqlError('40001'), found('a'))
    expect(sqlStateOf(await thrownBy(insert()))).toBe('40001')
    expect(calls).toHaveLength(2)
  })
})

describe('a statement that Postgres refused', () => {
  it.each(['23505', '42601', '57014', '08006'])(
    'with %s is not repeated, and its code is kept',
    async (code) => {
      for (const run of Object.values(everything)) {
        const calls = answering(sqlError(code), found('a'))
        expect(sqlStateOf(await thrownBy(run()))).toBe(code)
        expect(calls).toHaveLength(1)
      }
    },
  )
})

describe('a timeout', () => {
  it.each(Object.entries(everything))('is not repeated: %s', async (_name, run) => {
    const calls = answering(timeout(), found('a'))
    expect(unavailability(await thrownBy(run()))).toBe('unreachable')
    expect(calls).toHaveLength(1)
  })

  it('is five seconds of its own for each try', async () => {
    const limits: number[] = []
    vi.stubGlobal('AbortSignal', {
      timeout(ms: number) {
        limits.push(ms)
        return new AbortController().signal
      },
    })
    const calls = answering(networkFailure(), found('a'))
    await select()
    expect(limits).toEqual([DATABASE_TIMEOUT_MS, DATABASE_TIMEOUT_MS])
    expect(DATABASE_TIMEOUT_MS).toBe(5000)
    expect(calls[0]?.signal).toBeDefined()
    expect(calls[1]?.signal).not.toBe(calls[0]?.signal)
  })
})

describe('a meter', () => {
  it('counts every attempt of its own client, batches included, and stays out of the request', async () => {
    const calls = answering(networkFailure(), found('a'), found('a'), sqlError('23505'))
    const [mine, other] = [createMeter(), createMeter()]
    const client = db(mine)
    await client.select().from(notes)
    await db(other).select().from(notes)
    await thrownBy(client.batch([client.insert(notes).values({ id: 'a' })]))
    expect(mine.counts()).toEqual({ sql: 3 })
    expect(other.counts()).toEqual({ sql: 1 })
    expect(calls).toHaveLength(4)
    expect(calls.some(({ init }) => 'meter' in init)).toBe(false)
  })
})

describe('an answer that is none', () => {
  it('counts as an outage', async () => {
    answering(new Response('<html>Welcome</html>', { status: 200 }))
    expect(unavailability(await thrownBy(select()))).toBe('unreadable answer')
  })
})
