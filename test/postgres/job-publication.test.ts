import { beforeEach, describe, expect, it } from 'vitest'
import * as postgres from '../../lib/db/functions.ts'
import { endKeyVersion } from '../../lib/payments/jobs/end-queries.ts'
import { checkPublication } from '../../lib/payments/jobs/publication.ts'
import { recordKeyVersions } from '../../lib/payments/key-version-queries.ts'
import type { Address, Wallet } from '../../schema/wallet.ts'
import { useDatabase } from '../support/database.ts'
import { newEscrow, settleAll, signedOfJobs } from '../support/job-payments.ts'
import { accept, CRED, storeWorkingAgent, tryToPost } from '../support/jobs.ts'
import { newWallet } from '../support/stored-agents.ts'

const now = new Date('2026-11-21T12:00:00.000Z')
const DAY = 86_400_000
const at = (ms: number) => new Date(now.getTime() + ms)
/** Fundings of before are over then. */
const LATER = 180_000

const database = useDatabase()
let agent: { agentId: string; owner: Wallet }
beforeEach(async () => {
  for (const table of ['payment_intents', 'job_texts', 'jobs', 'payment_generations'])
    await database.query(`delete from ${table}`)
  agent = await storeWorkingAgent(database.db, now)
  await recordKeyVersions(
    database.db,
    [1, 2].map((keyVersion) => ({ keyVersion, authority: `S${keyVersion}` as Address })),
  )
})

const end = (keyVersion: number, ms = 0) => endKeyVersion(database.db, { keyVersion, now: at(ms) })
const check = (keyVersion: number, ms = LATER) =>
  checkPublication({ db: database.db, now: at(ms) }, keyVersion)

async function fundedJob(keyVersion = 1) {
  const { db } = database
  const hirer = newWallet()
  const { id } = await tryToPost(db, { agentId: agent.agentId, hirer, now })
  expect((await accept(db, { id, wallet: agent.owner, now, keyVersion })).outcome).toBe('recorded')
  const leg = { jobId: id, address: newEscrow(), amount: 100n * CRED }
  const funding = await signedOfJobs(db, { kind: 'fund_job', wallet: hirer, legs: [leg], now })
  return { id, hirer, funding, escrow: leg.address }
}
const land = (id: string, outcome = 'landed') => settleAll(database.db, [{ id, outcome }], now)

async function split({ id, hirer }: { id: string; hirer: Wallet }, agentAmount: bigint) {
  for (const wallet of [hirer, agent.owner])
    await postgres.proposeSplit.call(database.db, { id, wallet, amount: agentAmount, now })
}

describe('the recovery key of jobs', () => {
  it('stays secret until the end was announced, and signed fundings are over', async () => {
    expect((await check(1)).reason).toContain('npm run jobs -- end --generation 1')
    expect(await end(3)).toBe(false)
    expect(await end(1)).toBe(true)
    expect((await check(1, LATER - 1)).reason).toContain('try again in three minutes')
    expect((await check(1)).reason).toBeUndefined()
    // A repeated announcement keeps the first time; the other key version goes on.
    await end(1, LATER)
    expect((await check(1)).reason).toBeUndefined()
    expect((await check(2)).reason).toContain('was not announced')
  })

  it('stays secret while a funding may land, or a funded job has not ended', async () => {
    const job = await fundedJob()
    await end(1)
    expect((await check(1)).reason).toContain(`1 funded jobs have not ended, such as ${job.id}`)
    await land(job.funding)
    expect((await check(1, 400 * DAY)).reason).toContain(job.id)
    await split(job, 0n)
    expect((await check(1)).reason).toBeUndefined()
  })

  it('stays secret for 180 days while an agents’ owner has not collected its pay', async () => {
    const [one, two, other] = [await fundedJob(), await fundedJob(), await fundedJob(2)]
    for (const { funding } of [one, two, other]) await land(funding)
    await split(one, 40n * CRED)
    await split(two, 100n * CRED)
    await split(other, 100n * CRED)
    await end(1)
    const unpaid = [{ owner: agent.owner, amount: 140n * CRED }]
    for (const days of [1, 179])
      expect(await check(1, days * DAY)).toEqual({
        unpaid,
        reason: expect.stringContaining('140 CRED. Ask them to; from 2027-05-20T12:00:00.000Z on'),
      })
    expect(await check(1, 180 * DAY)).toEqual({ unpaid, reason: undefined })

    const legs = [
      { jobId: one.id, address: one.escrow, amount: 40n * CRED, guard: 100n * CRED },
      { jobId: two.id, address: two.escrow, amount: 100n * CRED },
    ]
    const payout = { kind: 'collect_jobs' as const, wallet: agent.owner, legs, now }
    const collection = await signedOfJobs(database.db, payout)
    expect((await check(1)).reason).toContain('140 CRED')
    await land(collection)
    expect(await check(1)).toEqual({ unpaid: [], reason: undefined })
  })
})
