import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { buildPackage } from '../../lib/cli/client-package.ts'
import { released } from '../../lib/cli/release/changelog.ts'
import { release, type Work } from '../../lib/cli/release/run.ts'
import { isAtLeast, isVersion } from '../../lib/cli/release/version.ts'
import { API_SCHEMA, VERSION } from '../../schema/release.ts'
import { temporaryFolder } from '../support/key-files.ts'
import { runScript } from '../support/process.ts'

const ROOT = join(import.meta.dirname, '../..')
const MANIFESTS = ['package.json', 'package-lock.json', 'lib/client/package.json', 'lib/react/package.json']
const FILES = [...MANIFESTS, 'schema/release.ts']
const CHANGELOG = '# Changelog\n\n## Unreleased\n\n- **More** of it.\n\n## 0.9.0 (2026-01-02)\n\n- Some.\n'
const NEXT = `${Number(VERSION.split('.')[0]) + 1}.0.0`
const NEXT_SCHEMA = `api_${Number(API_SCHEMA.slice('api_'.length)) + 1}`

/** A repository of the files that a release writes, and a release in it whose long work is not done. */
function repository(changelog = CHANGELOG) {
  const root = temporaryFolder()
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  const read = (file: string) => readFileSync(join(root, file), 'utf8')
  for (const file of FILES) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    cpSync(join(ROOT, file), join(root, file))
  }
  write('CHANGELOG.md', changelog)
  write('test/upgrade/README.md', 'what it is')
  write('test/upgrade/0.9.0/recording.json.br', 'of 0.9.0')
  git('init', '--quiet', '--initial-branch', 'main')
  git('config', 'user.name', 'Somebody')
  git('config', 'user.email', 'somebody@example.com')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'Everything')
  const said: string[] = []
  const done: string[] = []
  const run = (version: string, { isPlan = false, ...work }: Partial<Work> & { isPlan?: boolean } = {}) =>
    release(root, {
      version,
      date: '2026-11-23',
      isPlan,
      say: (line) => said.push(line),
      work: {
        check: () => done.push('check'),
        record(version) {
          done.push('record')
          write(`test/upgrade/${version}/recording.json.br`, 'recorded')
        },
        pack: () => done.push('pack'),
        ...work,
      },
    })
  /** Returns the state that a release may change. */
  const state = () => [git('rev-parse', 'HEAD'), git('tag'), git('status', '--porcelain', '--ignored')]
  return { git, write, read, run, said, done, state }
}

