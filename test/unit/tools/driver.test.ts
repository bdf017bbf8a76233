import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as whole from '@neondatabase/serverless'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { DRIVER, httpHalf, writeDriver } from '../../../lib/tools/driver.ts'
import { useDatabase } from '../../support/database.ts'

const ROOT = join(import.meta.dirname, '../../..')
const PACKAGE = 'node_modules/@neondatabase/serverless'
const source = readFileSync(join(ROOT, PACKAGE, 'index.mjs'), 'utf8')

const root = mkdtempSync(join(tmpdir(), 'agentcred-driver-'))
beforeAll(() => cpSync(join(ROOT, PACKAGE), join(root, PACKAGE), { recursive: true }))
afterAll(() => rmSync(root, { recursive: true, force: true }))

type Driver = Pick<typeof whole, 'neon' | 'neonConfig' | 'NeonDbError' | 'types'>

describe('the driver that Workers bundle', () => {
  const database = useDatabase()
  const URL = 'postgresql://test:test@db.test.internal/test'
  let half: Driver
  beforeAll(async () => {
    half = await import(writeDriver(root))
    Object.assign(half.neonConfig, { fetchEndpoint: whole.neonConfig.fetchEndpoint })
    void database
  })
  const both = async (run: (driver: Driver) => Promise<unknown>) => {
    // Without functions, whose names differ.
    const [ofHalf, ofWhole] = [await run(half), await run(whole)].map((one) =>
      JSON.parse(JSON.stringify(one)),
    )
    expect(ofHalf).toEqual(ofWhole)
    return ofHalf
  }

  it.each([true, false])(
    'reads each type as the whole package does (rows as lists: %s)',
    async (arrayMode) => {
      const text = `select 1::smallint as small, 2 as integer, 3::bigint as large, 1.5::float8 as float,
      true as yes, null::text as nothing, '{"a":[1]}'::json as json, '[2]'::jsonb as jsonb, 'a'::text as text,
      array[1,2] as integers, array['a,b', null] as texts, array[true] as booleans, now() is null as no,
      array[1::bigint] as bigints, '10.50'::numeric as numeric, $1::uuid as uuid`
      const id = '0190a1b2-0000-7000-8000-00000000000f'
      const result = await both(({ neon }) => neon(URL).query(text, [id], { arrayMode, fullResults: true }))
      expect(JSON.stringify(result)).toContain(id)
    },
  )

  it('runs transactions, and reports errors, as the whole package does', async () => {
    expect(
      await both(({ neon }) =>
        neon(URL).transaction((sql) => [sql.query('select 1 as a'), sql.query('select 2 as b')]),
      ),
    ).toEqual([[{ a: 1 }], [{ b: 2 }]])
    const failing = async ({ neon, NeonDbError }: Driver) => {
      const error: unknown = await neon(URL)
        .query('select 1 / $1::int', [0])
        .catch((error) => error)
      return error instanceof NeonDbError ? { ...error } : error
    }
    expect(await both(failing)).toMatchObject({ code: '22012' })
  })
})

describe('writing the driver', () => {
  const half = () => statSync(join(root, DRIVER))

  it('leaves out more than two thirds of the package', () => {
    expect(readFileSync(writeDriver(root), 'utf8').length).toBeLessThan(source.length / 3)
  })

  it('happens again only when the package has changed', () => {
    const warn = vi.fn()
    writeDriver(root, warn)
    const { ino } = half()
    writeDriver(root, warn)
    expect(half().ino).toBe(ino)
    writeFileSync(join(root, PACKAGE, 'index.mjs'), `${source}\n// another release`)
    writeDriver(root, warn)
    expect(half().ino).not.toBe(ino)
    expect(warn).not.toHaveBeenCalled()
  })

  it.each(['"getAuthToken"', '.Buffer', 'createHash("md5")', '._types=', '=(r,e)=>()=>{', 'NeonDbError'])(
    'takes the whole package, with a warning, when it has no %s',
    (place) => {
      const other = source.replaceAll('\\\n', '').replaceAll(place, place.replace(/[a-zA-Z_](?=\W|$)/, '$&0'))
      expect(other).not.toBe(source.replaceAll('\\\n', ''))
      writeFileSync(join(root, PACKAGE, 'index.mjs'), other)
      const warn = vi.fn()
      const text = readFileSync(writeDriver(root, warn), 'utf8')
      expect(text.endsWith(other)).toBe(true)
      expect(warn).toHaveBeenCalledOnce()
    },
  )

  it('makes a module without the package’s other exports', () => {
    expect(httpHalf(source)).not.toContain('Pool')
    expect(existsSync(join(root, DRIVER))).toBe(true)
  })
})
