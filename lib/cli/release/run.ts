import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { released } from './changelog.ts'
import { openRepository } from './repository.ts'
import {
  FILES_WITH_VERSION,
  isAtLeast,
  isVersion,
  nextApiSchema,
  versionOf,
  writeApiSchema,
  writeVersion,
} from './version.ts'

/** The slow steps, which take minutes. Each throws if it fails. */
export type Work = {
  /** Checks types, lint and that generated files are fresh. */
  check(): void
  /** Runs the tests of Workers, and writes the recordings of their statements into test/upgrade/<version>. */
  record(version: string): void
  /** Packs the published packages into dist. */
  pack(): void
}

type Options = { version: string; date: string; isPlan?: boolean; work: Work; say: (line: string) => void }

/**
 * Makes a release: a commit with its version, changelog and recorded statements, its annotated tag, and a
 * commit that begins the next release. It changes nothing if it refuses or fails, and pushes nothing.
 * @param root the working copy
 * @throws Error that says what prevents the release
 */
export function release(root: string, { version, date, isPlan = false, work, say }: Options): void {
  const repository = openRepository(root)
  const tag = `v${version}`
  const before = versionOf(root)
  if (!isVersion(version)) throw new Error('the version must be a semantic version, such as 1.2.3')
  if (!isAtLeast(version, before))
    throw new Error(`the version must be later than ${before}, the version in package.json`)
  if (repository.hasTag(tag)) throw new Error(`the tag ${tag} already exists`)
  if (repository.changes().length > 0)
    throw new Error(`the working copy has changes: ${repository.changes().join(', ')}`)
  const changelog = join(root, 'CHANGELOG.md')
  const { text, notes } = released(readFileSync(changelog, 'utf8'), version, date)
  const next = nextApiSchema(root)
  const head = repository.head()
  const older = recordingsIn(root).filter((one) => one !== version)

  const steps: [words: string, run: () => void][] = [
    [
      `CHANGELOG.md: the unreleased section becomes ${version} (${date})`,
      () => writeFileSync(changelog, text),
    ],
    [
      `version ${version} (from ${before}) in package.json, its lock file, lib/client, lib/react and schema/release.ts`,
      () => writeVersion(root, version),
    ],
    ['npm run check', work.check],
    [
      `the tests of Workers, whose statements are recorded in test/upgrade/${version}`,
      () => work.record(version),
    ],
    ['the packages of the client and of React, in dist', work.pack],
    [`the commit of ${version}`, () => repository.commit(`Release ${version}`, FILES)],
    [`the annotated tag ${tag}`, () => repository.tag(tag, `${tag}\n\n${notes}\n`)],
    [
      `a commit after it: functions of the next release in ${next}${older.map((one) => `, without test/upgrade/${one}`).join('')}`,
      () => {
        writeApiSchema(root, next)
        for (const one of older) rmSync(join(root, RECORDINGS, one), { recursive: true })
        repository.commit(`Put the functions of the release after ${version} into ${next}`, FILES)
      },
    ],
  ]
  for (const [words, run] of steps) {
    say(words)
    if (isPlan) continue
    try {
      run()
    } catch (error) {
      repository.undo(head, FILES, tag)
      throw new Error(`nothing is released: ${words} failed`, { cause: error })
    }
  }
  say(isPlan ? 'Nothing was changed.' : `Check it (git show ${tag}), then push it: git push --follow-tags`)
}

const RECORDINGS = 'test/upgrade'
/** The files that a release writes. */
const FILES = ['CHANGELOG.md', RECORDINGS, ...FILES_WITH_VERSION]

const recordingsIn = (root: string): string[] =>
  readdirSync(join(root, RECORDINGS), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
