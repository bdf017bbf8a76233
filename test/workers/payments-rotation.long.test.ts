import { base58 } from '@scure/base'
import { Keypair } from '@solana/web3.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parseAddress } from '../../lib/solana/address.ts'
import { rowsOf } from '../support/chain.ts'
import { createAgent, createHirer, createPayer, hireAgent } from '../support/payer.ts'
import { type Service, startService } from '../support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'agents', 'vault', 'payments', 'jobs'] })
})
afterAll(() => service.stop())

/** Adds a key version of payments and records it, as `npm run rotate -- payments` does. */
async function rotatePayments(): Promise<void> {
  const { PAYMENTS_AUTHORITY_KEYS, PAYMENTS_AUTHORITY_ADDRESSES } = service.solana.bindings
  const next = Keypair.generate()
  const authority = parseAddress(next.publicKey.toBase58())
  await service.redeploy({
    PAYMENTS_AUTHORITY_KEYS: `${PAYMENTS_AUTHORITY_KEYS},2:${base58.encode(next.secretKey)}`,
    PAYMENTS_AUTHORITY_ADDRESSES: `${PAYMENTS_AUTHORITY_ADDRESSES},2:${authority}`,
  })
  await rowsOf(service, 'insert into payment_generations values (2, $1)', authority)
}

it('approves no payout account under a former key, which may have leaked', async () => {
  const { owner, agentId } = await createAgent(service)
  const { hirer, hireId } = await createHirer(service, agentId, 1_000)
  await owner.charge(hireId, 10)
  const canBePaid = async () => (await service.call('GET', `/agents/${agentId}`)).body.canBePaid
  expect(await canBePaid()).toBe(true)
  await rotatePayments()
  expect(await canBePaid()).toBeUndefined()
  // What was funded before can still be collected.
  await owner.land(owner.collect())
  expect(await hirer.budget(hireId)).toMatchObject({ balance: 990 })

  const newHirer = await createPayer(service)
  const newHire = await hireAgent(newHirer, agentId)
  const missing = { status: 409, code: 'collector_missing' }
  expect((await newHirer.fund(newHire, 1_000)).body).toMatchObject(missing)
  expect((await hirer.fund(hireId, 1_000)).body).toMatchObject(missing)
  await hirer.land(hirer.withdraw(hireId))
  expect((await hirer.fund(hireId, 1_000)).body).toMatchObject(missing)

  await owner.land(owner.openCollector())
  expect(await canBePaid()).toBe(true)
  await newHirer.land(newHirer.fund(newHire, 1_000))
  await hirer.land(hirer.fund(hireId, 1_000))
  await owner.charge(newHire, 10)
  await owner.charge(hireId, 10)
  await owner.land(owner.collect())
})
