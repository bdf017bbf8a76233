import { Transaction } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fateOf, positionsOf } from '../support/chain.ts'
import { type Answer, type Service, startService } from '../support/service.ts'
import { balanceOf, connectionOf, createStaker, DAY, ONE, type Staker, travel } from '../support/staker.ts'
import { PHANTOM, type WalletHabits } from '../support/wallets.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'vault', 'jobs'] })
})
afterAll(() => service.stop())

const bytesOf = (answer: Answer) => Buffer.from(String(answer.body.transaction), 'base64')
const later = async (staker: Staker, ms: number) => {
  await travel(service, ms)
  await staker.signInAgain()
}

/** Expects a transaction for a wallet to sign: without signatures, with room for guards. */
function expectToSign(answer: Answer, signers: number) {
  expect(answer.body).toMatchObject({ success: true, signing: 'wallet_first' })
  const { signatures } = Transaction.from(bytesOf(answer))
  expect(signatures.map(({ signature }) => signature)).toEqual(Array(signers).fill(null))
  expect(bytesOf(answer).length).toBeLessThanOrEqual(1_032)
}

async function landed(staker: Staker, answer: Answer, habits?: WalletHabits) {
  const relayed = await staker.relayFirst(answer, habits)
  expect(relayed.body).toMatchObject({ id: answer.body.id })
  expect(relayed.status).toBe(200)
  const fate = await fateOf(service, staker, answer)
  expect(fate).toMatchObject({ status: 'landed', signing: 'wallet_first', signature: relayed.body.signature })
  return String(relayed.body.signature)
}

/** A staker with a vault and this many positions of 100 CRED for seven days, all signed first. */
async function createHolder(positions: number, habits?: WalletHabits): Promise<Staker> {
  const staker = await createStaker(service)
  await landed(staker, await staker.first.stack(100 * ONE, 7), habits)
  for (let count = 0; count < positions; count += 1) {
    await landed(staker, await staker.first.stack(100 * ONE, 7), habits)
  }
  return staker
}

const sizes: Record<string, number> = {}

const wallets: [string, WalletHabits][] = [
  ['puts guards around the instructions', PHANTOM],
  [
    'puts guards around and sets its own budget',
    { ...PHANTOM, budget: { units: 300_000, microLamports: 5n } },
  ],
  ['puts guards around and compiles version 0', { ...PHANTOM, version: 0 }],
  ['changes nothing', {}],
]

describe.each(wallets)('a wallet that %s', (_, habits) => {
  it('stakes, claims from one and from many, and withdraws', async () => {
    const staker = await createStaker(service)
    const opening = await staker.first.stack(100 * ONE, 7)
    expectToSign(opening, 1)
    expect(opening.body).toMatchObject({ step: 'open_vault' })
    sizes.open_vault = bytesOf(opening).length
    expect(await staker.status(opening)).toMatchObject({ kind: 'open_vault', status: 'unsigned' })
    await landed(staker, opening, habits)
    expect((await service.call('GET', `/vault?owner=${staker.owner}`)).status).toBe(404)

    for (let count = 0; count < 2; count += 1) {
      const stack = await staker.first.stack(100 * ONE, 7)
      expectToSign(stack, 2)
      expect(stack.body).toMatchObject({ step: 'stack' })
      expect(await staker.status(stack)).toMatchObject({ kind: 'stack', status: 'unsigned' })
      sizes.stack = bytesOf(stack).length
      await landed(staker, stack, habits)
    }
    expect(await staker.cred()).toBe(800n * BigInt(ONE))
    expect(await positionsOf(staker)).toHaveLength(2)

    await later(staker, DAY)
    for (const position of [0, undefined]) {
      const before = await staker.cred()
      await travel(service, 3_600_000)
      const claim = await staker.first.claim(position)
      expectToSign(claim, 2)
      expect(claim.body.step).toBeUndefined()
      sizes[position === 0 ? 'claim of one' : 'claim of two'] = bytesOf(claim).length
      await landed(staker, claim, habits)
      expect(await staker.cred()).toBeGreaterThan(before)
    }

    await later(staker, 7 * DAY)
    const [position] = await positionsOf(staker)
    const unstack = await staker.first.unstack(0)
    expectToSign(unstack, 2)
    sizes.unstack = bytesOf(unstack).length
    await landed(staker, unstack, habits)
    expect(await balanceOf(service, position?.address)).toBeUndefined()
    expect(await positionsOf(staker)).toHaveLength(1)
    // The other way for the other position.
    expect((await staker.relay(await staker.unstack(1))).status).toBe(200)
    const yields = (2n * 100_000_000_000n * 800n * 7n) / (10_000n * 365n)
    expect(await staker.cred()).toBeGreaterThanOrEqual(1000n * BigInt(ONE) + yields - 1n)
    expect((await staker.vault()).body).toMatchObject({ balances: { cred: 0 } })
  })
})

it('lands guards with their transaction, with a newer blockhash, in any version', async () => {
  const staker = await createHolder(0)
  const stack = await staker.first.stack(ONE, 7)
  await travel(service, 90_000)
  expect((await staker.relayFirst(stack)).body).toMatchObject({ code: 'transaction_expired' })
  const { blockhash } = await connectionOf(service).getLatestBlockhash()
  const signature = await landed(staker, stack, { ...PHANTOM, version: 0, blockhash })
  const read = await connectionOf(service).getTransaction(signature, { maxSupportedTransactionVersion: 1 })
  expect(read?.transaction.message.compiledInstructions.length).toBeGreaterThan(8)
})

it('the sizes of all that a wallet signs first leave two hundred bytes', () => {
  expect(Object.keys(sizes)).toHaveLength(5)
  for (const size of Object.values(sizes)) expect(size).toBeLessThanOrEqual(1_032)
})
