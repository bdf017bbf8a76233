import pg from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { createWallet } from '../../lib/cli/wallet.ts'
import type { Db } from '../../lib/db/connect.ts'
import { selectTotals } from '../../lib/marketplace/queries.ts'
import { findTransaction } from '../../lib/vault/queries.ts'
import { type Outcome, recordOutcomes } from '../../lib/vault/settlement/settlement-queries.ts'
import { type Cred, cred } from '../../schema/amounts.ts'
import type { Address, Wallet } from '../../schema/wallet.ts'
import { storeAttestation } from '../support/attestations.ts'
import { connectDatabase } from '../support/database.ts'
import { insertAgent } from '../support/stored-agents.ts'
import { FAR_LIMITS, insertStack, insertUnstack, newIntent } from '../support/vault-intents.ts'

const NOW = new Date('2026-11-20T10:00:00Z')

let db: Db
let pool: pg.Pool
let close: () => Promise<void>
beforeAll(async () => {
  const database = await connectDatabase()
  ;({ db, close } = database)
  pool = new pg.Pool({ connectionString: database.url, max: 5 })
})
afterAll(async () => {
  await pool.end()
  await close()
})

afterEach(() => {
  vi.restoreAllMocks()
})

const newWallet = () => createWallet().publicKey as Wallet

/** The same figures, counted. */
async function counted() {
  const { rows } = await pool.query(`select
    (select count(*)::integer from agents) as agents, (select count(*)::integer from attestations) as attestations,
    (select coalesce(sum(principal), 0)::text from positions where status = 'open') as value`)
  return {
    agents: rows[0].agents,
    attestations: rows[0].attestations,
    valueLocked: BigInt(rows[0].value),
    pioneers: 0,
  }
}

const register = (pubkey: Wallet) =>
  insertAgent(db, {
    id: uuidv7(),
    pubkey,
    name: 'An agent',
    agentType: 'autonomous',
    supportedLayers: [1],
    feeModel: 'flat',
    feeAmount: 0n,
    registeredAt: NOW,
  })

const attest = (wallet: Wallet) =>
  storeAttestation(db, {
    id: uuidv7(),
    wallet,
    credentialType: 'certification',
    credentialId: 'the same for all calls of a wallet',
    verificationLevel: 'self_attested',
    createdAt: NOW,
  })

async function buildStack(owner: Wallet, principal: Cred): Promise<string> {
  const intent = { ...newIntent(owner, NOW), lockDays: 7, apyBps: 800, stakedAt: NOW }
  const counted = { yield: cred(1n), yieldDay: '2026-11-20' }
  await insertStack(db, { ...intent, ...counted }, { address: newWallet(), principal }, FAR_LIMITS)
  return intent.id
}

async function confirm(id: string): Promise<Outcome> {
  const intent = (await findTransaction(db, id))?.intent
  if (!intent) throw new Error('no such intent')
  const balances = intent.legs.map(({ address, amount }) => ({ address, balance: amount }))
  return { kind: 'landed', intent, balances, slot: 2_000n }
}

/** Lands these intents in batches of different orders, by several callers at once. */
async function settleByMany(owner: Wallet, ids: string[]) {
  const outcomes = await Promise.all(ids.map(confirm))
  const orders = [outcomes, outcomes.slice(0, 1), outcomes.slice(1), outcomes.toReversed()]
  await Promise.all(
    orders.map(async ([first, ...rest]) => first && recordOutcomes(db, owner, [first, ...rest], NOW)),
  )
}

/**
 * Opens three positions and withdraws one, settled by several callers at once, while others write elsewhere.
 */
async function busyOwner(index: number) {
  const owner = newWallet()
  const ids = []
  for (let i = 1; i <= 3; i++)
    ids.push(await buildStack(owner, cred(BigInt(index + 1) * 10n ** BigInt(3 * i))))
  const [, [position]] = await Promise.all([
    Promise.all([register(owner), attest(owner), attest(owner)]),
    settleByMany(owner, ids).then(async () => {
      const { rows } = await pool.query('select * from positions where owner = $1 order by id', [owner])
      return rows as { id: number; address: Address; principal: string }[]
    }),
  ])
  if (!position) throw new Error('no position was opened')
  const unstack = newIntent(owner, NOW)
  await insertUnstack(db, unstack, {
    address: position.address,
    balance: cred(BigInt(position.principal)),
  })
  const gone = await confirm(unstack.id)
  await Promise.all([1, 2, 3].map(() => recordOutcomes(db, owner, [gone], NOW)))
}

it('keeps totals exact in concurrent writes of agents and vaults, without deadlocks', async () => {
  // The client repeats statements that a deadlock has undone, so the callers see none.
  let deadlocks = 0
  const { fetch } = globalThis
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (...request) => {
    const response = await fetch(...request)
    if (!response.ok && (await response.clone().text()).includes('40P01')) deadlocks += 1
    return response
  })
  await Promise.all(Array.from({ length: 20 }, (_, index) => busyOwner(index)))
  expect(await selectTotals(db)).toEqual(await counted())
  expect(await counted()).toMatchObject({ agents: 20, attestations: 20 })
  expect(deadlocks).toBe(0)
})

it('follow rows that are deleted, moved out of sight and rolled back', async () => {
  const before = await selectTotals(db)
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('delete from agents')
    await client.query("update positions set status = 'withdrawn'")
    await client.query('rollback')
    expect(await selectTotals(db)).toEqual(before)
    await client.query("update positions set status = 'void' where id = 1")
    expect(await selectTotals(db)).toEqual(await counted())
    await client.query("update positions set status = 'withdrawn' where id = 1")
    await client.query('delete from positions where id = 2')
    await client.query('delete from attestations where wallet in (select wallet from attestations limit 3)')
    await client.query('delete from agents where id in (select id from agents limit 5)')
  } finally {
    client.release(true)
  }
  expect(await selectTotals(db)).toEqual(await counted())
  expect(await counted()).toMatchObject({ agents: 15, attestations: 17 })
})

it('updates totals last: a transaction locks none before it commits', async () => {
  const [one, other] = await Promise.all([pool.connect(), pool.connect()])
  try {
    await one.query('begin')
    await one.query('delete from attestations')
    await other.query("set lock_timeout = '100ms'")
    await expect(other.query('update totals set agents = agents')).resolves.toBeDefined()
    await one.query('rollback')
  } finally {
    one.release(true)
    other.release(true)
  }
})

it('stores totals in at most sixteen rows, for any number of server processes', async () => {
  const { rows } = await pool.query(
    'select count(*)::integer as rows, max(shard) < 16 as bounded from totals',
  )
  expect(rows[0].rows).toBeLessThanOrEqual(16)
  expect(rows[0].bounded).toBe(true)
})
