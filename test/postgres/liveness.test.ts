import { eq, sql } from 'drizzle-orm'
import pg from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import { admitEndpoints, deleteIdleHosts, selectNewEndpoints } from '../../lib/liveness/admission-queries.ts'
import { API_SCHEMA } from '../../schema/release.ts'
import { agentEndpoints, namedEndpoints, probedHosts } from '../../schema/tables/agent-endpoints.ts'
import { agents } from '../../schema/tables/agents.ts'
import type { ApiProtocol, HostQueue } from '../../schema/values.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { useDatabase } from '../support/database.ts'
import { type HostLease, leaseHost, recordProbes } from '../support/host-leases.ts'
import { insertAgent, newWallet, updateAgent } from '../support/stored-agents.ts'

const database = useDatabase()
afterEach(async () => {
  const { db } = database
  await db.execute(sql`delete from ${agents}`)
  await db.execute(sql`delete from ${agentEndpoints}`)
  await db.execute(sql`delete from ${probedHosts}`)
})

const NOW = new Date('2026-11-20T12:00:00Z')
const later = (ms: number) => new Date(NOW.getTime() + ms)
const MINUTE = 60_000
const HOUR = 60 * MINUTE

const name = (apiEndpoint: string, owner: Wallet = newWallet(), apiProtocol: ApiProtocol = 'http') =>
  insertAgent(database.db, {
    id: crypto.randomUUID(),
    pubkey: owner,
    name: 'Agent',
    agentType: 'oracle',
    supportedLayers: [1],
    feeModel: 'flat',
    feeAmount: 1n,
    registeredAt: NOW,
    apiEndpoint,
    apiProtocol,
  })

const change = (
  agent: { id: string; pubkey: Wallet },
  changes: { status?: 'active' | 'inactive'; apiEndpoint?: string | null },
) => {
  const { status, ...details } = changes
  return updateAgent(database.db, {
    id: agent.id,
    wallet: agent.pubkey,
    isOperator: false,
    details,
    status,
    ownerFrom: ['active', 'inactive'],
    operatorFrom: [],
    now: NOW,
  })
}

const known = () =>
  database.db
    .select({
      url: agentEndpoints.url,
      wallets: agentEndpoints.wallets,
    })
    .from(agentEndpoints)
    .orderBy(agentEndpoints.url)

const admit = async (now = NOW) => {
  const found = await selectNewEndpoints(database.db, 1_000)
  const endpoints = found.map(({ urlHash, protocol, url }) => ({
    urlHash,
    protocol,
    host: new URL(url).host,
  }))
  await admitEndpoints(database.db, endpoints, now)
}

/** Leases a new host, or else one that was probed and is not live. */
const lease = async (now = NOW): Promise<HostLease | undefined> =>
  (await leaseFrom('first', now)) ?? leaseFrom('dead', now)

const leaseFrom = (queue: HostQueue, now: Date): Promise<HostLease | undefined> =>
  leaseHost(database.db, {
    queue,
    lease: crypto.randomUUID(),
    now,
    leaseEnd: new Date(now.getTime() + 3 * MINUTE),
    limit: 10,
  })

/** Records a probe run; what it did not reach is due once the host is free, unless given another time. */
const record = (
  leased: HostLease | undefined,
  nextProbeAt: Date | null,
  times: Date | { freeAt: Date; leasedAt: Date; nextScheduledRun: Date },
) =>
  recordProbes(database.db, leased ?? { host: '', lease: crypto.randomUUID(), endpoints: [] }, {
    nextProbeAt,
    ...(times instanceof Date ? { freeAt: times } : times),
  })

