import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { probeHost } from '../../lib/liveness/probe-host.ts'
import { runProbes } from '../../lib/liveness/run-probes.ts'
import { agentEndpoints, probedHosts } from '../../schema/tables/agent-endpoints.ts'
import { agents } from '../../schema/tables/agents.ts'
import { type ApiProtocol, type HostQueue, hostQueues } from '../../schema/values.ts'
import { connectDatabase } from '../support/database.ts'
import { insertAgent, newWallet } from '../support/stored-agents.ts'

/** The most that a Worker may ask in one invocation: the database and hosts together. */
const MAX_REQUESTS = 1_000
const MINUTE = 60_000
const START = Date.parse('2026-11-20T12:07:00Z')

let database: Awaited<ReturnType<typeof connectDatabase>>
let { fetch } = globalThis
/** The requests that hosts received, and the number of statements. */
let asked: string[] = []
let statements = 0
let now = START
let answer: (request: Request) => Response | Promise<Response> = () => new Response()

beforeAll(async () => {
  database = await connectDatabase()
  fetch = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    const { hostname } = new URL(input instanceof Request ? input.url : input)
    if (!hostname.endsWith('.example.com')) {
      statements += 1
      return fetch(input, init)
    }
    const request = new Request(input, init)
    asked.push(`${request.method} ${request.url}`)
    return answer(request)
  }
})
afterAll(async () => {
  globalThis.fetch = fetch
  await database.close()
})
beforeEach(() => {
  asked = []
  statements = 0
  now = START
  answer = () => new Response()
})
afterEach(async () => {
  await database.db.delete(agents)
  await database.db.delete(agentEndpoints)
  await database.db.delete(probedHosts)
})

const deps = () => ({
  db: database.db,
  clock: () => new Date(now),
  apiHost: 'api.agentcred.example',
  publisher: 'agentcred.example',
})

type Kind = { queue: HostQueue; protocol?: ApiProtocol; endpoints?: number }

/** Hosts whose endpoints have been due for an hour, in the queue that earlier runs have put them in. */
async function hosts(prefix: string, count: number, { queue, protocol = 'http', endpoints = 1 }: Kind) {
  const due = new Date(START - 60 * MINUTE)
  const names = Array.from({ length: count }, (_, n) => `${prefix}${n}.example.com`)
  await database.db
    .insert(probedHosts)
    .values(names.map((host) => ({ host, queue, freeAt: due, nextTurnAt: due })))
  const rows = names.flatMap((host) =>
    Array.from({ length: endpoints }, (_, n) => ({
      urlHash: `${host}/${n}`,
      protocol,
      url: `https://${host}/${n}`,
      wallets: 1,
      host,
      status: queue.startsWith('live') ? ('live' as const) : ('unknown' as const),
      nextProbeAt: due,
    })),
  )
  if (rows.length > 0) await database.db.insert(agentEndpoints).values(rows)
}

const hostsAsked = (prefix: string) =>
  new Set(
    asked.map((one) => new URL(one.split(' ')[1] ?? '').hostname).filter((host) => host.startsWith(prefix)),
  )

const queueOf = async (host: string) => {
  const rows = await database.db.select().from(probedHosts).where(sql`${probedHosts.host} = ${host}`)
  return rows[0]?.queue
}

