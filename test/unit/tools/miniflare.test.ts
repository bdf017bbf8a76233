import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import { withLargeGrowth } from '../../../lib/tools/miniflare.ts'

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
