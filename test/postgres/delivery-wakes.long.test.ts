import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Db } from '../../lib/db/connect.ts'
import { importSecretKeys, makeSecret } from '../../lib/events/secrets/secrets.ts'
import { importWebhookKeys } from '../../lib/events/sending/signing.ts'
import { generateSecretsKey, generateWebhookKeys } from '../../lib/tools/keys/webhooks.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { useDatabase } from '../support/database.ts'
import { deliveryMonth } from '../support/delivery-month.ts'
import { drawInteger } from '../support/random.ts'
import { newWallet } from '../support/stored-agents.ts'
import { insertEndpoint } from '../support/stored-endpoints.ts'

/*
 * How often webhooks wake a sleeping database, also when an owner tries to keep it awake: the product's job
 * runs over days, without other traffic.
 */

const START = new Date('2026-11-21T00:00:00.000Z')
const HOUR = 3_600_000
const DAY = 24 * HOUR

const database = useDatabase()
const { query } = database
let db: Db
beforeAll(() => {
  db = database.db
})

const { WEBHOOK_SIGNING_KEYS } = generateWebhookKeys()
const { WEBHOOK_SECRETS_KEY } = generateSecretsKey()
const secretKeys = () => importSecretKeys(WEBHOOK_SECRETS_KEY)

/** By host; every attempt that was sent. */
let answer: (url: string) => Response
let sent: string[]
beforeEach(async () => {
  await query(
    'truncate events, deliveries, delivery_attempts, endpoints, webhook_targets, webhook_buckets, webhook_hosts',
  )
  answer = () => new Response(null, { status: 500 })
  sent = []
  vi.spyOn(console, 'log').mockImplementation(() => {})
  const realFetch = globalThis.fetch
  const mocked = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const url = String(input)
    if (!url.includes('.example.com')) return realFetch(input, init)
    sent.push(url)
    return answer(url)
  })
  return () => mocked.mockRestore()
})

const month = () =>
  deliveryMonth(
    {
      db,
      elapsed: () => 0,
      random: () => drawInteger(1_000) / 1_000,
      signingKeys: () => importWebhookKeys(WEBHOOK_SIGNING_KEYS),
      secretKeys,
      trustedHosts: new Set(),
      apiHost: 'api.agentcred.example',
    },
    START,
  )

/** Endpoints of a wallet each, or of one at one URL, proven or never tried. */
const endpoints = (count: number, { isProven, shared }: { isProven: boolean; shared?: Wallet }) =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const id = crypto.randomUUID()
      const { encrypted } = await makeSecret(await secretKeys(), id)
      const url = shared ? 'https://shared.example.com/' : `https://${id}.example.com/`
      const given = {
        id,
        wallet: shared ?? newWallet(),
        url,
        eventTypes: [],
        agentIds: [],
        secret: encrypted,
        now: START,
      }
      const { endpoint } = await insertEndpoint(db, given)
      if (!endpoint) throw new Error('the wallet has its most endpoints')
      if (isProven)
        await query(
          `insert into webhook_targets (wallet, url_hash, host, proven_at, is_healthy, last_attempt_at)
          values ($1, encode(sha256(convert_to($2, 'UTF8')), 'hex'), split_part($2, '/', 3), $3, true, $3)
          on conflict do nothing`,
          ...[endpoint.wallet, url, START],
        )
      return endpoint
    }),
  )

const putInLine = (ids: string[], each: number, at: Date) =>
  query(
    `with event as (
      insert into events (id, type, occurred_at, recorded_at, wallet, data)
      select gen_random_uuid(), 'agent.registered', $1, $1, wallet, '{}' from endpoints, generate_series(1, $3)
      where endpoints.id = any($2) returning id, wallet)
    insert into deliveries (endpoint_id, event_id, wallet, created_at, next_attempt_at)
    select endpoints.id, event.id, endpoints.wallet, $1, $1 from event
    join endpoints on endpoints.wallet = event.wallet and endpoints.id = any($2)`,
    ...[at, ids, each],
  )

describe('the database is woken', () => {
  it('at most six times a day for a dead endpoint that its owner enables repeatedly', async () => {
    const [endpoint] = await endpoints(1, { isProven: true })
    const { id = '' } = endpoint ?? {}
    await putInLine([id], 2_000, START)
    const life = month()
    await life.ask([id])
    const perDay: number[] = []
    for (let day = 0; day < 30; day++) {
      const { wakes } = life.figures
      await life.pass(DAY)
      perDay.push(life.figures.wakes - wakes)
      await query('update endpoints set disabled_at = null, disabled_reason = null where id = $1', id)
    }
    expect(Math.max(...perDay.slice(1))).toBeLessThanOrEqual(6)
    expect(life.figures.awakeMs / HOUR).toBeLessThanOrEqual(15)
    // It is tried all the time.
    expect(sent.length).toBeGreaterThan(60)
  })

  it.each([[true], [false]])(
    'no oftener for ten endpoints of a wallet at one dead URL (proven: %s)',
    async (isProven) => {
      const ids = (await endpoints(10, { isProven, shared: newWallet() })).map(({ id }) => id)
      await putInLine(ids, 20, START)
      const life = month()
      await life.ask(ids)
      await life.pass(DAY)
      const { wakes } = life.figures
      await life.pass(3 * DAY)
      expect((life.figures.wakes - wakes) / 3).toBeLessThanOrEqual(6)
    },
    240_000,
  )

  it('no more often for sixty dead endpoints of sixty wallets: they share runs', async () => {
    const dead = [...(await endpoints(30, { isProven: true })), ...(await endpoints(30, { isProven: false }))]
    const ids = dead.map(({ id }) => id)
    await putInLine(ids, 20, START)
    const life = month()
    await life.ask(ids)
    await life.pass(DAY)
    const { wakes } = life.figures
    expect(wakes).toBeLessThanOrEqual(8 + 6)
    await life.pass(3 * DAY)
    expect((life.figures.wakes - wakes) / 3).toBeLessThanOrEqual(6)
  })

  it.each([
    ['fourteen', 'unpaid', 8],
    ['twenty-two', 'paying', 16],
  ])(
    'at most %s times a day by endpoints of %s wallets that answer rarely and ask for pauses',
    async (_, kind, most) => {
      const flapping = await endpoints(30, { isProven: true })
      const ids = flapping.map(({ id }) => id)
      if (kind === 'paying')
        await query(
          'insert into standings (wallet, paid_weight) select wallet, 1 from endpoints where id = any($1)',
          ids,
        )
      let count = 0
      answer = () => {
        count += 1
        if (count % 3 === 0) return new Response(null, { status: 204 })
        return new Response(null, {
          status: 503,
          headers: { 'retry-after': String(600 + 613 * (count % 90)) },
        })
      }
      await putInLine(ids, 30, START)
      const life = month()
      await life.ask(ids)
      for (let day = 0; day < 3; day++) {
        const { wakes } = life.figures
        await life.pass(DAY)
        expect(life.figures.wakes - wakes).toBeLessThanOrEqual(most + 6)
      }
      const counted = await query(
        `select max(attempts) as most from webhook_hosts where host like 'all awaited%'`,
      )
      expect(counted).toEqual([{ most }])
      expect(sent.length).toBeGreaterThan(100)
    },
  )
})
