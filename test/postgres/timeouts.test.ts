import pg from 'pg'
import { expect, it } from 'vitest'
import { outageReason } from '../../lib/db/failures.ts'
import { applyMigrations } from '../../lib/migrations/migrations.ts'
import { openPostgres } from '../../lib/migrations/postgres.ts'
import { storeAttestation } from '../support/attestations.ts'
import { addDatabase, connectDatabase } from '../support/database.ts'
import { newWallet } from '../support/stored-agents.ts'

it('ends statements, lock waits and open transactions after their time limit', async () => {
  const url = await addDatabase()
  const role = `role_${crypto.randomUUID()}`
  const owner = await openPostgres(url)
  await applyMigrations(owner)
  await owner.execScript(`create role "${role}" login password 'secret'`)
  const timeoutsOf = async (asUrl: string) => {
    const session = await openPostgres(asUrl)
    try {
      const shown = ['statement_timeout', 'idle_in_transaction_session_timeout', 'lock_timeout']
      const results = await session.run(shown.map((name) => ({ query: `show ${name}`, params: [] })))
      return results.map(({ rows }) => rows[0]?.[0])
    } finally {
      await session.close()
    }
  }
  const asRole = Object.assign(new URL(url), { username: role, password: 'secret' }).href
  for (const asUrl of [url, asRole]) expect(await timeoutsOf(asUrl)).toEqual(['15s', '15s', '4s'])
  await applyMigrations(owner)
  await owner.execScript(`drop role "${role}"`)
  await owner.close()
})

it('rejects a call that waits too long for a row as an outage', async () => {
  const { db, url, close } = await connectDatabase()
  // A copy of the template has no settings of its own.
  const owner = await openPostgres(url)
  await applyMigrations(owner)
  await owner.close()
  const wallet = newWallet()
  const attest = (credentialId: string) =>
    storeAttestation(db, {
      ...{ id: crypto.randomUUID(), wallet, credentialType: 'skill', credentialId },
      ...{ verificationLevel: 'self_attested', createdAt: new Date() },
    })
  await attest('first')
  const holder = new pg.Client({ connectionString: url })
  await holder.connect()
  await holder.query('begin')
  await holder.query('select from wallet_quotas where wallet = $1 for update', [wallet])
  expect(await attest('second').then(() => 'stored', outageReason)).toBe('SQLSTATE 55P03')
  const waiting =
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
  expect((await holder.query(waiting)).rowCount).toBe(0)
  await holder.query('commit')
  expect((await holder.query('select from attestations where wallet = $1', [wallet])).rowCount).toBe(1)
  await attest('second')
  await holder.end()
  await close()
})
