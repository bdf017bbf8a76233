import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Db } from '../../lib/db/connect.ts'
import type { DeliverDeps } from '../../lib/events/sending/deps.ts'
import { dueDestinationOf } from '../../lib/events/sending/destinations.ts'
import { leaseBatch, leaseDeliveries } from '../../lib/events/sending/lease.ts'
import { trimBacklogs } from '../../lib/events/sending/sweep.ts'
import { API_SCHEMA } from '../../schema/release.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { type EventType, eventTypes } from '../../schema/wire/event-types/table.ts'
import { useDatabase } from '../support/database.ts'
import { tryToHire } from '../support/hires.ts'
import { deaf } from '../support/leases.ts'
import { endHire, newWallet, storeAgent } from '../support/stored-agents.ts'
import { insertEndpoint } from '../support/stored-endpoints.ts'

/*
 * The order of deliveries to a webhook endpoint: events of money go before events that cost nothing to make.
 */

const NOW = new Date('2026-11-21T12:00:00.000Z')
const later = (ms: number) => new Date(NOW.getTime() + ms)
const MINUTE = 60_000

const database = useDatabase()
const { query } = database
let db: Db
beforeAll(() => {
  db = database.db
})
beforeEach(() =>
  query('truncate deliveries, endpoints, webhook_targets, webhook_buckets, webhook_hosts, standings'),
)

const depsAt = (now: Date) =>
  ({
    ...{ db, clock: () => now, random: () => 0, signingKeys: async () => [], trustedHosts: new Set() },
    ...deaf,
  }) as unknown as DeliverDeps

async function endpointOf(wallet: Wallet, host?: string) {
  const id = crypto.randomUUID()
  const url = host ? `https://${host}/${id}` : `https://${id}.example.com/`
  await insertEndpoint(db, { id, wallet, url, eventTypes: [], agentIds: [], secret: 'x', now: NOW })
  return { id, url, wallet }
}

/** The rank of each event that an endpoint is sent, by its type. */
const ranksOf = async (endpointId: string) =>
  Object.fromEntries(
    (
      await query(
        'select type, rank from deliveries join events on events.id = event_id where endpoint_id = $1',
        endpointId,
      )
    ).map(({ type, rank }) => [type, rank]),
  )

/** Enqueues so many events of a type for an endpoint, one millisecond after the other. */
const putInLine = (
  { id, wallet }: { id: string; wallet: string },
  count: number,
  { type, rank, at }: { type: EventType; rank: number; at: Date },
) =>
  query(
    `with event as (
      insert into events (id, type, occurred_at, recorded_at, wallet, data)
      select gen_random_uuid(), $3, $5, $5, $2, '{}' from generate_series(1, $6::int) returning id)
    insert into deliveries (endpoint_id, event_id, wallet, created_at, next_attempt_at, rank)
    select $1, id, $2, $5, $5::timestamptz + row_number() over () * interval '1 ms', $4 from event`,
    ...[id, wallet, type, rank, at, count],
  )

it('counts a wallet as paying when it has paid or was paid for something that weighs', async () => {
  const isPaying = async (wallet: string) =>
    (await query(`select ${API_SCHEMA}.is_paying($1) as paying`, wallet))[0].paying
  const weighed = (wallet: string, paid: number, payers: number) =>
    query(
      'insert into standings (wallet, paid_weight, payers_weight) values ($1, $2, $3)',
      wallet,
      paid,
      payers,
    )
  await weighed('payer', 1, 0)
  await weighed('payee', 0, 1)
  await weighed('free', 0, 0)
  expect(await Promise.all(['payer', 'payee', 'free', 'unknown'].map(isPaying))).toEqual([
    ...[true, true],
    ...[false, false],
  ])
})

