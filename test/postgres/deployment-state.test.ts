import { describe, expect, it, onTestFinished } from 'vitest'
import { readState, type State, writeState } from '../../lib/cli/state/table.ts'
import { openPostgres } from '../../lib/migrations/postgres.ts'
import { addDatabase } from '../support/database.ts'

const state = (revision: number): State => ({
  revision,
  at: `2026-11-0${revision}T12:00:00.000Z`,
  by: 'npm run setup',
  machine: 'laptop',
  version: '1.0.0',
  commit: revision === 1 ? null : 'a'.repeat(40),
  files: { 'running.json': { z: 1, 'it’s "quoted"': { b: 1, a: 2 } } },
  secrets: { CARD_JWKS: { print: 'a'.repeat(16), at: '', by: '', machine: '' } },
})

describe('a deployment’s state', () => {
  it('is written only over the revision that was read, also in a race', async () => {
    const database = await openPostgres(await addDatabase())
    onTestFinished(() => database.close())
    expect(await readState(database)).toBeUndefined()
    const first = await Promise.all([1, 2, 3, 4].map(() => writeState(database, state(1), 0)))
    expect(first.filter(Boolean)).toEqual([true])
    expect(await readState(database)).toEqual(state(1))
    const second = await Promise.all([1, 2, 3, 4].map(() => writeState(database, state(2), 1)))
    expect(second.filter(Boolean)).toEqual([true])
    expect(await writeState(database, state(3), 1)).toBe(false)
    expect(await readState(database)).toEqual(state(2))
    // By the order of keys Workers are sorted, and compared.
    expect(JSON.stringify(await readState(database))).toContain(JSON.stringify(state(2).files))
  })
})
