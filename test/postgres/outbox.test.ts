import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createWallet } from '../../lib/cli/wallet.ts'
import type { Db } from '../../lib/db/connect.ts'
import * as postgres from '../../lib/db/functions.ts'
import { BUCKETS, type TokenBucket } from '../../lib/events/limits.ts'
import { selectEvents } from '../../lib/events/queries.ts'
import { replayEvent } from '../../lib/events/replay-queries.ts'
import { importSecretKeys } from '../../lib/events/secrets/secrets.ts'
import type { DeliverDeps } from '../../lib/events/sending/deps.ts'
import { dueDestinationOf } from '../../lib/events/sending/destinations.ts'
import { leaseDeliveries } from '../../lib/events/sending/lease.ts'
import { importWebhookKeys } from '../../lib/events/sending/signing.ts'
import { sweepDeliveries } from '../../lib/events/sending/sweep.ts'
import { generateSecretsKey, generateWebhookKeys } from '../../lib/tools/keys/webhooks.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { useDatabase } from '../support/database.ts'
import { tryToHire } from '../support/hires.ts'
import { deaf, leaseRules, recordRules, resultOf, walkEndpoints } from '../support/leases.ts'
import { untilWaiting } from '../support/locks.ts'
import { endHire, insertAgent, recordDueHires, updateAgent } from '../support/stored-agents.ts'

const NOW = new Date('2026-11-21T12:00:00.000Z')
const DAY_MS = 86_400_000
/** For a machine at work on other things. */
const WAIT = { timeout: 180_000 }
const later = (ms: number) => new Date(NOW.getTime() + ms)
const wallet = () => createWallet().publicKey as Wallet

const database = useDatabase()
const { query } = database
let db: Db
beforeAll(() => {
  db = database.db
})

const uuid = () => crypto.randomUUID()

const URL = 'https://hooks.example.com/'

/** An agent whose endpoint has answered 2xx before: of others only one delivery is sent at a time. */
async function createAgent(webhookUrl: string | null = URL) {
  const agent = await storeAgent(webhookUrl)
  await prove(agent.pubkey, webhookUrl ?? URL)
  return agent
}

const prove = (owner: Wallet, url: string) =>
  query(
    `insert into webhook_targets (wallet, url_hash, host, proven_at, is_healthy, last_attempt_at)
      values ($1, $2, 'hooks.example.com', $3, true, $3)`,
    owner,
    hashOf(url),
    NOW,
  )

const hashOf = (url: string) => createHash('sha256').update(url).digest('hex')

const storeAgent = (webhookUrl: string | null = URL, pubkey = wallet()) =>
  insertAgent(db, {
    id: uuid(),
    pubkey,
    name: 'Agent',
    agentType: 'autonomous',
    supportedLayers: [1],
    feeModel: 'flat',
    feeAmount: 9_007_199_254_740_993n,
    webhookUrl,
    registeredAt: NOW,
  })

const hire = (agentId: string, changes: Partial<Parameters<typeof tryToHire>[1]> = {}) =>
  tryToHire(db, {
    id: uuid(),
    wallet: wallet(),
    agentId,
    autoRenew: false,
    termDays: 1,
    now: NOW,
    ...changes,
  })

const typesOf = async (agentId: string) =>
  (await query('select type from events where agent_id = $1 order by xid, seq', agentId)).map(
    ({ type }) => type,
  )

