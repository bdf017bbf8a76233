import { address as kitAddress } from '@solana/kit'
import { AccountState, getTokenEncoder } from '@solana-program/token'
import { beforeEach, describe, expect, it } from 'vitest'
import * as postgres from '../../lib/db/functions.ts'
import { auditEscrows } from '../../lib/payments/jobs/audit.ts'
import type { PaymentSettings } from '../../lib/payments/keys.ts'
import { TOKEN_PROGRAM } from '../../lib/solana/programs/programs.ts'
import type { Rpc } from '../../lib/solana/rpc.ts'
import type { ChainAccount } from '../../lib/solana/token-state.ts'
import { cred } from '../../schema/amounts.ts'
import type { Address, Wallet } from '../../schema/wallet.ts'
import { useDatabase } from '../support/database.ts'
import { newEscrow, settleAll, signedOfJobs } from '../support/job-payments.ts'
import { accept, CRED, storeWorkingAgent, tryToPost } from '../support/jobs.ts'
import { newWallet } from '../support/stored-agents.ts'

const PRICE = 100n * CRED
const funded = new Date('2026-11-21T12:00:00.000Z')
const now = new Date('2026-11-22T00:07:00.000Z')

const database = useDatabase()
let agent: { agentId: string; owner: Wallet }
let balances: Map<Address, bigint[]>
let slots: (bigint | undefined)[]
let alerts: string[]

beforeEach(async () => {
  for (const table of ['payment_intents', 'job_texts', 'jobs', 'payment_generations'])
    await database.query(`delete from ${table}`)
  agent = await storeWorkingAgent(database.db, funded)
  balances = new Map()
  slots = []
  alerts = []
})

/** Stores a funded job; the chain shows these balances of its escrow, one for each read. */
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
    expect(commitment).toBe('finalized')
    slots.push(minSlot)
    const accounts = addresses.map((address) => {
      const left = balances.get(address) ?? []
      return accountOf(left.length > 1 ? left.shift() : left[0])
    })
    return { accounts, slot: 70n }
  },
} as unknown as Rpc

const audit = () =>
  auditEscrows({
    ...{ db: database.db, rpc, now, feeStep: cred(1n), alert: (line) => alerts.push(line) },
    settings: {
      keyVersions: [{ keyVersion: 1, authority: newWallet() as string as Address }],
    } as PaymentSettings,
  })

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
    expect(slots).toEqual([undefined, undefined])
    expect(alerts).toEqual([])
  })

  it('alerts and ends fundings when two reads show too little, the second at a later slot', async () => {
    await fundedJob(PRICE - 1n)
    expect(await audit()).toEqual({ seen: 1, taken: 1 })
    expect(slots).toEqual([undefined, 71n])
    expect(alerts).toEqual([expect.stringContaining('key version 1 holds less than it owes')])
    const [version] = await database.query('select * from payment_generations')
    expect(version).toMatchObject({ generation: 1, taken_at: now })
  })

  it('takes a single read for a node that lags behind', async () => {
    await fundedJob(0n, PRICE)
    expect(await audit()).toEqual({ seen: 1, taken: 0 })
    expect(await database.query('select * from payment_generations')).toEqual([])
  })
})
