import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openDeployment } from '../../../lib/cli/deploy/deployment.ts'
import { formerIn } from '../../../lib/cli/deploy/former.ts'
import { commitOf, hashOfSources, type Source } from '../../../lib/cli/deploy/source.ts'
import type { Release } from '../../../lib/migrations/release.ts'
import { temporaryFolder } from '../../support/key-files.ts'

/** A repository of two releases of one Worker, without packages. */
function repository() {
  const root = temporaryFolder()
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  const commit = (text: string) => {
    writeFileSync(join(root, 'functions/root.ts'), text)
    git('add', '--all')
    git('commit', '--quiet', '--message', text)
    return git('rev-parse', 'HEAD')
  }
  mkdirSync(join(root, 'functions'))
  writeFileSync(
    join(root, 'wrangler.toml'),
    '[env.root]\nname = "agentcred-root"\nmain = "functions/root.ts"\n',
  )
  writeFileSync(join(root, 'openapi.json'), '{}')
  const manifest = { name: 'x', version: '1.0.0' }
  writeFileSync(
    join(root, 'package.json'),
    JSON.stringify({ ...manifest, scripts: { postinstall: 'env > installed.txt' } }),
  )
  const lock = { ...manifest, lockfileVersion: 3, packages: { '': { ...manifest, hasInstallScript: true } } }
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify(lock))
  git('init', '--quiet', '--initial-branch', 'main')
  git('config', 'user.name', 'Somebody')
  git('config', 'user.email', 'somebody@example.com')
  const first = commit('export const release = 1')
  git('tag', 'v1.0.0')
  const hash = hashOfSources(root)
  return { root, git, first, hash, second: commit('export const release = 2') }
}

/**
 * Takes a release from a clone.
 * @returns what the work saw, or the error
 */
async function take(root: string, release: Release, own: Partial<Release> = {}) {
  const deployment = temporaryFolder()
  const folder = openDeployment({ DEPLOYMENT_DIR: deployment })
  const env = { PATH: process.env.PATH, HOME: deployment, CLOUDFLARE_API_TOKEN: 'hunter2' }
  const source = { root, release: { ...release, sources: 'others', ...own } } as Source
  const refuse = (why: string) => new Error(why)
  const former = formerIn({ folder, env, say: () => {} }, { root, own: source, refuse })
  const seen: { source: Source; code: string; installed: string }[] = []
  const stopped = await former(release, async (source) => {
    const file = (name: string) => {
      const path = join(source.root, name)
      return existsSync(path) ? readFileSync(path, 'utf8') : ''
    }
    seen.push({ source, code: file('functions/root.ts'), installed: file('installed.txt') })
  }).then(
    () => undefined,
    (error: Error) => error.message,
  )
  const left = existsSync(join(deployment, 'releases')) ? readdirSync(join(deployment, 'releases')) : []
  return { seen: seen[0], stopped, left }
}

const RELEASE = { version: '1.0.0', apiSchema: 'api_1', sources: 'as recorded' }

it('takes a former release’s code from its commit, and deletes the folder afterwards', async () => {
  const { root, first, git } = repository()
  const release = { ...RELEASE, commit: first }
  const { seen, stopped, left } = await take(root, release)
  expect(stopped).toBeUndefined()
  expect(seen?.code).toBe('export const release = 1')
  expect(seen?.source.release).toEqual(release)
  expect(seen?.source.base.env.root?.name).toBe('agentcred-root')
  expect(seen?.source.migrations).toBe(join(seen?.source.root ?? '', 'migrations'))
  // Packages are installed, by a child without tokens.
  expect(seen?.installed).toContain('npm_lifecycle_event=postinstall')
  expect(seen?.installed).not.toContain('hunter2')
  expect(left).toEqual([])
  expect(git('worktree', 'list').split('\n')).toHaveLength(1)
  expect(git('status', '--porcelain')).toBe('')
})

it('takes it from the tag where no commit was recorded, if that is the code that ran', async () => {
  const { root, hash } = repository()
  expect((await take(root, { ...RELEASE, sources: hash })).seen?.code).toBe('export const release = 1')
  const other = await take(root, RELEASE)
  expect(other.stopped).toMatch(/^The code at v1.0.0 is not the release 1.0.0 that ran/)
  expect(other.left).toEqual([])
})

it('uses the folder as it is where that is the release', async () => {
  const { root, first } = repository()
  const release = { ...RELEASE, commit: first }
  expect((await take(root, release, RELEASE)).seen?.source).toMatchObject({ root, release })
})

it('says what to do when the clone lacks the commit, or is not a clone', async () => {
  const { root } = repository()
  const commit = '0123456789012345678901234567890123456789'
  expect((await take(root, { ...RELEASE, commit })).stopped).toMatch(
    /^This clone lacks 0123456789.*: run git fetch --tags/,
  )
  expect((await take(root, { ...RELEASE, version: '0.9.0' })).stopped).toMatch(/^This clone lacks v0.9.0/)
  expect((await take(temporaryFolder(), { ...RELEASE, commit })).stopped).toMatch(
    /is not a git clone: clone the repository/,
  )
})

it('knows the commit of a folder unless a file was changed or added since', () => {
  const { root, second } = repository()
  expect(commitOf(root)).toBe(second)
  writeFileSync(join(root, 'notes.txt'), 'mine')
  expect(commitOf(root)).toBe(second)
  writeFileSync(join(root, 'functions/new.ts'), '')
  expect(commitOf(root)).toBeUndefined()
  expect(commitOf(temporaryFolder())).toBeUndefined()
})
