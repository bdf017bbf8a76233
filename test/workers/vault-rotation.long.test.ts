import { base58 } from '@scure/base'
import { Keypair } from '@solana/web3.js'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { rowsOf } from '../support/chain.ts'
import { type Body, type Service, startService } from '../support/service.ts'
import { createStaker, DAY, giveCred, ONE, travel } from '../support/staker.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'vault', 'jobs'] })
})
afterAll(() => service.stop())

it('opens new vaults by a rotated authority; the old key releases the old positions', async () => {
  const staker = await createStaker(service)
  await staker.relay(await staker.stack(100 * ONE, 7))
  const before = await staker.vault()

  const authority = Keypair.generate()
  const recovery = Keypair.generate()
  const { VAULT_AUTHORITY_KEYS, VAULT_AUTHORITY_ADDRESSES, VAULT_RECOVERY_ADDRESSES } =
    service.solana.bindings
  await giveCred(service, authority.publicKey.toBase58(), 1000 * ONE)
  await service.redeploy({
    VAULT_AUTHORITY_KEYS: `${VAULT_AUTHORITY_KEYS}, 2:${base58.encode(authority.secretKey)}`,
    VAULT_AUTHORITY_ADDRESSES: `${VAULT_AUTHORITY_ADDRESSES}, 2:${authority.publicKey.toBase58()}`,
    VAULT_RECOVERY_ADDRESSES: `${VAULT_RECOVERY_ADDRESSES}, 2:${recovery.publicKey.toBase58()}`,
  })
  expect((await service.call('GET', '/vault/terms')).body).toMatchObject({
    generation: 2,
    authority: authority.publicKey.toBase58(),
    recovery: recovery.publicKey.toBase58(),
  })
  const second = await staker.stack(50 * ONE, 7)
  expect((second.body.quote as Body).vaultRent).toBeGreaterThan(0)
  await staker.relay(second)
  const after = await staker.vault()
  expect(after.body.vaultPda).not.toBe(before.body.vaultPda)
  expect((after.body.positions as Body[]).map(({ id }) => id)).toEqual([0, 1])

  // One transaction carries one cosigner: the larger yield first, the other one afterwards.
  await travel(service, DAY)
  await staker.signInAgain()
  const larger = await staker.claim()
  expect(larger.body.message).toContain('1 more can be claimed afterwards')
  await staker.relay(larger)
  await staker.vault()
  const smaller = await staker.claim()
  expect(smaller.body.id).not.toBe(larger.body.id)
  await staker.relay(smaller)
  const claimed = (await staker.vault()).body.positions as Body[]
  expect(claimed.every((position) => Number(position.claimed) > 0)).toBe(true)

  await travel(service, 7 * DAY)
  await staker.signInAgain()
  for (const id of [0, 1]) expect((await staker.relay(await staker.unstack(id))).status).toBe(200)
  expect((await staker.vault()).body.positions).toEqual([])
  const yields = (150_000_000_000n * 800n * 7n) / (10_000n * 365n)
  const owned = await staker.cred()
  // Each position's yield is rounded down by itself.
  expect(owned).toBeGreaterThanOrEqual(1000n * BigInt(ONE) + yields - 1n)
  expect(owned).toBeLessThanOrEqual(1000n * BigInt(ONE) + yields)
})

it('returns the signature when a transaction is relayed again long after landing', async () => {
  const staker = await createStaker(service)
  const built = await staker.stack(ONE, 7)
  const first = await staker.relay(built)
  await travel(service, 300_000)
  await staker.vault()
  expect((await staker.relay(built)).body).toEqual(first.body)
})

it('settings of other keys than were deployed void no position and fail no stack', async () => {
  const service = await startService({ groups: ['auth', 'vault', 'jobs'] })
  onTestFinished(() => service.stop())
  const staker = await createStaker(service)
  await staker.relay(await staker.stack(ONE, 7))
  const before = (await staker.vault()).body.positions as Body[]
  expect(before).toHaveLength(1)
  const landed = await staker.stack(ONE, 7)
  const { VAULT_AUTHORITY_ADDRESSES: authority = '', VAULT_RECOVERY_ADDRESSES: recovery = '' } =
    service.solana.bindings
  await rowsOf(
    service,
    'insert into vault_generations (generation, authority, recovery) values (1, $1, $2)',
    authority.slice(2),
    recovery.slice(2),
  )
  await service.redeploy({ VAULT_RECOVERY_ADDRESSES: `1:${Keypair.generate().publicKey.toBase58()}` })
  await staker.send(landed)
  await travel(service, 2_001)
  await service.runJobs('settlement')
  await expect.poll(() => service.logs.lines).toContainEqual({ level: 'error', vaultKeysDiffer: 1 })
  await staker.unstack(Number(before[0]?.id))
  await staker.claim()
  const read = async () => (await staker.vault()).body.positions as Body[]
  expect((await read()).map(({ address }) => address)).toEqual(before.map(({ address }) => address))
  expect((await staker.status(landed)).status).toBe('open')
  // With the right ones all goes on as if nothing had been.
  await service.redeploy({ VAULT_RECOVERY_ADDRESSES: recovery })
  await service.runJobs('settlement')
  expect(await read()).toHaveLength(2)
  expect((await staker.status(landed)).status).toBe('landed')
})
