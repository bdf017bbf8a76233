import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import * as postgres from '../../lib/db/functions.ts'
import { recordCollection } from '../../lib/payments/collections/collect.ts'
import { recordOutcomes } from '../../lib/payments/settlement/outcome-batches.ts'
import { findIntent, leaseIntent } from '../../lib/payments/transactions/intent-queries.ts'
import { protocolFee } from '../../lib/reputation/counterparties/rules.ts'
import { deadlinePassed } from '../../lib/transactions/relay/limits.ts'
import { cred } from '../../schema/amounts.ts'
import type { Address, Wallet } from '../../schema/wallet.ts'
import { collectionsIn, fundingOf, messageOf, newAddress, newIntent } from '../support/collections.ts'
import { connectDatabase, type DrizzleDb } from '../support/database.ts'
import { untilWaiting } from '../support/locks.ts'
import { hiredAgent, outcomeOf } from '../support/payments.ts'

/* What the statements decide when two come at once, on real Postgres. */

const NOW = new Date('2026-11-22T10:00:00Z')
const FEE_STEP = cred(1_000n)
const at = (ms: number) => new Date(NOW.getTime() + ms)

let db: DrizzleDb
let url: string
let close: () => Promise<void>
let made: ReturnType<typeof collectionsIn>
beforeAll(async () => {
  ;({ db, url, close } = await connectDatabase())
  made = collectionsIn(db, NOW)
})
afterAll(() => close())

const times = <T>(count: number, action: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => action(index)))

const statusOf = async (chargeId: string) => {
  const [row] = (await db.$client.query('select status, collection_id, fee from charges where id = $1', [
    chargeId,
  ])) as { status: string; collection_id: string | null; fee: string | null }[]
  return row
}

const chargesOf = async (hireId: string) =>
  (await db.$client.query('select id, status, fee from charges where hire_id = $1 order by id', [
    hireId,
  ])) as { id: string; status: string; fee: string | null }[]

const unpaidOf = async (owner: Wallet) => {
  const [quota] = (await db.$client.query('select unpaid_charges from wallet_quotas where wallet = $1', [
    owner,
  ])) as { unpaid_charges: number }[]
  return quota?.unpaid_charges
}

describe('a charge', () => {
  it('is in the last of many concurrent collections, the only one left', async () => {
    const { id: hireId, owner } = await made.charged(4n, 5n)
    const legs = await made.dueOf(owner)
    const results = await times(8, () => {
      const [due] = legs
      if (!due) throw new Error('nothing due')
      const leg = { ...due, amount: cred(9n), fee: cred(1n) }
      return recordCollection(
        db,
        { ...newIntent(owner, NOW), feeBps: 100 },
        { legs: [leg], readHires: [hireId] },
      )
    })
    expect(results).toContain(true)
    const held = 'select distinct collection_id as id from charges where hire_id = $1'
    const left = 'select id from payment_intents where wallet = $1'
    const collections = await db.$client.query(left, [owner])
    expect(collections).toHaveLength(1)
    expect(await db.$client.query(held, [hireId])).toEqual(collections)
  })

  it('is voided or collected, never both', async () => {
    for (let round = 0; round < 10; round += 1) {
      const hire = await made.charged(7n)
      const [charge] = await chargesOf(hire.id)
      if (!charge) throw new Error('no charge')
      const [collection, voiding] = await Promise.all([made.collected(hire.owner), hire.void(NOW, charge.id)])
      const row = await statusOf(charge.id)
      if (collection.isRecorded && row?.status === 'recorded') {
        expect(outcomeOf(voiding)).toBe('charge_not_voidable')
        expect(row.collection_id).toBe(collection.id)
      } else {
        expect(outcomeOf(voiding)).toBe('voided')
        expect(row).toEqual({ status: 'voided', collection_id: null, fee: null })
      }
    }
  })

  it('of a signed collection is not taken into another, nor freed by it', async () => {
    const { id: hireId, owner } = await made.charged(4n)
    const due = await made.dueOf(owner)
    const first = await made.collected(owner)
    const seen = await made.dueOf(owner)
    // Signed after the next one has read it as not signed.
    expect(await postgres.cosignPayment.call(db, messageOf(first.id, owner, NOW))).toEqual({
      outcome: 'recorded',
    })
    const legs = seen.map((account) => ({ ...account, amount: cred(4n), fee: cred(1n) }))
    const next = { ...newIntent(owner, NOW), feeBps: 100 }
    expect(await recordCollection(db, next, { legs, readHires: [hireId] })).toBe(false)
    expect(await statusOf(due[0]?.charges[0]?.id ?? '')).toMatchObject({ collection_id: first.id })
    expect(await made.dueOf(owner)).toEqual([])
  })
})

