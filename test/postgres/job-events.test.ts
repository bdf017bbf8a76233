import * as v from 'valibot'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import * as postgres from '../../lib/db/functions.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { type EventType, eventTable } from '../../schema/wire/event-types/table.ts'
import { useDatabase } from '../support/database.ts'
import { accept, actAsChain, CRED, storeWorkingAgent, tryToPost } from '../support/jobs.ts'
import { newWallet } from '../support/stored-agents.ts'
import { insertEndpoint } from '../support/stored-endpoints.ts'

const now = new Date('2026-11-21T12:00:00.000Z')
const at = (minutes: number) => new Date(now.getTime() + minutes * 60_000)

const database = useDatabase()
const { query } = database
const judge = newWallet()
let agent: { agentId: string; owner: Wallet }
let hirer: Wallet
beforeAll(async () => {
  agent = await storeWorkingAgent(database.db, now, { judges: ['deployment', 'none', judge] })
})
beforeEach(async () => {
  hirer = newWallet()
})

/** Reads the events about a job, and checks each by the schema of its type. */
async function eventsOf(id: string) {
  const rows = await query(
    `select type, occurred_at, wallet, counterparty, agent_id, data from events
    where data ->> 'jobId' = $1 order by seq`,
    id,
  )
  for (const { type, data } of rows)
    v.parse(eventTable[type as EventType].data, { ...data, agentName: 'Agent' })
  return rows
}
const typesOf = async (id: string) => (await eventsOf(id)).map(({ type }) => type)

const post = async (terms: Partial<Parameters<typeof tryToPost>[1]> = {}) => {
  const posted = await tryToPost(database.db, { agentId: agent.agentId, hirer, now, ...terms })
  expect(posted.outcome).toBe('recorded')
  return posted.id
}
const fund = async (id: string) => {
  await accept(database.db, { id, wallet: agent.owner, now })
  await actAsChain(database.pool, id, 'fund', now)
  await actAsChain(database.pool, id, 'confirm', now)
}
const deliver = (id: string) =>
  postgres.deliverJob.call(database.db, { id, wallet: agent.owner, delivery: 'The text', now: at(1) })
const object = (id: string) =>
  postgres.objectJob.call(database.db, { id, wallet: hirer, reason: 'Wrong', now: at(2) })

it('publish each change of state once, to both sides and the agent', async () => {
  const id = await post({ judge })
  await fund(id)
  await accept(database.db, { id, wallet: agent.owner, now })
  await deliver(id)
  await deliver(id)
  await object(id)
  const decision = { id, isJudge: false, act: 'judge', amount: 40n * CRED, now: at(3) }
  for (const _ of [1, 2]) await postgres.decideJob.call(database.db, { ...decision, wallet: judge })
  const events = await eventsOf(id)
  const [sides, ofJudge] = [
    events.filter(({ wallet }) => wallet !== judge),
    events.filter(({ wallet }) => wallet === judge),
  ]
  expect(sides.map(({ type }) => type)).toEqual([
    ...['job.posted', 'job.accepted', 'job.funded', 'job.delivered', 'job.disputed', 'job.ended'],
  ])
  for (const { wallet, counterparty, agent_id } of sides)
    expect([wallet, counterparty, agent_id]).toEqual([agent.owner, hirer, agent.agentId])
  expect(sides.at(-1)?.data).toMatchObject({
    ...{ status: 'completed', endReason: 'judged' },
    ...{ agentAmount: Number(40n * CRED), hirerAmount: Number(60n * CRED) },
  })
  expect(ofJudge).toMatchObject([
    { type: 'job.verdict_requested', counterparty: null, agent_id: null, data: { jobId: id } },
  ])
})

it('have no text of the job', async () => {
  const texts = { title: 'secret title', brief: 'secret brief', reference: crypto.randomUUID() }
  const id = await post(texts)
  await fund(id)
  await deliver(id)
  await object(id)
  const said = JSON.stringify(await eventsOf(id))
  for (const text of [...Object.values(texts), 'The text', 'Wrong', 'cd'.repeat(16)])
    expect(said).not.toContain(text)
  expect(await typesOf(id)).not.toContain('job.verdict_requested')
})