describe('an event', () => {
  it('exists exactly if its change does, in any race', async () => {
    const agent = await createAgent()
    const hirer = wallet()
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => hire(agent.id, { wallet: hirer })))
    const hires = outcomes.flatMap((outcome) => outcome.id ?? [])
    expect(hires).toHaveLength(1)
    expect(await typesOf(agent.id)).toEqual(['agent.registered', 'hire.created'])
    const ended = { id: hires[0] ?? '', wallet: hirer, now: later(1_000) }
    await Promise.all(Array.from({ length: 20 }, () => endHire(db, ended)))
    expect(await typesOf(agent.id)).toEqual(['agent.registered', 'hire.created', 'hire.terminated'])
    expect(await query('select count(*)::integer from deliveries where endpoint_id = $1', agent.id)).toEqual([
      { count: 3 },
    ])
  })

  it('of a term’s end is recorded once by concurrent jobs and requests', async () => {
    const agent = await createAgent()
    const hirer = wallet()
    await Promise.all([
      hire(agent.id, { wallet: hirer }),
      ...Array.from({ length: 9 }, (_, i) => hire(agent.id, { autoRenew: i % 2 === 0 })),
    ])
    const now = later(3 * DAY_MS)
    await Promise.all([
      ...Array.from({ length: 6 }, () => recordDueHires(db, now, 1_000)),
      hire(agent.id, { wallet: hirer, now }),
    ])
    // A run leaves to the next what another statement is at work on.
    await recordDueHires(db, now, 1_000)
    const types = (await typesOf(agent.id)).sort()
    expect(types).toEqual([
      'agent.registered',
      ...Array<string>(11).fill('hire.created'),
      ...Array<string>(5).fill('hire.expired'),
      ...Array<string>(5).fill('hire.renewed'),
    ])
  })

  it('of a term’s end is one of at most so many that a run records', async () => {
    const agent = await createAgent()
    await Promise.all(Array.from({ length: 12 }, () => hire(agent.id)))
    const now = later(2 * DAY_MS)
    const runs = []
    for (let i = 0; i < 4; i++) runs.push((await recordDueHires(db, now, 5)).expired)
    expect(runs.every((expired) => expired <= 5)).toBe(true)
    expect((await typesOf(agent.id)).filter((type) => type === 'hire.expired')).toHaveLength(12)
  })

  it('follows a hire in order: renewed until ended, or expired before a new hire', async () => {
    const agent = await createAgent()
    const hirer = wallet()
    const first = await hire(agent.id, { wallet: hirer, autoRenew: true })
    await endHire(db, { id: first.id ?? '', wallet: hirer, now: later(2.5 * DAY_MS) })
    const second = { wallet: hirer, now: later(3 * DAY_MS) }
    await hire(agent.id, second)
    await hire(agent.id, { wallet: hirer, now: later(5 * DAY_MS) })
    await recordDueHires(db, later(7 * DAY_MS), 10)
    const rows = await query(
      'select type, occurred_at, data from events where agent_id = $1 order by xid, seq',
      agent.id,
    )
    expect(rows.map(({ type, occurred_at }) => [type, (occurred_at - NOW.getTime()) / DAY_MS])).toEqual([
      ['agent.registered', 0],
      ['hire.created', 0],
      ['hire.renewed', 1],
      ['hire.terminated', 2.5],
      ['hire.created', 3],
      ['hire.expired', 4],
      ['hire.created', 5],
      ['hire.expired', 6],
    ])
    expect(rows[2]?.data).toMatchObject({ status: 'active', expiresAt: later(3 * DAY_MS).toISOString() })
    expect(rows[2]?.data).not.toHaveProperty('endedAt')
    expect(rows[3]?.data).toMatchObject({ status: 'terminated', endedAt: later(2.5 * DAY_MS).toISOString() })
  })

  it('of a status leaves to the job what had become of hires before it', async () => {
    const agent = await createAgent()
    await hire(agent.id, { autoRenew: true })
    const change = (status: 'active' | 'inactive', now: Date) =>
      updateAgent(db, {
        id: agent.id,
        wallet: agent.pubkey,
        isOperator: false,
        details: {},
        status,
        ownerFrom: ['active', 'inactive'],
        operatorFrom: [],
        now,
      })
    await change('inactive', later(1.5 * DAY_MS))
    await change('inactive', later(1.6 * DAY_MS))
    await change('active', later(5 * DAY_MS))
    await recordDueHires(db, later(6 * DAY_MS), 1_000)
    expect(await typesOf(agent.id)).toEqual([
      'agent.registered',
      'hire.created',
      'agent.status_changed',
      'agent.status_changed',
      'hire.expired',
    ])
    const [expired] = (await selectSettled(agent.pubkey))?.slice(-1) ?? []
    expect(JSON.parse(expired?.data ?? '{}')).toMatchObject({ endedAt: later(2 * DAY_MS).toISOString() })
    expect(expired?.data).not.toContain('reason')
  })

  it('has amounts above 2^53 as they are, on their way out, too', async () => {
    const agent = await createAgent()
    const [event] = await selectSettled(agent.pubkey)
    expect(event?.data).toContain('"feeAmount":9007199254740993')
  })

  it('is delivered to the webhook that was set while its statement waited', async () => {
    const agent = await createAgent(null)
    const client = await database.pool.connect()
    try {
      await client.query('begin')
      await client.query(`update agents set webhook_url = 'https://new.example.com/' where id = $1`, [
        agent.id,
      ])
      const hired = hire(agent.id)
      await untilWaiting(database.url, 1)
      await client.query('commit')
      await hired
    } finally {
      client.release(true)
    }
    expect(await query('select status from deliveries where endpoint_id = $1', agent.id)).toEqual([
      { status: 'pending' },
    ])
  })
})

