import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { readCommandLine, runMain, suggestion, UsageError } from '../../lib/cli/arguments.ts'
import { RECORDED } from '../times/times.ts'
import { PARTS } from './parts.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Scripts whose files are ordered by their times. With many programs a model's file has another time. */
const ORDERED = ['test', 'test:long', 'test:nightly']

/** `npm run nightly`: exits with 1 if a part failed. */
async function main(): Promise<void> {
  const { positionals: named } = readCommandLine('nightly')
  const unknown = named.find((name) => !Object.hasOwn(PARTS, name))
  if (unknown !== undefined)
    throw new UsageError(`there is no part ${unknown}.${suggestion(unknown, Object.keys(PARTS))}`)
  const results: { line: string; hasPassed: boolean }[] = []
  for (const [part, scripts] of Object.entries(PARTS)) {
    if (named.length > 0 && !named.includes(part)) continue
    const startedAt = Date.now()
    let hasPassed = true
    for (const [script = '', ...args] of scripts) if (!(await run(script, args))) hasPassed = false
    const minutes = ((Date.now() - startedAt) / 60_000).toFixed(1)
    results.push({ line: `${hasPassed ? 'ok  ' : 'FAIL'} ${part}, ${minutes} minutes`, hasPassed })
  }
  console.log(`\n${results.map(({ line }) => line).join('\n')}`)
  const failed = results.filter(({ hasPassed }) => !hasPassed).length
  console.log(`${results.length - failed} passed, ${failed} failed`)
  if (failed > 0) process.exitCode = 1
}

/** Runs a script of package.json. @returns whether it exited with 0 */
async function run(script: string, args: string[]): Promise<boolean> {
  const isOrdered = ORDERED.includes(script)
  const reporters = ['--reporter=default', '--reporter=./test/times/reporter.ts']
  const child = spawn('npm', ['run', script, '--', ...args, ...(isOrdered ? reporters : [])], {
    cwd: ROOT,
    env: { ...process.env, ...(isOrdered ? { TEST_TIMES: RECORDED } : {}) },
    stdio: 'inherit',
  })
  const [code]: (number | null)[] = await once(child, 'exit')
  return code === 0
}

await runMain('nightly', main)
