import { expect, it } from 'vitest'
import { type LastAlert, watchStorage } from '../../lib/db/storage.ts'
import { useDatabase } from '../support/database.ts'

const database = useDatabase()
const NOW = new Date('2026-11-26T00:07:00Z')

/** Checks the database's size against the storage of its plan. */
async function watch(share: number | undefined, lastAlerts: LastAlert[] = []) {
  const [[bytes] = []] = await database.rows('select pg_database_size(current_database())')
  const lines: string[] = []
  const found = await watchStorage({
    db: database.db,
    now: NOW,
    alert: (line) => lines.push(line),
    limit: share === undefined ? '' : String(Math.ceil(Number(bytes) / share)),
    lastAlert: { get: async () => lastAlerts.at(-1), put: async (one) => void lastAlerts.push(one) },
  })
  return { found, lines, lastAlerts }
}

it('alerts an operator when the database is nearly full, once', async () => {
  const { found, lines, lastAlerts } = await watch(0.85)
  expect(found.percent).toBeGreaterThanOrEqual(84)
  expect(lines).toEqual([
    expect.stringMatching(
      /^AgentCred: the database uses \d+ MB, 8[45] % of its plan’s storage \(\d+ MB\). When it is full, all writes fail\.$/,
    ),
  ])
  expect(lastAlerts).toEqual([{ level: 80, at: NOW.getTime() }])
  expect((await watch(0.85, lastAlerts)).lines).toEqual([])
  expect((await watch(1.2, lastAlerts)).lines).toHaveLength(1)
  expect(lastAlerts.at(-1)).toEqual({ level: 95, at: NOW.getTime() })
})

it('sends no alert while the plan has room or no limit', async () => {
  expect(await watch(0.5)).toMatchObject({ found: { percent: 50 }, lines: [], lastAlerts: [] })
  expect(await watch(undefined)).toEqual({ found: { bytes: expect.any(Number) }, lines: [], lastAlerts: [] })
})

it('lets the login of the jobs Worker read the size', async () => {
  const statement = { query: 'select pg_database_size(current_database())', params: [] }
  const [result] = await database.engine.run([statement], {}, 'agentcred_jobs_a')
  expect(Number(result?.rows[0]?.[0])).toBeGreaterThan(1_000_000)
})
