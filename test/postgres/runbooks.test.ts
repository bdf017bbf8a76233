import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { SCRIPTS, type Script } from '../../lib/cli/scripts.ts'
import * as postgres from '../../lib/db/functions.ts'
import { connectDatabase, createDatabase } from '../support/database.ts'
import { at, DEBIT, payableAgent, signed } from '../support/request-payments.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const runbooks = read('functions/runbooks.md')

it('every query of the runbooks runs', async () => {
  const database = await createDatabase()
  onTestFinished(() => database.close())
  const blocks = [...runbooks.matchAll(/^```sql\n([\s\S]*?)^```/gm)].map(([, block = '']) => block)
  const queries = blocks
    .join('')
    .replaceAll(/^--.*$/gm, '')
    .split(';')
    .map((query) => query.trim())
  const inline = [...runbooks.matchAll(/`((?:select|update) [^`]*)`/g)].map(([, query = '']) => query)
  expect(inline.length).toBeGreaterThan(2)
  const run = [...queries, ...inline].filter((query) => query !== '').map((query) => ({ query, params: [] }))
  expect(run.length).toBeGreaterThan(5)
  for (const statement of run) await expect(database.engine.run([statement])).resolves.toHaveLength(1)
})

it('counts a payment for a request that stays pending, and checks it in the next run', async () => {
  const { db, close } = await connectDatabase()
  onTestFinished(close)
  const run = (query = '') => db.$client.query(query)
  const agent = await payableAgent(db)
  const recorded = await agent.settle(signed(), at(0))
  await run("update request_payments set due_at = '2100-01-01'")
  const [, count] = runbooks.match(/^(select .* from request_payments .*);$/m) ?? []
  expect(await run(count)).toMatchObject([{ count: '1', sum: String(DEBIT) }])
  const due = () =>
    postgres.takeDueRequestPayments.rows(db, { limit: 256, now: new Date(Date.now() + 1_000) })
  expect(await due()).toEqual([])
  const [, ask] = runbooks.match(/`(update request_payments [^`]*)`/) ?? []
  await run(ask)
  expect(await due()).toMatchObject([{ id: recorded.id }])
  await agent.record([recorded], 'expired', new Date())
  expect(await run(count)).toMatchObject([{ count: '0' }])
})

it('every script and flag of the runbooks exists', () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(read('package.json'))
  const commands = [...runbooks.matchAll(/npm run ([a-z]+)( -- [^`\n]*)?/g)]
  expect(commands.length).toBeGreaterThan(20)
  for (const [command, name = '', rest = ''] of commands) {
    const file = scripts[name]?.split(' ').at(-1) ?? ''
    expect(file, command).toMatch(/^lib\/cli\//)
    const { usage, options = {} }: Script = SCRIPTS[name as keyof typeof SCRIPTS]
    for (const [, flag] of rest.matchAll(/--([a-z][a-z-]+)/g))
      expect(Object.keys(options), command).toContain(flag)
    const [, word] = rest.match(/^ -- ([a-z][a-z-]*)/) ?? []
    if (word && name !== 'deploy') expect(usage, command).toContain(word)
  }
})

it('every command of the runbooks is run by a test', () => {
  const tests = globSync('test/**/*.test.ts', { cwd: ROOT }).map(read)
  for (const [command, name = '', rest = ''] of runbooks.matchAll(/npm run ([a-z]+)( -- [^`\n]*)?/g)) {
    const [, word] = rest.match(/^ -- ([a-z][a-z-]*)/) ?? []
    const runs = tests.filter((text) => new RegExp(`'${name}'|scripts\\.${name}\\b`).test(text))
    expect(runs.length, command).toBeGreaterThan(0)
    // The commands of rotate are run word for word by test/unit/cli/rotate.long.test.ts.
    if (word && name !== 'deploy' && name !== 'rotate')
      expect(
        runs.some((text) => text.includes(`'${word}'`)),
        command,
      ).toBe(true)
  }
})
