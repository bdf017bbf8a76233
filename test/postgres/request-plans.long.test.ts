import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as postgres from '../../lib/db/functions.ts'
import { findCredit } from '../../lib/payments/credit/credit-queries.ts'
import { findPayable } from '../../lib/x402/facilitator/price-queries.ts'
import { paymentPage } from '../../lib/x402/payments/list-queries.ts'
import { currentPrices } from '../../lib/x402/prices/terms-queries.ts'
import { nextRouteProbe, selectDueRoutes } from '../../lib/x402/resources/due-queries.ts'
import { routesOf } from '../../lib/x402/resources/list-queries.ts'
import { sellingOf } from '../../lib/x402/selling/selling-queries.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { plannedDatabase } from '../support/plans.ts'
import { asset } from '../support/request-payments.ts'

/*
 * Plans of the functions of payments for requests, over 100,000 payments of one owner's agent: half of one
 * payer and its account, 10,000 in flight.
 */

const id = '00000000-0000-7000-8000-000000000001'
/** Before the newest payment, and in the middle of them. */
const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
const middleId = '00000000-0000-0000-0000-00000000c350'
const now = new Date('2026-06-01T00:00:00.000Z')

let database: Awaited<ReturnType<typeof plannedDatabase>>
beforeAll(async () => {
  database = await plannedDatabase()
  const statements = [
    `set session_replication_role = replica`,
    `insert into agents (id, pubkey, name, agent_type, supported_layers, fee_model, fee_amount, reputation_score, status, registered_at)
     select lpad(to_hex(n), 32, '0')::uuid, 'owner' || n, 'Agent', 'oracle', '{1}', 'flat', 5, 0, 'active', '2026-01-01' from generate_series(1, 20000) as n`,
    `insert into wallets (address, first_login_at, last_login_at) select pubkey, '2026-01-01', '2026-01-01' from agents`,
    `insert into grants (id, wallet, session_generation, kind, client, name, permissions, rotated_at, created_at, last_used_at, expires_at)
     select lpad(to_hex(n), 32, '0')::uuid, 'owner' || n, 0, 'app', 'client', 'Program', '{}', '2026-05-01', '2026-05-01', '2026-05-01', '2026-07-01'
     from generate_series(1, 20000) as n`,
    `insert into facilitator_keys select id, 1, '2026-01-01' from agents`,
    `insert into request_prices select agents.id, 'p' || n, '${asset}', n from agents, generate_series(1, 5) as n`,
    `insert into request_prices select lpad('1', 32, '0')::uuid, 'q' || n, '${asset}', n + 5, '2026-05-31T23:59Z' from generate_series(1, 200) as n`,
    `insert into credits (owner, balance, day, day_fees) select pubkey, 1000000000000, '2026-06-01', 5 from agents`,
    `insert into sponsored_days select date '2026-06-01' - n, 5 from generate_series(0, 3000) as n`,
    `insert into request_payments (id, agent_id, owner, payer, source, asset, amount, message_hash, transaction, network_signature,
       last_valid_block_height, network_fee, debit, fee, status, created_at, resolved_at, due_at, landed_slot, identifier_hash)
     select lpad(to_hex(n), 32, '0')::uuid, lpad('1', 32, '0')::uuid, 'owner1', case when n % 2 = 0 then 'payer' else 'payer' || n end,
       case when n % 2 = 0 then 'source' else 'source' || n end, '${asset}', 1, 'hash' || n, 't', 's', 5, 5, 5, 1,
       case when n > 20000 then 'settled' when n % 2 = 1 or n > 19920 then 'pending' else 'expired' end, '2026-05-01',
       case when n > 19920 and n <= 20000 or n <= 20000 and n % 2 = 1 then null else timestamptz '2026-05-02' end,
       case when n > 19920 and n <= 20000 or n <= 20000 and n % 2 = 1 then timestamptz '2026-05-03' + n * interval '1 s' end,
       case when n > 20000 then n end, 'id' || n
     from generate_series(1, 100000) as n`,
    `insert into agent_request_days select id, date '2026-05-31' - n, 5, 5 from agents, generate_series(0, 30) as n`,
    `insert into payers (kind, payee, payer, fee, fee_step) select kind, payee, 'payer' || n, 1, 1000
     from generate_series(1, 20000) as n, (values ('agent', '00000000-0000-0000-0000-000000000001'), ('owner', 'owner1')) as each (kind, payee)`,
    `insert into standings (wallet) select 'payer' || n from generate_series(1, 20000) as n`,
    `insert into request_payers select 'payer' || n, 1 from generate_series(1, 20000) as n`,
    `insert into payer_failures select 'payer' || n % 5000, lpad(to_hex(n), 32, '0')::uuid, '{2026-05-31}' from generate_series(1, 20000) as n`,
    `insert into endpoints (id, wallet, url, event_types, agent_ids, created_at, set_at, secret)
     select lpad(to_hex(n), 32, '0')::uuid, 'owner' || n, 'https://example.com/', '{}', '{}', '2026-01-01', '2026-01-01', ''
     from generate_series(1, 20000) as n`,
    `insert into request_refusals select id, reason, '2026-06-01', '2026-06-01', '2026-06-01'
     from agents, unnest('{no_credit,former_key,not_a_price,wrong_accepts}'::text[]) as reason`,
    `insert into request_resources (agent_id, price_name, state, document, paid_at, next_probe_at, changed_at)
     select id, 'GET /r' || n, case when n = 1 then 'listed' else 'rejected' end, case when n = 1 then '{}' end, '2026-05-31',
       timestamptz '2026-06-01' + n * interval '1 hour', timestamptz '2026-05-01' + n * interval '1 minute'
     from agents, generate_series(1, 3) as n`,
    `insert into agent_endpoints (url_hash, protocol, url, wallets)
     select 'hash' || n, 'http', 'https://h' || n || '.example.com/', 1 from generate_series(1, 20000) as n`,
    `insert into probed_hosts (host, free_at) select 'h' || n || '.example.com', '2026-06-01' from generate_series(1, 20000) as n`,
    `insert into credit_purchases select lpad(to_hex(n), 32, '0')::uuid, 'owner' || n % 1000, 5, '2026-01-01' from generate_series(1, 20000) as n`,
  ]
  await database.client.query(statements.join(';\n'))
  await database.client.query('vacuum analyze')
})
afterAll(() => database.close())

