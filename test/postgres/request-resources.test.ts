import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import * as postgres from '../../lib/db/functions.ts'
import { HOST_PAUSE_MS, LEASE_MS } from '../../lib/liveness/probe-host.ts'
import { RESOURCE_PAUSE_MS, RESOURCE_PROBES_PER_HOUR, UNLISTED_RESOURCE_MS } from '../../lib/x402/rules.ts'
import { API_SCHEMA } from '../../schema/release.ts'
import { useDatabase } from '../support/database.ts'
import { leaseHost } from '../support/host-leases.ts'
import { drawInteger } from '../support/random.ts'
import { AMOUNT, at, FEE, payableAgent, signed } from '../support/request-payments.ts'

/* Priced routes: each transition is one function of Postgres, raced here. */

const database = useDatabase()
const query = database.rows
const range = (length: number) => Array.from({ length }, (_, i) => i)

type Prices = [name: string, amount: bigint][]
const ROUTE = 'GET /forecast'

let hosts = 0
/** An agent with routes at a host of its own. */
async function seller(prices: Prices = [[ROUTE, AMOUNT]]) {
  const agent = await payableAgent(database.db)
  hosts += 1
  const host = `r${hosts}.example.com`
  await query(
    `update agents set api_endpoint = $2, api_protocol = 'http' where id = $1`,
    agent.id,
    `https://${host}/`,
  )
  await agent.setPrices(prices, at(-80_000))
  const session = { agentId: agent.id, owner: agent.owner }
  return {
    ...agent,
    host,
    /** Pays a route whose server declared it, and answers success. */
    async pay(now: Date, priceName = ROUTE, isDeclared = true) {
      const held = await agent.settle(signed({ priceName }), now)
      return agent.answerDeclared(held, now, isDeclared)
    },
    lease: (now: Date, names = [ROUTE]) =>
      leaseAt(
        host,
        now,
        names.map((name) => [agent.id, name]),
      ),
    hide: (isHidden: boolean, now: Date) =>
      postgres.hideResource.call(database.db, { ...session, priceName: ROUTE, isHidden, now }),
    check: (now: Date) =>
      postgres.requestResourceProbe.call(database.db, {
        ...session,
        priceName: ROUTE,
        ownerHash: agent.owner,
        probesPerHour: RESOURCE_PROBES_PER_HOUR,
        now,
      }),
    rows: () =>
      query(
        `select price_name, state, code, fees from request_resources
         where agent_id = $1 order by price_name`,
        agent.id,
      ),
    state: async () => {
      const [row] = await query(
        `select state, code from request_resources where agent_id = $1 and price_name = $2`,
        ...[agent.id, ROUTE],
      )
      return row?.filter((one) => one !== null).join(' ')
    },
  }
}

async function leaseAt(host: string, now: Date, routes: [agentId: string, name: string][]) {
  const lease = randomUUID()
  const leaseEnd = new Date(now.getTime() + LEASE_MS)
  const leased = await postgres.leaseResources.rows(database.db, {
    ...{ host, lease, now, leaseEnd },
    agentIds: routes.map(([agentId]) => agentId),
    priceNames: routes.map(([, name]) => name),
    urls: routes.map(([, name]) => `https://${host}${name.slice(name.indexOf('/'))}`),
    limit: 20,
  })
  const record = (outcome: string, end: Date, document = '{"info":{}}') =>
    postgres.recordResources.call(database.db, {
      ...{ host, lease, leaseEnd },
      agentIds: leased.map(({ agentId }) => agentId),
      priceNames: leased.map(({ priceName }) => priceName),
      urls: leased.map(({ url }) => url),
      outcomes: leased.map(() => outcome),
      documents: leased.map(() => document),
      busyUntil: leased.map(() => end),
      freeAt: new Date(end.getTime() + leased.length * HOST_PAUSE_MS),
      nextScheduledRun: at(6 * 3_600),
      nextDaily: at(12 * 3_600),
      now: end,
    })
  return { leased, record }
}

