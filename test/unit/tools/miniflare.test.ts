import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { withLargeGrowth } from '../../../lib/tools/miniflare.ts'
import { temporaryFolder } from '../../support/key-files.ts'

it('replaces the constant of Miniflare’s text, and nothing else', () => {
  const patched = withLargeGrowth('let a = 1;\nvar MIN_SINGLE_SEGMENT_GROWTH = 4096;\nlet b = 2;\n')
  expect(patched).toBe('let a = 1;\nvar MIN_SINGLE_SEGMENT_GROWTH = 33554432;\nlet b = 2;\n')
})

it.each([
  ['is gone', 'let a = 1'],
  ['has another value', 'var MIN_SINGLE_SEGMENT_GROWTH = 8192;'],
  ['stands there twice', 'var MIN_SINGLE_SEGMENT_GROWTH = 4096;\n'.repeat(2)],
])('says what to do if the constant %s', (_what, source) => {
  expect(() => withLargeGrowth(source)).toThrow(/MIN_SINGLE_SEGMENT_GROWTH.*lib\/tools\/miniflare\.ts/)
})

it('finds the constant in the Miniflare that is installed', () => {
  const installed = readFileSync(createRequire(import.meta.url).resolve('miniflare'), 'utf8')
  expect(withLargeGrowth(installed)).not.toBe(installed)
})

it.each(['with space', 'zürich', '100%', 'a#b?c', '[x] (1)'])(
  'patches Miniflare when the project is in a folder named “%s”',
  async (name) => {
    const folder = join(temporaryFolder(), name)
    const installed = join(folder, 'node_modules/miniflare')
    mkdirSync(installed, { recursive: true })
    // Stands for Miniflare: it exports its constant.
    const text =
      'var MIN_SINGLE_SEGMENT_GROWTH = 4096;\nmodule.exports = { Miniflare: MIN_SINGLE_SEGMENT_GROWTH }'
    writeFileSync(join(installed, 'index.js'), text)
    copyFileSync(join(import.meta.dirname, '../../../lib/tools/miniflare.ts'), join(folder, 'miniflare.ts'))
    const script = `import('./miniflare.ts').then(({ Miniflare }) => console.log(Miniflare))`
    const run = promisify(execFile)(process.execPath, ['--eval', script], { cwd: folder })
    expect((await run).stdout).toBe('33554432\n')
  },
)
