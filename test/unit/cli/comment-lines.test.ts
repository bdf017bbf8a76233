import { describe, expect, it } from 'vitest'
import { goneFilesOf, longLinesOf } from '../../../lib/cli/comment-lines.ts'

const ends = (column: number, start: string) => start + 'x'.repeat(column - start.length)

describe('the check of comment lines', () => {
  it.each([
    ['x.ts', '// '],
    ['x.ts', '  // '],
    ['x.ts', '/** '],
    ['x.ts', ' * '],
    ['x.ts', 'const a = 1 // '],
    ['schema/functions/x.sql', '-- '],
    ['wrangler.toml', '# '],
    ['.ci/run', 'set -e # '],
  ])('in %s reports a line that begins "%s" and ends after column 110', (path, start) => {
    expect(longLinesOf(path, `\n${ends(110, start)}\n`)).toEqual([])
    expect(longLinesOf(path, `\n${ends(111, start)}\n`)).toEqual([`${path}:2 (111)`])
  })

  it('leaves code to Biome, addresses in it too', () => {
    expect(longLinesOf('x.ts', ends(111, "const a = 'https://"))).toEqual([])
    expect(longLinesOf('wrangler.toml', ends(111, 'main = "'))).toEqual([])
  })
})

describe('the check of files in comments', () => {
  const TRAILING = 'const a = 1 //'
  const files = ['README.md', 'lib/x402/rules.ts', 'lib/events/x.ts', 'schema/functions/parts/is_paying.sql']

  it.each([
    ['lib/events/x.ts', '/** See lib/x402/limits.ts. */', 'lib/x402/limits.ts'],
    ['lib/events/x.ts', ' * It is like the limits of limits.ts, too.', 'limits.ts'],
    ['lib/events/x.ts', `${TRAILING} ../x402/limits.ts has the same.`, '../x402/limits.ts'],
    ['schema/functions/y.sql', '\tmost integer := 3; -- MAX of lib/limits.ts', 'lib/limits.ts'],
    ['schema/functions/y.sql', '-- As in parts/is_payer.sql.', 'parts/is_payer.sql'],
  ])('reports in %s the file that "%s" names', (path, line, named) => {
    expect(goneFilesOf(path, `\n${line}\n`, files)).toEqual([`${path}:2 ${named}`])
  })

  it.each([
    ['lib/events/x.ts', '// lib/x402/rules.ts, rules.ts, ../x402/rules.ts and ../../README.md are there.'],
    ['lib/events/x.ts', "import { a } from './gone.ts'"],
    ['lib/events/x.ts', '// shared.d.ts is of a package, https://example.com/a.md of a page.'],
    ['schema/functions/y.sql', '-- As in parts/is_paying.sql.'],
  ])('reports nothing in %s for "%s"', (path, line) => {
    expect(goneFilesOf(path, line, files)).toEqual([])
  })
})
