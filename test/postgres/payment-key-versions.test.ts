import { v7 as uuidv7 } from 'uuid'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { recordPayments, requirePaymentKeyVersions } from '../../lib/cli/deploy/payments.ts'
import { createWallet } from '../../lib/cli/wallet.ts'
import * as postgres from '../../lib/db/functions.ts'
import { readKeyVersions } from '../../lib/payments/key-version-queries.ts'
import { recordOutcomes } from '../../lib/payments/settlement/outcome-batches.ts'
import { findIntent } from '../../lib/payments/transactions/intent-queries.ts'
import { cred } from '../../schema/amounts.ts'
import type { Address } from '../../schema/wallet.ts'
import { connectDatabase, type DrizzleDb } from '../support/database.ts'
import { newEscrow, settleAll, signedOfJobs } from '../support/job-payments.ts'
import { accept, CRED, storeWorkingAgent, tryToPost } from '../support/jobs.ts'
import { hiredAgent } from '../support/payments.ts'
import { endHire, newWallet } from '../support/stored-agents.ts'

const DAY = 86_400_000
/** The deployment goes by the machine's own time. */
const NOW = new Date()
const on = (days: number) => new Date(NOW.getTime() + days * DAY)

const addressOf = () => createWallet().publicKey as Address

/** A hire whose budget account approves payout accounts of any key version, past the API. */
async function budgetOf(db: DrizzleDb) {
  const now = NOW
  const hire = await hiredAgent(db, { hiredAt: now, autoRenew: true })
  const { id: hireId, hirer } = hire
  const address = addressOf()
  return {
    ...hire,
    async build(
      keyVersion: number,
      kind: 'fund_budget' | 'withdraw_budget' = 'fund_budget',
    ): Promise<string> {
      const id = uuidv7()
      await postgres.recordPaymentIntent.call(db, {
        ...{ id, kind, wallet: hirer, keyVersion, now },
        ...{ transaction: 'AQ==', message: 'm', lastValidBlockHeight: 1n, builtSlot: 1n },
        ...{ hireId, address, addressBefore: address, amount: cred(1n) },
        ...(kind === 'fund_budget' ? { seed: 'seed' } : {}),
      })
      return id
    },
    /** Signs it so that it can land until a block. */
    async sign(id: string, lastValidBlockHeight: bigint): Promise<void> {
      const signed = { transaction: 'AQ==', message: 'AQ==', networkSignature: id, lastValidBlockHeight }
      await postgres.cosignPayment.call(db, { id, wallet: hirer, ...signed, builtAfter: on(-1), now })
    },
    async land(id: string): Promise<void> {
      const intent = await findIntent(db, id)
      if (!intent) throw new Error('no intent')
      await recordOutcomes({ db, now, feeStep: cred(1n) }, [{ intent, kind: 'landed' }])
    },
  }
}

let db: DrizzleDb
let url: string
let close: () => Promise<void>
beforeEach(async () => {
  ;({ db, url, close } = await connectDatabase())
})
afterEach(() => close())

const needed = async (now = NOW) => (await readKeyVersions(db, now)).needed

/** What deploys payments with keys of these generations. */
function payments(keys: Record<number, Address>): Parameters<typeof recordPayments> {
  const vars = {
    VAULT_MINT: addressOf(),
    VAULT_AUTHORITY_ADDRESSES: `1:${addressOf()}`,
    PAYMENTS_AUTHORITY_ADDRESSES: Object.entries(keys)
      .map((entry) => entry.join(':'))
      .join(),
  }
  return [[{ group: 'payments', vars }], { DATABASE_URL: url }]
}

