import pg from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createWallet } from '../../lib/cli/wallet.ts'
import { insertBudgetIntent } from '../../lib/payments/build-queries.ts'
import { type CollectedLeg, insertCollection } from '../../lib/payments/collect-queries.ts'
import { recordMessage } from '../../lib/payments/cosign-queries.ts'
import { selectDue } from '../../lib/payments/due-queries.ts'
import { findIntent, leaseIntent, type NewIntent } from '../../lib/payments/intent-queries.ts'
import { recordOutcomes } from '../../lib/payments/settlement-queries.ts'
import { deleteEndedPayments, expireUnsignedPayments } from '../../lib/payments/sweep-queries.ts'
import { deadlinePassed } from '../../lib/relay/deadlines.ts'
import type { Address } from '../../schema/address.ts'
import { cred } from '../../schema/amounts.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { connectDatabase, type DrizzleDb } from '../support/database.ts'
import { hiredAgent, outcomeOf } from '../support/payments.ts'

/* What the statements decide when two come at once, on real Postgres. */

const NOW = new Date('2026-11-22T10:00:00Z')
const FEE_STEP = cred(1_000n)
const at = (ms: number) => new Date(NOW.getTime() + ms)

let db: DrizzleDb
let url: string
let close: () => Promise<void>
beforeAll(async () => {
  ;({ db, url, close } = await connectDatabase())
})
afterAll(() => close())

const times = <T>(count: number, action: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => action(index)))

const newIntent = (wallet: Wallet, now = NOW): NewIntent => ({
  id: uuidv7(),
  wallet,
  generation: 1,
  transaction: 'AQ==',
  message: 'Signing does something.',
  lastValidBlockHeight: 150n,
  builtSlot: 1_000n,
  now,
})

/** A funding of a hire, at the address that was read unless another is given. */
const funding = (
  { id: hireId, hirer }: Awaited<ReturnType<typeof hiredAgent>>,
  { before = addressOf(), address = before }: { before?: Address; address?: Address } = {},
) => ({
  hirer,
  intent: {
    ...newIntent(hirer),
    hireId,
    address,
    seed: 'seed',
    addressBefore: before,
    amount: cred(100n),
  },
})

const addressOf = () => createWallet().publicKey as Address

/** A hire with a budget account and charges of these amounts. */
const charged = (...amounts: bigint[]) => chargedBy(undefined, ...amounts)

async function chargedBy(by: Wallet | undefined, ...amounts: bigint[]) {
  const hire = await hiredAgent(db, { hiredAt: at(-1000), ...(by ? { owner: by } : {}) })
  const { intent } = funding(hire)
  await insertBudgetIntent(db, 'fund_budget', intent)
  await recordMessage(db, messageOf(intent.id, hire.hirer))
  for (const units of amounts) await hire.charge(NOW, { units })
  return hire
}

const dueOf = (owner: Wallet, now = NOW) => selectDue(db, { owner, now, accounts: 10, charges: 10 })

/** Takes all that is due to an owner into a collection. */
async function collected(owner: Wallet, now = NOW) {
  const legs = (await dueOf(owner, now)).map(({ hireId, address, charges }): CollectedLeg => {
    const amount = cred(charges.reduce((sum, charge) => sum + charge.amount, 0n))
    return { hireId, address, amount, fee: cred(1n), charges }
  })
  const intent = { ...newIntent(owner, now), feeBps: 100 }
  const hires = legs.map(({ hireId }) => hireId)
  return { id: intent.id, isRecorded: await insertCollection(db, intent, legs, hires) }
}

const messageOf = (id: string, wallet: Wallet, message = 'bWVzc2FnZQ==', now = NOW) => ({
  id,
  wallet,
  message,
  networkSignature: `signature of ${message}`,
  lastValidBlockHeight: 400n,
  builtAfter: deadlinePassed(now),
  now,
})

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