describe('a job run', () => {
  it('stays below a Worker’s subrequests with the most expensive hosts', async () => {
    answer = async (request) => {
      const isOld = request.method === 'POST' && (await request.text()).includes('initialize')
      return isOld
        ? Response.json({ jsonrpc: '2.0', id: 1, result: {} }, { headers: { 'mcp-session-id': 's' } })
        : new Response(null, { status: 404 })
    }
    for (const queue of hostQueues) {
      const kind = { queue, protocol: 'mcp' as const }
      const name = queue.replace('_', '-')
      await hosts(`many-${name}-`, 20, { ...kind, endpoints: 12 })
      await hosts(`one-${name}-`, 100, kind)
      await hosts(`none-${name}-`, 300, { ...kind, endpoints: 0 })
    }
    for (let jobRun = 0; jobRun < 4; jobRun += 1) {
      asked = []
      statements = 0
      const { probes } = await runProbes(deps())
      expect(probes).toBeLessThanOrEqual(132)
      expect(asked.length + statements).toBeLessThanOrEqual(MAX_REQUESTS)
      now += 5 * MINUTE
    }
  })

  it('probes live and new hosts while many slow and dead ones wait', async () => {
    await hosts('slow', 1_000, { queue: 'live_slow' })
    await hosts('dead', 1_000, { queue: 'dead' })
    await hosts('silent', 1_000, { queue: 'dead_slow' })
    await hosts('new', 1_000, { queue: 'first' })
    await hosts('honest', 50, { queue: 'live' })
    const { due } = await runProbes(deps())
    // No host is leased unless the rest of the run's share is enough for all that a host may use.
    for (const [prefix, range] of [
      ['honest', [41, 60]],
      ['slow', [3, 12]],
      ['dead', [6, 15]],
      ['silent', [1, 10]],
      ['new', [21, 35]],
    ] as const) {
      expect(hostsAsked(prefix).size).toBeGreaterThanOrEqual(range[0])
      expect(hostsAsked(prefix).size).toBeLessThanOrEqual(range[1])
    }
    expect(due).toEqual({ at: now, by: now })
    await runProbes(deps())
    expect(hostsAsked('honest').size).toBe(50)
  })
})

describe('a host that never answers', () => {
  it('is probed three times in a month, and once as a new host', async () => {
    await hosts('nobody', 20, { queue: 'first' })
    answer = () => Response.error()
    const probes: number[] = []
    for (let day = 0; day < 31; day += 1) {
      asked = []
      while ((await runProbes(deps())).due?.at === now);
      probes.push(
        asked.filter((one) => one.startsWith('GET https://nobody') && !/robots|ard/.test(one)).length,
      )
      if (day === 0) expect(await queueOf('nobody0.example.com')).toBe('dead')
      now += 24 * 60 * MINUTE
    }
    expect(probes.reduce((sum, count) => sum + count, 0)).toBe(60)
    expect(probes.filter((count) => count > 0)).toEqual([20, 20, 20])
  })
})

describe('a probe run that dies', () => {
  /** Leases a host, in a Worker that is killed after that. */
  const dies = async () => {
    let isLeased = false
    const clock = () => {
      if (isLeased) throw new Error('killed')
      isLeased = true
      return new Date(now)
    }
    await expect(probeHost({ ...deps(), clock }, 'live', 10)).rejects.toThrow('killed')
  }
  const probesOf = async (take: () => Promise<unknown>) => {
    asked = []
    await take()
    return asked.filter((one) => !/robots|ard/.test(one))
  }

  it('starts with other endpoints when the next one dies too', async () => {
    await hosts('killer', 1, { queue: 'live', endpoints: 3 })
    await dies()
    now += 4 * MINUTE
    // Alone from now on: the first of three kills.
    await dies()
    now += 4 * MINUTE
    const next = [await probesOf(() => probeHost(deps(), 'live', 10))]
    now += 2 * MINUTE
    next.push(await probesOf(() => probeHost(deps(), 'live', 10)))
    expect(next.map((probes) => probes.length)).toEqual([1, 1])
    const killer = ['/0', '/1', '/2'].find((path) => !next.flat().some((url) => url.endsWith(path)))
    now += 2 * MINUTE
    expect(await probeHost(deps(), 'live', 10)).toBeUndefined()
    // A day later it comes after the others, alone.
    now = START + 36 * 60 * MINUTE
    const others = await probesOf(() => probeHost(deps(), 'live', 10))
    expect(others).toHaveLength(2)
    expect(others.some((url) => url.endsWith(`${killer}`))).toBe(false)
    now += 6 * 60 * MINUTE
    expect(await probesOf(() => probeHost(deps(), 'live', 10))).toEqual([
      `GET https://killer0.example.com${killer}`,
    ])
    now += 36 * 60 * MINUTE
    expect(await probesOf(() => probeHost(deps(), 'live', 10))).toHaveLength(3)
  })
})

