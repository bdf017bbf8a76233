import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

const FUNCTIONS = join(import.meta.dirname, '../../../functions')
const textOf = (file: string) => readFileSync(join(FUNCTIONS, file), 'utf8')

const guarded = globSync('*/*.ts', { cwd: FUNCTIONS }).filter((file) => textOf(file).includes('withSession('))
const groups = [...new Set(guarded.map(dirname))].sort()

it('finds Workers that take sessions', () => expect(groups).toContain('agents'))

it.each(groups)('%s: only deps.db has a database, which the middleware binds to the session', (group) => {
  const text = textOf(`${group}/deps.ts`).replace(/^import .*$/gm, '')
  expect(text.match(/\bconnect\(/g)).toHaveLength(1)
  expect(text).toMatch(/^\s+db: connect\(env\.DATABASE_URL, subrequests\),$/m)
  for (const file of guarded.filter((one) => dirname(one) === group))
    expect(textOf(file)).not.toContain('db/connect.ts')
})
