import { expect, it } from 'vitest'
import { databaseBefore } from '../support/migrations.ts'

it('each wallet has a share of its own of the endpoints that it names, and what is known of them stays', async () => {
  const { pool, migrateOn, close } = await databaseBefore('liveness_shares')
  const rows = async (text: string) => (await pool.query({ text, rowMode: 'array' })).rows
  const name = (wallet: string, first: number, last: number) =>
    pool.query(`
      insert into agents (id, pubkey, name, agent_type, supported_layers, fee_model, fee_amount, status,
        registered_at, api_endpoint, api_protocol)
      select gen_random_uuid(), '${wallet}', 'Agent', 'oracle', '{1}', 'flat', 1, 'active', '2026-01-01',
        'https://h' || n || '.example.com/', 'http' from generate_series(${first}, ${last}) as n`)
  await name('owner', 1, 60)
  await name('stranger', 60, 60)
  await pool.query(`update agent_endpoints set status = 'live', host = split_part(url, '/', 3)`)
  await migrateOn()
  expect(
    await rows(
      'select wallet, count(*), count(*) filter (where is_watched) from named_endpoints group by 1 order by 1',
    ),
  ).toEqual([
    ['owner', '60', '50'],
    ['stranger', '1', '1'],
  ])
  expect(await rows('select sum(wallets), min(status) from agent_endpoints')).toEqual([['51', 'live']])
  // What the owner leaves makes room for what was not looked at.
  await pool.query(`delete from agents where pubkey = 'owner' and api_endpoint in (
    select url from named_endpoints where wallet = 'owner' and is_watched order by url limit 5)`)
  expect(await rows('select sum(wallets) from agent_endpoints')).toEqual([['51']])
  await pool.query('delete from agents')
  expect(
    await rows('select (select count(*) from agent_endpoints), (select count(*) from named_endpoints)'),
  ).toEqual([['0', '0']])
  await close()
})
