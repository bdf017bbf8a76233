import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import {
  alias,
  bigint,
  integer,
  PgDialect,
  type PgSelect,
  pgTable,
  smallint,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { batch } from '../../../lib/db/batch.ts'
import type { Builder } from '../../../lib/db/builder.ts'
import { computed } from '../../../lib/db/columns.ts'
import { connect } from '../../../lib/db/connect.ts'
import { outageReason, sqlStateOf } from '../../../lib/db/failures.ts'
import { optional, statement } from '../../../lib/db/statement.ts'
import { createSubrequestCounter } from '../../../lib/runtime/subrequests.ts'
import { connectDatabase, type DrizzleDb } from '../../support/database.ts'

const notes = pgTable('notes', {
  id: uuid().primaryKey(),
  title: text().notNull(),
  amount: bigint({ mode: 'bigint' }).notNull(),
  writtenAt: timestamp('written_at', { withTimezone: true, precision: 3 }).notNull(),
  layers: smallint().array().notNull(),
  pages: integer(),
})

const ID = '0190a1b2-0000-7000-8000-00000000000f'
const AT = new Date('2026-11-21T12:00:00.123Z')
const note = { id: ID, title: `it's "quoted"`, amount: 9_007_199_254_740_993n, writtenAt: AT, layers: [1, 2] }

let database: Awaited<ReturnType<typeof connectDatabase>>
let db: DrizzleDb
beforeAll(async () => {
  database = await connectDatabase()
  db = database.db
  await db.execute(
    sql`create table notes (id uuid primary key, title text not null, amount bigint not null,
      written_at timestamptz(3) not null, layers smallint[] not null, pages integer)`,
  )
})
afterAll(() => database.close())
afterEach(() => vi.restoreAllMocks())

/** The bodies of the requests that a run makes. */
async function sentBy(run: () => Promise<unknown>): Promise<{ query: string; params: unknown[] }[]> {
  const spy = vi.spyOn(globalThis, 'fetch')
  await run()
  const bodies = spy.mock.calls.map(([, init]) => JSON.parse(String(init?.body)))
  spy.mockRestore()
  return bodies.flatMap((body) => body.queries ?? [body])
}

const insertNote = statement(
  {
    id: notes.id,
    title: notes.title,
    amount: notes.amount,
    writtenAt: notes.writtenAt,
    layers: notes.layers,
    pages: notes.pages,
  },
  (db, $) => db.insert(notes).values($).returning(),
)
const noteById = statement({ id: notes.id }, (db, $) => db.select().from(notes).where(eq(notes.id, $.id)))
const deleteNotes = statement({}, (db) => db.delete(notes))

/** A statement over a CTE of SQL text with this one column. */
const computing = (column: string) =>
  statement({}, (db) => {
    const columns = computed({ [column]: text() })
    const rows = db.$with('rows', columns).as(sql`select 'a' as ${sql.identifier(column)}`)
    return db.with(rows).select().from(rows)
  })

it('runs statements with different computed columns on one database', async () => {
  expect(await computing('one').run(db, {})).toEqual([{ one: 'a' }])
  expect(await computing('another').run(db, {})).toEqual([{ another: 'a' }])
})

describe('a statement of the query builder', () => {
  afterEach(() => deleteNotes.run(db, {}))

  it('encodes values by their columns, and decodes them', async () => {
    expect(await insertNote.run(db, note)).toEqual([{ ...note, pages: null }])
    expect(await noteById.run(db, { id: ID })).toEqual([{ ...note, pages: null }])
  })

  it.each([[[]], [[-32_768, 0, 32_767]], [[7]]])('reads the list %j', async (layers) => {
    expect((await insertNote.run(db, { ...note, layers }))[0]?.layers).toEqual(layers)
  })

  it('returns the number of changed rows when it returns no rows', async () => {
    await insertNote.run(db, note)
    expect((await deleteNotes.run(db, {})).rowCount).toBe(1)
  })

  it('casts each parameter to its column’s type', async () => {
    const [sent] = await sentBy(() => insertNote.run(db, note))
    expect(sent?.query).toContain(
      '($1::uuid, $2::text, $3::bigint, $4::timestamp (3) with time zone, $5::smallint[], $6::integer)',
    )
    expect(sent?.params).toEqual([
      ID,
      note.title,
      '9007199254740993',
      AT.toISOString(),
      expect.anything(),
      null,
    ])
  })

  it('accepts a limit, and a parameter used more than once', async () => {
    await insertNote.run(db, note)
    const found = statement({ id: notes.id, limit: 'integer' }, (db, $) =>
      db
        .select({ same: sql<boolean>`${notes.id} = ${$.id}` })
        .from(notes)
        .where(eq(notes.id, $.id))
        .limit($.limit),
    )
    expect(await found.run(db, { id: ID, limit: 1 })).toEqual([{ same: true }])
    expect(await found.run(db, { id: ID, limit: 0 })).toEqual([])
  })
})

describe('a parameter of a named type', () => {
  const given = (type: Parameters<typeof shown>[0], value: unknown) => shown(type).run(db, { value })
  const shown = (type: 'text' | 'uuid' | 'boolean' | 'json' | 'text[]' | 'text?') =>
    statement<{ value: 'json' }, ReturnType<typeof typed>>({ value: type as 'json' }, (_db, $) =>
      typed($.value),
    )
  const typed = (value: unknown) =>
    sql<{
      type: string
      text: string | null
    }>`select pg_typeof(${value})::text as type, (${value})::text as text`

  it.each([
    ['text', `a'b`, 'text', `a'b`],
    ['uuid', ID, 'uuid', ID],
    ['boolean', true, 'boolean', 'true'],
    ['boolean', false, 'boolean', 'false'],
    ['integer', -7, 'integer', '-7'],
    ['smallint', 7, 'smallint', '7'],
    ['double precision', 0.1, 'double precision', '0.1'],
    ['bigint', 2n ** 63n - 1n, 'bigint', '9223372036854775807'],
    ['bigint', 5, 'bigint', '5'],
    ['timestamptz', AT, 'timestamp with time zone', '2026-11-21 12:00:00.123+00'],
    ['json', { a: ['"', null], at: AT }, 'json', `{"a":["\\"",null],"at":"${AT.toISOString()}"}`],
    ['json', [], 'json', '[]'],
    ['text[]', ['a,b', '"', '\\', '{}', '', 'NULL'], 'text[]', String.raw`{"a,b","\"","\\","{}","","NULL"}`],
    ['text[]', [], 'text[]', '{}'],
    ['uuid[]', [ID], 'uuid[]', `{${ID}}`],
    ['smallint[]', [1, 22], 'smallint[]', '{1,22}'],
    ['bigint[]', [1n, 9_007_199_254_740_993n], 'bigint[]', '{1,9007199254740993}'],
    ['timestamptz[]', [AT], 'timestamp with time zone[]', '{"2026-11-21 12:00:00.123+00"}'],
    ['text?', 'a', 'text', 'a'],
  ])('%s arrives unchanged (case %#)', async (type, value, pgType, asText) => {
    const { rows } = await given(type as 'json', value)
    expect(rows).toEqual([{ type: pgType, text: asText }])
  })

  it.each([null, undefined])('may be %s if it is nullable, and is null then', async (value) => {
    const { rows } = await given('text?', value)
    expect(rows).toEqual([{ type: 'text', text: null }])
  })
})

describe('a parameter that may be absent', () => {
  const title = statement(
    {
      ...{ title: optional(notes.title), writtenAt: optional(notes.writtenAt), pages: notes.pages },
      ...{ extra: 'bigint?', more: 'json?' },
    },
    (_db, $) => {
      const all = [$.title, $.writtenAt, $.pages, $.extra, $.more].map((one) => sql`${one} is null`)
      return sql<{ all: boolean }>`select ${sql.join(all, sql` and `)} as all`
    },
  )

  it('is null', async () => {
    expect((await title.run(db, {})).rows).toEqual([{ all: true }])
    expect(
      (await title.run(db, { title: null, writtenAt: null, pages: undefined, more: null })).rows,
    ).toEqual([{ all: true }])
    expect((await title.run(db, { title: 'a' })).rows).toEqual([{ all: false }])
  })
})

describe('a statement’s text', () => {
  const found = statement(
    { title: optional(notes.title), pages: optional(notes.pages) },
    (db, $, by: { title: boolean; pages: boolean }) =>
      db
        .select()
        .from(notes)
        .where(by.title ? eq(notes.title, $.title) : by.pages ? eq(notes.pages, $.pages) : undefined),
  )
  const textOf = async (
    ...[values, shape]: [Parameters<typeof found.run>[1], { title: boolean; pages: boolean }]
  ) => (await sentBy(() => found.run(db, values, shape))).map(({ query }) => query)

  it('is the same for all values', async () => {
    const shape = { title: true, pages: false }
    const [a, b, c] = [
      await textOf({ title: 'a' }, shape),
      await textOf({ title: `'; drop table notes; --` }, shape),
      await textOf({ title: null, pages: 3 }, shape),
    ]
    expect(a).toHaveLength(1)
    expect(b).toEqual(a)
    expect(c).toEqual(a)
  })

  it('differs by shape, with only the parameters of the shape', async () => {
    const values = { title: 'a', pages: 1 }
    const all = await sentBy(() => found.run(db, values, { title: false, pages: false }))
    const byPages = await sentBy(() => found.run(db, values, { title: false, pages: true }))
    expect(all[0]?.params).toEqual([])
    expect(byPages[0]?.params).toEqual(['1'])
    expect(all[0]?.query).not.toBe(byPages[0]?.query)
  })
})

describe('rows', () => {
  const OTHER = '0190a1b2-0000-7000-8000-0000000000aa'
  beforeAll(async () => {
    await insertNote.run(db, { ...note, pages: 3 })
    await insertNote.run(db, { ...note, id: OTHER, title: 'other', layers: [] })
  })
  afterAll(() => deleteNotes.run(db, {}))

  const joined = alias(notes, 'joined')
  const on = eq(joined.pages, notes.pages)
  const columns = getTableColumns(notes)
  const others = getTableColumns(joined)
  const queries: Record<string, (from: Builder) => PgSelect> = {
    'of a table': (from) => from.select().from(notes).$dynamic(),
    'of expressions': (from) =>
      from
        .select({
          id: notes.id,
          at: sql`${notes.writtenAt}`.mapWith(notes.writtenAt),
          twice: sql<string>`${notes.amount} * 2`,
          count: sql`2`.mapWith(Number).as('count'),
          none: sql<null>`null`.mapWith(Number),
        })
        .from(notes)
        .$dynamic(),
    'of a left join': (from) =>
      from.select({ note: columns, other: others }).from(notes).leftJoin(joined, on).$dynamic(),
    'of a left join, without names': (from) => from.select().from(notes).leftJoin(joined, on).$dynamic(),
    'of an inner join': (from) =>
      from.select({ note: columns, other: others }).from(notes).innerJoin(joined, on).$dynamic(),
    'of a right join': (from) =>
      from.select({ note: columns, other: others }).from(notes).rightJoin(joined, on).$dynamic(),
    'of a part whose first column may be null': (from) =>
      from
        .select({ note: { pages: notes.pages, id: notes.id }, other: { pages: joined.pages, id: joined.id } })
        .from(notes)
        .leftJoin(joined, eq(joined.id, notes.id))
        .$dynamic(),
    'of parts that mix tables and expressions': (from) =>
      from
        .select({
          mixed: { id: joined.id, own: notes.title },
          computed: { is: sql<boolean>`${joined.id} is null`, id: joined.id },
          alone: sql<string>`'a'`,
        })
        .from(notes)
        .leftJoin(joined, on)
        .$dynamic(),
    'of a CTE': (from) => {
      const cte = from
        .$with('cte')
        .as(from.select({ ...columns, more: sql<number>`1`.as('more') }).from(notes))
      const { more, id, amount } = cte
      return from
        .with(cte)
        .select({ part: { amount, id }, more })
        .from(notes)
        .leftJoin(cte, sql`false`)
        .$dynamic()
    },
  }

  it.each(Object.entries(queries))('%s are equal to Drizzle’s', async (_what, build) => {
    const all = statement({}, (from) => build(from))
    const rows = await all.run(db, {})
    expect(rows).toEqual(await build(db))
    expect(rows).not.toEqual([])
  })

  it('have null for a part whose join finds nothing', async () => {
    const all = statement({}, (from) =>
      from
        .select({ title: notes.title, other: { id: joined.id, written: joined.writtenAt } })
        .from(notes)
        .leftJoin(joined, on)
        .orderBy(notes.title),
    )
    expect(await all.run(db, {})).toEqual([
      { title: note.title, other: { id: ID, written: AT } },
      { title: 'other', other: null },
    ])
  })

  it('of SQL text contain times, intervals and arrays of times as text', async () => {
    const values = { at: AT }
    const text = statement(
      { at: 'timestamptz' },
      (_, $) =>
        sql<
          Record<string, unknown>
        >`select ${$.at} as at, interval '1 day' as period, array[${$.at}] as times`,
    )
    const [row] = (await text.run(db, values)).rows
    expect(row).toEqual({
      at: '2026-11-21 12:00:00.123+00',
      period: '1 day',
      times: '{"2026-11-21 12:00:00.123+00"}',
    })
  })
})

describe('a statement is compiled', () => {
  type Titles = { by: 'title' | 'pages'; is: { long: boolean } }
  const declared = () => {
    const build = vi.fn((db: Builder, $: { title: SQL; pages: SQL }, { by, is }: Titles) =>
      db
        .select()
        .from(notes)
        .where(by === 'title' ? eq(notes.title, $.title) : eq(notes.pages, $.pages))
        .limit(is.long ? 2 : 1),
    )
    return { build, notesBy: statement({ title: notes.title, pages: 'integer' }, build) }
  }
  const values = { title: 'a', pages: 1 }
  const short = { long: false }

  it('when it first runs, once for each shape', async () => {
    const compilations = vi.spyOn(PgDialect.prototype, 'sqlToQuery')
    const { build, notesBy } = declared()
    expect(build).not.toHaveBeenCalled()
    for (const title of ['a', 'b', `'; drop table notes; --`]) {
      await notesBy.run(db, { ...values, title }, { by: 'title', is: short })
    }
    expect(compilations).toHaveBeenCalledTimes(1)
    await notesBy.run(db, values, { by: 'pages', is: short })
    await notesBy.run(db, values, { by: 'title', is: { long: true } })
    expect(compilations).toHaveBeenCalledTimes(3)
    await notesBy.run(db, { title: 'b', pages: 7 }, { by: 'pages', is: short })
    expect(compilations).toHaveBeenCalledTimes(3)
    expect(build).toHaveBeenCalledTimes(3)
  })

  it('once for runs and batches together', async () => {
    const compilations = vi.spyOn(PgDialect.prototype, 'sqlToQuery')
    const { notesBy } = declared()
    const shape = { by: 'title', is: short } as const
    await batch(db, [notesBy.item(values, shape), notesBy.item({ ...values, title: 'b' }, shape)])
    await notesBy.run(db, values, shape)
    expect(compilations).toHaveBeenCalledTimes(1)
  })

  it('once for all connections', async () => {
    const compilations = vi.spyOn(PgDialect.prototype, 'sqlToQuery')
    const { notesBy } = declared()
    const [mine, other] = [createSubrequestCounter(), createSubrequestCounter()]
    const url = 'postgresql://test:test@db.test.internal/test'
    for (const subrequests of [mine, other, other]) {
      await notesBy.run(connect(url, subrequests), values, { by: 'title', is: short })
    }
    expect(compilations).toHaveBeenCalledTimes(1)
    expect([mine.counts(), other.counts()]).toEqual([{ sql: 1 }, { sql: 2 }])
  })

  it('again when its building has failed', async () => {
    const build = vi.fn((db: Builder) => db.select().from(notes))
    build.mockImplementationOnce(() => {
      throw new RangeError('once')
    })
    const all = statement({}, build)
    await expect(all.run(db, {})).rejects.toThrow(RangeError)
    expect(await all.run(db, {})).toEqual([])
  })

  it('for switches only: a shape with a free value does not compile', () => {
    const read = (db: Builder) => db.select().from(notes)
    statement({}, (db, _$, _shape: { by: 'id' | 'title'; sets: { title: boolean } }) => read(db))
    // @ts-expect-error any text could be in it
    statement({}, (db, _$, _shape: { title: string }) => read(db))
    // @ts-expect-error any number
    statement({}, (db, _$, _shape: { is: { pages: number } }) => read(db))
    // @ts-expect-error any time
    statement({}, (db, _$, _shape: { at: Date }) => read(db))
    // @ts-expect-error any number of switches
    statement({}, (db, _$, _shape: { sets: boolean[] }) => read(db))
  })
})

describe('a batch of statements', () => {
  afterEach(() => deleteNotes.run(db, {}))

  const titles = statement(
    { prefix: 'text' },
    (_db, $) =>
      sql<{
        title: string
      }>`select ${notes.title} from ${notes} where starts_with(${notes.title}, ${$.prefix})`,
  )

  it('returns each result, in one round trip', async () => {
    let results: unknown
    const sent = await sentBy(async () => {
      const [inserted, read, found] = await batch(db, [
        insertNote.item({ ...note, title: 'batch' }),
        titles.item({ prefix: 'bat' }),
        noteById.item({ id: ID }),
      ] as const)
      results = [inserted, read.rows, read.rowCount, found[0]?.amount]
    })
    expect(sent).toHaveLength(3)
    expect(results).toEqual([
      [{ ...note, title: 'batch', pages: null }],
      [{ title: 'batch' }],
      1,
      note.amount,
    ])
  })

  it('does all or nothing', async () => {
    const other = { ...note, id: crypto.randomUUID() }
    const twice = batch(db, [insertNote.item(other), insertNote.item(note), insertNote.item(note)])
    expect(sqlStateOf(await twice.catch((error: unknown) => error))).toBe('23505')
    expect(await noteById.run(db, { id: other.id })).toEqual([])
  })
})

describe('a failure', () => {
  const ping = statement({ value: 'integer' }, (_db, $) => sql<{ one: number }>`select 1 / ${$.value} as one`)
  const pingOfBuilder = statement({ value: 'integer' }, (db, $) =>
    db.select({ one: sql<number>`1 / ${$.value}` }).from(sql`(select) as once`),
  )
  const thrownBy = (run: Promise<unknown>) => run.catch((error: unknown) => error)

  it.each([
    ['SQL text', ping],
    ['the query builder', pingOfBuilder],
  ])('of %s keeps the fields of Postgres', async (_what, { run }) => {
    expect(sqlStateOf(await thrownBy(run(db, { value: 0 })))).toBe('22012')
  })

  it.each([
    ['SQL text', ping],
    ['the query builder', pingOfBuilder],
  ])(
    'of %s counts as an outage when the answer is not the database’s, or none comes',
    async (_what, { run }) => {
      vi.spyOn(globalThis, 'fetch').mockResolvedValueOnce(new Response('<html>Welcome</html>'))
      expect(outageReason(await thrownBy(run(db, { value: 1 })))).toBe('unreadable answer')
      vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('fetch failed'))
      expect(outageReason(await thrownBy(run(db, { value: 1 })))).toBe('unreachable')
    },
  )
})
