import { expect, it } from 'vitest'
import { applyMigrations } from '../../lib/local/neon/migrations.ts'
import { openPostgres } from '../../lib/local/neon/postgres.ts'
import { addDatabase } from '../support/database.ts'

it('statements and open transactions end by themselves, for every role, and migrations do not', async () => {
  const url = await addDatabase()
  const role = `role_${crypto.randomUUID()}`
  const owner = await openPostgres(url)
  await applyMigrations(owner)
  await owner.execScript(`create role "${role}" login password 'secret'`)
  const timeoutsOf = async (asUrl: string) => {
    const session = await openPostgres(asUrl)
    try {
      const shown = ['statement_timeout', 'idle_in_transaction_session_timeout']
      const results = await session.run(shown.map((name) => ({ query: `show ${name}`, params: [] })))
      return results.map(({ rows }) => rows[0]?.[0])
    } finally {
      await session.close()
    }
  }
  const asRole = Object.assign(new URL(url), { username: role, password: 'secret' }).href
  for (const asUrl of [url, asRole]) expect(await timeoutsOf(asUrl)).toEqual(['15s', '15s'])
  await applyMigrations(owner)
  await owner.execScript(`drop role "${role}"`)
  await owner.close()
})