describe('a release', () => {
  it('commits its version, changelog and recording, tags, and starts the next version', () => {
    const { git, read, run, done, said } = repository()
    run(NEXT)
    expect(done).toEqual(['check', 'record', 'pack'])
    const at = (file: string) => git('show', `v${NEXT}:${file}`)
    for (const file of MANIFESTS) expect(JSON.parse(at(file)).version).toBe(NEXT)
    const { packages } = JSON.parse(at('package-lock.json'))
    for (const name of ['', 'lib/client', 'lib/react']) expect(packages[name].version).toBe(NEXT)
    expect(at('schema/release.ts')).toContain(`VERSION = '${NEXT}'`)
    expect(at('schema/release.ts')).toContain(`API_SCHEMA = '${API_SCHEMA}'`)
    expect(at('CHANGELOG.md')).toContain(
      `## Unreleased\n\n## ${NEXT} (2026-11-23)\n\n- **More** of it.\n\n## 0.9.0`,
    )
    expect(at(`test/upgrade/${NEXT}/recording.json.br`)).toBe('recorded')
    expect(git('cat-file', '-t', `v${NEXT}`)).toBe('tag')
    expect(git('tag', '--list', '--format', '%(contents)')).toBe(`v${NEXT}\n\n- **More** of it.`)
    // The tagged commit keeps the recording of the release that it upgrades from; later commits do not.
    expect(at('test/upgrade/0.9.0/recording.json.br')).toBe('of 0.9.0')
    expect(git('rev-parse', 'HEAD~1')).toBe(git('rev-parse', `v${NEXT}^{commit}`))
    expect(read('schema/release.ts')).toContain(`API_SCHEMA = '${NEXT_SCHEMA}'`)
    expect(git('ls-files', 'test/upgrade')).toBe(
      `test/upgrade/${NEXT}/recording.json.br\ntest/upgrade/README.md`,
    )
    expect(git('status', '--porcelain')).toBe('')
    expect(said.at(-1)).toContain('git push')
  })

  it('changes nothing but its versions in the files of npm', () => {
    const { git, run } = repository()
    run(NEXT)
    const stat = git('diff', '--numstat', `v${NEXT}~1`, `v${NEXT}`, '--', ...FILES)
    expect(stat.split('\n').map((line) => line.replaceAll('\t', ' '))).toEqual([
      '1 1 lib/client/package.json',
      '1 1 lib/react/package.json',
      '4 4 package-lock.json',
      '1 1 package.json',
      '1 1 schema/release.ts',
    ])
  })

  it('may be of the version that package.json has, once', () => {
    const { run } = repository()
    run(VERSION)
    expect(() => run(VERSION)).toThrow(`the tag v${VERSION} already exists`)
  })

  it('says what it would do with --plan, and does nothing', () => {
    const { run, state, said, done } = repository()
    const before = state()
    run(NEXT, { isPlan: true })
    expect(state()).toEqual(before)
    expect(done).toEqual([])
    expect(said).toHaveLength(9)
    expect(said.join('\n')).toContain(`the annotated tag v${NEXT}`)
  })

  it.each([
    ['a version that is none', '1.2', CHANGELOG, 'semantic version'],
    ['an older version', '0.1.0', CHANGELOG, 'later than 1.0.0'],
    ['nothing that is new', NEXT, CHANGELOG.replace('- **More** of it.', ''), 'has nothing under'],
    ['a changelog without the section', NEXT, '# Changelog\n', 'exactly one section'],
  ])('is refused for %s', (_name, version, changelog, message) => {
    const { run, state } = repository(changelog)
    const before = state()
    expect(() => run(version)).toThrow(message)
    expect(state()).toEqual(before)
  })

  it.each(['CHANGELOG.md', 'new.ts'])('is refused with a change in %s', (file) => {
    const { run, write, done } = repository()
    write(file, 'changed')
    expect(() => run(NEXT)).toThrow(file)
    expect(done).toEqual([])
  })

  it.each(['check', 'record', 'pack'] as const)('is undone when %s fails', (step) => {
    const { run, state, write } = repository()
    const before = state()
    const fail = () => {
      write(`test/upgrade/${NEXT}/recording.json.br`, 'half')
      throw new Error('no')
    }
    expect(() => run(NEXT, { [step]: fail })).toThrow('nothing is released')
    expect(state()).toEqual(before)
  })

  it('is undone when git refuses the tag, and keeps changes made meanwhile', () => {
    const { git, run, state, write, read } = repository()
    const before = state()
    const pack = () => {
      write('notes.txt', 'mine')
      // What a hook would refuse.
      git('config', 'tag.gpgSign', 'true')
      git('config', 'gpg.program', 'false')
    }
    expect(() => run(NEXT, { pack })).toThrow('nothing is released')
    expect(read('notes.txt')).toBe('mine')
    git('clean', '--quiet', '--force')
    expect(state()).toEqual(before)
  })

  it('needs one version on its command line', async () => {
    for (const args of [[], ['1.0.0', '1.0.1'], ['--push', '1.0.0']]) {
      const script = runScript('release', args)
      expect(await script.ended, script.output()).toBe(2)
    }
  })
})

it('puts the unreleased section before the released ones', () => {
  expect(released(CHANGELOG, '1.0.0', '2026-11-23').notes).toBe('- **More** of it.')
  expect(() => released(`${CHANGELOG}${CHANGELOG}`, '1.0.0', '2026-11-23')).toThrow('exactly one section')
})

it('orders versions as semver does', () => {
  expect(['1.0.0', '10.20.30', '1.0.0-rc.1'].filter(isVersion)).toHaveLength(3)
  expect(['1', '1.0', 'v1.0.0', '01.0.0', '1.0.0+b', '1.0.0 '].filter(isVersion)).toEqual([])
  const order = ['1.0.0-rc.1', '1.0.0', '1.0.1', '1.2.0', '1.10.0', '2.0.0']
  for (const [index, earlier] of order.entries())
    for (const later of order.slice(index)) {
      expect(isAtLeast(later, earlier)).toBe(true)
      if (later !== earlier) expect(isAtLeast(earlier, later)).toBe(false)
    }
})

it('has the working copy’s version in all files', () => {
  for (const file of MANIFESTS)
    expect(JSON.parse(readFileSync(join(ROOT, file), 'utf8')).version).toBe(VERSION)
})

it.each(['client', 'react'] as const)('the package of %s has it, too', (name) => {
  const folder = join(temporaryFolder(), name)
  buildPackage(name, folder)
  expect(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version).toBe(VERSION)
  expect(existsSync(join(folder, 'index.js'))).toBe(true)
})
