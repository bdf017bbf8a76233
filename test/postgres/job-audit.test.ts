import { address as kitAddress } from '@solana/kit'
import { AccountState, getTokenEncoder } from '@solana-program/token'
import { beforeEach, describe, expect, it } from 'vitest'
import * as postgres from '../../lib/db/functions.ts'
import { auditEscrows, shortEscrows } from '../../lib/payments/jobs/audit.ts'
import {
  markLeaked,
  recordKeyVersions,
  resumeFundings,
  selectKeyVersionStates,
} from '../../lib/payments/key-version-queries.ts'
import type { PaymentSettings } from '../../lib/payments/keys.ts'
import { TOKEN_PROGRAM } from '../../lib/solana/programs/programs.ts'
import type { Rpc } from '../../lib/solana/rpc.ts'
import type { ChainAccount } from '../../lib/solana/token-state.ts'
import type { Address, Wallet } from '../../schema/wallet.ts'
import { useDatabase } from '../support/database.ts'
import { buildOfJobs, newEscrow, settleAll, signedOfJobs } from '../support/job-payments.ts'
import { accept, CRED, storeWorkingAgent, tryToPost } from '../support/jobs.ts'
import { newWallet } from '../support/stored-agents.ts'

const PRICE = 100n * CRED
const funded = new Date('2026-11-21T12:00:00.000Z')
const now = new Date('2026-11-22T00:07:00.000Z')

const database = useDatabase()
let agent: { agentId: string; owner: Wallet }
let balances: Map<Address, bigint[]>
let slots: bigint[]
let slot: bigint
/** The number of pauses until another slot is finalized. */
let pausesToSlot: number
let whilePausing: () => Promise<void>
let alerts: string[]

beforeEach(async () => {
  for (const table of ['payment_intents', 'job_texts', 'jobs', 'payment_generations'])
    await database.query(`delete from ${table}`)
  agent = await storeWorkingAgent(database.db, funded)
  balances = new Map()
  slots = []
  slot = 70n
  pausesToSlot = 3
  whilePausing = async () => {}
  alerts = []
})

/** Stores a funded job; the chain shows these balances of its escrow, one for each slot. */
async function fundedJob(...seen: bigint[]) {
  const { db } = database
  const hirer = newWallet()
  const { id } = await tryToPost(db, { agentId: agent.agentId, hirer, now: funded, price: PRICE })
  await accept(db, { id, wallet: agent.owner, now: funded })
  const escrow = newEscrow()
  const leg = { jobId: id, address: escrow, amount: PRICE }
  const funding = await signedOfJobs(db, { kind: 'fund_job', wallet: hirer, legs: [leg], now: funded })
  await settleAll(db, [{ id: funding, outcome: 'landed' }], funded)
  balances.set(escrow, seen)
  return { id, hirer, escrow }
}

/** Builds a funding of another job under key version 1. @returns its outcome */
async function fundAnother(): Promise<string> {
  const { db } = database
  const hirer = newWallet()
  const { id } = await tryToPost(db, { agentId: agent.agentId, hirer, now, price: PRICE })
  await accept(db, { id, wallet: agent.owner, now })
  const leg = { jobId: id, address: newEscrow(), amount: PRICE }
  return (await buildOfJobs(db, { kind: 'fund_job', wallet: hirer, legs: [leg], now })).outcome
}

async function split({ id, hirer }: { id: string; hirer: Wallet }, agentAmount: bigint) {
  for (const wallet of [hirer, agent.owner])
    await postgres.proposeSplit.call(database.db, { id, wallet, amount: agentAmount, now })
}

const accountOf = (balance: bigint | undefined): ChainAccount | undefined =>
  balance === undefined
    ? undefined
    : {
        owner: TOKEN_PROGRAM,
        lamports: 1n,
        data: new Uint8Array(
          getTokenEncoder().encode({
            ...{ mint: kitAddress(TOKEN_PROGRAM), owner: kitAddress(TOKEN_PROGRAM), amount: balance },
            ...{ delegate: null, state: AccountState.Initialized, isNative: null, delegatedAmount: 0n },
            closeAuthority: null,
          }),
        ),
      }

const rpc = {
  accounts: async (addresses: Address[], { minSlot, commitment }: Parameters<Rpc['accounts']>[1] = {}) => {
    expect([commitment, minSlot]).toEqual(['finalized', undefined])
    slots.push(slot)
    const accounts = addresses.map((address) => {
      const seen = balances.get(address) ?? []
      return accountOf(seen[Math.min(Number(slot - 70n), seen.length - 1)])
    })
    return { accounts, slot }
  },
} as unknown as Rpc

async function pause() {
  await whilePausing()
  whilePausing = async () => {}
  pausesToSlot -= 1
  if (pausesToSlot === 0) slot += 1n
}

const audit = () =>
  auditEscrows({
    ...{ db: database.db, rpc, now, pause, alert: (line) => alerts.push(line) },
    settings: {
      keyVersions: [{ keyVersion: 1, authority: newWallet() as string as Address }],
    } as PaymentSettings,
  })

