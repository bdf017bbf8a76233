import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import * as postgres from '../../lib/db/functions.ts'
import { findPayable } from '../../lib/x402/facilitator/price-queries.ts'
import { MAX_FAILURE_EVENTS, REFUSAL_EVENT_MS, REFUSAL_PAUSE_MS } from '../../lib/x402/rules.ts'
import { readSelling } from '../../lib/x402/selling/read.ts'
import { type RequestRefusalReason, requestRefusalReasons } from '../../schema/values.ts'
import { requestEvents } from '../../schema/wire/event-types/requests.ts'
import { useDatabase } from '../support/database.ts'
import { at, DEBIT, payableAgent, signed } from '../support/request-payments.ts'
import { newWallet, storeAgent } from '../support/stored-agents.ts'

/* The reasons of refused payments that an agent's owner can remove. */

const database = useDatabase()
const query = database.rows

const HOUR = REFUSAL_PAUSE_MS / 1000
const DAY = REFUSAL_EVENT_MS / 1000

const refuse = (agentId: string, reason: RequestRefusalReason, now: Date) =>
  postgres.recordRequestRefusal.call(database.db, { agentId, reason, now })

const selling = (agent: { id: string; owner: Awaited<ReturnType<typeof payableAgent>>['owner'] }) =>
  readSelling({ db: database.db, settings: { fee: DEBIT } }, agent.owner, agent.id)

const recent = async (agentId: string, now: Date) =>
  (await findPayable(database.db, agentId, now))?.recentReasons

/** The events about refusals in the owner's log, the oldest first, each as its type says. */
async function eventsOf(owner: string) {
  const rows = await query(
    "select data from events where wallet = $1 and type = 'request.refused' order by xid, seq",
    owner,
  )
  return rows.map(([data]) => {
    const parsed = JSON.parse(String(data))
    const row = requestEvents['request.refused']
    // Reads add the agent's name.
    if (row) v.parse(row.data, { ...parsed, agentName: 'Test agent' })
    return parsed as { agentId: string; reason: string; since: string }
  })
}