it('is an event of each type, at the owner’s and at the other side', async () => {
  const rankOf = async (type: EventType, recipient: string, isFree: boolean) =>
    (
      await query(
        `select ${API_SCHEMA}.delivery_rank($1, $2, 'owner', $3, 'hirer') as rank`,
        ...[type, recipient, isFree],
      )
    )[0].rank
  const ranked = await Promise.all(
    eventTypes.map(async (type) => ({ type, rank: await rankOf(type, 'owner', false) })),
  )
  expect(ranked.filter(({ rank }) => rank !== 1)).toEqual([
    ...[{ type: 'charge.collected', rank: 2 }],
    ...[{ type: 'budget.funded', rank: 2 }],
    ...[{ type: 'budget.withdrawn', rank: 2 }],
    ...['job.funded', 'job.paid', 'job.refunded', 'job.stray'].map((type) => ({ type, rank: 2 })),
    ...[{ type: 'payment.settled', rank: 2 }],
    ...[{ type: 'payment.failed', rank: 0 }],
    ...[{ type: 'request.refused', rank: 0 }],
    ...[{ type: 'credit.bought', rank: 2 }],
    ...[{ type: 'vault.position_opened', rank: 2 }],
    ...[{ type: 'vault.position_closed', rank: 2 }],
    ...[{ type: 'vault.yield_claimed', rank: 2 }],
  ])
  expect(await rankOf('payment.failed', 'payer', false)).toBe(1)
  expect(await rankOf('hire.created', 'owner', true)).toBe(0)
  expect(await rankOf('hire.created', 'hirer', true)).toBe(1)
})

describe('the events of a hire', () => {
  async function hired() {
    const [owner, hirer] = [newWallet(), newWallet()]
    const agent = await storeAgent(db, owner, NOW)
    await query('update agents set webhook_url = $2 where id = $1', agent.id, 'https://hooks.example.com/')
    const [ofOwner, ofHirer] = [await endpointOf(owner), await endpointOf(hirer)]
    const hire = async () => {
      const terms = { agentId: agent.id, autoRenew: false, termDays: 30, now: NOW }
      const { id } = await tryToHire(db, { id: crypto.randomUUID(), wallet: hirer, ...terms })
      return id ?? expect.fail('the hire was refused')
    }
    const ranks = async () => [await ranksOf(ofOwner.id), await ranksOf(agent.id), await ranksOf(ofHirer.id)]
    return { owner, hirer, hire, ranks }
  }

  it('wait at the owner’s while the hirer has never paid, and at its own do not', async () => {
    const { hirer, hire, ranks } = await hired()
    await endHire(db, { id: await hire(), wallet: hirer, now: NOW })
    const free = { 'hire.created': 0, 'hire.terminated': 0 }
    expect(await ranks()).toEqual([free, free, { 'hire.created': 1, 'hire.terminated': 1 }])
  })

  it('wait nowhere once the hirer has paid', async () => {
    const { hirer, hire, ranks } = await hired()
    await query('insert into standings (wallet, paid_weight) values ($1, 1)', hirer)
    await endHire(db, { id: await hire(), wallet: hirer, now: NOW })
    const paid = { 'hire.created': 1, 'hire.terminated': 1 }
    expect(await ranks()).toEqual([paid, paid, paid])
  })

  it('wait at the hirer’s where an owner that was never paid has ended it', async () => {
    const { owner, hirer, hire, ranks } = await hired()
    await query('insert into standings (wallet, paid_weight) values ($1, 1)', hirer)
    await endHire(db, { id: await hire(), wallet: owner, now: NOW })
    const own = { 'hire.created': 1, 'hire.terminated': 1 }
    expect(await ranks()).toEqual([own, own, { 'hire.created': 1, 'hire.terminated': 0 }])
  })
})

