import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { closeLogin, loginUrl, newPassword, setLogin } from '../../lib/cli/deploy/logins.ts'
import { alone } from '../../lib/cli/setup/lock.ts'
import { outageReason } from '../../lib/db/failures.ts'
import { recordLogin } from '../../lib/db/functions.ts'
import { neonHandler } from '../../lib/local/neon/handler.ts'
import { connectThrough, serveNeon } from '../../lib/local/neon/server.ts'
import { applyMigrations } from '../../lib/migrations/migrations.ts'
import { openPostgres } from '../../lib/migrations/postgres.ts'
import { type SqlDatabase, SqlError } from '../../lib/migrations/protocol.ts'
import { settingsSql } from '../../lib/migrations/rights.ts'
import { groups, loginOf, logins } from '../../schema/rights.ts'
import { addDatabase } from '../support/database.ts'
import { newWallet } from '../support/stored-agents.ts'
import { tryAll } from '../support/tried-rights.ts'

let url: string
let owner: SqlDatabase
beforeAll(async () => {
  url = await addDatabase()
  owner = await openPostgres(url)
  await applyMigrations(owner)
})
afterAll(async () => {
  // Roles belong to the whole server: other test files find them as migrations make them.
  await owner.execScript(
    logins.map((login) => `alter role ${login} login password null; ${settingsSql(login)}`).join('\n'),
  )
  await owner.close()
})

/** A session of a login, by its password. */
async function logIn(login: string, password: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: loginUrl(url, login, password) })
  client.on('error', () => {})
  await client.connect()
  onTestFinished(() => client.end().catch(() => {}))
  return client
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: pg.DatabaseError) => error.code,
  )

const WRONG_PASSWORD = '28P01'

/** Sets a new password for a login, and returns it. */
async function newPasswordOf(login: string): Promise<string> {
  const password = newPassword()
  await setLogin(owner, login, password)
  return password
}

it.each(groups)('both logins of %s log in by their passwords, and may do the same', async (group) => {
  const [a, b] = [loginOf(group, 'a'), loginOf(group, 'b')]
  const [ofA, ofB] = [await newPasswordOf(a), await newPasswordOf(b)]
  const session = await logIn(a, ofA)
  expect((await session.query('select current_user')).rows).toEqual([{ current_user: a }])
  await logIn(b, ofB)
  expect(await codeOf(logIn(a, ofB))).toBe(WRONG_PASSWORD)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  expect(await tryAll(client, a)).toEqual(await tryAll(client, b))
  await client.end()
})

it('one password is changed while the other login works on', async () => {
  const [a, b] = [loginOf('decide', 'a'), loginOf('decide', 'b')]
  const [ofA, ofB] = [await newPasswordOf(a), await newPasswordOf(b)]
  const [workingA, workingB] = [await logIn(a, ofA), await logIn(b, ofB)]
  const changed = await newPasswordOf(a)
  expect(await codeOf(logIn(a, ofA))).toBe(WRONG_PASSWORD)
  await logIn(a, changed)
  await logIn(b, ofB)
  for (const session of [workingA, workingB]) await session.query('select id from agents')
  // A login that leaked: its sessions end, too.
  await closeLogin(owner, a)
  expect(await codeOf(logIn(a, changed))).toBe(WRONG_PASSWORD)
  expect(await codeOf(workingA.query('select id from agents'))).not.toBe('done')
  await workingB.query('select id from agents')
})

describe('a leaked login', () => {
  it('is closed although its session gives it a password again and again', async () => {
    const login = loginOf('money', 'a')
    const thief = await logIn(login, await newPasswordOf(login))
    const password = newPassword()
    // As often as it can; and certainly between any two steps.
    const again = () =>
      thief.query(`alter role current_user password '${password}'`).catch(({ code }) => code === 'XX000')
    const looping = (async () => {
      while ((await again()) !== false);
    })()
    const beside: SqlDatabase = {
      ...owner,
      async execScript(script) {
        await again()
        await owner.execScript(script)
        await again()
      },
    }
    await closeLogin(beside, login)
    await looping
    expect(await codeOf(thief.query('select'))).not.toBe('done')
    expect(await codeOf(logIn(login, password))).not.toBe('done')
    await logIn(login, await newPasswordOf(login))
  })

  it('is named when it blocks upgrades', async () => {
    const login = loginOf('probes', 'b')
    const thief = await logIn(login, await newPasswordOf(login))
    await alone(url, async () => {
      await expect(alone(url, async () => {})).rejects.toThrow(/running \(session \d+ of postgres\)/)
    })
    await thief.query('select pg_advisory_lock(7238110246)')
    await expect(alone(url, async () => {})).rejects.toThrow(`of ${login})`)
    await closeLogin(owner, login)
    await alone(url, async () => {})
  })

  it('leaves no settings behind for the Workers that come after it', async () => {
    const login = loginOf('decide', 'b')
    const plant = async () => {
      const thief = await logIn(login, await newPasswordOf(login))
      const { rows } = await thief.query('select quote_ident(current_database()) as name')
      await thief.query('alter role current_user set default_transaction_read_only = on')
      await thief.query('alter role current_user set search_path = pg_catalog')
      await thief.query(`alter role current_user in database ${rows[0].name} set statement_timeout = 0`)
      await thief.query(
        `alter role current_user in database ${rows[0].name} set default_transaction_isolation = serializable`,
      )
    }
    const settings = async () => {
      const session = await logIn(login, await newPasswordOf(login))
      const { rows } = await session.query(
        `select current_setting('default_transaction_read_only') as readonly, current_setting('search_path') as path,
           current_setting('statement_timeout') as timeout, current_setting('default_transaction_isolation') as isolation`,
      )
      return rows[0]
    }
    const clean = { readonly: 'off', path: '"$user", public', timeout: '6s', isolation: 'read committed' }
    expect(await settings()).toEqual(clean)
    await plant()
    await closeLogin(owner, login)
    expect(await settings()).toEqual(clean)
    await plant()
    await applyMigrations(owner)
    expect(await settings()).toEqual(clean)
  })
})

