import { and, eq } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { agentAsStored } from '../../lib/agents/queries.ts'
import { ApiError } from '../../lib/api-error.ts'
import { requestFee, weightOf } from '../../lib/reputation/counterparties/rules.ts'
import { rate } from '../../lib/reputation/ratings/rate.ts'
import { DAY_MS } from '../../lib/time.ts'
import { cred } from '../../schema/amounts.ts'
import { reputationTotals } from '../../schema/tables/counterparties.ts'
import { hirePayments, ownerLayers, payers } from '../../schema/tables/payers.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { agentScore } from '../support/agent-score.ts'
import { connectDatabase, type DrizzleDb } from '../support/database.ts'
import { type Hired, storeHire } from '../support/hires.ts'
import { ONE_CRED, recordPayments } from '../support/paid.ts'
import { PaidLedger } from '../support/paid-ledger.ts'
import { at, payableAgent, signed } from '../support/request-payments.ts'
import { expectCounts, runs } from '../support/runs.ts'
import { newWallet, storeAgent } from '../support/stored-agents.ts'

const NOW = new Date('2026-11-20T10:00:00Z')

let db: DrizzleDb
let close: () => Promise<void>
beforeAll(async () => {
  ;({ db, close } = await connectDatabase())
})
afterAll(() => close())
afterEach(() => {
  vi.restoreAllMocks()
})

const hire = (owner: Wallet, agentId: string, payer: Wallet) =>
  storeHire(db, { agentId, owner, payer, now: NOW })

/** Two owners with two agents each; every one of four wallets, the owners too, has hired each agent. */
async function market() {
  const wallets = [newWallet(), newWallet(), newWallet(), newWallet()]
  const owners = wallets.slice(0, 2)
  const offers = await Promise.all(
    owners.flatMap((owner) => [0, 1].map(async () => payableAgent(db, { owner }))),
  )
  const hires = await Promise.all(
    offers.flatMap(({ owner, id }) => wallets.map((payer) => hire(owner, id, payer))),
  )
  return { wallets, offers, hires }
}

/** Holds every stored sum against the ledger. */
async function compare(ledger: PaidLedger, { wallets, offers, hires }: Market) {
  for (const { id } of offers) {
    const expected = ledger.payersOf({ agentId: id })
    const weights = { weight: weightOf(expected.payersWeight), satisfied: weightOf(expected.satisfiedWeight) }
    expect((await agentAsStored.run(db, { id }))[0]).toMatchObject({
      ...expected,
      reputationScore: agentScore({ hirers: 0, payers: weights }),
    })
  }
  for (const wallet of wallets) {
    const [stored] = await db.select().from(reputationTotals).where(eq(reputationTotals.wallet, wallet))
    const { payersWeight, satisfiedWeight } = ledger.payersOf({ owner: wallet })
    const none = { payersWeight: 0n, satisfiedWeight: 0n, paidWeight: 0n }
    expect(stored ?? none).toMatchObject({
      payersWeight,
      satisfiedWeight,
      paidWeight: ledger.paidWeightOf(wallet),
    })
    const layers = await db.select().from(ownerLayers).where(eq(ownerLayers.owner, wallet))
    for (const { layer, fee } of layers) expect(fee).toBe(ledger.layerFeeOf(wallet, layer))
    const paidFor = ledger.payments.filter(({ owner, payer }) => owner === wallet && payer !== wallet)
    const named = new Set(paidFor.map(({ layer }) => layer).filter((layer) => layer !== undefined))
    expect(layers.map(({ layer }) => layer).sort()).toEqual([...named].sort())
  }
  for (const { hireId } of hires) {
    const [stored] = await db.select().from(hirePayments).where(eq(hirePayments.hireId, hireId))
    expect(stored?.collected ?? 0n).toBe(ledger.collectedOf(hireId))
  }
  for (const { id: agentId } of offers)
    for (const payer of wallets) {
      const [stored] = await db
        .select()
        .from(payers)
        .where(and(eq(payers.kind, 'agent'), eq(payers.payee, agentId), eq(payers.payer, payer)))
      expect(stored?.requestsPaid ?? 0n).toBe(ledger.requestsPaidOf({ agentId, payer }))
    }
}