async function shortNow(): Promise<Address[]> {
  const found = []
  for await (const { short } of shortEscrows({ db: database.db, rpc, now, pause })) found.push(...short)
  return found.map(({ escrow }) => escrow)
}

describe('the audit of escrows', () => {
  it('finds nothing when each holds what it owes', async () => {
    await fundedJob(PRICE)
    const part = await fundedJob(PRICE)
    await split(part, 40n * CRED)
    const pay = await signedOfJobs(database.db, {
      ...{ kind: 'collect_jobs', wallet: agent.owner, now },
      legs: [{ jobId: part.id, address: part.escrow, amount: 40n * CRED, fee: CRED, guard: PRICE }],
    })
    // While a payment is in flight, nobody knows what the escrow holds.
    balances.set(part.escrow, [60n * CRED])
    expect(await audit()).toEqual({ seen: 1, taken: 0 })
    await settleAll(database.db, [{ id: pay, outcome: 'landed' }], now)
    expect(await audit()).toEqual({ seen: 2, taken: 0 })
    expect(slots).toEqual([70n, 70n])
    expect(alerts).toEqual([])
  })

  it('alerts and ends fundings when two reads show too little, the second at a later slot', async () => {
    await fundedJob(PRICE - 1n)
    expect(await audit()).toEqual({ seen: 1, taken: 1 })
    expect(slots).toEqual([70n, 70n, 70n, 71n])
    expect(alerts).toEqual([expect.stringContaining('key version 1 holds less than it owes')])
    const [version] = await database.query('select * from payment_generations')
    expect(version).toMatchObject({ generation: 1, taken_at: now })
  })

  it('takes no payment between its reads for a theft', async () => {
    const { db } = database
    const job = await fundedJob(PRICE - 1n, 60n * CRED)
    await split(job, 40n * CRED)
    const leg = { jobId: job.id, address: job.escrow, amount: 40n * CRED, guard: PRICE }
    whilePausing = async () => {
      const paid = { kind: 'collect_jobs' as const, wallet: agent.owner, legs: [leg], now }
      await settleAll(db, [{ id: await signedOfJobs(db, paid), outcome: 'landed' }], now)
    }
    expect(await audit()).toEqual({ seen: 1, taken: 0 })
    expect(await database.query('select paid_at from jobs')).toEqual([{ paid_at: now }])
  })

  it('proves nothing when the node finalizes no other slot', async () => {
    await fundedJob(0n)
    pausesToSlot = -1
    await expect(audit()).rejects.toMatchObject({ code: 'dependency_unavailable' })
    expect(await database.query('select * from payment_generations')).toEqual([])
  })

  it('takes a single read for a node that lags behind', async () => {
    await fundedJob(0n, PRICE)
    expect(await audit()).toEqual({ seen: 1, taken: 0 })
    expect(await database.query('select * from payment_generations')).toEqual([])
  })

  it('stops fundings until every escrow holds what it owes again', async () => {
    const { escrow } = await fundedJob(PRICE - 1n)
    expect(await fundAnother()).toBe('recorded')
    await audit()
    expect(await fundAnother()).toBe('escrow_taken')
    pausesToSlot = 1
    expect(await shortNow()).toEqual([escrow])
    // Somebody sends the missing lamport.
    balances.set(escrow, [PRICE])
    expect(await shortNow()).toEqual([])
    expect(await resumeFundings(database.db, 2)).toBe(false)
    expect(await resumeFundings(database.db, 1)).toBe(true)
    expect(await fundAnother()).toBe('recorded')
    expect(await resumeFundings(database.db, 1)).toBe(false)
  })
})

describe('a key version whose key has leaked', () => {
  it('funds nothing any more, whatever its escrows hold', async () => {
    const { db } = database
    const before = await fundedJob(PRICE - 1n)
    expect(await markLeaked(db, { keyVersion: 1, now })).toBe(false)
    await recordKeyVersions(db, [{ keyVersion: 1, authority: newWallet() as string as Address }])
    const later = new Date(now.getTime() + 1)
    for (const at of [now, later]) expect(await markLeaked(db, { keyVersion: 1, now: at })).toBe(true)
    expect(await selectKeyVersionStates(db)).toEqual([
      { keyVersion: 1, leakedAt: now, takenAt: null, endedAt: null },
    ])
    expect(await fundAnother()).toBe('key_leaked')
    await audit()
    expect(await resumeFundings(db, 1)).toBe(false)
    // Both sides of a funded job still get what is theirs.
    await split(before, 40n * CRED)
    const leg = { jobId: before.id, address: before.escrow, guard: PRICE }
    const parts = [
      { kind: 'collect_jobs' as const, wallet: agent.owner, legs: [{ ...leg, amount: 40n * CRED }], now },
      { kind: 'refund_job' as const, wallet: before.hirer, legs: [{ ...leg, amount: 60n * CRED }], now },
    ]
    for (const part of parts) await expect(signedOfJobs(db, part)).resolves.toBeDefined()
  })
})
