import { expect, it } from 'vitest'
import { openPostgres } from '../../lib/migrations/postgres.ts'
import { formerRelease, type Release, recordRelease, runningRelease } from '../../lib/migrations/release.ts'
import { addDatabase } from '../support/database.ts'

const release = (sources: string, commit?: string): Release => ({
  version: '1.0.0',
  apiSchema: 'api_1',
  sources,
  ...(commit && { commit }),
})
const [a, b, c] = ['a', 'b', 'c'].map((name) => release(name)) as [Release, Release, Release]

it.each<[string, Release[], Release | undefined]>([
  ['nothing before the first release', [a], undefined],
  ['the one before', [a, b], a],
  ['the one before the latest', [a, b, c], b],
  ['nothing after a rollback to the first', [a, b, a], undefined],
  ['the one before that to which a rollback went', [a, b, c, b], a],
  ['the one before after an upgrade that followed a rollback', [a, b, a, c], a],
  ['the one before the release that was recorded again with its commit', [a, b, release('b', 'x')], a],
  ['it with its commit', [a, release('a', 'x'), b], release('a', 'x')],
])('the release to go back to is %s', async (_what, ran, expected) => {
  const database = await openPostgres(await addDatabase())
  try {
    expect(await formerRelease(database)).toBeUndefined()
    await database.execScript('create schema if not exists drizzle')
    for (const one of ran) await recordRelease(database, one, new Date('2026-11-26T00:00:00Z'))
    expect(await formerRelease(database)).toEqual(expected)
    expect(await runningRelease(database)).toEqual(ran.at(-1))
  } finally {
    await database.close()
  }
})
