import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { statement } from '../../lib/db/statement.ts'
import { connectDatabase } from '../support/database.ts'
import { productSources } from '../support/modules.ts'
import { type Declaring, textsOf } from '../support/statement-texts.ts'

/** A statement of the product: where it is declared, as what, and all the texts that it has. */
type Declaration = { where: string; isRead: boolean; texts(): string[] }

const make = statement as unknown as Declaring

const declarations: Declaration[] = []
let volatileFunctions: Set<unknown>

const MODULE = '../../lib/db/statement.ts'

beforeAll(async () => {
  const recording = (isRead: boolean) => (declared: object, build: object) => {
    const [where = ''] = new Error().stack?.match(/(?<=\/)lib\/(?!db\/statement)\S+?\.ts:\d+/) ?? []
    declarations.push({ where, isRead, texts: () => textsOf(make, declared, build) })
    return make(declared, build)
  }
  // Test files share their modules: these are read anew, and nobody else gets them.
  vi.resetModules()
  vi.doMock(MODULE, async (original) => ({
    ...(await original<object>()),
    statement: recording(false),
    read: recording(true),
  }))
  for (const { path, text } of productSources())
    if (/ from '[./a-z]+\/statement\.ts'/.test(text)) await import(/* @vite-ignore */ `../../${path}`)
  const { db, close } = await connectDatabase()
  const rows = await db.$client.query("select distinct proname from pg_proc where provolatile = 'v'")
  volatileFunctions = new Set(rows.map(({ proname }) => proname))
  await close()
})
afterAll(() => {
  vi.doUnmock(MODULE)
  vi.resetModules()
})

/** Functions that are volatile since their values change, and that change nothing. */
const HARMLESS = ['random', 'pg_database_size']

/** Whether a text may change something or lock it, for all that its words say. */
const mayChange = (text: string): boolean =>
  /\b(insert|update|delete|merge|for (key )?share)\b/.test(text) ||
  [...text.matchAll(/([a-z_]\w*)"?\(/g)].some(
    ([, name = '']) => !HARMLESS.includes(name) && volatileFunctions.has(name),
  )

it('declares a statement a read only if its text changes and locks nothing', () => {
  expect(declarations.length).toBeGreaterThan(140)
  const wrong = declarations.filter(({ isRead, texts }) => isRead === texts().some(mayChange))
  expect(wrong.map(({ where }) => where)).toEqual([])
})

it('finds writes and locks in texts', () => {
  for (const text of [
    'with "a" as (update "agents" set "name" = $1 returning "id") select "id" from "a"',
    'select "owner" from "vaults" for no key update',
    'select "id" from event_id($1)',
    'select nextval($1)',
  ])
    expect(mayChange(text), text).toBe(true)
  expect(mayChange('select "updated_at", layer_names("layers"), count(*) from "agents"')).toBe(false)
})