describe('a settled payment', () => {
  it('enqueues its route once, and counts each fee, when fifty calls answer at once', async () => {
    const agent = await seller()
    const held = []
    for (const _ of range(25)) held.push(await agent.settle(signed({ priceName: ROUTE }), at(0)))
    const answers = await Promise.all([...held, ...held].map((one) => agent.answerDeclared(one, at(1))))
    expect(answers.filter(({ state }) => state === 'pending')).toHaveLength(25)
    expect(answers.filter(({ probeAt }) => probeAt !== null).map(({ probeAt }) => probeAt)).toEqual([at(61)])
    expect(await agent.rows()).toEqual([[ROUTE, 'pending', null, String(FEE * 25n)]])
  })

  it('enqueues nothing without a declaration, and counts for a known route', async () => {
    const agent = await seller()
    expect(await agent.pay(at(0), ROUTE, false)).toEqual({ state: null, code: null, probeAt: null })
    expect(await agent.rows()).toEqual([])
    await agent.pay(at(1))
    await agent.pay(at(2), ROUTE, false)
    expect(await agent.rows()).toEqual([[ROUTE, 'pending', null, String(FEE * 2n)]])
  })

  it('enqueues its route when a job has seen it settle, and the next call gets success', async () => {
    const agent = await seller()
    const payment = signed({ priceName: ROUTE })
    const held = await agent.settle(payment, at(0))
    await agent.answer(held, 'pending', at(20))
    await agent.record([held], 'settled', at(90))
    const answers = await Promise.all(
      range(10).map(() => agent.settle(payment, at(91), { isDeclared: true })),
    )
    expect(answers.filter(({ outcome }) => outcome === 'settled')).toHaveLength(1)
    expect(await agent.rows()).toEqual([[ROUTE, 'pending', null, String(FEE)]])
  })

  it('makes fifty routes of an agent at most, and an ended price makes room', async () => {
    const names = range(60).map((n) => `GET /r${n}`)
    const agent = await seller(names.map((name) => [name, AMOUNT]))
    const held = []
    for (const priceName of names) held.push(await agent.settle(signed({ priceName }), at(0)))
    await Promise.all(held.map((one) => agent.answerDeclared(one, at(1))))
    expect(await agent.rows()).toHaveLength(50)
    await agent.setPrices([['GET /new', AMOUNT]], at(2))
    await agent.pay(at(3), 'GET /new')
    expect(await agent.rows()).toHaveLength(50)
    const waiting = (await agent.rows()).flatMap(([name, state]) => (state === 'pending' ? [name] : []))
    expect(waiting).toEqual(['GET /new'])
  })
})

