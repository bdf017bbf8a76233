import { expect, it, onTestFinished } from 'vitest'
import { databaseBefore } from '../support/migrations.ts'

it('a hire of before has its agent’s fee, has had nothing charged, and has a place while it is active', async () => {
  const database = await databaseBefore('charges')
  onTestFinished(() => database.close())
  await database.execScript(`
    insert into agents (id, pubkey, name, agent_type, supported_layers, fee_model, fee_amount, status, registered_at)
    values ('01938f50-0000-7000-8000-000000000001', 'owner', 'One', 'oracle', '{1}', 'flat', 7, 'active', '2026-01-01'),
      ('01938f50-0000-7000-8000-000000000002', 'owner', 'Two', 'oracle', '{1}', 'percentage', 500, 'inactive',
        '2026-01-01');
    insert into hires (id, wallet, agent_id, layers_enabled, auto_renew, term_days, status, hired_at, expires_at)
    values ('01938f51-0000-7000-8000-000000000001', 'a', '01938f50-0000-7000-8000-000000000001', '{1}', true, 30,
        'active', '2026-01-01', '2026-01-31'),
      ('01938f51-0000-7000-8000-000000000002', 'b', '01938f50-0000-7000-8000-000000000002', '{1}', false, 30,
        'terminated', '2026-01-01', '2026-01-31')`)
  await database.migrateOn()
  expect(await database.rows('select fee_model, fee_amount from hires order by id')).toEqual([
    ['flat', '7'],
    ['percentage', '500'],
  ])
  expect(await database.rows('select from hire_periods')).toEqual([])
  expect(
    await database.rows('select wallet, active_hires from wallet_quotas where active_hires > 0'),
  ).toEqual([['a', '1']])
  const withoutFee = `insert into hires (id, wallet, agent_id, layers_enabled, auto_renew, term_days, status, hired_at,
    expires_at) select gen_random_uuid(), 'c', agent_id, '{1}', true, 30, 'active', '2026-01-01', '2026-01-31' from hires limit 1`
  await expect(database.rows(withoutFee)).rejects.toThrow('fee_model')
})