describe('a collection', () => {
  it('is signed once of many messages at once, or replaced, never both', async () => {
    const { owner } = await made.charged(4n)
    const { id } = await made.collected(owner)
    const [replacing, ...signing] = await Promise.all([
      made.collected(owner),
      ...Array.from({ length: 4 }, (_, index) =>
        postgres.cosignPayment.call(db, messageOf(id, owner, NOW, `m${index}`)),
      ),
    ])
    const signed = signing.filter(({ outcome }) => outcome === 'recorded')
    expect(signed.length + (replacing.isRecorded ? 1 : 0)).toBe(1)
    expect((await findIntent(db, id))?.status).toBe(replacing.isRecorded ? undefined : 'open')
  })

  it('is settled once by concurrent callers with different outcomes', async () => {
    const { id: hireId, owner, agentId } = await made.charged(150n, 50n, 1n)
    const intent = await made.signedCollection(owner)
    const kinds = ['landed', 'landed', 'expired', 'landed'] as const
    await Promise.all(
      kinds.map((kind) => recordOutcomes({ db, now: NOW, feeStep: FEE_STEP }, [{ intent, kind }])),
    )
    const status = (await findIntent(db, intent.id))?.status
    const rows = await chargesOf(hireId)
    const events = (await db.$client.query(
      "select count(*) from events where agent_id = $1 and type = 'charge.collected'",
      [agentId],
    )) as { count: string }[]
    const payers = (await db.$client.query("select fee from payers where payee = $1 and kind = 'owner'", [
      owner,
    ])) as { fee: string }[]
    // Each that was paid makes room for one more.
    expect(await unpaidOf(owner)).toBe(status === 'landed' ? -3 : 3)
    if (status === 'landed') {
      // Rounded once, of all together.
      const all = protocolFee(201n, 100)
      expect(rows.reduce((sum, { fee }) => sum + BigInt(fee ?? 0), 0n)).toBe(all)
      expect(Number(events[0]?.count)).toBe(3)
      expect(payers).toEqual([{ fee: String(all) }])
    } else {
      expect(status).toBe('expired')
      expect(rows.every((row) => row.status === 'recorded')).toBe(true)
      expect(payers).toEqual([])
    }
  })

  it('is settled with the owner’s others only when no agent is being charged', async () => {
    const { owner } = await made.charged(4n)
    const first = await made.signedCollection(owner)
    const { agentId } = await made.chargedBy(owner, 4n)
    const second = await made.signedCollection(owner)
    const charging = new pg.Client(url)
    await charging.connect()
    onTestFinished(() => charging.end())
    // As a charge does: first its agent, in the end its owner's quota.
    await charging.query('begin')
    await charging.query('select from agents where id = $1 for no key update', [agentId])
    const landed = [first, second].map((intent) => ({ intent, kind: 'landed' as const }))
    const settled = recordOutcomes({ db, now: NOW, feeStep: FEE_STEP }, landed)
    await untilWaiting(url, 1)
    await charging.query("set lock_timeout = '100ms'")
    await charging.query('update wallet_quotas set charges = charges + 1 where wallet = $1', [owner])
    await charging.query('commit')
    await settled
    expect(await unpaidOf(owner)).toBe(-2)
  })

  it('that was signed meanwhile is not ended by the earlier decision', async () => {
    const { owner } = await made.charged(4n)
    const { id } = await made.collected(owner)
    const before = await findIntent(db, id)
    if (!before) throw new Error('no intent')
    await postgres.cosignPayment.call(db, messageOf(id, owner, NOW))
    await recordOutcomes({ db, now: NOW, feeStep: FEE_STEP }, [{ intent: before, kind: 'expired' }])
    expect((await findIntent(db, id))?.status).toBe('open')
  })

  it('is asked about by one reader in two seconds, while it is signed and open', async () => {
    const { owner } = await made.charged(4n)
    const { id } = await made.signedCollection(owner)
    const leases = await times(6, () => leaseIntent(db, id, at(5_000)))
    expect(leases.filter(({ lease }) => lease)).toHaveLength(1)
    expect((await leaseIntent(db, id, at(6_999))).lease).toBe(false)
    expect((await leaseIntent(db, id, at(7_000))).lease).toBe(true)
  })

  it('that nobody signed ends at its deadline and is deleted, with its charges free', async () => {
    const { owner, id: hireId } = await made.charged(4n)
    const { id } = await made.collected(owner)
    expect(await postgres.cosignPayment.call(db, messageOf(id, owner, at(300_000), 'late'))).toEqual({
      outcome: 'expired',
    })
    const late = at(300_000)
    await postgres.expireUnsignedPayments.call(db, { builtBy: deadlinePassed(late), now: late, limit: 100 })
    expect((await findIntent(db, id))?.status).toBe('expired')
    const [charge] = await chargesOf(hireId)
    expect(await statusOf(charge?.id ?? '')).toMatchObject({ status: 'recorded', collection_id: null })
    await postgres.deleteEndedPayments.call(db, { before: at(1), wereSigned: false, limit: 1_000 })
    expect(await findIntent(db, id)).toBeUndefined()
  })
})