describe('a lease of a host', () => {
  it('is one of ten at once, and of a lease for endpoints at the same time', async () => {
    const agent = await seller()
    await agent.pay(at(0))
    await query(
      `insert into probed_hosts (host, queue, free_at, next_turn_at) values ($1, 'live', $2, $2)`,
      ...[agent.host, at(0).toISOString()],
    )
    await query(
      `update agent_endpoints set host = $1, next_probe_at = $2, status = 'live' where url = $3`,
      ...[agent.host, at(0).toISOString(), `https://${agent.host}/`],
    )
    const leasing = { queue: 'live' as const, now: at(61), leaseEnd: at(61 + 180), limit: 20 }
    const isLeased = async () => (await leaseHost(database.db, leasing as never)) !== undefined
    const got = await Promise.all([
      ...range(10).map(async () => (await agent.lease(at(61))).leased.length > 0),
      ...range(10).map(isLeased),
    ])
    expect(got.filter((one) => one)).toHaveLength(1)
  })

  it('alternates between routes and endpoints that are due', async () => {
    const agent = await seller()
    await agent.pay(at(0))
    const { record } = await agent.lease(at(61))
    await query(`update probed_hosts set next_turn_at = $2 where host = $1`, agent.host, at(62).toISOString())
    await record('listed', at(63))
    await agent.check(at(124))
    // The endpoints have waited for the routes, and are next.
    expect((await agent.lease(at(125))).leased).toEqual([])
    await query(`update probed_hosts set endpoints_next = false where host = $1`, agent.host)
    expect((await agent.lease(at(190))).leased).toHaveLength(1)
  })

  it('says that the host names the agent when its ard.json does', async () => {
    const agent = await seller([['POST /orders', AMOUNT]])
    await agent.pay(at(0), 'POST /orders')
    await query(
      `insert into agent_endpoints (url_hash, protocol, url, wallets, identifies)
       values (encode(sha256(convert_to($1, 'UTF8')), 'hex'), 'http', $1, 1, $2)
       on conflict (url_hash, protocol) do update set identifies = excluded.identifies`,
      ...[`https://${agent.host}/`, `agent:${agent.id}`],
    )
    expect((await agent.lease(at(61), ['POST /orders'])).leased).toMatchObject([{ isNamed: true }])
  })

  it('ends, and a route that two leases did not finish waits a day', async () => {
    const agent = await seller()
    await agent.pay(at(0))
    const first = await agent.lease(at(61))
    expect(first.leased).toMatchObject([
      { agentId: agent.id, amount: AMOUNT, isActive: true, isNamed: false },
    ])
    expect((await agent.lease(at(100))).leased).toEqual([])
    const second = await agent.lease(at(61 + 181))
    expect(second.leased).toHaveLength(1)
    expect(await first.record('listed', at(243))).toMatchObject({ recorded: 0 })
    expect((await agent.lease(at(600))).leased).toEqual([])
    expect((await agent.lease(at(600 + 86_400))).leased).toHaveLength(1)
  })
})

describe('the result of a probe', () => {
  const changes: [string, (agent: Awaited<ReturnType<typeof seller>>) => Promise<unknown>, string][] = [
    ['hid the route', (agent) => agent.hide(true, at(62)), 'rejected hidden'],
    ['ended its price', (agent) => agent.setPrices([['other', 5n]], at(62)), 'rejected price_ended'],
  ]
  it.each(changes)('is dropped when its owner %s meanwhile', async (_what, change, expected) => {
    const agent = await seller()
    await agent.pay(at(0))
    const { record } = await agent.lease(at(61))
    await change(agent)
    expect(await record('listed', at(63))).toEqual({ recorded: 0, isCatalogChanged: false })
    expect(await agent.state()).toBe(expected)
  })

  it('never leaves a hidden or ended route in the catalog, whatever happens at once', async () => {
    for (const round of range(25)) {
      const agent = await seller()
      await agent.pay(at(0))
      const { record } = await agent.lease(at(61))
      const [isHidden, hasEnded] = [drawInteger(2) === 0, drawInteger(2) === 0]
      const calls = [
        () => record('listed', at(63)),
        () => agent.pay(at(63)),
        () => agent.hide(isHidden, at(63)),
        () => agent.setPrices(hasEnded ? [['other', 5n]] : [[ROUTE, AMOUNT + 1n]], at(63)),
      ]
      await Promise.all(calls.map((call) => call()))
      const state = await agent.state()
      if (hasEnded) expect(state, `round ${round}`).toBe('rejected price_ended')
      else if (isHidden) expect(state, `round ${round}`).toBe('rejected hidden')
      else expect(state, `round ${round}`).toBe('listed')
    }
  })

  it('says whether the catalog has changed, and stores the first finding', async () => {
    const agent = await seller()
    await agent.pay(at(0))
    const changed: boolean[] = []
    const states: (string | undefined)[] = []
    let now = 61
    for (const [outcome, document] of [
      ['listed', '{"info":{}}'],
      ['listed', '{"info":{}}'],
      ['listed', '{"info":{"a":1}}'],
      ['down', ''],
      ['down', ''],
      ['down', ''],
    ] as const) {
      const { record } = await agent.lease(at(now))
      changed.push((await record(outcome, at(now + 1), document)).isCatalogChanged)
      states.push(await agent.state())
      await query(
        'update request_resources set next_probe_at = $2 where agent_id = $1',
        agent.id,
        at(now + 90).toISOString(),
      )
      now += 100
    }
    expect(changed).toEqual([true, false, true, false, true, false])
    expect(states.slice(2)).toEqual(['listed', 'listed down', 'rejected down', 'rejected down'])
  })
})

