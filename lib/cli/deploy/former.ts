import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { isSame, type Release } from '../../migrations/release.ts'
import type { Command } from './command.ts'
import { hashOfSources, ROOT, type Source, sourceIn, thisSource } from './source.ts'
import { bareEnv } from './wrangler.ts'

/** Passes the code of a release to `work`, and removes it afterwards. */
export type Former = (release: Release, work: (source: Source) => Promise<void>) => Promise<void>

type From = {
  /** The clone that has the release's commit. */
  root?: string
  /** The release that is checked out in the clone. */
  own?: Source
  /** Makes the error that says why the code is unavailable. */
  refuse: (why: string) => Error
}

/**
 * Finds the code of a former release: in this folder if it is that release, else at its recorded commit or
 * its tag. While `work` runs, the code is in a work tree in the deployment's folder. A run that was killed
 * may leave the work tree; the next one makes it again.
 */
export const formerIn =
  ({ folder, env, say }: Command, { root = ROOT, own = thisSource(), refuse }: From): Former =>
  async (release, work) => {
    if (isSame(own.release, release)) return work({ ...own, release })
    const git = (...args: string[]) =>
      spawnSync('git', ['-C', root, ...args], { encoding: 'utf8', env: bareEnv(env) })
    const { version, commit: recorded } = release
    const wanted = recorded ?? `v${version}`
    if (git('rev-parse', '--git-dir').status !== 0)
      throw refuse(
        `This needs the code of release ${version} (${wanted}), and ${root} is not a git clone: clone the repository, copy .deployment into it, and run this there.`,
      )
    const commit = git('rev-parse', '--verify', '--quiet', `${wanted}^{commit}`).stdout.trim()
    if (commit === '')
      throw refuse(
        `This clone lacks ${wanted}, the code of release ${version}: run git fetch --tags (with --unshallow if the clone is shallow), or clone the repository again.`,
      )
    const name = `releases/${commit.slice(0, 12)}`
    const path = folder.path(name)
    const remove = () => {
      folder.remove(name)
      git('worktree', 'prune')
    }
    remove()
    say(`take  release ${version} from ${recorded ? `commit ${commit.slice(0, 12)}` : wanted}`)
    try {
      const added = git('worktree', 'add', '--detach', '--force', path, commit)
      if (added.status !== 0)
        throw refuse(`git can’t check out ${wanted} into ${path} (${lastLine(added.stderr)}): fix this.`)
      // The tag may have moved, or the release was made from uncommitted code.
      if (recorded === undefined && hashOfSources(path) !== release.sources)
        throw refuse(
          `The code at ${wanted} is not the release ${version} that ran, and its commit was not recorded: check that code out yourself, and deploy it with npm run upgrade.`,
        )
      await install(path, env, refuse)
      await work(sourceIn(path, release))
    } finally {
      remove()
    }
  }

/** Installs the packages of the lock file. They run scripts of their own, so they get no token. */
async function install(folder: string, env: NodeJS.ProcessEnv, refuse: From['refuse']): Promise<void> {
  const child = spawn('npm', ['ci'], {
    cwd: folder,
    env: bareEnv(env),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr.on('data', (data) => {
    output += data
  })
  const [code] = await once(child, 'close').catch((error: Error) => [error.message])
  if (code !== 0) throw refuse(`npm ci failed in ${folder} (${lastLine(output) || code}): fix this.`)
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? ''
