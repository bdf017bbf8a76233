import { expect, it } from 'vitest'
import { openLogins, urlsOfGroups } from '../../lib/cli/deploy/database-urls.ts'
import { closeLogin, loginUrl, newPassword, setLogin } from '../../lib/cli/deploy/logins.ts'
import { thisSource } from '../../lib/cli/deploy/source.ts'
import { stopWorkers } from '../../lib/cli/rotate/database.ts'
import { alone } from '../../lib/cli/setup/lock.ts'
import { applyMigrations } from '../../lib/migrations/migrations.ts'
import { openPostgres } from '../../lib/migrations/postgres.ts'
import { dropOtherFunctions, recordRelease } from '../../lib/migrations/release.ts'
import { API_SCHEMA } from '../../schema/release.ts'
import { loginOf } from '../../schema/rights.ts'
import { startPostgres } from '../support/postgres-server.ts'

// Named as setup names it, which is as roles are named whose rights are taken back.
it('migrates, upgrades, and manages logins as an owner without superuser rights', async () => {
  const server = await startPostgres()
  const superuser = await openPostgres(server.url('postgres'))
  const password = newPassword()
  await superuser.execScript(`create role agentcred_owner login createrole createdb password '${password}'`)
  await superuser.execScript('create database service owner agentcred_owner')
  await superuser.close()
  const url = loginUrl(server.url('service'), 'agentcred_owner', password)
  const owner = await openPostgres(url)
  await applyMigrations(owner)
  await applyMigrations(owner)
  // Functions run with its rights.
  const asking = { query: `select ${API_SCHEMA}.assert_session('a wallet', 0)`, params: [] }
  await owner.run([asking], undefined, loginOf('auth', 'a'))

  const login = loginOf('probes', 'a')
  const passwordOfLogin = newPassword()
  await setLogin(owner, login, passwordOfLogin)
  const session = await openPostgres(loginUrl(url, login, passwordOfLogin))
  const reading = (table: string) => [{ query: `select from ${table}`, params: [] }]
  const asLogin = [
    (table: string) => session.run(reading(table)),
    (table: string) => owner.run(reading(table), undefined, login),
  ]
  for (const read of asLogin) {
    expect((await read('probed_hosts'))[0]?.rows).toEqual([])
    await expect(read('wallets')).rejects.toMatchObject({ fields: { code: '42501' } })
  }
  await closeLogin(owner, login)
  await expect(session.run(reading('probed_hosts'))).rejects.toThrow()

  // What setup, upgrade and rotate do beside it.
  const logins = urlsOfGroups(url, {})
  await openLogins(url, logins)
  const { release } = thisSource()
  await recordRelease(owner, { ...release, apiSchema: 'api_0' }, new Date())
  await owner.execScript('create schema api_0')
  await alone(url, () => applyMigrations(owner))
  await recordRelease(owner, release, new Date())
  expect(await dropOtherFunctions(owner, [release.apiSchema])).toEqual(['api_0'])
  await stopWorkers({ DATABASE_URL: url, ...logins })

  await session.close()
  await owner.close()
  await server.stop()
})
