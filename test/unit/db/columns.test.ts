import { sql } from 'drizzle-orm'
import { integer, text, uuid } from 'drizzle-orm/pg-core'
import { drizzle } from 'drizzle-orm/pg-proxy'
import { expect, it } from 'vitest'
import { computed } from '../../../lib/db/columns.ts'

it('keeps the names of computed columns when several statements have some', () => {
  const db = drizzle(async () => ({ rows: [] }))
  const texts = [
    computed({ eventId: uuid(), code: integer() }),
    computed({ eventId: uuid(), status: text() }),
    computed({ status: integer() }),
  ].map((columns) => {
    const result = db.$with('result', columns).as(sql`select`)
    const chosen = Object.values(columns).map((column) => sql`${column}`)
    return db
      .with(result)
      .select({ all: sql.join(chosen, sql`, `) })
      .from(result)
      .toSQL().sql
  })
  expect(texts.map((text) => [...text.matchAll(/"(\w+)"(?=,| from)/g)].map(([, name]) => name))).toEqual([
    ['eventId', 'code'],
    ['eventId', 'status'],
    ['status'],
  ])
})