describe('a budget account', () => {
  const rowsOf = async (hireId: string) =>
    (await db.$client.query('select address, generation from budget_accounts where hire_id = $1', [
      hireId,
    ])) as { address: string; generation: number | null }[]

  it('has no row until a funding is signed; concurrent fundings leave one', async () => {
    const hire = await hiredAgent(db, { hiredAt: NOW })
    const before = newAddress()
    const fundings = await times(6, async () => {
      const intent = fundingOf(hire, { before, now: NOW })
      expect(await postgres.recordPaymentIntent.call(db, intent)).toEqual({ outcome: 'recorded' })
      return intent
    })
    expect(await rowsOf(hire.id)).toEqual([])
    const signed = await Promise.all(
      fundings.map(({ id }) => postgres.cosignPayment.call(db, messageOf(id, hire.hirer, NOW))),
    )
    // The last one has taken the place of the others.
    expect(signed.map(({ outcome }) => outcome).sort()).toEqual([
      ...fundings.slice(1).map(() => 'not_found'),
      'recorded',
    ])
    expect(await rowsOf(hire.id)).toEqual([{ address: before, generation: 1 }])
  })

  it('has one funding that is not signed, of many that are built while one is signed', async () => {
    for (let round = 0; round < 10; round += 1) {
      const hire = await hiredAgent(db, { hiredAt: NOW })
      const before = newAddress()
      const first = fundingOf(hire, { before, now: NOW })
      await postgres.recordPaymentIntent.call(db, first)
      const [signed] = await Promise.all([
        postgres.cosignPayment.call(db, messageOf(first.id, hire.hirer, NOW)),
        times(4, () => postgres.recordPaymentIntent.call(db, fundingOf(hire, { before, now: NOW }))),
      ])
      const isSigned = signed.outcome === 'recorded'
      expect(signed.outcome).toBe(isSigned ? 'recorded' : 'not_found')
      expect((await findIntent(db, first.id))?.cosignedAt ?? null).toEqual(isSigned ? NOW : null)
      const left = 'select id from payment_intents where hire_id = $1'
      expect(await db.$client.query(left, [hire.id])).toHaveLength(isSigned ? 2 : 1)
    }
  })

  it('is not built for at its former address after it was signed at another', async () => {
    const hire = await hiredAgent(db, { hiredAt: NOW })
    const before = newAddress()
    const fund = async (address: Address) => {
      const intent = fundingOf(hire, { before, address, now: NOW })
      const isRecorded = (await postgres.recordPaymentIntent.call(db, intent)).outcome === 'recorded'
      if (isRecorded) await postgres.cosignPayment.call(db, messageOf(intent.id, hire.hirer, NOW))
      return isRecorded
    }
    expect(await fund(before)).toBe(true)
    const moved = await times(4, () => fund(newAddress()))
    expect(moved.filter(Boolean).length).toBeGreaterThan(0)
    const [row] = await rowsOf(hire.id)
    expect(row?.address).not.toBe(before)
    expect(await fund(before)).toBe(false)
  })

  it('is recorded once, by the relay or by the search', async () => {
    for (let round = 0; round < 12; round += 1) {
      const hire = await hiredAgent(db, { hiredAt: NOW })
      const funding = { ...fundingOf(hire, { now: NOW }), payableBefore: cred(0n) }
      await postgres.recordPaymentIntent.call(db, funding)
      const found = {
        hireIds: [hire.id],
        addresses: [funding.address],
        seeds: [funding.seed],
        keyVersions: [1],
        payables: [100n],
        now: NOW,
      }
      const [cosigned, ...discovered] = await Promise.all([
        postgres.cosignPayment.call(db, messageOf(funding.id, hire.hirer, NOW)),
        ...[1, 2, 3].map(() => postgres.recordFoundBudgets.call(db, found)),
      ])
      for (const { recorded } of discovered) expect(recorded).toEqual([hire.id])
      expect(await rowsOf(hire.id)).toEqual([{ address: funding.address, generation: 1 }])
      const published = await db.$client.query(
        `select id from events where type = 'budget.funded' and data->>'hireId' = $1`,
        [hire.id],
      )
      const isSent = cosigned.outcome === 'recorded'
      expect((await findIntent(db, funding.id))?.status).toBe(isSent ? 'open' : 'landed')
      expect(published).toHaveLength(isSent ? 0 : 1)
    }
  })
})