describe('an event’s id', () => {
  it('is a UUIDv7 of the given time, and another each time', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true }),
        async (time) => {
          const rows = await query('select event_id($1) as id from generate_series(1, 20)', time)
          const ids = rows.map(({ id }) => String(id))
          expect(new Set(ids).size).toBe(20)
          for (const id of ids) {
            expect(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toBe(time.getTime())
            expect(id).toMatch(/^.{14}7.{4}[89ab]/)
          }
        },
      ),
      { numRuns: 50 },
    )
  })
})

/** The wallet's log, once no transaction of a neighbouring test's holds it back. */
async function selectSettled(reader: Wallet, after?: string) {
  const [written] = await query(
    'select count(*)::integer from events where $1 in (wallet, counterparty)',
    reader,
  )
  return vi.waitFor(async () => {
    const { events } = await selectEvents(db, reader, undefined, 1_000)
    expect(events).toHaveLength(written?.count)
    return (await selectEvents(db, reader, after, 1_000)).events
  }, WAIT)
}

describe('the log', () => {
  it('ends before the first event that an older open transaction may still precede', async () => {
    const agent = await createAgent()
    await selectSettled(agent.pubkey)
    const client = await database.pool.connect()
    const insert = `insert into events (id, type, occurred_at, recorded_at, wallet, data)
      values (gen_random_uuid(), $1, $2, $2, $3, '{}')`
    try {
      await client.query('begin')
      await client.query(insert, ['hire.created', NOW, agent.pubkey])
      // A later transaction is done first, with an event that happened later.
      await database.pool.query(insert, ['hire.expired', later(1), agent.pubkey])
      const seen = await selectEvents(db, agent.pubkey, undefined, 10)
      expect(seen.events.map(({ type }) => type)).toEqual(['agent.registered'])
      await client.query('commit')
      const rest = await selectSettled(agent.pubkey, seen.events.at(-1)?.id)
      expect(rest.map(({ type }) => type)).toEqual(['hire.created', 'hire.expired'])
    } finally {
      client.release(true)
    }
  })

  it('read while it is written, page by page, misses and repeats nothing', async () => {
    const agent = await createAgent()
    const writing = Promise.all(Array.from({ length: 60 }, () => hire(agent.id)))
    let isWriting = true
    void writing.then(() => {
      isWriting = false
    })
    const read: string[] = []
    const readOn = async () => {
      const { events } = await selectEvents(db, agent.pubkey, read.at(-1), 5)
      read.push(...events.map(({ id }) => id))
      return events.length
    }
    while (isWriting) await readOn()
    await writing
    await selectSettled(agent.pubkey)
    while ((await readOn()) > 0);
    const all = await query('select id from events where wallet = $1', agent.pubkey)
    expect(all).toHaveLength(61)
    expect([...read].sort()).toEqual(all.map(({ id }) => id).sort())
    expect(new Set(read).size).toBe(61)
  })
})

