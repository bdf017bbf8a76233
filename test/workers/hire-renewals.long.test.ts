import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createWallet, type KeyWallet } from '../../lib/cli/wallet.ts'
import { register } from '../support/agents.ts'
import { eventsOf } from '../support/events.ts'
import { type Body, type Call, type Service, startService } from '../support/service.ts'

/* The end of a hire's term, as job runs and readers see it: the number of renewals, and the latest end. */

const DAY = 86_400_000
const operator = createWallet()
let service: Service
beforeAll(async () => {
  service = await startService({
    groups: ['auth', 'agents', 'events', 'jobs'],
    bindings: { OPERATOR_WALLETS: operator.publicKey },
    // A run takes ten batches of each queue: 500 hires instead of 5,000.
    constants: { jobs: { HIRES_PER_BATCH: 50 } },
  })
})
afterAll(() => service.stop())
beforeEach(() => sql('delete from hires'))

async function sql(query: string, ...params: unknown[]): Promise<(string | null)[][]> {
  const [result] = await service.database.engine.run([{ query, params: params.map(String) }])
  return result?.rows as (string | null)[][]
}
const travel = (days: number) => service.clock.travelTo(service.clock.now() + days * DAY)
const runJobs = () => service.runJobs('jobs')
const hire = async (call: Call, agentId: string, terms: Body) => {
  const { body, status } = await call('POST', '/agents/hire', {
    body: { agentId, autoRenew: true, ...terms },
  })
  expect(status).toBe(201)
  return body as Body & { id: string; expiresAt: string }
}
const agentOf = async (owner: KeyWallet) => register((await service.signIn(owner)).call)
const hiresOf = async (user: KeyWallet) =>
  (await (await service.signIn(user)).call('GET', '/agents/hire')).body.hires as [Body]
/** Hires of the agent past the API, which nobody ever uses: their terms of a day end one after the other. */
const storeHires = (agentId: string, count: number, firstEnd: number) =>
  sql(
    `insert into hires (id, wallet, agent_id, layers_enabled, fee_model, fee_amount, auto_renew, term_days, status,
       hired_at, expires_at)
     select gen_random_uuid(), 'wallet ' || i, $1::uuid, '{1}', 'flat', 5, true, 1, 'active', $3::timestamptz - interval '1 day',
       $3::timestamptz + i * interval '1 ms'
     from generate_series(1, $2::integer) i`,
    agentId,
    count,
    new Date(firstEnd).toISOString(),
  )
const states = async () => Object.fromEntries(await sql('select status, count(*) from hires group by status'))

describe('an unused hire with autoRenew', () => {
  it('writes an event on each of four days and then stops', async () => {
    const owner = createWallet()
    const agents = [await agentOf(owner), await agentOf(owner)]
    const { call: victim } = await service.signIn()
    agents.push(await register(victim))
    for (let n = 0; n < 3; n += 1) {
      const { call } = await service.signIn()
      for (const { id } of agents) await hire(call, id, { expiresInDays: 1 })
    }
    const days: Record<string, number>[] = []
    for (let day = 0; day < 7; day += 1) {
      const [[before] = []] = await sql('select max(id::text) from events')
      await travel(1)
      await runJobs()
      const published = await sql(
        `select type || coalesce(' ' || (data->>'reason'), ''), count(*) from events where id::text > $1
         and type like 'hire.%' group by 1`,
        before,
      )
      days.push(Object.fromEntries(published.map(([type, count]) => [type, Number(count)])))
    }
    const renewed = { 'hire.renewed': 9 }
    expect(days).toEqual([renewed, renewed, renewed, { 'hire.expired unused': 9 }, {}, {}, {}])
    expect(await states()).toEqual({ expired: '9' })
  })

  it('renews for a year while its hirer logs in', async () => {
    const user = createWallet()
    const { id } = await agentOf(createWallet())
    await hire((await service.signIn(user)).call, id, { expiresInDays: 30 })
    for (let term = 1; term <= 12; term += 1) {
      await travel(30)
      await runJobs()
      if (term % 4 === 3) await service.signIn(user)
    }
    expect(await hiresOf(user)).toMatchObject([{ status: 'active' }])
  })

  it('renews after collected charges', async () => {
    const user = createWallet()
    const { id } = await agentOf(createWallet())
    const { id: hireId } = await hire((await service.signIn(user)).call, id, { expiresInDays: 1 })
    for (let day = 1; day <= 12; day += 1) {
      const paidAt = new Date(service.clock.now()).toISOString()
      if (day % 4 === 0) await sql('update hires set paid_at = $2 where id = $1', hireId, paidAt)
      await travel(1)
      await runJobs()
    }
    expect(await states()).toEqual({ active: '1' })
  })

  it.each(['before', 'after'])(
    'shows a wallet that is back after two months all events, %s the job run',
    async (when) => {
      const user = createWallet()
      const { id } = await agentOf(createWallet())
      const { expiresAt } = await hire((await service.signIn(user)).call, id, { expiresInDays: 7 })
      await travel(60)
      if (when === 'after') await runJobs()
      const endedAt = new Date(Date.parse(expiresAt) + 3 * 7 * DAY).toISOString()
      expect(await hiresOf(user)).toMatchObject([{ status: 'expired', expiresAt: endedAt, endedAt }])
      await runJobs()
      expect(await hiresOf(user)).toMatchObject([{ status: 'expired', expiresAt: endedAt, endedAt }])
      const { call } = await service.signIn(user)
      expect((await eventsOf(call)).at(-1)).toMatchObject({
        type: 'hire.expired',
        timestamp: endedAt,
        data: { reason: 'unused', endedAt },
      })
      expect(await call('POST', '/agents/hire', { body: { agentId: id } })).toMatchObject({ status: 201 })
    },
  )
})