it('a key version is needed from a signed funding to withdrawal or the charges’ end', async () => {
  const budget = await budgetOf(db)
  await budget.build(1)
  await postgres.expireUnsignedPayments.call(db, { builtBy: on(1), now: NOW, limit: 100 })
  // What nobody signed approves nothing.
  expect(await needed()).toEqual([])
  const signed = await budget.build(1)
  await budget.sign(signed, 150n)
  expect(await needed()).toEqual([1])
  await budget.land(signed)
  expect(await needed()).toEqual([1])
  const second = await budget.build(2)
  await budget.sign(second, 1_150n)
  expect(await needed()).toEqual([1, 2])
  await budget.land(second)
  expect(await needed()).toEqual([2])
  // Nor is anything to be collected once the hire's charges have lapsed.
  await endHire(db, { id: budget.id, wallet: budget.hirer, now: NOW })
  expect(await needed(on(29))).toEqual([2])
  expect(await needed(on(31))).toEqual([])
  const withdrawal = await budget.build(2, 'withdraw_budget')
  await budget.sign(withdrawal, 2_150n)
  await budget.land(withdrawal)
  expect(await needed()).toEqual([])
})

it('the older key version is needed when two fundings may have landed in any order', async () => {
  for (const order of [
    ['one', 'two'],
    ['two', 'one'],
  ] as const) {
    const budget = await budgetOf(db)
    const one = await budget.build(1)
    await budget.sign(one, 150n)
    const two = await budget.build(2)
    await budget.sign(two, 250n)
    const ids = { one, two }
    for (const name of order) await budget.land(ids[name])
    expect(await needed()).toEqual([1])
    // A withdrawal of the same minutes may have landed before either.
    const early = await budget.build(2, 'withdraw_budget')
    await budget.sign(early, 260n)
    await budget.land(early)
    expect(await needed()).toEqual([1])
    const late = await budget.build(2, 'withdraw_budget')
    await budget.sign(late, 1_000n)
    await budget.land(late)
    expect(await needed()).toEqual([])
  }
})

it('refuses by its number a deployment that drops an approved payments key version', async () => {
  const budget = await budgetOf(db)
  const id = await budget.build(2)
  await budget.sign(id, 150n)
  await budget.land(id)
  await requirePaymentKeyVersions(...payments({ 1: addressOf(), 2: addressOf() }))
  await expect(requirePaymentKeyVersions(...payments({ 1: addressOf(), 3: addressOf() }))).rejects.toThrow(
    'lacks key version 2, which budget accounts still use',
  )
  await requirePaymentKeyVersions([{ group: 'auth', vars: {} }], {})
})

it('a key version keeps the address that it was deployed with', async () => {
  const [first, second, other] = [addressOf(), addressOf(), addressOf()]
  await requirePaymentKeyVersions(...payments({ 1: first }))
  await recordPayments(...payments({ 1: first }))
  await requirePaymentKeyVersions(...payments({ 1: first, 2: second }))
  await recordPayments(...payments({ 1: first, 2: second }))
  await expect(requirePaymentKeyVersions(...payments({ 1: first, 2: other }))).rejects.toThrow(
    'the address of key version 2 differs from the deployed one',
  )
  await requirePaymentKeyVersions(...payments({ 2: second }))
  await recordPayments([{ group: 'auth', vars: {} }], {})
})

it('is needed by an accepted job until both sides are paid, or 30 days after the end', async () => {
  const { agentId, owner } = await storeWorkingAgent(db, NOW)
  const hirer = newWallet()
  const { id } = await tryToPost(db, { agentId, hirer, now: NOW, price: 100n * CRED })
  const neededOn = async (days: number) => (await readKeyVersions(db, on(days))).needed
  expect(await neededOn(0)).toEqual([])
  await accept(db, { id, wallet: owner, now: NOW })
  expect(await neededOn(0)).toEqual([1])
  const leg = { jobId: id, address: newEscrow(), amount: 100n * CRED }
  const sign = (kind: 'fund_job' | 'refund_job') =>
    signedOfJobs(db, { kind, wallet: hirer, legs: [leg], now: NOW })
  await settleAll(db, [{ id: await sign('fund_job'), outcome: 'landed' }], NOW)
  await postgres.endJob.call(db, { id, wallet: owner, now: NOW })
  expect(await neededOn(29)).toEqual([1])
  expect(await neededOn(31)).toEqual([])
  await settleAll(db, [{ id: await sign('refund_job'), outcome: 'landed' }], NOW)
  expect(await neededOn(0)).toEqual([])
})
