import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readCommandLine, runMain, UsageError } from './arguments.ts'
import { packPackages } from './client-package.ts'
import { release, type Work } from './release/run.ts'

const ROOT = join(import.meta.dirname, '../..')
const LOADING = join(import.meta.dirname, 'loading.ts')

function run(file: string, args: string[], variables: Record<string, string> = {}): void {
  execFileSync(process.execPath, [file, ...args], {
    cwd: ROOT,
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}

const work: Work = {
  check: () => run('--import', [LOADING, join(import.meta.dirname, 'check.ts')]),
  record(version) {
    const folder = mkdtempSync(join(tmpdir(), 'agentcred-statements-'))
    try {
      // A test that waits may be late while the recorder works.
      const args = ['run', '--retry', '1', '--reporter', 'dot', 'test/workers']
      run('node_modules/vitest/vitest.mjs', args, { RECORDED_STATEMENTS: folder })
      run('--import', [LOADING, 'test/support/upgrade/write.ts', version, folder])
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
  pack: () => void packPackages(join(ROOT, 'dist')),
}

await runMain('release', async () => {
  const { values, positionals } = readCommandLine('release')
  const [version, ...others] = positionals
  if (version === undefined || others.length > 0) throw new UsageError('give one version')
  const date = new Date().toISOString().slice(0, 10)
  release(ROOT, { version, date, isPlan: values.plan ?? false, work, say: (line) => console.log(line) })
})
