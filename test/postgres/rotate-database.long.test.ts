import pg from 'pg'
import { beforeAll, expect, it } from 'vitest'
import { openLogins } from '../../lib/cli/deploy/database-urls.ts'
import { closeLogin } from '../../lib/cli/deploy/logins.ts'
import { stopWorkers } from '../../lib/cli/rotate/database.ts'
import { openPostgres } from '../../lib/migrations/postgres.ts'
import { groups, loginOf, logins } from '../../schema/rights.ts'
import { createDatabase } from '../support/database.ts'
import { deploymentToRotate } from '../support/rotation.ts'

let url: string
beforeAll(async () => {
  const database = await createDatabase()
  url = database.url
  await database.close()
})

async function logIn(connectionString: string): Promise<string> {
  const client = new pg.Client({ connectionString })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query('select current_user as login')
    return rows[0].login
  } catch (error) {
    return (error as { code: string }).code
  } finally {
    await client.end().catch(() => {})
  }
}

const WRONG_PASSWORD = '28P01'

/** A deployment on the database; after each Worker's deployment every Worker that is there must log in. */
async function deploymentOnDatabase(isToBeWatched = false) {
  let isWatched = false
  const made = await deploymentToRotate(
    async (deployed) => {
      const urls = new Set([...deployed.values()].flatMap(({ DATABASE_URL }) => DATABASE_URL ?? []))
      if (!isWatched) return
      const logged = await Promise.all([...urls].map(logIn))
      expect(logged).toEqual([...urls].map((each) => new URL(each).username))
    },
    { DATABASE_URL: url },
  )
  await openLogins(url, made.secrets())
  isWatched = isToBeWatched
  return made
}

const urlOf = (worker: Record<string, string> | undefined) => worker?.DATABASE_URL ?? ''

it('npm run rotate -- database: Workers stay logged in, and old passwords end', async () => {
  const { run, deployed, secrets, lines, folder } = await deploymentOnDatabase(true)
  const before = new Map([...deployed].map(([group, worker]) => [group, urlOf(worker)]))
  const session = new pg.Client({ connectionString: before.get('agents') ?? '' })
  session.on('error', () => {})
  await session.connect()
  await run('database')
  expect(lines.join('\n')).toMatch(/made {3}agentcred_read_b, .*\nwait {3}120 seconds: .*\ndone/)
  for (const [group, worker] of deployed) {
    const earlier = before.get(group) ?? ''
    if (earlier === '') continue
    expect(new URL(urlOf(worker)).username).toBe(new URL(earlier).username.replace(/_a$/, '_b'))
    expect(await logIn(earlier)).toBe(WRONG_PASSWORD)
  }
  await expect(session.query('select')).rejects.toThrow()
  await session.end().catch(() => {})
  // The owner's URL is no Worker's.
  expect([...deployed.values()].map(urlOf)).not.toContain(secrets().DATABASE_URL)
  expect(folder.read('rotate.json')).toEqual({})
  for (const name of Object.keys(secrets()))
    if (name.startsWith('DATABASE_URL_'))
      expect(lines.join('\n')).not.toContain(new URL(secrets()[name] ?? '').password)
  // And back, with another password.
  await run('database', { isAtOnce: true })
  const now = urlOf(deployed.get('agents'))
  expect(new URL(now).username).toBe(loginOf('decide', 'a'))
  expect(now).not.toBe(before.get('agents'))
  expect(await logIn(now)).toBe(loginOf('decide', 'a'))
  for (const group of groups) expect(lines.at(-1)).toContain(loginOf(group, 'a'))
})

it('ends the same when it is killed before any write, or between Workers', async () => {
  const { run, deployed, secrets, folder } = await deploymentOnDatabase()
  const owner = await openPostgres(url)
  const workers = [...deployed.values()].filter((worker) => worker.DATABASE_URL).length
  for (const killAfter of [0, 1, 3, workers + 2, workers + 3]) {
    const before = new Set([...deployed.values()].map(urlOf))
    const isWhole = await run('database', { killAfter })
    // As if it had been killed between two logins, too.
    const spare = secrets().DATABASE_URL_JOBS ?? ''
    if (killAfter <= workers && !before.has(spare)) await closeLogin(owner, new URL(spare).username)
    if (!isWhole) await run('database')
    const after = new Set([...deployed.values()].map(urlOf).filter((each) => each !== ''))
    expect(after.size).toBe(groups.length)
    for (const each of after)
      expect([before.has(each), await logIn(each)]).toEqual([false, new URL(each).username])
    expect(folder.read('rotate.json')).toEqual({})
    const { rows } = (
      await owner.run([
        {
          query: `select rolname from pg_authid where rolpassword is not null and rolname like 'agentcred\\_%'`,
          params: [],
        },
      ])
    )[0] ?? { rows: [] }
    expect(rows).toHaveLength(groups.length)
  }
  await owner.close()
})

it('--stop lets no Worker in, until setup opens the same logins again', async () => {
  const { deployed, secrets } = await deploymentOnDatabase()
  await stopWorkers(secrets())
  const urls = new Set([...deployed.values()].map(urlOf).filter((each) => each !== ''))
  for (const each of urls) expect(await logIn(each)).toBe(WRONG_PASSWORD)
  const owner = await openPostgres(url)
  const [sessions] = await owner.run([
    { query: `select usename from pg_stat_activity where usename like 'agentcred\\_%'`, params: [] },
  ])
  expect(sessions?.rows).toEqual([])
  await owner.close()
  await openLogins(url, secrets())
  for (const each of urls) expect(logins).toContain(await logIn(each))
})
