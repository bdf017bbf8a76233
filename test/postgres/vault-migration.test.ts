import { expect, it, onTestFinished } from 'vitest'
import { databaseBefore } from '../support/migrations.ts'

it('intents of before wallet_first are service_first, signed and as they were', async () => {
  const database = await databaseBefore('wallet_first')
  onTestFinished(() => database.close())
  await database.execScript(`
    insert into vaults (owner, open_stacks, settled_at) values ('owner', 1, '2026-01-01');
    insert into vault_unsigned (owner, id, generation, last_valid_block_height, created_at) values
      ('owner', '01938f50-0000-7000-8000-000000000001', 1, 1, '2026-01-01');
    insert into vault_intents (id, owner, kind, status, generation, transaction, message,
      last_valid_block_height, built_slot, created_at, lock_days, apy_bps, staked_at) values
      ('01938f50-0000-7000-8000-000000000000', 'owner', 'stack', 'open', 1, 'AQ==', 'm', 7, 1, '2026-01-01',
        7, 800, '2026-01-01')`)
  const kept = () =>
    database.rows('select id, kind, status, transaction, last_valid_block_height from vault_intents')
  const before = await kept()
  await database.migrateOn()
  expect(await kept()).toEqual(before)
  const added = 'select signing, cosigned_message, network_signature, cosigned_at from vault_intents'
  expect(await database.rows(added)).toEqual([['service_first', null, null, null]])
})

it('the vault’s migration keeps the rows of before, and their sums', async () => {
  const database = await databaseBefore('vault_trust')
  onTestFinished(() => database.close())
  await database.execScript(`
    insert into vaults (owner, next_position_id, open_stacks, settled_at) values ('owner', 2, 1, '2026-01-01');
    insert into positions (owner, id, address, generation, principal, lock_days, apy_bps, staked_at, status,
      escrowed, seen_slot, withdrawn_at) values
      ('owner', 0, 'a', 1, 1000, 7, 800, '2026-01-01', 'open', 1001, 5, null),
      ('owner', 1, 'b', 1, 500, 7, 800, '2026-01-01', 'withdrawn', 0, 5, '2026-02-01');
    insert into vault_intents (id, owner, kind, status, generation, transaction, message,
      last_valid_block_height, built_slot, created_at, lock_days, apy_bps, staked_at) values
      ('01938f50-0000-7000-8000-000000000000', 'owner', 'stack', 'open', 1, 'AQ==', 'm', 1, 1, '2026-01-01',
        7, 800, '2026-01-01');
    insert into vault_intent_legs values ('01938f50-0000-7000-8000-000000000000', 'c', 7, 0)`)
  const before = [
    await database.rows('select owner, id, address, principal, status, escrowed from positions order by id'),
    await database.rows('select id, owner, status from vault_intents'),
    await database.rows('select owner, next_position_id, open_stacks from vaults'),
  ]
  await database.migrateOn()
  expect([
    await database.rows('select owner, id, address, principal, status, escrowed from positions order by id'),
    await database.rows('select id, owner, status from vault_intents'),
    await database.rows('select owner, next_position_id, open_stacks from vaults'),
  ]).toEqual(before)
  const locked = () => database.rows('select sum(value_locked) from totals')
  expect(await locked()).toEqual([['1000']])
  // Those of before are the first that the rounds look at; one that is void no longer counts.
  expect(await database.rows(`select id from positions where seen_at = 'epoch' order by id`)).toHaveLength(2)
  await database.rows(`update positions set status = 'void' where id = 0`)
  expect(await locked()).toEqual([['0']])
  await database.rows(`update positions set status = 'withdrawn' where id = 0`)
  expect(await locked()).toEqual([['0']])
})

it('the migration of open positions counts those of before, and who changes them without knowing of it', async () => {
  const database = await databaseBefore('vault_positions')
  onTestFinished(() => database.close())
  const position = (owner: string, id: number, status: string) =>
    `('${owner}', ${id}, '${owner}${id}', 1, 1000, 7, 800, '2026-01-01', '${status}', 1001, 5)`
  const columns =
    'owner, id, address, generation, principal, lock_days, apy_bps, staked_at, status, escrowed, seen_slot'
  await database.execScript(`
    insert into vaults (owner, next_position_id, settled_at) values
      ('one', 4, '2026-01-01'), ('two', 1, '2026-01-01'), ('none', 0, '2026-01-01');
    insert into positions (${columns}) values ${position('one', 0, 'open')}, ${position('one', 1, 'open')},
      ${position('one', 2, 'withdrawn')}, ${position('one', 3, 'void')}, ${position('two', 0, 'open')}`)
  await database.migrateOn()
  const counts = () => database.rows('select owner, open_positions from vaults order by owner')
  expect(await counts()).toEqual([
    ['none', '0'],
    ['one', '2'],
    ['two', '1'],
  ])
  await database.execScript(`
    update positions set status = 'withdrawn' where owner = 'two';
    update positions set status = 'void', seen_slot = 6 where owner = 'one' and id = 0;
    update positions set status = 'withdrawn' where owner = 'one' and id = 3;
    update positions set status = 'open' where owner = 'one' and id = 1;
    insert into positions (${columns}) values ${position('none', 0, 'open')}, ${position('none', 1, 'open')};
    delete from positions where owner = 'none' and id = 0`)
  expect(await counts()).toEqual([
    ['none', '1'],
    ['one', '1'],
    ['two', '0'],
  ])
})