describe('deliveries', () => {
  const dueIds = async (now: Date) =>
    (await walkEndpoints(db, { now, steps: 10_000, limit: 10_000 })).endpointIds
  const leaseAt = (endpointId: string, url: string) => ({ endpointIds: [endpointId], urlHash: hashOf(url) })
  const host = 'hooks.example.com'
  const leaseAs = (lease: string, agentId: string, now: Date, limit = 3, url = URL) => {
    const { limits, ...rules } = leaseRules(now)
    return postgres.leaseDeliveries.rows(db, {
      ...{ ...rules, limits: { ...limits, perEndpoint: limit } },
      ...leaseAt(agentId, url),
      ...{ host, lease },
    })
  }
  const leaseDueOf = (agentId: string, now: Date, limit = 3, url = URL) =>
    leaseAs(uuid(), agentId, now, limit, url)
  /** Counts leased deliveries, without destinations that wait for tokens. */
  const leased = (rows: { outcome: string }[][]) =>
    rows.flat().filter(({ outcome }) => outcome === 'leased').length
  /** Reports a lease of `NOW` as answered with a code, or what is given instead. */
  const report = (
    { id, pubkey }: { id: string; pubkey: Wallet },
    lease: string,
    eventId: string | undefined,
    { url = URL, ...given }: { code?: number; url?: string; [column: string]: unknown },
  ) =>
    postgres.recordAttempts.rows(db, {
      ...{ ...recordRules(NOW), lease, leasedAt: NOW },
      results: [resultOf({ id, wallet: pubkey, url }, eventId ?? '', { next_attempt_at: NOW, ...given })],
    })
  const stateOf = async (agentId: string) =>
    (
      await query(
        `select deliveries.status, attempts, last_response_code as code, webhook_disabled_at is not null as disabled
        from deliveries join agents on agents.id = endpoint_id where endpoint_id = $1`,
        agentId,
      )
    )[0]

  it('are leased by one each, until the lease ends; what was cut off counts for nobody', async () => {
    const agent = await createAgent()
    await Promise.all(Array.from({ length: 19 }, () => hire(agent.id)))
    const leases = await Promise.all(Array.from({ length: 12 }, () => leaseDueOf(agent.id, NOW)))
    const rest = await leaseDueOf(agent.id, NOW, 100)
    const ids = [...leases.flat(), ...rest].map(({ id }) => id)
    expect(ids).toHaveLength(20)
    expect(new Set(ids).size).toBe(20)
    expect(await leaseDueOf(agent.id, later(59_999), 100)).toEqual([])
    const again = await leaseDueOf(agent.id, later(60_000), 100)
    expect(again).toHaveLength(20)
    expect(new Set(again.map(({ attempts }) => attempts))).toEqual(new Set([0]))
    expect(await dueIds(later(60_000))).not.toContain(agent.id)
  })

  it('are said to be done by their lease’s holder alone', async () => {
    const agent = await createAgent()
    const lease = uuid()
    const [leased] = await leaseAs(lease, agent.id, NOW)
    await replayEvent(db, { id: leased?.id ?? '', wallet: agent.pubkey, now: NOW })
    await report(agent, lease, leased?.id, { code: 500 })
    expect(await stateOf(agent.id)).toEqual({ status: 'pending', attempts: 0, code: null, disabled: false })
    expect(await leaseDueOf(agent.id, later(6_000))).toMatchObject([{ id: leased?.id }])
  })

  it('can be replayed during an attempt, whose result is kept and counts once', async () => {
    const agent = await createAgent('https://replayed.example.com/')
    const lease = uuid()
    const [leased] = await leaseAs(lease, agent.id, NOW, 1, 'https://replayed.example.com/')
    await replayEvent(db, { id: leased?.id ?? '', wallet: agent.pubkey, now: NOW })
    const result = { code: 500, url: 'https://replayed.example.com/' }
    await Promise.all([1, 2, 3].map(() => report(agent, lease, leased?.id, result)))
    expect(
      await query('select response_code from delivery_attempts where endpoint_id = $1', agent.id),
    ).toEqual([{ response_code: 500 }])
    expect(
      await query(
        'select is_healthy, failing_since, held_until from webhook_targets where wallet = $1',
        agent.pubkey,
      ),
    ).toEqual([{ is_healthy: false, failing_since: NOW, held_until: later(6_000) }])
    await report(agent, uuid(), uuid(), { ...result, code: 410 })
    expect(await stateOf(agent.id)).toMatchObject({ disabled: true })
  })

  it('can be replayed during the request for a proof, which still proves the URL', async () => {
    const url = 'https://first.example.com/'
    const agent = await storeAgent(url)
    const lease = uuid()
    const [leased] = await leaseAs(lease, agent.id, NOW, 1, url)
    await replayEvent(db, { id: leased?.id ?? '', wallet: agent.pubkey, now: NOW })
    const rows = await report(agent, lease, leased?.id, { url, step: 'answered' })
    expect(rows).toMatchObject([{ endpointId: agent.id, toNotify: [agent.id], nextAt: NOW }])
    expect(await leaseDueOf(agent.id, later(1), 1, url)).toMatchObject([{ id: leased?.id, proof: 'proven' }])
  })

  it('show what was tried when it has been: not by a lease that nothing came of', async () => {
    const agent = await createAgent()
    const lastOf = async () =>
      (
        await query(
          'select last_attempt_at, last_response_code from deliveries where endpoint_id = $1',
          agent.id,
        )
      )[0]
    const lease = uuid()
    const [leased] = await leaseAs(lease, agent.id, NOW)
    expect(await lastOf()).toEqual({ last_attempt_at: null, last_response_code: null })
    await report(agent, lease, leased?.id, { code: 500 })
    await leaseDueOf(agent.id, later(60_000))
    expect(await lastOf()).toEqual({ last_attempt_at: NOW, last_response_code: 500 })
  })

  it('after a 410 are nobody’s, until the owner sets the webhook', async () => {
    const agent = await createAgent()
    const lease = uuid()
    const [leased] = await leaseAs(lease, agent.id, NOW)
    expect(await dueIds(later(60_000))).toContain(agent.id)
    await report(agent, lease, leased?.id, { code: 410 })
    expect(await stateOf(agent.id)).toEqual({ status: 'pending', attempts: 1, code: 410, disabled: true })
    await hire(agent.id)
    expect(await leaseDueOf(agent.id, later(DAY_MS))).toEqual([])
    expect(await dueIds(later(DAY_MS))).not.toContain(agent.id)
    await setWebhook(agent, later(DAY_MS))
    // As one that fails, it is sent one to begin with.
    expect(await leaseDueOf(agent.id, later(DAY_MS))).toHaveLength(1)
  })

  it('are not stopped by a 410 from before the owner set the webhook again', async () => {
    for (const [url, waiting] of [
      ['https://hooks.example.com/', 1],
      ['https://next.example.com/', 0],
    ] as const) {
      const agent = await createAgent()
      const lease = uuid()
      const [leased] = await leaseAs(lease, agent.id, NOW)
      await setWebhook(agent, later(1), url)
      await report(agent, lease, leased?.id, { code: 410 })
      expect(await stateOf(agent.id)).toMatchObject({ disabled: false })
      expect(await leaseDueOf(agent.id, later(300_001), 3, url)).toHaveLength(waiting)
    }
  })

  it('to a new endpoint are leased one in five minutes, for any number of agents', async () => {
    const owner = wallet()
    const url = 'https://stranger.example.com/'
    const agents = await Promise.all(Array.from({ length: 20 }, () => storeAgent(url, owner)))
    const lease = (now: Date) => Promise.all(agents.map(({ id }) => leaseDueOf(id, now, 1, url)))
    const count = async (now: Date) => leased(await lease(now))
    expect(await count(NOW)).toBe(1)
    expect(await count(later(299_999))).toBe(0)
    expect(await count(later(300_000))).toBe(1)
    expect(await dueIds(later(300_001))).not.toContain(agents[0]?.id)
  })

  it('are leased to as many new endpoints as their host has tokens, each at its time', async () => {
    await query('truncate webhook_buckets')
    const url = 'https://crowded.example.com/'
    const agents = await Promise.all(Array.from({ length: 80 }, () => storeAgent(url)))
    const count = async (now: Date) =>
      leased(
        await Promise.all(
          agents.map(({ id }) =>
            postgres.leaseDeliveries.rows(db, {
              ...leaseRules(now),
              ...leaseAt(id, url),
              ...{ host: 'crowded.example.com', lease: uuid() },
            }),
          ),
        ),
      )
    expect(await count(NOW)).toBe(30)
    expect(await count(NOW)).toBe(0)
    expect(await count(later(20_000))).toBe(10)
    expect(await count(later(100_000))).toBe(40)
  })

  /** Agents with a webhook at a host of its own each, all new. */
  const strangers = (count: number) =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const host = `${uuid()}.example.com`
        return { ...(await storeAgent(`https://${host}/`)), host }
      }),
    )
  type Buckets = Record<keyof typeof BUCKETS, TokenBucket>
  /** Of how many something is leased with these buckets. */
  const countOf = async (
    agents: Awaited<ReturnType<typeof strangers>>,
    now: Date,
    buckets: Partial<Buckets>,
  ) => {
    const rules = leaseRules(now)
    const leases = agents.map(({ id, host, webhookUrl }) =>
      postgres.leaseDeliveries.rows(db, {
        ...{ ...rules, limits: { ...rules.limits, buckets: { ...BUCKETS, ...buckets } } },
        ...leaseAt(id, webhookUrl ?? ''),
        ...{ host, lease: uuid() },
      }),
    )
    return leased(await Promise.all(leases))
  }

  it('are leased to as many new endpoints as all hosts together have tokens', async () => {
    await query('truncate webhook_buckets')
    const buckets = { strangers: { tokens: 15, everyMs: 4_000, aheadMs: 60_000 } }
    const agents = await strangers(40)
    expect(await countOf(agents, NOW, buckets)).toBe(15)
    expect(await countOf(agents, NOW, buckets)).toBe(0)
    // Fifteen have reserved tokens; the other ten were refused, and reserve theirs now.
    expect(await countOf(agents, later(60_000), buckets)).toBe(15)
    expect(await countOf(agents, later(100_000), buckets)).toBe(10)
  })

  it('take no tokens of all hosts where their own host has none', async () => {
    await query('truncate webhook_buckets')
    const url = 'https://full.example.com/'
    const crowd = await Promise.all(Array.from({ length: 40 }, () => storeAgent(url)))
    const buckets = { requests: { tokens: 5, everyMs: 1_000, aheadMs: 0 } }
    const agents = crowd.map((agent) => ({ ...agent, host: 'full.example.com' }))
    expect(await countOf(agents, NOW, buckets)).toBe(5)
    expect(await query(`select full_at from webhook_buckets where name = 'strangers'`)).toEqual([
      { full_at: later(500) },
    ])
  })

  it('lose reserved tokens that they have not used for two minutes', async () => {
    await query('truncate webhook_buckets')
    const buckets = { requests: { tokens: 1, everyMs: 60_000, aheadMs: 600_000 } }
    const crowd = await Promise.all(Array.from({ length: 6 }, () => storeAgent('https://saved.example.com/')))
    const agents = crowd.map((agent) => ({ ...agent, host: 'saved.example.com' }))
    expect(await countOf(agents, NOW, buckets)).toBe(1)
    // Their tokens were for one to five minutes later; the tokens of the last two are valid.
    expect(await countOf(agents, later(300_000), buckets)).toBe(2)
  })

  it('to a new endpoint wait as long as its requests have failed, up to five hours', async () => {
    await query('truncate webhook_buckets')
    const url = 'https://dead.example.com/'
    const agent = await storeAgent(url)
    const pauseAt = async (now: Date) => {
      const [lease] = await leaseDueOf(agent.id, now, 1, url)
      return lease?.pausedUntil
        ? lease.pausedUntil.getTime() - now.getTime()
        : expect.fail('nothing is leased')
    }
    const [m, h] = [60_000, 3_600_000]
    const pauses = [await pauseAt(NOW)]
    await query('update webhook_targets set failing_since = $2 where wallet = $1', agent.pubkey, NOW)
    for (const at of [5 * m, 10 * m, 20 * m, 40 * m, 80 * m, 9 * h]) pauses.push(await pauseAt(later(at)))
    expect(pauses.map((pause) => pause / m)).toEqual([5, 5, 10, 20, 40, 80, 320])
    // Its owner sets the URL, and need not wait so long.
    await setWebhook(agent, later(10 * h), url)
    expect(await leaseDueOf(agent.id, later(10 * h + 5 * m - 1), 1, url)).toMatchObject([{ kind: 'agent' }])
    expect(await pauseAt(later(10 * h + 5 * m))).toBe(320 * m)
  })

  it('that failed recently are enqueued last: a thousand of them delay no other', async () => {
    const [failing, lost, stranger] = [await createAgent(), await createAgent(), await storeAgent()]
    await query(
      'update webhook_targets set failing_since = $2, last_attempt_at = $2 where wallet = $1',
      failing.pubkey,
      later(20 * DAY_MS),
    )
    await query(
      'update deliveries set next_attempt_at = $2 where endpoint_id = $1',
      failing.id,
      later(-DAY_MS),
    )
    const orderOf = async (now: Date) =>
      (await dueIds(now)).filter((id) => [failing.id, lost.id, stranger.id].includes(id))
    expect(await orderOf(later(20 * DAY_MS + 599_999))).toEqual([lost.id, stranger.id, failing.id])
    expect(await orderOf(later(20 * DAY_MS + 600_000))).toEqual([failing.id, lost.id, stranger.id])
  })

  it('are not leased where the signing keys are not to be read', async () => {
    const agent = await createAgent()
    const deps = { ...deliverDeps(NOW), signingKeys: () => importWebhookKeys('whsk_nonsense') }
    await expect(leaseDeliveries(deps, await dueDestinationOf({ id: agent.id, url: URL }))).rejects.toThrow()
    expect(await leaseDueOf(agent.id, NOW)).toHaveLength(1)
  })
})

