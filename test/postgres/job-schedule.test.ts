import { beforeAll, expect, it } from 'vitest'
import { ApiError } from '../../lib/api-error.ts'
import type { Job as ClockJob } from '../../lib/clock/jobs.ts'
import type { Outage } from '../../lib/clock/outages.ts'
import { acceptJob, deliverJob, endJob } from '../../lib/work/acts.ts'
import type { WorkDeps } from '../../lib/work/deps.ts'
import { postJob } from '../../lib/work/post.ts'
import { settledAt } from '../../lib/work/record-due.ts'
import { cred } from '../../schema/amounts.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { useDatabase } from '../support/database.ts'
import { actAsChain, CRED, storeWorkingAgent } from '../support/jobs.ts'
import { newWallet } from '../support/stored-agents.ts'

/* Which deadlines the Worker asks the Clock to settle, and what it asks the Clock for. */

const START = Date.UTC(2026, 10, 23, 10, 0)
const at = (minutes: number) => new Date(START + minutes * 60_000)

const database = useDatabase()
let agent: { agentId: string; owner: Wallet }
beforeAll(async () => {
  agent = await storeWorkingAgent(database.db, at(0))
})

/** The Worker's dependencies, and the times that it has scheduled since the last look. */
function createWorker(outages: () => Promise<readonly Outage[]> = async () => []) {
  let scheduled: [ClockJob, Date][] = []
  const depsAt = (minutes: number): WorkDeps => ({
    ...{ db: database.db, now: at(minutes), notify: () => {}, outages, judges: new Set() },
    schedule: (job, due) => void scheduled.push([job, due]),
    ...{ minPrice: cred(CRED), feeBps: 100, jobsPerAddress: 60, keyVersion: 1 },
  })
  const look = () => {
    const seen = scheduled
    scheduled = []
    return seen
  }
  return { depsAt, look }
}

const orderOf = () => ({
  ...{ agentId: agent.agentId, reference: crypto.randomUUID(), title: 'Translate', brief: 'Into German.' },
  ...{ price: 20n * CRED, judge: 'none', acceptMinutes: 60, workMinutes: 120, reviewMinutes: 60 },
})

it('schedules the deadline of each new state, once, and of a funded job exactly', async () => {
  const { depsAt, look } = createWorker()
  const [hirer, order] = [newWallet(), orderOf()]
  const post = () => postJob(depsAt(0), hirer, order, 'anywhere')
  const { job } = await post()
  expect(look()).toEqual([['deadlines', settledAt(at(60), false)]])
  expect((await post()).isNew).toBe(false)
  const actor = { wallet: agent.owner }
  const accept = () => acceptJob(depsAt(10), job.id, actor, job.termsHash)
  await accept()
  expect(look()).toEqual([['deadlines', settledAt(at(10 + 120), false)]])
  await accept()
  await actAsChain(database.pool, job.id, 'fund', at(20))
  await actAsChain(database.pool, job.id, 'confirm', at(20))
  const deliver = () => deliverJob(depsAt(30), job.id, actor, 'Hallo')
  await deliver()
  expect(look()).toEqual([['deadlines', at(30 + 60)]])
  await deliver()
  expect(look()).toEqual([])
})

it('schedules a deadline that outages have moved, and asks for these only when one has passed', async () => {
  const asked: string[] = []
  const { depsAt, look } = createWorker(async () => {
    asked.push('outages')
    return [{ from: at(50).getTime(), until: at(80).getTime() }]
  })
  const { job } = await postJob(depsAt(0), newWallet(), orderOf(), 'anywhere')
  look()
  await acceptJob(depsAt(100), job.id, { wallet: agent.owner }, job.termsHash)
  expect(asked).toEqual(['outages'])
  expect(look()).toEqual([
    ['deadlines', at(80 + 60)],
    ['deadlines', settledAt(at(100 + 120), false)],
  ])
})

it('changes nothing when a deadline has passed and the Clock does not answer', async () => {
  const { depsAt } = createWorker(async () => {
    throw new ApiError('dependency_unavailable', 'Try again.')
  })
  const hirer = newWallet()
  const { job } = await postJob(depsAt(0), hirer, orderOf(), 'anywhere')
  const end = endJob(depsAt(60), job.id, { wallet: hirer })
  await expect(end).rejects.toMatchObject({ code: 'dependency_unavailable' })
  expect(await database.query('select status from jobs where id = $1', job.id)).toEqual([{ status: 'open' }])
})
