import { Transaction } from '@solana/web3.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rowsOf } from '../support/chain.ts'
import { type Body, type Service, startService } from '../support/service.ts'
import { createStaker, giveCred, ONE, travel } from '../support/staker.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'vault', 'settlement'] })
})
afterAll(() => service.stop())

const count = async (table: string) =>
  Number((await rowsOf(service, `select count(*) from ${table}`))[0]?.[0])

it('a stack that its owner can not fund is not cosigned, and the owner’s last alone is open', async () => {
  const poor = await createStaker(service, 0)
  const built = []
  for (let index = 0; index < 12; index += 1) built.push(await poor.stack(1_000_000 * ONE, 365))
  expect(built.map(({ status }) => status)).toEqual(Array(12).fill(200))
  expect(await count(`vault_intents where status = 'open'`)).toBe(1)
  expect(await count('vaults where open_stacks > 0 or yield_reserved > 0 or yield_landed > 0')).toBe(0)
  const last = built.at(-1)
  if (!last) throw new Error('nothing built')
  expect(last.body).toMatchObject({ signing: 'wallet_first', step: 'stack' })
  expect(last.body.quote as Body).toMatchObject({ funded: false })
  expect(last.body.message).toContain('Fund it, then ask again')
  const { signatures } = Transaction.from(Buffer.from(String(last.body.transaction), 'base64'))
  expect(signatures.map(({ signature }) => signature)).toEqual([null, null])
  expect((await poor.relay(last)).body).toMatchObject({ status: 409, code: 'not_cosigned' })
  expect(await poor.status(last)).toMatchObject({ id: last.body.id, kind: 'stack', status: 'unsigned' })
  const [first] = built
  if (first) expect((await poor.relay(first)).body).toMatchObject({ code: 'transaction_expired' })
  const stranger = await createStaker(service)
  const others = { id: last.body.id, transaction: poor.sign(last) }
  expect((await stranger.call('POST', '/vault/transactions', { body: others })).body).toMatchObject({
    code: 'transaction_not_found',
  })
  await travel(service, 11 * 60_000)
  await service.runCron('settlement', '*/10 * * * *')
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
