import { describe, expect, it } from 'vitest'
import { longLinesOf } from '../../../lib/cli/comment-lines.ts'

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
