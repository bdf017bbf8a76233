import { describe, expect, it } from 'vitest'
import { productSources, readModule, type Source, sourcesIn } from '../support/modules.ts'

/**
 * Files that something other than an import reads: wrangler, drizzle-kit, or lib/local/bundle.ts in the
 * bundle.
 */
const ENTRIES = [
  /^functions\/\w+\/index\.ts$/,
  /^schema\/tables\/[\w-]+\.ts$/,
  /^lib\/local\/(worker-wrapper|webhook-url|injected)\.ts$/,
  /^lib\/(client|react)\/index\.ts$/,
]

/** The exports of `sources`, each as `path: name`, that neither they nor `others` import. */
function unusedExports(sources: Source[], others: Source[] = []): string[] {
  const modules = sources.map(readModule)
  const uses = [...modules, ...others.map(readModule)].flatMap((module) => module.uses)
  const used = new Set(uses.map(({ target, name }) => `${target}: ${name}`))
  return modules
    .filter(({ path }) => !used.has(`${path}: *`) && !ENTRIES.some((entry) => entry.test(path)))
    .flatMap(({ path, exports }) => exports.map((name) => `${path}: ${name}`))
    .filter((name) => !used.has(name))
}

describe('exports', () => {
  it('are all imported by another file', () => {
    expect(unusedExports(productSources(), sourcesIn('test'))).toEqual([])
  })

  it('are reported as unused, in any notation', () => {
    const text = `
      export const a = 1, b = 2
      export function c() {}
      export class D {}
      export type E = string
      export interface F {}
      const g = 1
      export { g, g as h }
      export default g`
    const names = ['a', 'b', 'c', 'D', 'E', 'F', 'g', 'h', 'default']
    const source = { path: 'lib/x.ts', text }
    expect(unusedExports([source])).toEqual(names.map((name) => `lib/x.ts: ${name}`))
    const use = (text: string) => unusedExports([source], [{ path: 'test/y.ts', text }]).length
    expect(use(`import g, { a as z, type E } from '../lib/x.ts'`)).toBe(names.length - 3)
    expect(use(`export { c } from '../lib/x.ts'`)).toBe(names.length - 1)
    expect(use(`import * as x from '../lib/x.ts'`)).toBe(0)
    expect(use(`export * from '../lib/x.ts'`)).toBe(0)
    expect(use(`const x = await import('../lib/x.ts')`)).toBe(0)
    expect(use(`type X = import('../lib/x.ts').E`)).toBe(0)
    expect(use(`import { a } from '../lib/other.ts'`)).toBe(names.length)
  })
})