it('say when a job ended by its deadline, and when an outage moved it', async () => {
  const id = await post()
  await fund(id)
  await deliver(id)
  const outage = { gapsFrom: [at(4_300)], gapsUntil: [at(4_330)] }
  await postgres.settleJob.call(database.db, { id, ...outage, now: at(4_330) })
  const settle = () => postgres.settleJob.call(database.db, { id, ...outage, now: at(5_000) })
  await Promise.all([settle(), settle()])
  const [moved, ended, ...others] = (await eventsOf(id)).slice(-2)
  expect(others).toEqual([])
  expect(moved).toMatchObject({
    type: 'job.extended',
    occurred_at: at(4_330),
    data: { status: 'delivered', dueAt: at(4_390).toISOString() },
  })
  expect(ended).toMatchObject({
    type: 'job.ended',
    occurred_at: at(4_390),
    data: { endReason: 'review_time_over' },
  })
})

it('are published for fundings that were confirmed, and for no proposal', async () => {
  const id = await post()
  await accept(database.db, { id, wallet: agent.owner, now })
  await actAsChain(database.pool, id, 'fund', now)
  await actAsChain(database.pool, id, 'lapse', now)
  expect(await typesOf(id)).toEqual(['job.posted', 'job.accepted'])
  await actAsChain(database.pool, id, 'fund', now)
  await actAsChain(database.pool, id, 'confirm', now)
  await postgres.proposeSplit.call(database.db, { id, wallet: hirer, amount: 1n, now })
  expect((await typesOf(id)).slice(2)).toEqual(['job.funded'])
})

it('wait behind other deliveries while nobody has paid for them', async () => {
  const ranksOf = async (wallet: Wallet) =>
    Object.fromEntries(
      (
        await query(
          `select type, rank from deliveries join events on events.id = event_id
          where deliveries.endpoint_id = $1`,
          endpoints[wallet],
        )
      ).map(({ type, rank }) => [type, rank]),
    )
  const endpoints: Record<string, string> = {}
  for (const wallet of [agent.owner, hirer]) {
    const id = crypto.randomUUID()
    const url = `https://${id}.example.com/`
    await insertEndpoint(database.db, {
      ...{ id, wallet, url, eventTypes: [], agentIds: [], secret: 'x', now },
    })
    endpoints[wallet] = id
  }
  const declined = await post()
  await postgres.endJob.call(database.db, { id: declined, wallet: agent.owner, now })
  expect(await ranksOf(agent.owner)).toEqual({ 'job.posted': 0, 'job.cancelled': 1 })
  expect(await ranksOf(hirer)).toEqual({ 'job.posted': 1, 'job.cancelled': 0 })
  await fund(await post())
  expect(await ranksOf(agent.owner)).toMatchObject({ 'job.accepted': 1, 'job.funded': 2 })
  expect(await ranksOf(hirer)).toMatchObject({ 'job.accepted': 0, 'job.funded': 2 })
  await query('insert into standings (wallet, paid_weight) values ($1, 1)', hirer)
  await query('delete from deliveries')
  await post()
  expect(await ranksOf(agent.owner)).toEqual({ 'job.posted': 1 })
})

it('notify the listeners of both sides, of a dropped order too', async () => {
  await query(
    'insert into wallets (address, first_login_at, last_login_at, listens_until) values ($1, $2, $2, $3), ($4, $2, $2, $3)',
    ...[agent.owner, now, at(60), hirer],
  )
  const posted = await tryToPost(database.db, { agentId: agent.agentId, hirer, now })
  expect(posted.toNotify).toEqual(expect.arrayContaining([agent.owner, hirer]))
  const ended = await postgres.endJob.call(database.db, { id: posted.id, wallet: hirer, now })
  expect(ended.toNotify).toEqual(expect.arrayContaining([agent.owner, hirer]))
})
