import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWallet } from '../../lib/cli/wallet.ts'
import { register, registration } from '../support/agents.ts'
import { type Answer, answerTo, type Call, type Service, startService } from '../support/service.ts'
import { createStaker, DAY, ONE, type Staker, travel } from '../support/staker.ts'
import { wavesOf } from '../support/waves.ts'
import { eventually, openInbox } from '../support/webhooks.ts'

/** Round trips of a request: to the database, and to KV. */
type Cost = { sql: number; kv: number }

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

async function costOf(call: Call, method: string, path: string, body?: unknown): Promise<Cost> {
  let kv = 0
  const sql = await service.countSql(async () => {
    const answer = await call(method, path, { body, headers: { 'x-local-kv-calls': 'count' } })
    expect(answer.status, `${method} ${path}`).toBeLessThan(300)
    kv = Number(answer.headers.get('x-local-kv-calls'))
  })
  return { sql, kv }
}

/** Waits, past what is counted, until a delivery is recorded as delivered. */
const untilDelivered = (which: string) => untilRecorded(`status = 'delivered' and ${which}`)

/** Waits, past what is counted, until there is one delivery such as this. */
const untilRecorded = (which: string) =>
  eventually('it is recorded', async () => {
    const query = `select 1 from deliveries where ${which}`
    const [result] = await service.database.engine.run([{ query, params: [] }])
    return result?.rows.length === 1
  })

// Reads: operations.test.ts.
describe('round trips', () => {
  it('a challenge is one KV write, a login one KV read and one SQL statement', async () => {
    expect(await costOf(service.call, 'GET', '/auth/handshake')).toEqual({ sql: 0, kv: 1 })
    const challenge = await service.call('GET', '/auth/handshake')
    const body = { ...answerTo(challenge.body, createWallet()), agentId: 'anything' }
    expect(await costOf(service.call, 'POST', '/auth/handshake', body)).toEqual({ sql: 1, kv: 1 })
  })

  it('a write is one SQL statement, the token check takes none', async () => {
    const { call } = await service.signIn()
    const one = { sql: 1, kv: 0 }
    expect(await costOf(call, 'POST', '/agents/register', registration())).toEqual(one)
    const agent = await register(call)
    expect(await costOf(call, 'POST', '/agents/hire', { agentId: agent.id })).toEqual(one)
    const hires = (await call('GET', '/agents/hire')).body.hires as { id: string }[]
    expect(await costOf(call, 'DELETE', `/agents/hire?id=${hires[0]?.id}`)).toEqual(one)
    expect(await costOf(call, 'PATCH', `/agents/${agent.id}`, { status: 'inactive' })).toEqual(one)
  })

  it('a replay is one SQL statement; a sent event is two', async () => {
    const inbox = openInbox(service)
    const owner = await inbox.createAgent()
    const [delivery] = await owner.untilStates('delivered')
    const { call } = await service.signIn(owner.wallet)
    const statements = await service.countSql(async () => {
      await call('POST', `/events/${delivery?.eventId}/replay`)
      await inbox.until(owner.url, 2)
      await untilDelivered(`event_id = '${delivery?.eventId}'`)
    })
    // The replay; then the lease, and what became of it.
    expect(statements).toBe(3)
    inbox.answer(owner.url, () => new Response(null, { status: 500 }))
    const failed = await service.countSql(async () => {
      await call('POST', `/events/${delivery?.eventId}/replay`)
      await untilRecorded(`event_id = '${delivery?.eventId}' and last_response_code = 500`)
    })
    expect(failed).toBe(3)
  })

  it('each call about endpoints is one SQL statement', async () => {
    const { call } = await service.signIn()
    const one = { sql: 1, kv: 0 }
    const made = { url: 'https://hooks.example.com/' }
    expect(await costOf(call, 'POST', '/events/endpoints', made)).toEqual(one)
    const list = await call('GET', '/events/endpoints')
    const [{ id } = { id: '' }] = list.body.endpoints as { id: string }[]
    const path = `/events/endpoints/${id}`
    expect(await costOf(call, 'POST', `${path}/secret`)).toEqual(one)
    const recovery = { since: '2026-11-20T00:00:00.000Z' }
    expect(await costOf(call, 'POST', `${path}/recover`, recovery)).toEqual(one)
    expect(await costOf(call, 'PATCH', path, { eventTypes: ['hire.created'] })).toEqual(one)
    const other = await call('POST', '/events/endpoints', { body: made })
    expect(await costOf(call, 'DELETE', `/events/endpoints/${other.body.id}`)).toEqual(one)
  })

  it('a request without data is free, and so is an error before the use case', async () => {
    const { call } = await service.signIn()
    for (const path of ['', '/openapi.json', '/docs', '/auth/jwks.json']) {
      expect(await costOf(service.call, 'GET', path)).toEqual({ sql: 0, kv: 0 })
    }
    const refused = await service.countSql(async () => {
      await call('POST', '/agents/register', { body: {} })
      await service.call('POST', '/agents/hire', { body: {} })
      await service.call('GET', '/agents?limit=0')
      await service.call('POST', '/auth/handshake', { body: { nonce: 'a', signature: 'b', publicKey: 'c' } })
    })
    expect(refused).toBe(0)
  })
})