async function signedCollection(owner: Wallet) {
  const { id } = await collected(owner)
  await recordMessage(db, messageOf(id, owner))
  const intent = await findIntent(db, id)
  if (!intent) throw new Error('no intent')
  return intent
}

describe('a charge', () => {
  it('is in one collection of many that are recorded at once', async () => {
    const { id: hireId, owner } = await charged(4n, 5n)
    const legs = await dueOf(owner)
    const results = await times(8, () => {
      const [due] = legs
      if (!due) throw new Error('nothing due')
      const leg = { ...due, amount: cred(9n), fee: cred(1n) }
      return insertCollection(db, { ...newIntent(owner), feeBps: 100 }, [leg], [hireId])
    })
    expect(results.filter(Boolean)).toHaveLength(1)
    const rows = (await db.$client.query('select distinct collection_id from charges where hire_id = $1', [
      hireId,
    ])) as unknown[]
    expect(rows).toHaveLength(1)
  })

  it('is voided or collected, never both', async () => {
    for (let round = 0; round < 10; round += 1) {
      const hire = await charged(7n)
      const [charge] = await chargesOf(hire.id)
      if (!charge) throw new Error('no charge')
      const [collection, voiding] = await Promise.all([collected(hire.owner), hire.void(NOW, charge.id)])
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
    const { id: hireId, owner } = await charged(4n)
    const due = await dueOf(owner)
    const first = await collected(owner)
    const seen = await dueOf(owner)
    expect(seen[0]?.charges[0]?.replaces).toBe(first.id)
    // Signed after the next one has read it as not signed.
    expect(await recordMessage(db, messageOf(first.id, owner))).toMatchObject({ recorded: true })
    const legs = seen.map((account) => ({ ...account, amount: cred(4n), fee: cred(1n) }))
    expect(await insertCollection(db, { ...newIntent(owner), feeBps: 100 }, legs, [hireId])).toBe(false)
    expect(await statusOf(due[0]?.charges[0]?.id ?? '')).toMatchObject({ collection_id: first.id })
    expect(await dueOf(owner)).toEqual([])
  })
})

describe('a collection', () => {
  it('is signed once of many messages at once, or replaced, never both', async () => {
    const { owner } = await charged(4n)
    const { id } = await collected(owner)
    const [replacing, ...signing] = await Promise.all([
      collected(owner),
      ...Array.from({ length: 4 }, (_, index) => recordMessage(db, messageOf(id, owner, `m${index}`))),
    ])
    const signed = signing.filter((recording) => recording?.recorded)
    expect(signed.length + (replacing.isRecorded ? 1 : 0)).toBe(1)
    expect((await findIntent(db, id))?.status).toBe(replacing.isRecorded ? 'expired' : 'open')
  })

  it('is settled once, whoever settles it at once and as what', async () => {
    const { id: hireId, owner, agentId } = await charged(150n, 50n, 1n)
    const intent = await signedCollection(owner)
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
      // 201 lamports at 100 basis points: 2.01, rounded up once.
      expect(rows.reduce((sum, { fee }) => sum + Number(fee), 0)).toBe(3)
      expect(Number(events[0]?.count)).toBe(3)
      expect(payers).toEqual([{ fee: '3' }])
    } else {
      expect(status).toBe('expired')
      expect(rows.every((row) => row.status === 'recorded')).toBe(true)
      expect(payers).toEqual([])
    }
  })

  it('is settled with others of its owner only once nobody charges for any of their agents', async () => {
    const { owner } = await charged(4n)
    const first = await signedCollection(owner)
    const { agentId } = await chargedBy(owner, 4n)
    const second = await signedCollection(owner)
    const charging = new pg.Client(url)
    await charging.connect()
    onTestFinished(() => charging.end())
    // As a charge does: first its agent, in the end its owner's quota.
    await charging.query('begin')
    await charging.query('select from agents where id = $1 for no key update', [agentId])
    const landed = [first, second].map((intent) => ({ intent, kind: 'landed' as const }))
    const settled = recordOutcomes({ db, now: NOW, feeStep: FEE_STEP }, landed)
    await expect
      .poll(async () => {
        const waiting = await charging.query(
          `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
        )
        return waiting.rowCount
      })
      .toBe(1)
    await charging.query("set lock_timeout = '100ms'")
    await charging.query('update wallet_quotas set charges = charges + 1 where wallet = $1', [owner])
    await charging.query('commit')
    await settled
    expect(await unpaidOf(owner)).toBe(-2)
  })

  it('that was signed since it was judged is not ended by that judgement', async () => {
    const { owner } = await charged(4n)
    const { id } = await collected(owner)
    const before = await findIntent(db, id)
    if (!before) throw new Error('no intent')
    await recordMessage(db, messageOf(id, owner))
    await recordOutcomes({ db, now: NOW, feeStep: FEE_STEP }, [{ intent: before, kind: 'expired' }])
    expect((await findIntent(db, id))?.status).toBe('open')
  })

  it('is asked about by one reader in two seconds, while it is signed and open', async () => {
    const { owner } = await charged(4n)
    const { id } = await signedCollection(owner)
    const leases = await times(6, () => leaseIntent(db, id, at(5_000)))
    expect(leases.filter(({ lease }) => lease)).toHaveLength(1)
    expect((await leaseIntent(db, id, at(6_999))).lease).toBe(false)
    expect((await leaseIntent(db, id, at(7_000))).lease).toBe(true)
  })

  it('that nobody signed ends at its deadline and is forgotten, its charges free', async () => {
    const { owner, id: hireId } = await charged(4n)
    const { id } = await collected(owner)
    expect(await recordMessage(db, messageOf(id, owner, 'late', at(300_000)))).toMatchObject({
      recorded: false,
      isCosigned: false,
    })
    const late = at(300_000)
    await expireUnsignedPayments(db, { builtBy: deadlinePassed(late), now: late, limit: 100 })
    expect((await findIntent(db, id))?.status).toBe('expired')
    const [charge] = await chargesOf(hireId)
    expect(await statusOf(charge?.id ?? '')).toMatchObject({ status: 'recorded', collection_id: null })
    await deleteEndedPayments(db, { before: at(1), wereSigned: false, limit: 1_000 })
    expect(await findIntent(db, id)).toBeUndefined()
  })
})

describe('a budget account', () => {
  const rowsOf = async (hireId: string) =>
    (await db.$client.query('select address, generation from budget_accounts where hire_id = $1', [
      hireId,
    ])) as { address: string; generation: number | null }[]

  it('has no row, whatever is built, until a funding is signed; many at once leave one', async () => {
    const hire = await hiredAgent(db, { hiredAt: NOW })
    const before = addressOf()
    const fundings = await times(6, async () => {
      const { intent } = funding(hire, { before })
      expect(await insertBudgetIntent(db, 'fund_budget', intent)).toBe(true)
      return intent
    })
    expect(await rowsOf(hire.id)).toEqual([])
    await Promise.all(fundings.map(({ id }) => recordMessage(db, messageOf(id, hire.hirer))))
    expect(await rowsOf(hire.id)).toEqual([{ address: before, generation: 1 }])
  })

  it('that was signed at another address is not built for at the one that was read before', async () => {
    const hire = await hiredAgent(db, { hiredAt: NOW })
    const before = addressOf()
    const fund = async (address: Address) => {
      const { intent } = funding(hire, { before, address })
      const isRecorded = await insertBudgetIntent(db, 'fund_budget', intent)
      if (isRecorded) await recordMessage(db, messageOf(intent.id, hire.hirer))
      return isRecorded
    }
    expect(await fund(before)).toBe(true)
    const moved = await times(4, () => fund(addressOf()))
    expect(moved.filter(Boolean).length).toBeGreaterThan(0)
    const [row] = await rowsOf(hire.id)
    expect(row?.address).not.toBe(before)
    expect(await fund(before)).toBe(false)
  })
})
