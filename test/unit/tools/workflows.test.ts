import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PARTS } from '../../nightly/parts.ts'

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

  it('check.yml runs what .ci/run does, in shards, and starts on the oldest Node too', () => {
    const text = textOf('check.yml')
    for (const command of ['run check', 'test -- --shard', 'run test:long -- --shard'])
      expect(text).toContain(`npm ${command}`)
    expect(text).toContain('node: [20, 24]')
    const [, shards = ''] = /^ {8}shard: \[(.*)\]$/m.exec(text) ?? []
    const count = shards.split(', ').length
    expect(shards).toBe(Array.from({ length: count }, (_, index) => index + 1).join(', '))
    expect(text.match(/--shard \S+ \S+ \S+/g)).toEqual(Array(2).fill(`--shard \${{ matrix.shard }}/${count}`))
  })

  it('nightly.yml runs every part, which are scripts of package.json', () => {
    const text = textOf('nightly.yml')
    const [, parts = ''] = /^ {8}part: \[(.*)\]$/m.exec(text) ?? []
    expect(text).toMatch(/npm run nightly -- \$\{\{ matrix\.part \}\}/)
    expect(text).toContain('npm run soak')
    // The gate runs the files that are timed.
    expect([...parts.split(', '), 'soak', 'times'].toSorted()).toEqual(Object.keys(PARTS).toSorted())
    for (const [script] of Object.values(PARTS).flat()) expect(scripts).toHaveProperty([script ?? ''])
  })

  it('deploy.yml plans on pull requests except forks’, upgrades on tags, one by one', () => {
    const text = textOf('deploy.yml')
    expect(text).toMatch(/^on:\n {2}pull_request:\n {2}push:\n {4}tags: \['v\*'\]\n\n/m)
    expect(text).toContain('github.event.pull_request.head.repo.full_name == github.repository)')
    expect(text).toMatch(/^ {4}environment: production$/m)
    expect(text).toMatch(/^concurrency:\n {2}group: .*'push' && 'upgrade'.*\n {2}cancel-in-progress: false$/m)
    const steps = stepsOf(text)
    expect(steps.map(({ run }) => run)).toEqual([
      ...[undefined, undefined, 'npm install --global npm@11.19.1', 'npm ci'],
      expect.stringMatching(/umask 077[\s\S]* > \.deployment\/secrets\.json$/),
      ...['npm run setup -- --adopt', 'npm run upgrade -- --plan', 'npm run upgrade'],
    ])
    expect(steps.map((step) => step.if)).toEqual([
      ...Array(6).fill(undefined),
      "github.event_name == 'pull_request'",
      "github.event_name == 'push'",
    ])
  })

  it('deploy.yml gives a secret only to steps that need it, after package scripts ran', () => {
    const steps = stepsOf(textOf('deploy.yml'))
    const named = steps.map(({ text }) =>
      [...text.matchAll(/\$\{\{ secrets\.(\w+) \}\}/g)].map(([, name]) => name),
    )
    const tokens = ['CLOUDFLARE_API_TOKEN', 'NEON_API_KEY']
    expect(named).toEqual([[], [], [], [], ['DEPLOYMENT_SECRETS'], tokens, tokens, tokens])
    expect(textOf('deploy.yml').slice(0, textOf('deploy.yml').indexOf('steps:'))).not.toContain('{{ secrets')
    // A command line shows a secret to other processes: printf is the shell's own.
    for (const { run = '' } of steps) expect(run).not.toContain('${{')
  })
})

/** The steps of a workflow's one job. */
const stepsOf = (text: string) =>
  text
    .slice(text.indexOf('    steps:\n'))
    .split(/^ {6}- /m)
    .slice(1)
    .map((step) => {
      const [, block] = /^\s*run: \|\n((?: {10}.*\n?)+)/m.exec(step) ?? []
      const [, line] = /^\s*run: (?!\|)(.*)$/m.exec(step) ?? []
      const [, condition] = /^\s*if: (.*)$/m.exec(step) ?? []
      return { text: step, run: block?.replace(/^ {10}/gm, '').trim() ?? line, if: condition }
    })