describe('round trips of the vault', () => {
  let staker: Staker
  beforeAll(async () => {
    staker = await createStaker(service)
  })

  /** Round trips to the database and to the RPC node. */
  async function tripsOf(action: () => Promise<{ status: number }>) {
    let rpc = 0
    const sql = await service.countSql(async () => {
      rpc = await service.countRpc(async () => expect((await action()).status).toBe(200))
    })
    return { sql, rpc }
  }
  const read = () => service.call('GET', `/vault?owner=${staker.owner}`)

  it('building is one SQL statement, two calls to the chain, and one SQL statement', async () => {
    const trips = { sql: 2, rpc: 2 }
    await staker.relay(await staker.stack(ONE, 7))
    // Past the lease of the relay's own check: the stack is recorded as landed, nothing is left to settle.
    await travel(service, 3_000)
    await staker.vault()
    expect(await tripsOf(() => staker.stack(ONE, 7))).toEqual(trips)
    await travel(service, DAY / 2)
    await staker.vault()
    expect(await tripsOf(() => staker.claim())).toEqual(trips)
    await travel(service, 7 * DAY)
    await staker.signInAgain()
    await staker.vault()
    expect(await tripsOf(() => staker.unstack(0))).toEqual(trips)
  })

  it('reading is one SQL statement; settling is one call to the chain and one more', async () => {
    await travel(service, 120_000)
    await staker.vault()
    expect(await tripsOf(read)).toEqual({ sql: 1, rpc: 0 })
    await staker.relay(await staker.stack(ONE, 7))
    await staker.relay(await staker.stack(ONE, 7))
    await travel(service, 2_001)
    expect(await tripsOf(read)).toEqual({ sql: 2, rpc: 1 })
    expect(await tripsOf(read)).toEqual({ sql: 1, rpc: 0 })
  })

  it('an open transaction that is old enough to have expired costs one call more', async () => {
    await staker.stack(ONE, 7)
    await travel(service, 45_000)
    expect(await tripsOf(read)).toEqual({ sql: 1, rpc: 2 })
  })

  it('a quote costs nothing, the terms one call, a relay one statement and one call', async () => {
    expect(await tripsOf(() => service.call('GET', '/vault/quote?amount=1&lockDays=7'))).toEqual({
      sql: 0,
      rpc: 0,
    })
    // Terms are cached for five seconds.
    await service.clock.travelTo(service.clock.now() + 6_000)
    expect(await tripsOf(() => service.call('GET', '/vault/terms'))).toEqual({ sql: 0, rpc: 1 })
    const built = await staker.stack(ONE, 7)
    expect(await tripsOf(() => staker.relay(built))).toEqual({ sql: 1, rpc: 1 })
  })

  it('a relay that cosigns is two SQL statements, two waves of calls and one send', async () => {
    await staker.vault()
    const stack = await staker.first.stack(ONE, 7)
    const relayed = () => staker.relayFirst(stack)
    expect(await tripsOf(relayed)).toEqual({ sql: 2, rpc: 5 })
    expect(await tripsOf(relayed)).toEqual({ sql: 1, rpc: 1 })
    const next = await staker.first.stack(ONE, 7)
    const { answer, waves } = await wavesOf(service, [3, 1, 1], () => staker.relayFirst(next))
    expect(answer.status).toBe(200)
    expect(waves).toEqual([
      ['getMultipleAccounts', 'isBlockhashValid', 'simulateTransaction'],
      ['getBlockHeight'],
      ['sendTransaction'],
    ])
    await staker.vault()
    await travel(service, DAY)
    await staker.signInAgain()
    await staker.vault()
    const claim = await staker.first.claim()
    expect(await tripsOf(() => staker.relayFirst(claim))).toEqual({ sql: 2, rpc: 4 })
  })

  it('a signed transaction takes one call of the Clock, a stake two, a built one none', async () => {
    await travel(service, 120_000)
    await staker.signInAgain()
    /** Calls of the Clock, as the request's line counts them. */
    const clockCalls = async (action: () => Promise<Answer>) => {
      const { headers, status } = await action()
      expect(status).toBe(200)
      const requestId = headers.get('x-request-id')
      const lineOf = () => service.logs.lines.find((line) => line.requestId === requestId)
      await expect.poll(lineOf).toBeDefined()
      return (lineOf()?.subrequests as { worker?: number } | undefined)?.worker ?? 0
    }
    await staker.vault()
    const built = await staker.stack(ONE, 7)
    expect(await clockCalls(() => staker.relay(built))).toBe(1)
    expect(await clockCalls(() => staker.stack(ONE, 7))).toBe(2)
    expect(await clockCalls(() => staker.first.stack(ONE, 7))).toBe(0)
    const first = await staker.first.stack(ONE, 7)
    const signed = staker.signFirst(first)
    expect(await clockCalls(() => staker.relaySigned(first, signed))).toBe(2)
    expect(await clockCalls(() => staker.relaySigned(first, signed))).toBe(1)
    expect(await clockCalls(staker.vault)).toBe(0)
    // It has landed: nothing is sent any more.
    expect(await clockCalls(() => staker.relaySigned(first, signed))).toBe(0)
  })

  it('building what the wallet signs first costs as much as the other way', async () => {
    await travel(service, 120_000)
    await staker.vault()
    expect(await tripsOf(() => staker.first.stack(ONE, 7))).toEqual({ sql: 2, rpc: 2 })
    await travel(service, DAY)
    await staker.signInAgain()
    await staker.vault()
    expect(await tripsOf(() => staker.first.claim())).toEqual({ sql: 2, rpc: 2 })
  })
})

// The last one: the runs that send the event make statements, too, which a test after it would count.
it('asking for a test event is one SQL statement and one message', async () => {
  openInbox(service)
  const { call } = await service.signIn()
  const made = await call('POST', '/events/endpoints', { body: { url: 'https://hooks.example.com/' } })
  const tested = await call('POST', `/events/endpoints/${made.body.id}/test`)
  expect(tested.status).toBe(202)
  const requestId = tested.headers.get('x-request-id')
  const line = () => service.logs.lines.find((line) => line.requestId === requestId)
  await expect.poll(line).toMatchObject({ subrequests: { sql: 1, queue: 1 } })
})