/** Whether a rating is taken, or stands as it is sent. */
const takes = async (
  { payer, ...of }: { payer: Wallet; hireId: string } | { payer: Wallet; agentId: string },
  rating: number,
  now: number,
): Promise<boolean> =>
  rate({ db, now: new Date(now), fees: { minPaid: cred(ONE_CRED) }, notify: () => {} }, payer, {
    ...of,
    rating,
  }).then(
    () => true,
    (error) => {
      if (error instanceof ApiError) return false
      throw error
    },
  )

const amounts = fc.oneof(
  fc.bigInt({ min: 1n, max: 3n * ONE_CRED }),
  fc.bigInt({ min: 1n, max: 2n ** 53n - 1n }),
)
const collection = fc.array(
  fc.record({
    hire: fc.nat(15),
    layer: fc.option(fc.integer({ min: 1, max: 22 }), { nil: undefined }),
    fee: amounts,
    rest: amounts,
  }),
  { minLength: 1, maxLength: 5 },
)
const rating = fc.record({ hire: fc.nat(15), rating: fc.integer({ min: 1, max: 5 }), days: fc.nat(40) })
/** A payment for a request, and how it ends; or a rating of the agent by its payer. */
const request = fc.record({
  agent: fc.nat(3),
  payer: fc.nat(3),
  amount: amounts,
  debit: fc.bigInt({ min: 1n, max: 20_000_000n }),
  isInCred: fc.boolean(),
  outcome: fc.constantFrom('settled', 'settled', 'settled', 'failed', 'expired'),
})
const agentRating = fc.record({ agent: fc.nat(3), payer: fc.nat(3), rating: fc.integer({ min: 1, max: 5 }) })
const steps = fc.array(fc.oneof(collection, rating, request, agentRating), { minLength: 1, maxLength: 18 })

type Request = typeof request extends fc.Arbitrary<infer Made> ? Made : never
type Market = Awaited<ReturnType<typeof market>>

/** Pays for a request as far as the ledger goes; what it counts, if it does. */
async function payForRequest(
  { offers, wallets }: Market,
  { agent: index, payer: side, amount, debit, isInCred, outcome }: Request,
  feeStep: bigint,
) {
  const [agent, payer] = [offers[index] ?? expect.fail(), wallets[side] ?? expect.fail()]
  const fee = isInCred ? requestFee({ amount, debit }, 100) : null
  await agent.setPrices([['call', amount]], at(0))
  const held = await agent.settle(signed({ payer, amount, debit, fee, balance: 2n ** 60n }), at(0))
  expect(held.outcome).toBe('recorded')
  await agent.record([held], outcome, at(30), { feeStep, isPayersFault: false })
  if (outcome !== 'settled' || fee === null) return []
  return [{ agentId: agent.id, owner: agent.owner, payer, amount, fee }]
}

