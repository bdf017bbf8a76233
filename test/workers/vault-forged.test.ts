import { Keypair } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Address, parseAddress } from '../../lib/solana/address.ts'
import { transferChecked } from '../../lib/solana/programs/token.ts'
import { vaultAccount } from '../../lib/vault/addresses.ts'
import { addressOf, fateOf, LIFETIME_MS, mintOf, ownerTokensOf, perform, rowsOf } from '../support/chain.ts'
import {
  disguisePosition,
  escrowOf,
  exitEarly,
  makePosition,
  makeVault,
  positionOf,
  putInBy,
  valueLocked,
} from '../support/forger.ts'
import { type Service, startService } from '../support/service.ts'
import { createStaker, DAY, ONE, type Staker, travel } from '../support/staker.ts'

const STAKE = 100 * ONE

let service: Service
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'vault', 'jobs', 'marketplace'] })
})
afterAll(() => service.stop())

const runJobs = () => service.runJobs('settlement')

type SignersOf = (staker: Staker) => [number, Address[]]
const ownerAlone: SignersOf = ({ owner }) => [1, [parseAddress(owner)]]
const ownKeys: SignersOf = ({ owner }) => [
  3,
  [parseAddress(owner), parseAddress(owner), addressOf(Keypair.generate()), addressOf(Keypair.generate())],
]

describe('a vault that its owner made at the service’s address', () => {
  it.each<[string, SignersOf]>([
    ['of the owner alone', ownerAlone],
    ['of the owner and other keys in the right places', ownKeys],
  ])('%s has no position, with any account at the service’s seed', async (_, signersOf) => {
    const locked = await valueLocked(service)
    const staker = await createStaker(service)
    const stacks = [await staker.stack(STAKE, 365), await staker.stack(STAKE, 365)]
    const vault = await makeVault(service, staker, ...signersOf(staker))
    for (const stack of stacks)
      await makePosition(service, staker, stack, { holder: vault, amount: putInBy(stack) })
    await travel(service, LIFETIME_MS)
    for (const stack of stacks) {
      expect(await fateOf(service, staker, stack)).toMatchObject({
        status: 'failed',
        reason: 'vault_foreign',
      })
    }
    expect(await valueLocked(service)).toBe(locked)
    expect((await staker.vault()).body).toMatchObject({ code: 'vault_not_found' })
  })

  it('has no position after its account either, also when its stack has expired', async () => {
    const locked = await valueLocked(service)
    const staker = await createStaker(service)
    const stack = await staker.stack(STAKE, 365)
    const escrow = escrowOf(service, staker)
    const { address: vault } = await vaultAccount(escrow)
    await makePosition(service, staker, stack, { holder: vault, amount: putInBy(stack) })
    expect(await fateOf(service, staker, stack)).toMatchObject({ status: 'open' })
    await travel(service, LIFETIME_MS)
    expect(['expired', 'failed']).toContain((await fateOf(service, staker, stack)).status)
    await makeVault(service, staker, ...ownerAlone(staker))
    await runJobs()
    expect((await staker.status(stack)).status).not.toBe('landed')
    expect(await valueLocked(service)).toBe(locked)
  })

  it('is found by job runs if it was counted before, with an error line', async () => {
    const locked = await valueLocked(service)
    const staker = await createStaker(service)
    const stack = await staker.stack(STAKE, 365)
    const vault = await makeVault(service, staker, ...ownerAlone(staker))
    const address = await makePosition(service, staker, stack, { holder: vault, amount: putInBy(stack) })
    await countAsBefore(staker, String(stack.body.id), address)
    expect(await valueLocked(service)).toBe(locked + BigInt(STAKE))
    await runJobs()
    expect(await valueLocked(service)).toBe(locked)
    expect((await staker.vault()).body).toMatchObject({ positions: [], balances: { cred: 0 } })
    await expect
      .poll(() => service.logs.lines)
      .toContainEqual(expect.objectContaining({ level: 'error', voidPosition: address, owner: staker.owner }))
    expect((await staker.claim(0)).body).toMatchObject({ code: 'position_not_found' })
  })
})

/** Records a position as the service did before it looked at the vault's signers. */
async function countAsBefore(staker: Staker, intent: string, address: string) {
  await rowsOf(service, `update vault_intents set status = 'landed' where id = $1`, intent)
  await rowsOf(
    service,
    'update vaults set next_position_id = 1, open_stacks = 0 where owner = $1',
    staker.owner,
  )
  await rowsOf(
    service,
    `insert into positions (owner, id, address, generation, principal, lock_days, apy_bps, staked_at, escrowed, seen_slot)
      values ($1, 0, $2, 1, ${STAKE}, 365, 1600, '2026-01-01', ${STAKE}, 1)`,
    staker.owner,
    address,
  )
}

describe('an account of another mint at the address of a withdrawn position', () => {
  it('does not keep the position open, and counts for nothing', async () => {
    const locked = await valueLocked(service)
    const staker = await createStaker(service)
    const stack = await staker.stack(STAKE, 7)
    expect((await staker.relay(stack)).status).toBe(200)
    await travel(service, 8 * DAY)
    await staker.signInAgain()
    const unstack = await staker.unstack(0)
    await staker.send(unstack)
    await disguisePosition(service, staker, { ...positionOf(stack), amount: putInBy(stack) })
    expect(await fateOf(service, staker, unstack)).toMatchObject({ status: 'landed' })
    expect(await valueLocked(service)).toBe(locked)
    expect((await staker.vault()).body).toMatchObject({ positions: [] })
    // Nothing of it is left to close for the service: it is no account of CRED.
    expect((await staker.call('POST', '/vault/leftovers', { body: { positionId: 0 } })).body).toMatchObject({
      code: 'no_leftovers',
    })
  })
})

describe('job runs', () => {
  it('close a position withdrawn with the recovery key, without a read', async () => {
    const locked = await valueLocked(service)
    const staker = await createStaker(service)
    const stack = await staker.stack(STAKE, 365)
    expect((await staker.relay(stack)).status).toBe(200)
    await staker.vault()
    expect(await valueLocked(service)).toBe(locked + BigInt(STAKE))
    await exitEarly(service, staker, positionOf(stack).address)
    await runJobs()
    expect(await valueLocked(service)).toBe(locked)
    expect((await staker.vault()).body).toMatchObject({ positions: [] })
  })

  it('record a position’s balance, and leave honest ones alone', async () => {
    // The exit above has tripped the circuit breaker.
    await rowsOf(service, 'delete from vault_generations')
    const staker = await createStaker(service)
    const stack = await staker.stack(STAKE, 365)
    await staker.relay(stack)
    await staker.vault()
    const source = await ownerTokensOf(service, staker.owner)
    const donation = {
      source,
      mint: mintOf(service),
      destination: positionOf(stack).address,
      amount: 7n,
      decimals: 9,
    }
    await perform(
      service,
      [staker.keypair],
      [transferChecked(donation, { owner: parseAddress(staker.owner) })],
    )
    await runJobs()
    expect((await staker.vault()).body.positions).toMatchObject([
      { amount: STAKE, escrowed: Number(putInBy(stack)) + 7 },
    ])
  })
})