/** How many sessions wait for a lock. */
const waiting = async () => {
  const { rows } = await database.db.execute(sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
  return rows.length
}

const hostOf = async (host: string) => {
  const [row] = await database.db.select().from(probedHosts).where(eq(probedHosts.host, host))
  return row
}

describe('the endpoints that are known', () => {
  it('are named by active agents, each once', async () => {
    const one = await name('https://a.example.com/x')
    const two = await name('https://a.example.com/x')
    expect(await known()).toEqual([{ url: 'https://a.example.com/x', wallets: 2 }])
    await change(one, { apiEndpoint: 'https://b.example.com/' })
    expect(await known()).toMatchObject([{ wallets: 1 }, { url: 'https://b.example.com/', wallets: 1 }])
    await change(two, { status: 'inactive' })
    expect(await known()).toMatchObject([{ url: 'https://b.example.com/' }])
    await change(two, { status: 'active' })
    await change(one, { apiEndpoint: null })
    expect(await known()).toEqual([{ url: 'https://a.example.com/x', wallets: 1 }])
  })

  it('do not include endpoints without a protocol', async () => {
    const { id } = await name('https://a.example.com/')
    await database.db.update(agents).set({ apiProtocol: null }).where(eq(agents.id, id))
    expect(await known()).toEqual([])
  })

  it('include fifty per wallet, also when named concurrently', async () => {
    const owner = newWallet()
    await Promise.all(Array.from({ length: 60 }, (_, n) => name(`https://h${n}.example.com/`, owner)))
    expect(await known()).toHaveLength(50)
  })

  it('include the same fifty of a wallet until it removes one', async () => {
    const [owner, stranger] = [newWallet(), newWallet()]
    const offered = await Promise.all(
      Array.from({ length: 52 }, (_, n) => name(`https://h${n}.example.com/`, owner)),
    )
    const watched = new Set((await known()).map(({ url }) => url))
    const [gone] = offered.filter(({ apiEndpoint }) => watched.has(apiEndpoint ?? ''))
    const [spare] = offered.filter(({ apiEndpoint }) => !watched.has(apiEndpoint ?? ''))
    if (!gone?.apiEndpoint || !spare?.apiEndpoint) throw new Error('all or none are looked at')
    // A stranger has a share of its own, for what is of the owner's and for what is not.
    await name(gone.apiEndpoint, stranger)
    await name(spare.apiEndpoint, stranger)
    expect(await known()).toHaveLength(51)
    await change(gone, { apiEndpoint: null })
    const left = await known()
    expect(left.find(({ url }) => url === gone.apiEndpoint)).toMatchObject({ wallets: 1 })
    expect(left.reduce((sum, { wallets }) => sum + wallets, 0)).toBe(52)
  })

  it('are deleted with the agents that name them', async () => {
    const { db } = database
    const owner = newWallet()
    await Promise.all(Array.from({ length: 60 }, (_, n) => name(`https://h${n}.example.com/`, owner)))
    await db.execute(sql`delete from ${agents} where ${agents.apiEndpoint} in (
      select ${agentEndpoints.url} from ${agentEndpoints} order by ${agentEndpoints.url} limit 5)`)
    expect(await known()).toHaveLength(50)
    await db.execute(sql`delete from ${agents}`)
    expect(await known()).toEqual([])
    expect(await db.select().from(namedEndpoints)).toEqual([])
  })

  it('are counted correctly when agents swap them concurrently', async () => {
    const owners = await Promise.all(
      Array.from({ length: 8 }, (_, n) => name(`https://${n % 2 ? 'a' : 'b'}.example.com/`)),
    )
    for (let round = 0; round < 5; round++)
      await Promise.all(
        owners.map((agent, n) =>
          change(agent, { apiEndpoint: `https://${(n + round) % 2 ? 'b' : 'a'}.example.com/` }),
        ),
      )
    expect(await known()).toMatchObject([{ wallets: 4 }, { wallets: 4 }])
  })
})

describe('a host’s probe run', () => {
  it('is one at a time for concurrent job runs and many agents', async () => {
    await Promise.all(Array.from({ length: 25 }, (_, n) => name(`https://a.example.com/${n}`)))
    await Promise.all([admit(), admit()])
    const leases = (await Promise.all(Array.from({ length: 10 }, () => lease()))).filter(Boolean)
    expect(leases).toHaveLength(1)
    expect(leases[0]?.endpoints).toHaveLength(10)
    expect(await lease(later(2 * MINUTE))).toBeUndefined()
  })

  it('comes again after the pause, so that an hour has a limit of probes', async () => {
    await Promise.all(Array.from({ length: 100 }, (_, n) => name(`https://a.example.com/${n}`)))
    await admit()
    let probed = 0
    for (let minute = 0; minute < 60; minute += 1) {
      const leased = await lease(later(minute * MINUTE))
      probed += leased?.endpoints.length ?? 0
      if (leased) await record(leased, later(6 * 60 * MINUTE), later((minute + 10) * MINUTE))
    }
    expect(probed).toBe(60)
  })

  it('is at the next scheduled run for the rest, and soon for new endpoints', async () => {
    await Promise.all(Array.from({ length: 30 }, (_, n) => name(`https://a.example.com/${n}`)))
    await admit()
    const times = (leasedAt: Date) => ({
      leasedAt,
      freeAt: later(20 * MINUTE),
      nextScheduledRun: later(5 * HOUR),
    })
    await record(await lease(), later(11 * HOUR), times(NOW))
    expect(await hostOf('a.example.com')).toMatchObject({ nextTurnAt: later(5 * HOUR) })
    const leased = await lease(later(5 * HOUR))
    expect(leased?.endpoints).toHaveLength(10)
    await name('https://a.example.com/new')
    await admit(later(5 * HOUR + MINUTE))
    const during = { leasedAt: later(5 * HOUR), freeAt: later(6 * HOUR), nextScheduledRun: later(11 * HOUR) }
    await record(leased, later(11 * HOUR), during)
    expect(await hostOf('a.example.com')).toMatchObject({ nextTurnAt: later(6 * HOUR) })
  })

  it('is not delayed by a host with many thousand agents', async () => {
    await database.db.execute(sql`
      insert into ${agentEndpoints} (url_hash, protocol, url, wallets, host, next_probe_at)
      select n::text, 'http', 'https://victim.example.com/' || n, 1, 'victim.example.com', '2026-01-01'
      from generate_series(1, 20000) as n`)
    await database.db.insert(probedHosts).values({ host: 'victim.example.com', freeAt: NOW, nextTurnAt: NOW })
    await name('https://honest.example.com/')
    await admit()
    const hosts = [await lease(), await lease(), await lease()].map((leased) => leased?.host)
    expect(hosts).toEqual(['victim.example.com', 'honest.example.com', undefined])
  })

  it('goes to another run after the lease, and late results are ignored', async () => {
    await name('https://a.example.com/')
    await admit()
    const killed = await lease()
    expect(await lease(later(MINUTE))).toBeUndefined()
    const next = await lease(later(4 * MINUTE))
    expect(next?.endpoints).toHaveLength(1)
    await record(killed, null, later(MINUTE))
    expect(await hostOf('a.example.com')).toMatchObject({ nextTurnAt: later(7 * MINUTE) })
    await record(next, later(60 * MINUTE), later(14 * MINUTE))
    expect(await hostOf('a.example.com')).toMatchObject({
      freeAt: later(14 * MINUTE),
      nextTurnAt: later(60 * MINUTE),
    })
  })

  it('is soon for a new endpoint, but not before the host is free', async () => {
    await name('https://a.example.com/1')
    await admit()
    await record(await lease(), later(6 * 60 * MINUTE), later(10 * MINUTE))
    await name('https://a.example.com/2')
    await admit(later(MINUTE))
    expect(await lease(later(9 * MINUTE))).toBeUndefined()
    const leased = await lease(later(10 * MINUTE))
    expect(leased?.endpoints.map(({ endpoint }) => endpoint.url)).toEqual(['https://a.example.com/2'])
    await record(leased, later(7 * 60 * MINUTE), later(20 * MINUTE))
    expect(await hostOf('a.example.com')).toMatchObject({ nextTurnAt: later(6 * 60 * MINUTE) })
  })

  it('is set for an endpoint enqueued while another probe run is recorded', async () => {
    await name('https://a.example.com/1')
    await admit()
    const leased = await lease()
    await name('https://a.example.com/2')
    const admission = new pg.Client({ connectionString: database.url })
    await admission.connect()
    try {
      await admission.query('begin')
      await admission.query("select from probed_hosts where host = 'a.example.com' for update")
      // It begins before the other endpoint is enqueued, and ends after.
      const recorded = record(leased, null, later(10 * MINUTE))
      await expect.poll(waiting).toBe(1)
      await admission.query(`
        update agent_endpoints set host = 'a.example.com', next_probe_at = '2026-11-20T12:00:00Z' where host is null`)
      await admission.query('update probed_hosts set next_turn_at = free_at')
      await admission.query('commit')
      await recorded
    } finally {
      await admission.end()
    }
    expect(await hostOf('a.example.com')).toMatchObject({ nextTurnAt: later(10 * MINUTE) })
    expect((await lease(later(10 * MINUTE)))?.endpoints.map(({ endpoint }) => endpoint.url)).toEqual([
      'https://a.example.com/2',
    ])
  })

  it('is set for an endpoint enqueued while an empty probe run is leased', async () => {
    const agent = await name('https://a.example.com/1')
    await admit()
    await change(agent, { apiEndpoint: null })
    await name('https://a.example.com/2')
    const leasing = new pg.Client({ connectionString: database.url })
    await leasing.connect()
    try {
      await leasing.query('begin')
      const values = [crypto.randomUUID(), NOW, later(3 * MINUTE)]
      await leasing.query(`select from ${API_SCHEMA}.lease_host('first', $1, $2, $3, 10)`, values)
      const admitted = admit()
      await expect.poll(waiting).toBe(1)
      await leasing.query('commit')
      await admitted
    } finally {
      await leasing.end()
    }
    expect(await hostOf('a.example.com')).toMatchObject({ nextTurnAt: later(3 * MINUTE) })
    expect((await lease(later(3 * MINUTE)))?.endpoints.map(({ endpoint }) => endpoint.url)).toEqual([
      'https://a.example.com/2',
    ])
  })

  it('ends with its endpoints: an unnamed host is deleted', async () => {
    const agent = await name('https://a.example.com/')
    await admit()
    await change(agent, { apiEndpoint: null })
    expect(await lease()).toMatchObject({ host: 'a.example.com', endpoints: [] })
    expect(await deleteIdleHosts(database.db, 10, later(60 * MINUTE))).toBe(1)
    expect(await hostOf('a.example.com')).toBeUndefined()
  })

  it('ends for given-up endpoints until they are named again', async () => {
    await name('https://a.example.com/')
    await admit()
    await record(await lease(), null, later(10 * MINUTE))
    expect(await hostOf('a.example.com')).toMatchObject({ nextTurnAt: null })
    expect(await deleteIdleHosts(database.db, 10, later(9 * MINUTE))).toBe(0)
    await deleteIdleHosts(database.db, 10, later(60 * MINUTE))
    await admit(later(60 * MINUTE))
    expect(await lease(later(60 * MINUTE))).toBeUndefined()
    await name('https://a.example.com/')
    await admit(later(60 * MINUTE))
    expect((await lease(later(60 * MINUTE)))?.endpoints).toHaveLength(1)
  })

  it('never exists for URLs that may not be probed', async () => {
    await name('https://127.0.0.1/')
    const [endpoint] = await selectNewEndpoints(database.db, 10)
    await admitEndpoints(database.db, [{ urlHash: '', protocol: 'http', ...endpoint, host: '' }], NOW)
    expect(await selectNewEndpoints(database.db, 10)).toEqual([])
    expect(await lease(later(60 * MINUTE))).toBeUndefined()
    expect(await database.db.select().from(probedHosts)).toEqual([])
  })
})