describe('a refused payment', () => {
  it('is recorded and published once when a hundred calls record it at once', async () => {
    const agent = await payableAgent(database.db)
    await Promise.all(Array.from({ length: 100 }, (_, index) => refuse(agent.id, 'no_credit', at(index % 7))))
    const rows = await query(
      'select reason, last_at = first_at from request_refusals where agent_id = $1',
      agent.id,
    )
    expect(rows).toHaveLength(1)
    expect(await eventsOf(agent.owner)).toHaveLength(1)
  })

  it('makes nine rows, nine writes an hour and nine events a day in a flood of every reason', async () => {
    const agent = await payableAgent(database.db)
    const writes = new Set<string>()
    for (let minute = 0; minute < 25 * 60; minute += 20) {
      for (const reason of requestRefusalReasons) await refuse(agent.id, reason, at(minute * 60))
      const rows = await query(
        'select reason, xmin, last_at from request_refusals where agent_id = $1',
        agent.id,
      )
      expect(rows).toHaveLength(9)
      for (const row of rows) writes.add(row.join(' '))
    }
    expect(writes.size).toBe(9 * 25)
    expect(await eventsOf(agent.owner)).toHaveLength(18)
  })

  it('is recorded again after an hour, and published again after 24 hours, with its first time', async () => {
    const agent = await payableAgent(database.db)
    await refuse(agent.id, 'former_key', at(0))
    await refuse(agent.id, 'former_key', at(HOUR - 1))
    expect((await selling(agent)).refusals).toEqual([{ reason: 'former_key', firstAt: at(0), lastAt: at(0) }])
    await refuse(agent.id, 'former_key', at(HOUR))
    expect((await selling(agent)).refusals).toEqual([
      { reason: 'former_key', firstAt: at(0), lastAt: at(HOUR) },
    ])
    await refuse(agent.id, 'former_key', at(DAY - 1))
    expect(await eventsOf(agent.owner)).toHaveLength(1)
    await refuse(agent.id, 'former_key', at(DAY + HOUR))
    const event = { agentId: agent.id, reason: 'former_key', since: at(0).toISOString() }
    expect(await eventsOf(agent.owner)).toEqual([event, event])
  })

  it('is known to later calls for an hour, also of an agent without prices', async () => {
    const agent = await payableAgent(database.db)
    await agent.setPrices([], at(-1_000))
    await refuse(agent.id, 'not_a_price', at(0))
    expect(await recent(agent.id, at(HOUR - 1))).toEqual(['not_a_price'])
    expect(await recent(agent.id, at(HOUR))).toEqual([])
    expect(await findPayable(database.db, crypto.randomUUID(), at(0))).toBeUndefined()
  })

  it('is shown until a later payment settles, not an earlier or an expired one', async () => {
    const agent = await payableAgent(database.db)
    const earlier = await agent.settle(signed(), at(-1))
    await refuse(agent.id, 'stale_fee_payer', at(0))
    const expired = await agent.settle(signed(), at(1))
    const later = await agent.settle(signed(), at(2))
    await agent.record([earlier], 'settled', at(91))
    await agent.record([expired], 'expired', at(92))
    expect((await selling(agent)).refusals).toHaveLength(1)
    await agent.record([later], 'settled', at(93))
    expect((await selling(agent)).refusals).toEqual([])
    await refuse(agent.id, 'stale_fee_payer', at(HOUR))
    expect((await selling(agent)).refusals).toEqual([
      { reason: 'stale_fee_payer', firstAt: at(HOUR), lastAt: at(HOUR) },
    ])
    // One event a day, however often payments settle in between.
    expect(await eventsOf(agent.owner)).toHaveLength(1)
  })

  it('waits neither for ever nor deadlocks when payments settle at the same time', async () => {
    const agents = [await payableAgent(database.db), await payableAgent(database.db)]
    const held = await Promise.all(
      agents.flatMap((agent) =>
        Array.from({ length: 5 }, async () => ({ agent, held: await agent.settle(signed(), at(5)) })),
      ),
    )
    const refusals = agents.flatMap(({ id }) =>
      requestRefusalReasons.map((reason) => refuse(id, reason, at(0))),
    )
    await Promise.all([...refusals, ...held.map((one) => one.agent.record([one.held], 'settled', at(95)))])
    for (const { id } of agents)
      expect((await query('select reason from request_refusals where agent_id = $1', id)).length).toBe(9)
  })
})

it('is not published to an owner without credit, nor beyond a hundred a day for all agents', async () => {
  const free = await payableAgent(database.db, { credit: 0n })
  for (const reason of requestRefusalReasons) await refuse(free.id, reason, at(0))
  expect((await selling(free)).refusals).toHaveLength(9)
  expect(await eventsOf(free.owner)).toEqual([])
  const owner = newWallet()
  for (let count = 0; count < 12; count++) {
    const agent = await payableAgent(database.db, { owner })
    await Promise.all(requestRefusalReasons.map((reason) => refuse(agent.id, reason, at(count))))
  }
  expect(await eventsOf(owner)).toHaveLength(MAX_FAILURE_EVENTS)
})

describe('what an agent lacks', () => {
  it('is the key, the credit, the endpoint, and the token account of the last refusal', async () => {
    const owner = newWallet()
    const agent = { ...(await storeAgent(database.db, owner, at(-100))), owner }
    expect(await selling(agent)).toEqual({
      agentId: agent.id,
      missing: ['key', 'credit', 'endpoint'],
      refusals: [],
    })
    const seller = await payableAgent(database.db)
    await query("update agents set api_endpoint = 'https://api.example.com/v1' where id = $1", seller.id)
    expect((await selling(seller)).missing).toEqual([])
    await refuse(seller.id, 'no_token_account', at(0))
    expect((await selling(seller)).missing).toEqual(['token_account'])
  })

  it('is shown to the owner alone', async () => {
    const agent = await payableAgent(database.db)
    await expect(selling({ ...agent, owner: newWallet() })).rejects.toMatchObject({ code: 'agent_not_found' })
  })
})