async function hold(mostRead: number, call: () => Promise<unknown>): Promise<void> {
  const plans = await database.plansOf(call)
  expect(plans.length).toBeGreaterThan(0)
  for (const plan of plans) {
    expect(plan.scanned).toEqual([])
    expect(plan.rowsRead).toBeLessThanOrEqual(mostRead)
  }
}

describe('a payment for a request', () => {
  const agentId = '00000000-0000-0000-0000-000000000001'
  const payment = {
    keyVersion: 1,
    agentId,
    payer: 'payer',
    source: 'source',
    asset,
    amount: 5n,
    identifierHash: 'id50000',
    networkFee: 5n,
    debit: 5n,
    balance: 1_000_000n,
    balanceSlot: 99_990n,
    feesPerDay: 1_000_000n,
    now,
  }
  const sent = {
    id,
    transaction: 't',
    networkSignature: 's',
    lastValidBlockHeight: 5n,
    lease: id,
    leasedUntil: now,
    isDeclared: true,
  }

  it.each(['new', 'hash3', 'hash50000'])(
    'of %s reads payments in flight and landed since, among any number',
    async (messageHash) => {
      for (const payer of ['payer', 'payer3', 'nobody']) {
        await hold(260, () =>
          postgres.verifyRequestPayment.call(database.db, { ...payment, payer, messageHash }),
        )
        await hold(280, () =>
          postgres.settleRequestPayment.call(database.db, { ...payment, ...sent, payer, messageHash }),
        )
      }
    },
  )

  it('is taken by job runs as many at once as they ask for', async () => {
    await hold(3 * 256, () => postgres.takeDueRequestPayments.rows(database.db, { limit: 256, now }))
  })

  it('is answered, and recorded with others, by what it is', async () => {
    const pending = ['4dd1', '3', '5', '7'].map((digits) => `${digits.padStart(32, '0')}`)
    const answer = {
      id: pending[0] ?? '',
      lease: id,
      slot: 5n,
      isPayersFault: true,
      isDeclared: true,
      feeStep: 5n,
      now,
    }
    await hold(120, () => postgres.answerRequestPayment.call(database.db, { ...answer, seen: 'failed' }))
    // It counts: for payers, standings, the agent and its day.
    await hold(140, () => postgres.answerRequestPayment.call(database.db, { ...answer, seen: 'settled' }))
    await hold(200, () =>
      postgres.recordRequestOutcomes.call(database.db, {
        ids: pending,
        outcomes: ['settled', 'failed', 'expired', 'failed'],
        slots: [5n, 0n, 0n, 0n],
        payersFaults: [false, true, false, true],
        feeStep: 5n,
        now,
      }),
    )
  })

  it('reads keys, prices and credit of its owner alone', async () => {
    const owner = 'owner1'
    await hold(20, () => postgres.makeFacilitatorKey.call(database.db, { agentId, owner, now }))
    const names = Array.from({ length: 50 }, (_, index) => `r${index}`)
    const prices = {
      names,
      assets: names.map(() => asset),
      amounts: names.map((_, index) => BigInt(index + 1)),
    }
    const later = new Date(now.getTime() + 3_600_000)
    await hold(1_500, () =>
      postgres.setRequestPrices.call(database.db, {
        ...{ agentId, owner, ...prices, now: later },
        ...{ cred: prices.assets[0] ?? '', addressHash: owner, changesPerAddress: 1_000 },
      }),
    )
    await hold(20, () => postgres.recordCredit.call(database.db, { id, owner, amount: 5n, now }))
    await hold(2, () => findCredit(database.db, owner as Wallet))
  })

  it('leaves behind what a batch of deletions finds without looking at what stays', async () => {
    const later = new Date('2026-07-01T00:00:00.000Z')
    await hold(12_000, () =>
      postgres.deleteOldRequestRows.call(database.db, { before: later, limit: 1_000, now: later }),
    )
    // Nothing is that old.
    const before = new Date('2016-01-01T00:00:00.000Z')
    await hold(50, () =>
      postgres.deleteOldRequestRows.call(database.db, { before, limit: 1_000, now: before }),
    )
  })

  it('finds the time of the next job run, among any number', async () => {
    const plans = await database.plansOf(() => postgres.nextSettlement.call(database.db, {}))
    expect(plans.flatMap(({ scanned }) => scanned)).not.toContain('request_payments')
  })

  it('has a route, which is leased, recorded, hidden, checked and found by its key', async () => {
    const names = ['GET /r1', 'GET /r2', 'GET /r3']
    const later = new Date(now.getTime() + 4 * 3_600_000)
    const leased = {
      ...{ host: 'h1.example.com', lease: id, leaseEnd: new Date(later.getTime() + 180_000), now: later },
      agentIds: names.map(() => agentId),
      priceNames: names,
      urls: names.map(() => ''),
    }
    await hold(60, () => postgres.leaseResources.rows(database.db, { ...leased, limit: 20 }))
    await hold(60, () =>
      postgres.recordResources.call(database.db, {
        ...leased,
        outcomes: ['listed', 'down', 'busy'],
        documents: names.map(() => '{}'),
        busyUntil: names.map(() => later),
        ...{ freeAt: later, nextScheduledRun: later, nextDaily: later },
      }),
    )
    const own = { agentId, owner: 'owner1', priceName: 'GET /r1', now: later }
    await hold(300, () => postgres.hideResource.call(database.db, { ...own, isHidden: true }))
    const check = { ownerHash: 'owner1', probesPerHour: 10 }
    await hold(60, () => postgres.requestResourceProbe.call(database.db, { ...own, ...check }))
    await hold(520, () => routesOf.run(database.db, { agentId, owner: 'owner1' }))
    await hold(400, () => selectDueRoutes(database.db, 200, later))
    await hold(1, () => nextRouteProbe(database.db))
  })

  it('is listed, and its price read, in one range of an index', async () => {
    const [firstId, beforeId] = ['00000000-0000-0000-0000-000000000000', lastId]
    for (const [wallet, role] of [
      ['owner1', 'owner'],
      ['payer', 'payer'],
      ['nobody', 'payer'],
    ] as const) {
      // Each has the endpoint and the name of its agent.
      await hold(153, () =>
        paymentPage.run(database.db, { wallet: wallet as Wallet, firstId, beforeId, limit: 51 }, { role }),
      )
      await hold(153, () =>
        paymentPage.run(
          database.db,
          { wallet: wallet as Wallet, firstId, beforeId: middleId, limit: 51 },
          { role },
        ),
      )
    }
    await hold(260, () => currentPrices.run(database.db, { agentId }))
    await hold(260, () => currentPrices.run(database.db, { agentId, name: 'p3' }))
    await hold(520, () => findPayable(database.db, agentId, now))
    await hold(20, () => sellingOf.run(database.db, { agentId, owner: 'owner1', fee: 5n }))
    const later = new Date(now.getTime() + 86_400_000)
    await hold(40, () =>
      postgres.recordRequestRefusal.call(database.db, { agentId, reason: 'no_credit', now: later }),
    )
  })
})