describe('a slow host', () => {
  it('gets one probe a run, and is in the slow queue for a week', async () => {
    await hosts('slow', 1, { queue: 'live', protocol: 'mcp', endpoints: 5 })
    answer = () => {
      now += 9_900
      return Response.json({ jsonrpc: '2.0', id: 1, result: {} })
    }
    expect(await probeHost(deps(), 'live', 10)).toBe(1)
    // Two answers have used up the time of the probe.
    expect(asked).toHaveLength(2)
    expect(await queueOf('slow0.example.com')).toBe('live_slow')
    answer = () => Response.json({ jsonrpc: '2.0', id: 1, result: {} })
    now += 20 * MINUTE
    expect(await probeHost(deps(), 'live', 10)).toBeUndefined()
    // The rest of the host's agents wait for the next scheduled run.
    expect(await probeHost(deps(), 'live_slow', 10)).toBeUndefined()
    now = START + 6 * 60 * MINUTE
    expect(await probeHost(deps(), 'live_slow', 10)).toBe(4)
    expect(await queueOf('slow0.example.com')).toBe('live_slow')
    now += 8 * 24 * 60 * MINUTE
    expect(await probeHost(deps(), 'live_slow', 10)).toBe(5)
    expect(await queueOf('slow0.example.com')).toBe('live')
  })
})

describe('a live host', () => {
  it('stays in the live queue, with its own endpoints first', async () => {
    await hosts('honest', 1, { queue: 'dead', endpoints: 30 })
    await database.db
      .update(agentEndpoints)
      .set({ status: 'live', nextProbeAt: new Date(START) })
      .where(sql`${agentEndpoints.url} = 'https://honest0.example.com/29'`)
    await database.db.update(probedHosts).set({ queue: 'live' })
    answer = ({ url }) => new Response(null, { status: url.endsWith('/29') ? 200 : 404 })
    expect(await probeHost(deps(), 'live', 10)).toBe(10)
    expect(asked.filter((one) => !/robots|ard/.test(one))[0]).toBe('GET https://honest0.example.com/29')
    expect(await queueOf('honest0.example.com')).toBe('live')
    now += 11 * MINUTE
    expect(await probeHost(deps(), 'live', 10)).toBeUndefined()
    now = START + 6 * 60 * MINUTE
    asked = []
    // A lease that sees only the other endpoints leaves the host in the queue of live hosts.
    expect(await probeHost(deps(), 'live', 10)).toBe(10)
    expect(await queueOf('honest0.example.com')).toBe('live')
  })

  it('is probed once a day when its agent was not used for a week', async () => {
    await insertAgent(database.db, {
      id: crypto.randomUUID(),
      pubkey: newWallet(),
      name: 'Agent',
      agentType: 'oracle',
      supportedLayers: [1],
      feeModel: 'flat',
      feeAmount: 1n,
      registeredAt: new Date(START),
      apiEndpoint: 'https://offered.example.com/x',
      apiProtocol: 'http',
    })
    const probesOfDays: number[] = []
    for (let day = 0; day < 10; day += 1) {
      asked = []
      for (let scheduledRun = 0; scheduledRun < 4; scheduledRun += 1) {
        await runProbes(deps())
        now += 6 * 60 * MINUTE
      }
      probesOfDays.push(asked.filter((one) => one === 'GET https://offered.example.com/x').length)
    }
    expect(probesOfDays).toEqual([4, 4, 4, 4, 4, 4, 4, 1, 1, 1])
  })
})