/** The owner sets the webhook, by default to what it was. */
const setWebhook = (
  agent: { id: string; pubkey: Wallet },
  now: Date,
  webhookUrl = 'https://hooks.example.com/',
) =>
  updateAgent(db, {
    id: agent.id,
    wallet: agent.pubkey,
    isOperator: false,
    details: { webhookUrl },
    ownerFrom: ['active'],
    operatorFrom: [],
    now,
  })

const { WEBHOOK_SIGNING_KEYS } = generateWebhookKeys()
const { WEBHOOK_SECRETS_KEY } = generateSecretsKey()
const deliverDeps = (now: Date): DeliverDeps => ({
  db,
  clock: () => now,
  elapsed: () => 0,
  random: () => 0,
  signingKeys: () => importWebhookKeys(WEBHOOK_SIGNING_KEYS),
  secretKeys: () => importSecretKeys(WEBHOOK_SECRETS_KEY),
  trustedHosts: new Set(),
  apiHost: 'api.agentcred.example',
  ...deaf,
  enqueue: () => Promise.reject(new Error('the queue is down')),
})

/** Returns whether a request is for a webhook on any host, and not for the database on this machine. */
const isWebhook = (input: RequestInfo | URL) => String(input).startsWith('https:')

describe('the cron without a queue', () => {
  beforeEach(() => vi.restoreAllMocks())
  afterEach(() => vi.restoreAllMocks())

  it('goes on to the others when one can not be leased', async () => {
    const agents = await Promise.all([1, 2, 3].map((n) => createAgent(`https://next-${n}.example.com/`)))
    await query(
      `update deliveries set next_attempt_at = '-infinity' where endpoint_id = any($1)`,
      agents.map(({ id }) => id),
    )
    const realFetch = globalThis.fetch
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) =>
      isWebhook(input) ? new Response(null, { status: 204 }) : realFetch(input, init),
    )
    vi.spyOn(console, 'log').mockImplementation(() => {})
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    let calls = 0
    const deps = deliverDeps(later(1))
    const signingKeys = () => (++calls === 1 ? importWebhookKeys('whsk_nonsense') : deps.signingKeys())
    await sweepDeliveries({ ...deps, signingKeys })
    const delivered = await query(
      `select endpoint_id from deliveries where status = 'delivered' and endpoint_id = any($1)`,
      agents.map(({ id }) => id),
    )
    expect(delivered).toHaveLength(2)
    const lines = logged.mock.calls.filter(([line]) => agents.some(({ id }) => String(line).includes(id)))
    expect(lines).toHaveLength(1)
  })

  it('delivers by itself', async () => {
    const agents = [await createAgent('https://a.example.com/'), await createAgent('https://b.example.com/')]
    const realFetch = globalThis.fetch
    const sent: string[] = []
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
      if (!isWebhook(input)) return realFetch(input, init)
      sent.push(String(input))
      return new Response(null, { status: 204 })
    })
    vi.spyOn(console, 'log').mockImplementation(() => {})
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const deps = deliverDeps(later(10 * DAY_MS))
    let last: Awaited<ReturnType<typeof sweepDeliveries>>
    do last = await sweepDeliveries(deps)
    while (last.endpoints > 0)
    expect(last.queue).toBe('down')
    for (const { id, webhookUrl } of agents) {
      expect(sent.filter((url) => url === webhookUrl)).toHaveLength(1)
      expect(await query('select status from deliveries where endpoint_id = $1', id)).toEqual([
        { status: 'delivered' },
      ])
    }
  })
})
