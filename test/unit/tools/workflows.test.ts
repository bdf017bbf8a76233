import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')
const FOLDER = join(ROOT, '.github/workflows')
const files = readdirSync(FOLDER)
const textOf = (file: string) => readFileSync(join(FOLDER, file), 'utf8')
const { scripts }: { scripts: Record<string, string> } = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
)

describe('workflows', () => {
  it.each(files)('%s pins each action to a commit, and names its release', (file) => {
    const uses = textOf(file).match(/^.*\buses:.*$/gm) ?? []
    expect(uses.length).toBeGreaterThan(0)
    for (const line of uses) expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/)
  })

  it.each(files)('%s runs scripts of package.json, and may only read the repository', (file) => {
    const text = textOf(file)
    for (const [, script = ''] of text.matchAll(/npm run ([\w:]+)/g)) expect(scripts).toHaveProperty(script)
    expect(text).toMatch(/^permissions:\n {2}contents: read\n\n/m)
  })

  it('check.yml runs all that a change must pass, on the oldest and the newest Node', () => {
    expect(textOf('check.yml')).toContain('run: .ci/run\n')
    expect(textOf('check.yml')).toContain('node: [20, 24]')
  })

  it('nightly.yml runs the soak, and the generators of clients', () => {
    expect(textOf('nightly.yml')).toContain('npm run soak')
    expect(textOf('nightly.yml')).toContain('npm run check:generators')
  })
})
