import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readCommandLine, runMain, suggestion, UsageError } from '../../lib/cli/arguments.ts'
import { createBench } from './harness/bench.ts'
import { stopCompiler } from './harness/bundle.ts'
import { expectFigures, machine, type Section, sectionText, writeJson } from './harness/report.ts'
import { isEnding, stopAll, stopOnSignals, stoppingAfter } from './harness/stops.ts'
import { parts } from './parts.ts'

/** `npm run bench`: runs every part, or only the named ones. */
async function main(): Promise<void> {
  const { positionals: names } = readCommandLine('bench')
  const known = Object.keys(parts)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new UsageError(`no part ${unknown}; there are ${known.join(', ')}.${suggestion(unknown, known)}`)
  installPeers()
  const startedAt = new Date()
  const { cpu, cores, node, loadAverage } = machine()
  console.log(`${startedAt.toISOString()}, ${cores} cores of ${cpu}, Node ${node}`)
  console.log(`load average at the start: ${loadAverage.toFixed(1)}\n`)
  const bench = await createBench()
  const sections: Section[] = []
  const promised: Record<string, string[]> = {}
  for (const [name, open] of Object.entries(parts)) {
    if (names.length > 0 && !names.includes(name)) continue
    try {
      const { measure, subjects } = await open()
      promised[name] = subjects()
      const measured = await stoppingAfter(() => measure(bench))
      for (const section of measured) console.log(sectionText(section))
      sections.push(...measured)
      expectFigures(measured, promised[name])
    } catch (error) {
      if (isEnding()) return
      // The other parts are worth having all the same.
      console.error(`${name} could not be measured:`, error)
      process.exitCode = 1
    }
  }
  console.log(`as JSON: ${await writeJson({ at: startedAt, promised, sections })}`)
}

/** Installs what is measured against, unless the lockfile's packages are there. */
function installPeers(): void {
  const lock = join(import.meta.dirname, 'package-lock.json')
  const installed = join(import.meta.dirname, 'node_modules/.agentcred-lock')
  if (existsSync(installed) && readFileSync(installed, 'utf8') === readFileSync(lock, 'utf8')) return
  const options = { cwd: import.meta.dirname, stdio: 'inherit' } as const
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts'], options)
  if (status !== 0) throw new Error('npm ci in test/bench failed')
  copyFileSync(lock, installed)
}

stopOnSignals()
try {
  await runMain('bench', main)
} finally {
  await stopAll()
  await stopCompiler()
}
