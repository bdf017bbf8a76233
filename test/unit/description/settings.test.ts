import { describe, expect, it } from 'vitest'
import { settingRows } from '../../../lib/tools/description/settings.ts'

/** A wrangler.toml with a section of variables for each text, and other sections around them. */
const configOf = (...sections: string[]): string =>
  sections
    .map(
      (lines, i) =>
        `[env.w${i}]\nname = "w${i}"\n\n[env.w${i}.vars]\n${lines}\n# Bound.\n[[env.w${i}.services]]\n`,
    )
    .join('\n')

describe('the rows of variables', () => {
  it('join variables under one comment, and are in the order of names', () => {
    const toml = configOf(
      '# Of one wallet;\n# of all.\nYIELD_B = "10"\nYIELD_A = "200"\n# Where. Empty: off.\nURL = ""\n',
    )
    expect(settingRows(toml)).toEqual([
      '| URL |  | Where. Empty: off. |\n',
      '| YIELD_B, YIELD_A | 10, 200 | Of one wallet; of all. |\n',
    ])
  })

  it('link paths from functions/, and escape what ends a cell', () => {
    const toml = configOf(
      '# On|off (lib/auth/DECISIONS.md), see (functions/runbooks.md#alerts) (not a path).\nMODE = "a|b"\n',
    )
    expect(settingRows(toml)).toEqual([
      '| MODE | a\\|b | On\\|off ([lib/auth/DECISIONS.md](../lib/auth/DECISIONS.md)), see ([functions/runbooks.md](runbooks.md#alerts)) (not a path). |\n',
    ])
  })

  it('leave out variables by address and those that a deployment makes', () => {
    const toml = configOf('# Calls.\nCALLS_PER_ADDRESS = "60"\n# Ours.\nAPI_HOST = "h"\n# Kept.\nFEE = "1"\n')
    expect(settingRows(toml)).toEqual(['| FEE | 1 | Kept. |\n'])
  })

  it('describe a variable of several Workers once, where it first stands', () => {
    const toml = configOf(
      '# The fee.\nFEE = "1"\n',
      'FEE = "1"\n# The mint.\nMINT = ""\n',
      '# The fee.\nFEE = "1"\n',
    )
    expect(settingRows(toml)).toEqual(['| FEE | 1 | The fee. |\n', '| MINT |  | The mint. |\n'])
  })
})

describe('the rows of variables reject', () => {
  it.each([
    ['no comment where it first stands', configOf('FEE = "1"\n', '# The fee.\nFEE = "1"\n')],
    ['a comment above a blank line', configOf('# The fee.\n\nFEE = "1"\n')],
    ['no comment, also by address', configOf('# The mint.\nMINT = ""\n\nFEE_PER_ADDRESS = "1"\n')],
  ])('a variable with %s', (_what, toml) => {
    expect(() => settingRows(toml)).toThrow(/^wrangler\.toml: FEE(_PER_ADDRESS)? has no comment\./)
  })

  it.each([
    ['another comment', configOf('# The fee.\nFEE = "1"\n', '# As before.\nFEE = "1"\n')],
    [
      "another variable's comment",
      configOf('# The fee.\nFEE = "1"\n', '# The mint.\nMINT = ""\nFEE = "1"\n'),
    ],
  ])('a variable with %s in a later Worker', (_what, toml) => {
    expect(() => settingRows(toml)).toThrow(/^wrangler\.toml: FEE has two comments\./)
  })

  it('a variable with another default in a later Worker', () => {
    const toml = configOf('# The fee.\nFEE = "1"\n', 'FEE = "2"\n')
    expect(() => settingRows(toml)).toThrow('wrangler.toml: FEE has two defaults, "1" and "2".')
  })
})