describe('the sum of collected charges', () => {
  it('has the totals of a slow computation', async () => {
    let [rated, ratedAgents] = [0, 0]
    const numRuns = runs(12, 120)
    // Few of the random ratings are taken: one that is.
    const paid = { hire: 2, layer: 6, fee: ONE_CRED, rest: ONE_CRED }
    const asked = {
      agent: 0,
      payer: 2,
      amount: 2n * ONE_CRED,
      debit: 10_000_000n,
      isInCred: true,
      outcome: 'settled' as const,
    }
    await fc.assert(
      fc.asyncProperty(
        steps,
        fc.constantFrom(ONE_CRED, 1n, 3n, 700_000_007n, 2n ** 53n - 1n),
        async (sequence, feeStep) => {
          const all = await market()
          const ledger = new PaidLedger(feeStep)
          let now = NOW.getTime()
          for (const step of sequence) {
            if ('outcome' in step) {
              ledger.payments.push(...(await payForRequest(all, step, feeStep)))
              continue
            }
            if ('agent' in step) {
              const { id: agentId, owner } = all.offers[step.agent] ?? expect.fail()
              const payer = all.wallets[step.payer] ?? expect.fail()
              const isTaken = ledger.rate({ agentId, owner, payer }, step.rating, { now, minPaid: ONE_CRED })
              expect(await takes({ agentId, payer }, step.rating, now)).toBe(isTaken)
              ratedAgents += isTaken ? 1 : 0
              continue
            }
            if (!Array.isArray(step)) {
              const hired = all.hires[step.hire] as Hired
              now += step.days * DAY_MS
              const isTaken = ledger.rate(hired, step.rating, { now, minPaid: ONE_CRED })
              expect(await takes({ hireId: hired.hireId, payer: hired.payer }, step.rating, now)).toBe(
                isTaken,
              )
              rated += isTaken ? 1 : 0
              continue
            }
            const payments = step.map(({ hire, layer, fee, rest }) => ({
              ...(all.hires[hire] as Hired),
              ...(layer === undefined ? {} : { layer }),
              fee,
              amount: fee + rest,
            }))
            await recordPayments(db, payments, feeStep)
            ledger.payments.push(...payments)
          }
          await compare(ledger, all)
        },
      ),
      {
        numRuns,
        examples: [
          [[[paid], { hire: 2, rating: 5, days: 1 }], ONE_CRED],
          // One voice: of hire 2, which is of the same wallet and agent, and of its requests.
          [
            [[paid], { hire: 2, rating: 1, days: 0 }, asked, { agent: 0, payer: 2, rating: 5 }, asked],
            ONE_CRED,
          ],
        ],
      },
    )
    expectCounts(
      { rated, ratedAgents },
      { few: { rated: 4, ratedAgents: 1 }, many: { rated: 22, ratedAgents: 2 } },
    )
  })

  it('does not count for one’s own agent', async () => {
    const owner = newWallet()
    const { id } = await storeAgent(db, owner, NOW)
    const own = await hire(owner, id, owner)
    await recordPayments(db, [{ ...own, layer: 6, amount: 100n * ONE_CRED, fee: ONE_CRED }])
    expect((await agentAsStored.run(db, { id }))[0]).toMatchObject({ reputationScore: 0, payersWeight: 0n })
    expect(await db.select().from(reputationTotals).where(eq(reputationTotals.wallet, owner))).toEqual([])
    expect(await db.select().from(payers).where(eq(payers.payer, owner))).toEqual([])
    expect(await db.select().from(hirePayments).where(eq(hirePayments.hireId, own.hireId))).toEqual([])
  })

  it('has no weight without a fee, but counts as paid', async () => {
    const [owner, payer] = [newWallet(), newWallet()]
    const { id } = await storeAgent(db, owner, NOW)
    const hired = await hire(owner, id, payer)
    await recordPayments(db, [{ ...hired, layer: 6, amount: 100n * ONE_CRED, fee: 0n }])
    expect((await agentAsStored.run(db, { id }))[0]).toMatchObject({ reputationScore: 0, payersWeight: 0n })
    const [stored] = await db.select().from(hirePayments).where(eq(hirePayments.hireId, hired.hireId))
    expect(stored?.collected).toBe(100n * ONE_CRED)
  })

  it('keeps a payer’s first step when the setting changes', async () => {
    const [owner, first, second] = [newWallet(), newWallet(), newWallet()]
    const { id } = await storeAgent(db, owner, NOW)
    const paid = { amount: ONE_CRED, fee: ONE_CRED / 2n }
    const [one, two] = [await hire(owner, id, first), await hire(owner, id, second)]
    await recordPayments(db, [{ ...one, ...paid }], ONE_CRED)
    await recordPayments(
      db,
      [
        { ...one, ...paid },
        { ...two, ...paid },
      ],
      10n * ONE_CRED,
    )
    const half = 500_000_000n
    expect((await agentAsStored.run(db, { id }))[0]).toMatchObject({ payersWeight: 2n * half + half / 10n })
  })

  it('is counted once in concurrent writes, without deadlocks', async () => {
    let deadlocks = 0
    const { fetch } = globalThis
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (...request) => {
      const response = await fetch(...request)
      if (!response.ok && (await response.clone().text()).includes('40P01')) deadlocks += 1
      return response
    })
    const all = await market()
    const ledger = new PaidLedger(ONE_CRED)
    const collected = Array.from({ length: 60 }, (_, n) =>
      [0, 1, 2].map((k) => ({
        ...(all.hires[(n * 7 + k * 5) % 16] as Hired),
        layer: 6 + ((n + k) % 6),
        amount: ONE_CRED,
        fee: BigInt(10_000_000 + n),
      })),
    )
    await Promise.all(collected.map((payments) => recordPayments(db, payments)))
    ledger.payments.push(...collected.flat())
    await compare(ledger, all)
    expect(deadlocks).toBe(0)
  })
})