describe('on the Clock alone', () => {
  const MINUTE = 60_000
  /** Runs what is due by now. @returns when the next alarm comes */
  const quiet = async (): Promise<number> => {
    for (;;) {
      const at = await service.reachAlarm()
      if (at > service.clock.now() + 5_000) return at
      await service.clock.travelTo(Math.max(at, service.clock.now()))
    }
  }
  /** Lives until a time, by alarms. @returns when they came */
  const liveUntil = async (end: number): Promise<number[]> => {
    const wakes: number[] = []
    for (let at = await quiet(); at <= end; at = await quiet()) {
      await service.clock.travelTo(Math.max(at, service.clock.now()))
      wakes.push(at)
    }
    await service.clock.travelTo(Math.max(end, service.clock.now()))
    return wakes
  }
  const published = async (call: Call, type: string) =>
    (await eventsOf(call)).filter((event) => event.type === type).map(({ data }) => data.hireId)
  const isDaily = (at: number) => (at - 12 * MINUTE) % DAY === 0

  it('ends one hire and renews another within ten minutes of the term’s end', async () => {
    await quiet()
    const user = createWallet()
    const { call } = await service.signIn(user)
    const [one, other] = [await agentOf(createWallet()), await agentOf(createWallet())]
    const ends = await hire(call, one.id, { expiresInDays: 1, autoRenew: false })
    await service.clock.travelTo(service.clock.now() + 30 * MINUTE)
    const renews = await hire(call, other.id, { expiresInDays: 1 })
    await liveUntil(Date.parse(ends.expiresAt) + 10 * MINUTE)
    const { call: later } = await service.signIn(user)
    expect(await published(later, 'hire.expired')).toEqual([ends.id])
    expect(await published(later, 'hire.renewed')).toEqual([])
    await liveUntil(Date.parse(renews.expiresAt) + 10 * MINUTE)
    expect(await published((await service.signIn(user)).call, 'hire.renewed')).toEqual([renews.id])
  })

  it('renews unpaid hires at scheduled runs and paid hires at the end of their term', async () => {
    await quiet()
    const user = createWallet()
    const { call } = await service.signIn(user)
    const hired: (Body & { id: string; expiresAt: string })[] = []
    for (let n = 0; n < 5; n += 1) {
      hired.push(await hire(call, (await agentOf(createWallet())).id, { expiresInDays: 1 }))
      await service.clock.travelTo(service.clock.now() + 20 * MINUTE)
    }
    await liveUntil(Date.parse(hired[4]?.expiresAt ?? '') + 10 * MINUTE)
    const begun = service.clock.now()
    const wakes = (await liveUntil(begun + DAY)).filter((at) => !isDaily(at))
    // One scheduled run with its ten minutes, or two if one lies between the ends.
    expect(wakes.every((at) => (at - 17 * MINUTE) % (DAY / 4) === 0)).toBe(true)
    expect(wakes.length).toBeLessThanOrEqual(2)
    const [first] = hired
    await sql(
      'update hires set paid_at = $2 where id = $1',
      first?.id,
      new Date(service.clock.now()).toISOString(),
    )
    expect(await service.runJob('hires')).not.toBe('failed')
    const [[end] = []] = await sql(
      'select to_char(expires_at, $$YYYY-MM-DD"T"HH24:MI:SS.MS"Z"$$) from hires where id = $1',
      first?.id,
    )
    const due = Date.parse(String(end))
    const [wake] = (await liveUntil(due + 10 * MINUTE)).filter((at) => !isDaily(at)).toReversed()
    expect(wake).toBeLessThanOrEqual(due + 10 * MINUTE)
    expect(await published((await service.signIn(user)).call, 'hire.renewed')).toHaveLength(5 * 2 + 1)
  })
})

