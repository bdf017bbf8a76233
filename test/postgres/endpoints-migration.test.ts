import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { databaseBefore } from '../support/migrations.ts'

const URL = 'https://hooks.example.com/'

it('the webhook of an agent becomes the endpoint of its id, with what was in line for it and what is known of it', async () => {
  const { pool, migrateOn, close } = await databaseBefore('hooks')
  const rows = async (text: string) => (await pool.query({ text, rowMode: 'array' })).rows
  await pool.query(
    `insert into agents (id, pubkey, name, agent_type, supported_layers, fee_model, fee_amount, webhook_url, status,
        registered_at)
      select gen_random_uuid(), 'owner', 'Agent', 'oracle', '{1}', 'flat', 1, $1, 'active', '2026-01-01'
      from generate_series(1, 3)`,
    [URL],
  )
  await pool.query(`
    insert into events (id, type, occurred_at, recorded_at, wallet, agent_id, data)
      select gen_random_uuid(), 'agent.registered', registered_at, registered_at, pubkey, id, '{}' from agents;
    insert into events (id, type, occurred_at, recorded_at, wallet, data)
      select gen_random_uuid(), 'endpoint.disabled', registered_at, registered_at, pubkey,
        json_build_object('agentId', id, 'url', webhook_url, 'reason', 'gone') from agents;
    insert into deliveries (event_id, agent_id, wallet, status, created_at, next_attempt_at)
      select id, agent_id, wallet, 'pending', recorded_at, '2026-01-03' from events where agent_id is not null;`)
  await pool.query(
    `insert into webhook_endpoints (wallet, url_hash, proven_at, is_healthy, last_attempt_at)
      values ('owner', $1, '2026-01-02', true, '2026-01-02')`,
    [createHash('sha256').update(URL).digest('hex')],
  )
  await migrateOn()
  expect(
    await rows(`select count(*) from deliveries join events on events.id = event_id
      where endpoint_id = events.agent_id and deliveries.status = 'pending'`),
  ).toEqual([['3']])
  expect(await rows('select wallet, is_healthy from webhook_targets')).toEqual([['owner', true]])
  expect(
    await rows(`select count(*) from events where type = 'endpoint.disabled'
      and data->>'endpointId' = data->>'agentId' and data->>'url' = '${URL}' and data->>'reason' = 'gone'`),
  ).toEqual([['3']])
  await close()
})

it('a disabled webhook of an agent gets the reason that its owner’s log names last, if that is kept', async () => {
  const { pool, migrateOn, close } = await databaseBefore('webhook_reason')
  await pool.query(
    `insert into agents (id, pubkey, name, agent_type, supported_layers, fee_model, fee_amount, webhook_url,
        webhook_disabled_at, status, registered_at)
      select gen_random_uuid(), 'owner', name, 'oracle', '{1}', 'flat', 1, $1, disabled::timestamptz, 'active',
        '2026-01-01'
      from (values ('twice', '2026-01-05'), ('unknown', '2026-01-05'), ('enabled', null)) as agent (name, disabled)`,
    [URL],
  )
  for (const reason of ['gone', 'failing'])
    await pool.query(
      `insert into events (id, type, occurred_at, recorded_at, wallet, data)
        select gen_random_uuid(), 'endpoint.disabled', registered_at, registered_at, pubkey,
          json_build_object('endpointId', id, 'agentId', id, 'url', webhook_url, 'reason', $1::text)
        from agents where name <> 'unknown'`,
      [reason],
    )
  await migrateOn()
  const { rows } = await pool.query(
    'select name, webhook_disabled_reason as reason from agents order by name',
  )
  expect(rows).toEqual([
    { name: 'enabled', reason: null },
    { name: 'twice', reason: 'failing' },
    { name: 'unknown', reason: null },
  ])
  await close()
})