describe('220 free events, and then one of money,', () => {
  async function waiting(target: { provenAt?: Date; answeredAt?: Date; isHealthy?: boolean }) {
    const endpoint = await endpointOf(newWallet())
    await putInLine(endpoint, 220, { type: 'hire.created', rank: 0, at: later(-MINUTE) })
    await putInLine(endpoint, 1, { type: 'agent.registered', rank: 1, at: later(-2_000) })
    await putInLine(endpoint, 1, { type: 'charge.collected', rank: 2, at: later(-1_000) })
    const { urlHash, host } = await dueDestinationOf(endpoint)
    await query(
      `insert into webhook_targets (wallet, url_hash, host, proven_at, answered_at, is_healthy, last_attempt_at)
      values ($1, $2, $3, $4, $5, $6, $7)`,
      ...[endpoint.wallet, urlHash, host, target.provenAt, target.answeredAt, target.isHealthy === true, NOW],
    )
    return endpoint
  }
  const leaseOf = async (endpoint: { id: string; url: string }, now: Date) =>
    (await leaseDeliveries(depsAt(now), await dueDestinationOf(endpoint)))?.deliveries.map(({ type }) => type)

  it('go to an unconfirmed URL with the money first, one a minute', async () => {
    const endpoint = await waiting({ answeredAt: NOW })
    const sent = []
    for (let minute = 0; minute < 30; minute++) {
      const types = await leaseOf(endpoint, later(minute * MINUTE))
      sent.push(...(types ?? []))
      await query(
        `update deliveries set status = 'delivered', next_attempt_at = null where lease is not null`,
      )
    }
    expect(sent).toEqual(['charge.collected', 'agent.registered', ...Array(28).fill('hire.created')])
  })

  it('go to a proven URL with the money first, several at once', async () => {
    const endpoint = await waiting({ provenAt: NOW })
    const types = await leaseOf(endpoint, NOW)
    expect(types?.toSorted()).toEqual([
      ...['agent.registered', 'charge.collected'],
      ...Array(3).fill('hire.created'),
    ])
  })

  it('are leased with the money first, together with those of other endpoints', async () => {
    const endpoint = await waiting({ provenAt: NOW, isHealthy: true })
    const { batch } = await leaseBatch(depsAt(NOW), [endpoint.id])
    const types = batch.deliveries.map(({ type }) => type)
    expect(types).toEqual(expect.arrayContaining(['agent.registered', 'charge.collected']))
    expect(types.length).toBeLessThan(10)
  })

  it('are leased once each by runs at the same time', async () => {
    const endpoint = await waiting({ provenAt: NOW })
    const leased = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const run = await leaseDeliveries(depsAt(NOW), await dueDestinationOf(endpoint))
        return run?.deliveries.map(({ id }) => id) ?? []
      }),
    )
    const ids = leased.flat()
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.length).toBeGreaterThan(6)
  })
})

it('unconfirmed URLs of unpaid wallets take no tokens from an owner that was paid', async () => {
  const host = 'shared.example.com'
  const unconfirmed = async (wallet: Wallet) => {
    const endpoint = await endpointOf(wallet, host)
    await putInLine(endpoint, 1, { type: 'agent.registered', rank: 1, at: NOW })
    const { urlHash } = await dueDestinationOf(endpoint)
    await query(
      `insert into webhook_targets (wallet, url_hash, host, answered_at, last_attempt_at) values ($1, $2, $3, $4, $4)`,
      ...[wallet, urlHash, host, NOW],
    )
    return endpoint
  }
  const mayBeSent = async (endpoint: { id: string; url: string }) =>
    (await leaseDeliveries(depsAt(later(MINUTE)), await dueDestinationOf(endpoint))) !== undefined
  const strangers = Array.from({ length: 7 }, () => newWallet())
  const served = []
  for (let i = 0; i < 61; i++)
    served.push(await mayBeSent(await unconfirmed(strangers[i % 7] ?? newWallet())))
  expect(served).toEqual([...Array(60).fill(true), false])
  const paid = newWallet()
  await query('insert into standings (wallet, payers_weight, satisfied_weight) values ($1, 1, 1)', paid)
  expect(await mayBeSent(await unconfirmed(paid))).toBe(true)
  // A host that has not confirmed gets at most twice that number, from any number of paid wallets.
  await query(
    'update webhook_buckets set full_at = $2 where name = $1',
    ...[`unconfirmed paying ${host}`, later(61 * MINUTE)],
  )
  expect(await mayBeSent(await unconfirmed(paid))).toBe(false)
})

it('10,001 unpaid hires by others pause no endpoint: the newest 1,000 stay queued', async () => {
  const endpoint = await endpointOf(newWallet())
  await putInLine(endpoint, 9_001, { type: 'hire.created', rank: 0, at: later(-MINUTE) })
  await putInLine(endpoint, 1_000, { type: 'hire.created', rank: 0, at: later(-1_000) })
  await putInLine(endpoint, 9_000, { type: 'agent.registered', rank: 1, at: later(-MINUTE) })
  await query(`update delivery_walk set looked_until = '1970-01-01'`)
  expect((await trimBacklogs(depsAt(later(2 * MINUTE)))).givenUp).toBe(9_001)
  const rows = await query(
    `select rank, status, count(*)::int, min(created_at) as since from deliveries group by 1, 2 order by 1, 2`,
  )
  expect(rows.map(({ rank, status, count }) => [rank, status, count])).toEqual([
    [0, 'failed', 9_001],
    [0, 'pending', 1_000],
    [1, 'pending', 9_000],
  ])
  expect(rows[1].since).toEqual(later(-1_000))
  expect(await query('select disabled_reason from endpoints')).toEqual([{ disabled_reason: null }])
})