describe('an owner', () => {
  it('hides a route and shows it again, which is probed an hour after its last probe', async () => {
    const agent = await seller()
    expect(await agent.hide(true, at(0))).toMatchObject({ outcome: 'route_not_found' })
    await agent.pay(at(0))
    await (await agent.lease(at(61))).record('listed', at(62))
    expect(await agent.hide(true, at(100))).toEqual({
      outcome: 'changed',
      isCatalogChanged: true,
      probeAt: null,
    })
    expect(await agent.pay(at(101))).toMatchObject({ state: 'rejected', code: 'hidden' })
    const probeAt = new Date(at(62).getTime() + RESOURCE_PAUSE_MS)
    expect(await agent.hide(false, at(102))).toEqual({ outcome: 'changed', isCatalogChanged: false, probeAt })
    expect(await agent.state()).toBe('pending')
  })

  it('asks for ten probes an hour, however many calls it makes at once', async () => {
    const agent = await seller()
    const outcomes = await Promise.all(range(30).map(async () => (await agent.check(at(0))).outcome))
    expect(outcomes.filter((outcome) => outcome === 'enqueued')).toHaveLength(RESOURCE_PROBES_PER_HOUR)
    expect(outcomes.filter((outcome) => outcome === 'asked_too_often')).toHaveLength(20)
    expect(await agent.rows()).toHaveLength(1)
    expect((await agent.check(at(3_600))).outcome).toBe('enqueued')
  })

  it('of a thousand wallets without credit adds no route', async () => {
    await query(
      `with agent as (
        insert into agents (id, pubkey, name, agent_type, supported_layers, fee_model, fee_amount, status, registered_at,
          api_endpoint)
        select gen_random_uuid(), 'free ' || n, 'Free', 'oracle', '{1}', 'flat', 5, 'active', $1, 'https://victim.example.com/'
        from generate_series(1, 1000) as n returning id)
      insert into request_prices (agent_id, name, asset, amount) select id, $2, 'CRED', 1 from agent`,
      ...[at(-100).toISOString(), ROUTE],
    )
    const before = await query('select count(*) from request_resources')
    const outcomes = await query(
      `select checked.outcome as checked, hidden.outcome as hidden, count(*)::integer from agents,
        ${API_SCHEMA}.request_resource_probe(null, null, id, pubkey, $1, pubkey, $2, $3) as checked,
        ${API_SCHEMA}.hide_resource(null, null, id, pubkey, $1, false, $3) as hidden
      where api_endpoint = 'https://victim.example.com/' group by 1, 2`,
      ...[ROUTE, String(RESOURCE_PROBES_PER_HOUR), at(0).toISOString()],
    )
    expect(outcomes).toEqual([['no_credit', 'route_not_found', '1000']])
    expect(await query('select count(*) from request_resources')).toEqual(before)
    expect(await query(`select from address_quotas where address_hash like '%victim%'`)).toEqual([])
  })
})

it('is deleted after thirty days out of the catalog, unless it is hidden', async () => {
  const [rejected, listed, hidden] = [await seller(), await seller(), await seller()]
  for (const agent of [rejected, listed, hidden]) {
    await agent.pay(at(0))
    await (await agent.lease(at(61))).record('listed', at(62))
  }
  await rejected.setPrices([['other', 5n]], at(100))
  await hidden.hide(true, at(100))
  const sweep = (now: Date) =>
    postgres.deleteOldRequestRows.call(database.db, { before: at(-900_000), limit: 1_000, now })
  const unlistedAt = at(100).getTime() + UNLISTED_RESOURCE_MS
  await sweep(new Date(unlistedAt - 1))
  expect(await rejected.rows()).toHaveLength(1)
  await sweep(new Date(unlistedAt))
  expect([await rejected.rows(), await hidden.state(), await listed.state()]).toEqual([
    [],
    'rejected hidden',
    'listed',
  ])
})