it('renews paid hires in their job run, next to any number of unpaid ones', async () => {
  const user = createWallet()
  const { id } = await agentOf(createWallet())
  const { id: hireId } = await hire((await service.signIn(user)).call, id, { expiresInDays: 1 })
  await sql('update hires set paid_at = hired_at where id = $1', hireId)
  await travel(1)
  await storeHires(id, 560, service.clock.now() - DAY / 2)
  await runJobs()
  const renewed = await sql(
    'select id from hires where expires_at > $1',
    new Date(service.clock.now()).toISOString(),
  )
  expect(renewed.flat()).toContain(hireId)
  expect(renewed).toHaveLength(501)
})

it('suspends an agent with many due hires at once; job runs record them later', async () => {
  const owner = createWallet()
  const { id } = await agentOf(owner)
  await storeHires(id, 600, service.clock.now() - DAY / 2)
  const { call } = await service.signIn(operator)
  const [[before] = []] = await sql('select max(id::text) from events')
  const body = { status: 'suspended', reason: 'Phishing' }
  expect(await call('PATCH', `/agents/${id}`, { body })).toMatchObject({ status: 200 })
  expect(await sql('select type from events where id::text > $1', before)).toEqual([['agent.status_changed']])
  // All of them had been renewed by then, and end with the term that was running.
  const { call: asOwner } = await service.signIn(owner)
  expect((await asOwner('GET', `/agents/${id}/hires?limit=3`)).body.hires).toMatchObject([
    { status: 'active' },
    { status: 'active' },
    { status: 'active' },
  ])
  await travel(1)
  for (let n = 0; n < 2; n += 1) await runJobs()
  expect(await states()).toEqual({ expired: '600' })
  const ends = await sql(
    "select count(*) from hires where ended_at = expires_at and expires_at > hired_at + interval '36 hours'",
  )
  expect(ends).toEqual([['600']])
  expect(
    await sql(`select count(*) from events where data->>'reason' = 'unused' and id::text > $1`, before),
  ).toEqual([['0']])
})

describe('an agent’s owner', () => {
  it('ends a hire of the agent with either permission; both sides get an event', async () => {
    const [owner, user] = [createWallet(), createWallet()]
    const { id } = await agentOf(owner)
    const asUser = (await service.signIn(user)).call
    for (const permission of ['agents:register', 'agents:hire'] as const) {
      const hired = await hire(asUser, id, {})
      const { call } = await service.signIn(owner, [permission])
      const ended = await call('DELETE', `/agents/hire?id=${hired.id}`)
      expect(ended).toMatchObject({ status: 200, body: { id: hired.id, status: 'terminated' } })
      expect((await call('DELETE', `/agents/hire?id=${hired.id}`)).body).toEqual(ended.body)
    }
    const hired = await hire(asUser, id, {})
    const stranger = await (await service.signIn()).call('DELETE', `/agents/hire?id=${hired.id}`)
    expect(stranger.body).toMatchObject({ status: 404, code: 'hire_not_found' })
    await asUser('DELETE', `/agents/hire?id=${hired.id}`)
    for (const wallet of [owner, user]) {
      const { call } = await service.signIn(wallet)
      const published = (await eventsOf(call)).filter(({ type }) => type === 'hire.terminated')
      expect(published.map(({ data }) => data.endedBy)).toEqual(['owner', 'owner', 'hirer'])
    }
  })
})
