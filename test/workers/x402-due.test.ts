import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rideAlarms, wakesIn } from '../support/alarms.ts'
import { perform, rowsOf } from '../support/chain.ts'
import { logged } from '../support/events.ts'
import { createAgent, createPayer, type Payer } from '../support/payer.ts'
import { type Fault, type Service, startService } from '../support/service.ts'
import { DAY, travel, travelToNoon } from '../support/staker.ts'

/* Payments for requests that nobody waits for, by the Clock and the settlement Worker. */

const MINUTE = 60_000
/** RECHECK_AFTER_MS, and the first check after an unproven one. */
const DUE_MS = 90_000
const DEBIT = 10_000_000

let service: Service
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'agents', 'events', 'payments', 'jobs'] })
})
afterAll(() => service.stop())

/** As a call leaves it that died after it had recorded the payment: of it the network has the signature. */
async function pendingPayment(owner: Payer, agentId: string, payer: string, signature: string) {
  const now = service.clock.now()
  const id = crypto.randomUUID()
  const time = (ms: number) => new Date(ms).toISOString()
  await rowsOf(
    service,
    `insert into credits (owner, balance, day, day_fees) values ($1, $2, $3, 10001)
     on conflict (owner) do update set day = excluded.day,
       day_fees = 10001 + case when credits.day = excluded.day then credits.day_fees else 0 end`,
    ...[owner.owner, String(DEBIT), time(now)],
  )
  await rowsOf(
    service,
    `insert into request_payments (id, agent_id, owner, payer, source, asset, amount, message_hash, transaction, network_signature,
       last_valid_block_height, network_fee, debit, status, created_at, due_at)
     values ($1, $2, $3, $4, $4, 'asset', 5, $5, 'AQ==', $6, $7, 10001, $8, 'pending', $9, $10)`,
    ...[id, agentId, owner.owner, payer, randomBytes(32).toString('hex'), signature],
    // Past already: it expires once the network is asked.
    ...['1', String(DEBIT), time(now), time(now + DUE_MS)],
  )
  return id
}

const NOWHERE = '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW'
const statusOf = async (id: string) =>
  (await rowsOf(service, 'select status, due_at is null from request_payments where id = $1', id))[0]
const published = async ({ call }: Payer) =>
  (await logged(call, 1, /^payment\./)).map(({ type, data }) => [type, data.status])
const untilWritten = (text: string) => expect.poll(() => service.logs.texts.join()).toContain(text)

/** A node with other answers to some methods. */
const answering =
  (results: Record<string, unknown>): Fault =>
  async (request) => {
    const { method } = (await request.clone().json()) as { method: string }
    return method in results
      ? Response.json({ jsonrpc: '2.0', id: 1, result: results[method] })
      : (service.solana.outbound(request) ?? new Response(null, { status: 500 }))
  }

/** Makes the Clock run settlement in five seconds: the run's answer schedules work that is due later. */
const wakeTheClock = (payer: Payer) => payer.land(payer.post('credit', { amount: 1 }))

async function parties() {
  const { owner, agentId } = await createAgent(service, { hasCollector: false })
  return { owner, agentId, payer: await createPayer(service, 10) }
}

