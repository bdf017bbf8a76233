import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { databaseBefore } from '../support/migrations.ts'

const URL = 'https://hooks.example.com/ü'
const HASH = createHash('sha256').update(URL).digest('hex')

it('what was there before the limits stays, is counted, and proves the endpoints that it was sent to', async () => {
  const { pool, migrateOn, close } = await databaseBefore('limits')
  const rows = async (text: string) => (await pool.query({ text, rowMode: 'array' })).rows
  await pool.query(`
    insert into agents (id, pubkey, name, agent_type, supported_layers, fee_model, fee_amount, webhook_url, status,
        registered_at)
      select gen_random_uuid(), 'busy', 'Agent', 'oracle', '{1}', 'flat', 1, '${URL}',
        case when n <= 250 then 'active' else 'inactive' end, '2026-01-01' from generate_series(1, 300) as n;
    insert into agents (id, pubkey, name, agent_type, supported_layers, fee_model, fee_amount, webhook_url, status,
        registered_at)
      values (gen_random_uuid(), 'new', 'Agent', 'oracle', '{1}', 'flat', 1, '${URL}', 'suspended', '2026-01-01');
    insert into events (id, type, occurred_at, recorded_at, wallet, agent_id, data)
      select gen_random_uuid(), 'agent.registered', registered_at, registered_at, pubkey, id, '{}' from agents;
    insert into deliveries (event_id, agent_id, wallet, status, created_at, attempts, last_attempt_at, next_attempt_at)
      select id, agent_id, wallet, case when wallet = 'busy' then 'delivered' else 'pending' end, recorded_at, 1,
        '2026-01-02', case when wallet = 'busy' then null else timestamptz '2026-01-03' end from events;
    insert into registry_agents (pubkey, name, agent_type, capabilities, layers, fee_model, timestamp, signature,
        body_hash, revision, registered_at, updated_at)
      values ('key', 'Entry', 'personal', '{shopping}', '{1}', 'free', 1, 's', 'b', 1, '2026-01-01', '2026-01-01');`)
  const before = await rows('select count(*) from agents union all select count(*) from deliveries')
  await migrateOn()
  expect(await rows('select count(*) from agents union all select count(*) from deliveries')).toEqual(before)
  expect(await rows('select wallet, agents, active_agents from wallet_quotas order by wallet')).toEqual([
    ['busy', 300, 250],
    ['new', 1, 0],
  ])
  expect(await rows('select wallet, url_hash, is_healthy, failing_since from webhook_targets')).toEqual([
    ['busy', HASH, true, null],
  ])
  expect(await rows('select name, status, revision from registry_agents')).toEqual([['Entry', 'active', 1]])
  await close()
})
