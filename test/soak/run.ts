import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readCommandLine, runMain, UsageError } from '../../lib/cli/arguments.ts'
import { type Finding, findingsOf, type Report } from './findings.ts'

const ROOT = join(import.meta.dirname, '../..')
const DEFAULT_MINUTES = 60
const MESSAGE_CHARACTERS = 2_000

/** What a round runs: every test once, then random programs and attacks by many, with more runs of each. */
const SCRIPTS = ['test', 'test:models']

/** `npm run soak`: exits with 1 if a test failed under any seed. */
async function main() {
  const [first = String(DEFAULT_MINUTES), ...filters] = readCommandLine('soak').positionals
  const minutes = Number(first)
  if (!(minutes > 0)) throw new UsageError(`"${first}" is not a number of minutes`)
  const endsAt = Date.now() + minutes * 60_000
  const findings: Finding[] = []
  let rounds = 0
  do {
    for (const script of SCRIPTS) {
      const seed = randomInt(2 ** 31)
      console.log(`round ${rounds + 1}: SEED=${seed} npm run ${script}`)
      const { report, exitCode } = await runTests(script, seed, filters)
      const found = findingsOf(report, { root: ROOT, script, seed, exitCode })
      for (const { title, command, message } of found)
        console.log(`FAILED ${title}\n  ${command}\n${message.slice(0, MESSAGE_CHARACTERS)}`)
      findings.push(...found)
    }
    rounds++
  } while (Date.now() < endsAt)
  console.log(`${rounds} ${rounds === 1 ? 'round' : 'rounds'}, ${findings.length} failures`)
  for (const { title, command } of findings) console.log(`${title}\n  ${command}`)
  if (findings.length > 0) process.exitCode = 1
}

/** Runs a script's tests under a seed. @throws Error when they ended without a report */
async function runTests(script: string, seed: number, filters: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'agentcred-soak-'))
  const outputFile = join(folder, 'report.json')
  const options = ['--reporter=json', `--outputFile=${outputFile}`, '--passWithNoTests']
  try {
    const child = spawn('npm', ['run', '--silent', script, '--', ...options, ...filters], {
      cwd: ROOT,
      env: { ...process.env, SEED: String(seed) },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const [exitCode]: (number | null)[] = await once(child, 'exit')
    const report: Report = JSON.parse(readFileSync(outputFile, 'utf8'))
    return { report, exitCode: exitCode ?? null }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

await runMain('soak', main)
