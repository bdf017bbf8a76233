import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { runMain, UsageError } from '../../lib/cli/arguments.ts'
import { RECORDED } from '../times/times.ts'
import { PARTS } from './parts.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Scripts that run test files, whose times order later runs. */
const ordered = (script: string): boolean => script === 'test' || script.startsWith('test:')

const USAGE = `npm run nightly [-- ${Object.keys(PARTS).join('|')} …]

Runs what takes longer than .ci/run may: every part, or the named ones. Writes the times of test files to
test/times/recorded.json; commit it.`

/** `npm run nightly`: exits with 1 if a part failed. */
async function main(): Promise<void> {
  const named = process.argv.slice(2)
  const unknown = named.find((name) => !Object.hasOwn(PARTS, name))
  if (unknown !== undefined) throw new UsageError(`there is no part ${unknown}`)
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
  const reporters = ['--reporter=default', '--reporter=./test/times/reporter.ts']
  const child = spawn('npm', ['run', script, '--', ...args, ...(ordered(script) ? reporters : [])], {
    cwd: ROOT,
    env: { ...process.env, ...(ordered(script) ? { TEST_TIMES: RECORDED } : {}) },
    stdio: 'inherit',
  })
  const [code]: (number | null)[] = await once(child, 'exit')
  return code === 0
}

await runMain('nightly', USAGE, main)
