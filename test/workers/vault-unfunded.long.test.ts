import { Transaction } from '@solana/web3.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rowsOf } from '../support/chain.ts'
import { type Body, type Call, type Service, startService } from '../support/service.ts'
import { createStaker, giveCred, ONE, travel } from '../support/staker.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'vault', 'jobs'] })
})
afterAll(() => service.stop())

const count = async (table: string) =>
  Number((await rowsOf(service, `select count(*) from ${table}`))[0]?.[0])

it('does not cosign a stack that its owner can not fund, and stores only the last', async () => {
  const poor = await createStaker(service, 0)
  const built = []
  for (let index = 0; index < 12; index += 1) built.push(await poor.stack(1_000_000 * ONE, 365))
  expect(built.map(({ status }) => status)).toEqual(Array(12).fill(200))
  expect(await count('vault_intents')).toBe(1)
  expect(await count('vaults')).toBe(0)
  const last = built.at(-1)
  if (!last) throw new Error('nothing built')
  expect(last.body).toMatchObject({ signing: 'wallet_first', step: 'stack' })
  expect(last.body.quote as Body).toMatchObject({ funded: false })
  expect(last.body.message).toContain('Fund it, then request it again')
  const { signatures } = Transaction.from(Buffer.from(String(last.body.transaction), 'base64'))
  expect(signatures.map(({ signature }) => signature)).toEqual([null, null])
  expect((await poor.relay(last)).body).toMatchObject({ status: 409, code: 'not_cosigned' })
  expect(await poor.status(last)).toMatchObject({ id: last.body.id, kind: 'stack', status: 'unsigned' })
  const [first] = built
  if (first) expect((await poor.relay(first)).body).toMatchObject({ code: 'transaction_not_found' })
  const stranger = await createStaker(service)
  const others = { id: last.body.id, transaction: poor.sign(last) }
  expect((await stranger.call('POST', '/vault/transactions', { body: others })).body).toMatchObject({
    code: 'transaction_not_found',
  })
  await travel(service, 11 * 60_000)
  await service.runJob('daily')
  expect(await count('vault_intents')).toBe(0)
})

it('asked for again once it is funded, it is cosigned and lands', async () => {
  const staker = await createStaker(service, 0)
  expect((await staker.stack(ONE, 7)).body.quote).toMatchObject({ funded: false })
  await giveCred(service, staker.owner, ONE)
  const funded = await staker.stack(ONE, 7)
  expect(funded.body.quote).toMatchObject({ funded: true })
  expect((await staker.relay(funded)).status).toBe(200)
  expect((await staker.vault()).body).toMatchObject({ balances: { cred: ONE } })
})

it('limits wallets without tokens to 60 stakes an hour an address; no rows remain', async () => {
  const strict = await startService({
    groups: ['auth', 'vault', 'jobs'],
    bindings: { EMPTY_BUILDS_PER_ADDRESS: '60', VAULT_MIN_STAKE: '1000' },
  })
  try {
    const body = { amount: ONE, lockDays: 7, signing: 'wallet_first' }
    const build = async (wallet: { call: Call }, address: string) =>
      wallet.call('POST', '/vault/stack', { body, headers: { 'cf-connecting-ip': address } })
    const wallets: { call: Call }[] = []
    for (let n = 0; n < 70; n += 1) wallets.push(await strict.signIn())
    const answers = []
    for (const wallet of wallets) answers.push(await build(wallet, '192.0.2.1'))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(60)
    expect(answers.at(-1)?.body).toMatchObject({ status: 429, code: 'rate_limited' })
    const [first] = wallets
    if (!first) throw new Error('no wallet')
    expect((await build(first, '192.0.2.2')).status).toBe(200)
    const little = await first.call('POST', '/vault/stack', { body: { amount: 999, lockDays: 7 } })
    expect(little.body).toMatchObject({ status: 400, code: 'invalid_request', errors: [{ path: 'amount' }] })
    const kept = async () => Number((await rowsOf(strict, 'select count(*) from vault_intents'))[0]?.[0])
    expect(await kept()).toBe(60)
    // As many as a run could not delete in one statement.
    await rowsOf(
      strict,
      `insert into vault_intents (id, owner, kind, status, generation, signing, transaction, message,
        last_valid_block_height, built_slot, created_at)
      select gen_random_uuid(), 'empty' || n, 'open_vault', 'open', 1, 'wallet_first', '', '', 1, 1, created_at
      from generate_series(1, 5000) as n, (select min(created_at) as created_at from vault_intents) as oldest`,
    )
    await travel(strict, 11 * 60_000)
    await strict.runJob('daily')
    expect(await kept()).toBe(0)
    expect(await rowsOf(strict, 'select * from vaults')).toEqual([])
  } finally {
    await strict.stop()
  }
})