describe('a payment for a request that nobody waits for', () => {
  it('is due at a time that the job run returns, and then nothing is due', async () => {
    await service.runJobs('settlement')
    expect(await service.runJob('settlement')).toBeNull()
    const { owner, agentId, payer } = await parties()
    const id = await pendingPayment(owner, agentId, payer.owner, NOWHERE)
    const due = await service.runJob('settlement')
    if (!due || due === 'failed') throw new Error('nothing is due')
    const inTime = due.at - service.clock.now()
    expect(inTime).toBeGreaterThan(DUE_MS - 20_000)
    expect(inTime).toBeLessThanOrEqual(DUE_MS)
    expect(due.by).toBe(due.at)
    expect(await statusOf(id)).toEqual(['pending', 'f'])
    await wakeTheClock(payer)
    await rideAlarms(service, service.clock.now() + 3 * MINUTE)
    expect(await statusOf(id)).toEqual(['expired', 't'])
    for (const wallet of [owner, payer])
      expect(await published(wallet)).toEqual([['payment.failed', 'expired']])
    const { body } = await owner.call('GET', '/payments/credit')
    expect(body.balance).toBe(2 * DEBIT)
    expect(await service.runJob('settlement')).toBeNull()
  })

  it('is published to both sides when it has landed', async () => {
    const { owner, agentId, payer } = await parties()
    const landed = await perform(service, [payer.keypair], [])
    const id = await pendingPayment(owner, agentId, payer.owner, landed)
    await wakeTheClock(payer)
    await rideAlarms(service, service.clock.now() + 3 * MINUTE)
    expect(await statusOf(id)).toEqual(['settled', 't'])
    for (const wallet of [owner, payer])
      expect(await published(wallet)).toEqual([['payment.settled', undefined]])
  })

  it('is not reported as expired by a node that has forgotten it; another finds it', async () => {
    const { owner, agentId, payer } = await parties()
    const landed = await perform(service, [payer.keypair], [])
    // Recorded hours ago: the settlement Worker was down, or the database has come back from a backup.
    const id = await pendingPayment(owner, agentId, payer.owner, landed)
    await rowsOf(
      service,
      "update request_payments set created_at = created_at - interval '4 hours' where id = $1",
      id,
    )
    const forgetful = answering({
      getSignatureStatuses: { context: { slot: Number.MAX_SAFE_INTEGER }, value: [null] },
      getBlockTime: Math.floor(service.clock.now() / 1000) - 7200,
    })
    await travel(service, DUE_MS)
    await service.withRpcFault(forgetful, () => service.runJobs('settlement'))
    expect(await statusOf(id)).toEqual(['pending', 'f'])
    await untilWritten(`"unprovenRequestPayment":"${id}"`)
    await travel(service, DAY / 3)
    await service.runJobs('settlement')
    expect(await statusOf(id)).toEqual(['settled', 't'])
    for (const wallet of [owner, payer])
      expect(await published(wallet)).toEqual([['payment.settled', undefined]])
  })

  it('that failed in a block that is not final may still land: nothing is published', async () => {
    const { owner, agentId, payer } = await parties()
    const landed = await perform(service, [payer.keypair], [])
    const id = await pendingPayment(owner, agentId, payer.owner, landed)
    const err = { InstructionError: [2, { Custom: 1 }] }
    const value = [{ slot: 1, err, confirmationStatus: 'confirmed' }]
    const onAFork = answering({ getSignatureStatuses: { context: { slot: 1 }, value } })
    await travel(service, DUE_MS)
    await service.withRpcFault(onAFork, () => service.runJobs('settlement'))
    expect(await statusOf(id)).toEqual(['pending', 'f'])
    await travel(service, 3 * MINUTE)
    await service.runJobs('settlement')
    expect(await statusOf(id)).toEqual(['settled', 't'])
  })

  it('wakes the database once for two hundred of them, and not afterwards', async () => {
    await rideAlarms(service, service.clock.now() + DAY)
    await travelToNoon(service)
    await rideAlarms(service, service.clock.now() + 10 * MINUTE)
    const { owner, agentId, payer } = await parties()
    for (let n = 0; n < 200; n += 1) await pendingPayment(owner, agentId, payer.owner, NOWHERE)
    await wakeTheClock(payer)
    const since = service.clock.now()
    const woken = wakesIn([since, ...(await rideAlarms(service, since + 5 * 60 * MINUTE))])
    expect(woken).toBeLessThanOrEqual(1)
    const left = "select id from request_payments where status = 'pending'"
    expect(await rowsOf(service, left)).toEqual([])
    // The owner's log has a hundred of them, the payers' logs all.
    const failed = 'select count(*) from events where type = $1 and agent_id = $2'
    expect(await rowsOf(service, failed, 'payment.failed', agentId)).toEqual([['100']])
  })

  it('is settled although another can not be recorded, which an error line names', async () => {
    const [broken, sound] = [await parties(), await parties()]
    const ids = []
    for (const { owner, agentId, payer } of [broken, sound])
      ids.push(await pendingPayment(owner, agentId, payer.owner, NOWHERE))
    // Nothing is left of the day to give back, which no course of ours leads to.
    await rowsOf(service, 'update credits set day_fees = 0 where owner = $1', broken.owner.owner)
    await wakeTheClock(sound.payer)
    await rideAlarms(service, service.clock.now() + 3 * MINUTE)
    expect(await Promise.all(ids.map(statusOf))).toEqual([
      ['pending', 'f'],
      ['expired', 't'],
    ])
    await untilWritten(`"unrecordedRequestPayment":"${ids[0]}"`)
    await rowsOf(service, 'update credits set day_fees = 10001 where owner = $1', broken.owner.owner)
    await rideAlarms(service, service.clock.now() + 20 * MINUTE)
    expect(await statusOf(String(ids[0]))).toEqual(['expired', 't'])
  })

  it('is deleted by the daily job a week after it expired', async () => {
    const ended = "select count(*) from request_payments where status = 'expired'"
    expect(Number((await rowsOf(service, ended))[0]?.[0])).toBeGreaterThan(200)
    await rideAlarms(service, service.clock.now() + 6 * DAY)
    expect(Number((await rowsOf(service, ended))[0]?.[0])).toBeGreaterThan(200)
    await rideAlarms(service, service.clock.now() + 2 * DAY)
    expect(await rowsOf(service, ended)).toEqual([['0']])
    expect(await rowsOf(service, "select count(*) from request_payments where status = 'settled'")).toEqual([
      ['3'],
    ])
  })
})