describe('a password', () => {
  it('is in no statement: Postgres gets a verifier', async () => {
    const login = loginOf('read', 'a')
    const sent: string[] = []
    const watched = {
      ...owner,
      execScript(script: string) {
        sent.push(script)
        return owner.execScript(script)
      },
    }
    const password = newPassword()
    await setLogin(watched, login, password)
    expect(sent.join()).toContain('SCRAM-SHA-256$4096:')
    expect(sent.join()).not.toContain(password)
    await logIn(login, password)
  })

  it('goes to a host that refuses verifiers as a parameter, in no statement’s text', async () => {
    const login = loginOf('read', 'b')
    const texts: string[] = []
    const refusing: SqlDatabase = {
      ...owner,
      execScript: async () => {
        throw new SqlError('Neon only supports being given plaintext passwords', { code: 'XX000' })
      },
      run: (statements, transaction) => {
        texts.push(...statements.map(({ query }) => query))
        return owner.run(statements, transaction)
      },
    }
    const password = newPassword()
    await setLogin(refusing, login, password)
    expect(texts).toHaveLength(2)
    expect(texts.join()).not.toContain(password)
    await logIn(login, password)
  })

  it('is set for no other role, and must be long and of visible ASCII', async () => {
    await expect(setLogin(owner, 'postgres', newPassword())).rejects.toThrow('postgres is not a login')
    await expect(setLogin(owner, 'agentcred_read', newPassword())).rejects.toThrow('is not a login')
    for (const password of ['short', `${'x'.repeat(30)} `, 'é'.repeat(30)])
      await expect(setLogin(owner, loginOf('read', 'a'), password)).rejects.toThrow('visible ASCII')
    // Other errors are thrown unchanged.
    const broken = { ...owner, execScript: () => Promise.reject(new SqlError('no', { code: '42501' })) }
    await expect(setLogin(broken, loginOf('read', 'a'), newPassword())).rejects.toThrow(SqlError)
  })
})

describe('a login', () => {
  it('waits 4 seconds for a lock, 6 for a statement, and 10 in an open transaction', async () => {
    const session = await logIn(loginOf('probes', 'a'), await newPasswordOf(loginOf('probes', 'a')))
    const { rows } = await session.query(
      `select name, setting || unit as value from pg_settings
       where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout') order by name`,
    )
    expect(rows.map(({ value }) => value)).toEqual(['10000ms', '4000ms', '6000ms'])
  })

  it('that waits for a lock, or whose statement takes too long, counts as an outage', async () => {
    const login = loginOf('auth', 'a')
    const asLogin = await openPostgres(loginUrl(url, login, await newPasswordOf(login)))
    // Shorter than in production, and Postgres’ own measure.
    await owner.execScript(`alter role ${login} set lock_timeout = '50ms'`)
    const server = await serveNeon(neonHandler(asLogin), 0)
    const db = connectThrough(server.url)
    const wallet = newWallet()
    const attempt = () =>
      recordLogin.call(db, {
        ...{ nonce: crypto.randomUUID(), wallet },
        expiresAt: new Date(),
        now: new Date(),
      })
    expect((await attempt()).outcome).toBe('recorded')
    const holder = new pg.Client({ connectionString: url })
    await holder.connect()
    await holder.query('begin')
    await holder.query('select from wallets where address = $1 for update', [wallet])
    expect(await attempt().then(() => 'recorded', outageReason)).toBe('SQLSTATE 55P03')
    await holder.query('rollback')
    expect((await attempt()).outcome).toBe('recorded')
    await holder.end()
    await server.close()
    await asLogin.close()
    await owner.execScript(`alter role ${login} set statement_timeout = '50ms'`)
    const slow = await logIn(login, await newPasswordOf(login))
    expect(await codeOf(slow.query('select pg_sleep(60)'))).toBe('57014')
    // Migrating brings the settings back.
    await applyMigrations(owner)
    const { rows } = await (await logIn(login, await newPasswordOf(login))).query('show statement_timeout')
    expect(rows).toEqual([{ statement_timeout: '6s' }])
  })

  it('locks rows that it may delete, and none that it may only read', async () => {
    const session = await logIn(loginOf('jobs', 'a'), await newPasswordOf(loginOf('jobs', 'a')))
    await session.query('select id from events for update skip locked')
    expect(await codeOf(session.query('select status from hires for update'))).toBe('42501')
    await session.query('begin')
    expect(await codeOf(session.query('lock table hires in access exclusive mode'))).toBe('42501')
  })
})
