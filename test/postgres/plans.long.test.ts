import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { selectHires } from '../../lib/agents/hiring/hire-list-queries.ts'
import { selectDueEnds } from '../../lib/agents/hiring/hire-queries.ts'
import { selectHiresOfAgent } from '../../lib/agents/hiring/hirer-queries.ts'
import { dateOf, daysUntil } from '../../lib/agents/history/history.ts'
import { selectDays } from '../../lib/agents/history/history-queries.ts'
import { countAgents } from '../../lib/agents/listing/count.ts'
import { selectCounts } from '../../lib/agents/listing/count-queries.ts'
import type { AgentCursor } from '../../lib/agents/listing/cursor.ts'
import type { AgentFilter } from '../../lib/agents/listing/list-queries.ts'
import { selectNeeded } from '../../lib/agents/listing/need-queries.ts'
import { selectAgentsOf } from '../../lib/agents/listing/owner-queries.ts'
import { selectAgents } from '../../lib/agents/listing/page-queries.ts'
import { type AgentSearch, searchAgents } from '../../lib/agents/listing/search-queries.ts'
import {
  deleteEndedGrants,
  deleteUnusedGrants,
  endGrant,
  listGrants,
  redeemCode,
  refreshGrant,
} from '../../lib/auth/grants/queries.ts'
import { deleteSpentNonces, recordLogin, revokeBegun } from '../../lib/auth/queries.ts'
import { databaseAnswers } from '../../lib/db/answers.ts'
import * as postgres from '../../lib/db/functions.ts'
import { forSession } from '../../lib/db/session.ts'
import { countFacets, findIdentified, selectFound } from '../../lib/discovery/ard/queries.ts'
import {
  deleteOldAttempts,
  deleteOldDeliveries,
  deleteOldEvents,
  deleteOldHosts,
  deleteOldTargets,
} from '../../lib/events/deletion-queries.ts'
import { SQL_LIMITS } from '../../lib/events/limits.ts'
import type { DeliveryCursor } from '../../lib/events/list-queries.ts'
import { selectDeliveries } from '../../lib/events/list-queries.ts'
import { selectEvents, selectNewestEvents } from '../../lib/events/queries.ts'
import {
  clearEnded,
  countOtherwiseEncrypted,
  secretLocations,
  selectEncrypted,
} from '../../lib/events/secrets/reencrypt-queries.ts'
import { firstIdOf } from '../../lib/id-range.ts'
import { sha256Hex } from '../../lib/keys/bytes.ts'
import { admitEndpoints, deleteIdleHosts, selectNewEndpoints } from '../../lib/liveness/admission-queries.ts'
import { selectNextHosts } from '../../lib/liveness/host-queries.ts'
import { selectStatsDays } from '../../lib/marketplace/history-queries.ts'
import { selectTotals } from '../../lib/marketplace/queries.ts'
import { selectBudgets } from '../../lib/payments/budgets/budget-queries.ts'
import { selectCharges } from '../../lib/payments/charges/list-queries.ts'
import { selectDue } from '../../lib/payments/collections/due-queries.ts'
import { leaseDueIntents, paymentChecks } from '../../lib/payments/settlement/job-run-queries.ts'
import { selectTotalsOf } from '../../lib/payments/totals/totals-queries.ts'
import { pioneerByWallet } from '../../lib/pioneer/queries.ts'
import { deleteOldAddresses } from '../../lib/quotas/queries.ts'
import { type RegistryFilter, selectRegisteredAgents } from '../../lib/registry/list-queries.ts'
import { searchEntries } from '../../lib/registry/search-queries.ts'
import { selectProven } from '../../lib/reputation/attestations/proof-queries.ts'
import { selectInReview, selectPending } from '../../lib/reputation/attestations/queue-queries.ts'
import { attestationJson, selectReputationFacts } from '../../lib/reputation/queries.ts'
import {
  ratedAgent,
  ratedHire,
  ratingById,
  selectRatings,
} from '../../lib/reputation/ratings/rating-queries.ts'
import { DAY_MS } from '../../lib/time.ts'
import {
  isSuspecting,
  selectLastStack,
  selectNewPositions,
  selectUnseen,
} from '../../lib/vault/breaker/observation-queries.ts'
import { takeDue } from '../../lib/vault/settlement/due-queries.ts'
import {
  recordRechecks,
  selectDueOwners,
  selectStacksToRecheck,
  vaultChecks,
} from '../../lib/vault/settlement/job-run-queries.ts'
import { type JobFilter, selectJobs } from '../../lib/work/job-queries.ts'
import { type DeliveryState, deliveryStates, hireStatuses, MAX_SUMMED_CHARGES } from '../../schema/values.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { MAX_COUNTED_A_DAY } from '../../schema/wire/agents.ts'
import { newCode } from '../support/grants.ts'
import { tryToHire } from '../support/hires.ts'
import { leaseHost, recordProbes } from '../support/host-leases.ts'
import { leaseRules, recordRules, resultOf, walkEndpoints } from '../support/leases.ts'
import { type Plan, plannedDatabase } from '../support/plans.ts'
import { endHire, insertAgent, recordDueHires, updateAgent } from '../support/stored-agents.ts'

/*
 * Plans of the statements that the production client sends, over 100,000 agents and many of the rest. What a
 * statement reads must follow from what it answers, not from the table.
 */

const MAX_SORTED = 2_000
/** Small for ever, so that reading them whole is right. */
const SMALL_TABLES = ['totals', 'pioneer_spots', 'vault_generations', 'delivery_walk']
const LIMIT = 51

const wallet = (name: string) => name as Wallet
const now = new Date('2026-06-01T00:00:00.000Z')

let database: Awaited<ReturnType<typeof plannedDatabase>>
beforeAll(async () => {
  database = await plannedDatabase()
  await database.client.query(readFileSync(join(import.meta.dirname, '../support/many-rows.sql'), 'utf8'))
  // Of its own: it is allowed in no transaction, and several statements sent together are one.
  await database.client.query('vacuum analyze')
})
afterAll(() => database.close())

/**
 * Writes rows past triggers and foreign keys. The trigger that counts ended hires compares all rows of a
 * statement with each other: seconds for 5,000.
 */
const arrange = (statement: string) =>
  database.client.query(`begin; set local session_replication_role = replica; ${statement}; commit`)

/** Holds each statement of a call to the rules, and to how many rows it may read. */
async function hold(
  mostRead: number,
  call: () => Promise<unknown>,
  mostSorted = MAX_SORTED,
): Promise<Plan[]> {
  const plans = await database.plansOf(call)
  expect(plans.length).toBeGreaterThan(0)
  for (const plan of plans) {
    expect(plan.scanned.filter((table) => !SMALL_TABLES.includes(table))).toEqual([])
    expect(plan.rowsSorted).toBeLessThanOrEqual(mostSorted)
    expect(plan.rowsRead).toBeLessThanOrEqual(mostRead)
  }
  return plans
}

describe('GET /agents', () => {
  const list = (filter: Partial<AgentFilter>, after?: AgentCursor) =>
    selectAgents(database.db, { status: 'active', requestFee: 5n, ...filter }, after, LIMIT)

  /** Each filter alone: a common value and a rare one. `q` has its own rules. */
  const filters: Partial<AgentFilter>[] = [
    {},
    { status: 'inactive' },
    { status: 'suspended' },
    { status: 'all' },
    { agentType: 'autonomous' },
    { agentType: 'oracle' },
    { feeModel: 'percentage' },
    { feeModel: 'hybrid' },
    { minReputation: 1 },
    { minReputation: 12 },
    { agentType: 'oracle', feeModel: 'hybrid' },
    { status: 'all', agentType: 'oracle' },
    { status: 'all', agentType: 'autonomous', feeModel: 'percentage', minReputation: 5 },
    { sort: 'newest' },
    { sort: 'newest', status: 'all' },
    { priced: true },
    { priced: true, minReputation: 12, status: 'all' },
  ]
  const sorted = (['rating', 'hires', 'price'] as const).flatMap((sort) => [
    { sort },
    { sort, status: 'all' as const },
  ])
  const layers = [{}, { layer: 1 }, { layer: 2 }, { layer: 22 }]
  const cases: Partial<AgentFilter>[] = [
    ...filters.flatMap((filter) => layers.map((layer) => ({ ...filter, ...layer }))),
    ...sorted,
  ]

  it.each(cases)('%j: the page is read in order, and so is a later one', async (filter) => {
    // One page of rows at most from each of nine kinds (27 with all statuses).
    const ranges = (filter.status === 'all' ? 3 : 1) * ('agentType' in filter || 'feeModel' in filter ? 3 : 1)
    // And the endpoints of the page's agents. What each lacks to sell requests is read by a function.
    const mostRead = (ranges + 2) * LIMIT
    const [plan] = await hold(mostRead, () => list(filter))
    if (filter.priced) expect(plan?.indexes).toContain('agent_listings_priced')
    if (sorted.some(({ sort }) => sort === filter.sort))
      expect(plan?.indexes).toContain(`agents_by_${filter.sort}`)
    const page = await list(filter)
    const later = page.at(40) ?? page.at(-1) ?? { sortKey: 5, id: crypto.randomUUID() }
    await hold(mostRead, () => list(filter, later))
  })
})

describe('GET /agents/{id}/history', () => {
  it('reads a limited number of hires and charges of each status for each day', async () => {
    const bounds = daysUntil(now, 31).map((day) => firstIdOf(day * DAY_MS))
    const { rows } = await database.client.query(
      'select agent_id from hires group by agent_id order by count(*) desc limit 1',
    )
    const from = dateOf(daysUntil(now, 30)[0] ?? 0)
    // Of the days with payments for requests an index and its table both count.
    await hold(2 * 30, () => selectDays(database.db, rows[0].agent_id, { bounds, from }))
    // All of its hires are of one day.
    const everything = ['00000000-0000-0000-0000-000000000000', ...bounds]
    await hold(50 + 3 * MAX_COUNTED_A_DAY, () =>
      selectDays(database.db, rows[0].agent_id, { bounds: everything, from }),
    )
    // An agent with 20,000 charges on one hire.
    const { rows: charged } = await database.client.query(
      'select agent_id from charges group by agent_id order by count(*) desc limit 1',
    )
    await hold(2 * 30, () => selectDays(database.db, charged[0].agent_id, { bounds, from }))
    await hold(50 + 3 * MAX_COUNTED_A_DAY, () =>
      selectDays(database.db, charged[0].agent_id, { bounds: everything, from }),
    )
  })
})

describe('GET /agents?owner', () => {
  const agentsOfOwner = 200
  const filters = [
    { status: 'active' },
    { status: 'all' },
    { status: 'all', layer: 2, agentType: 'autonomous', minReputation: 1 },
    { status: 'all', q: 'agent' },
    { status: 'all', priced: true, layer: 1 },
    { status: 'all', sort: 'newest' },
    { status: 'active', q: 'zebra shopping' },
  ] as const

  it.each(filters)('%j: reads no agents but the wallet’s', async (filter) => {
    const list = (after?: AgentCursor) =>
      selectAgentsOf(database.db, { ...filter, owner: wallet('owner1') }, after, LIMIT)
    // Each agent, with `q` its text; then the page and its endpoints. Of an index and its table both count.
    const mostRead = 2 * (agentsOfOwner + 2 * LIMIT) + ('q' in filter ? agentsOfOwner : 0)
    await hold(mostRead, () => list())
    await hold(mostRead, () => list({ sortKey: 2.5, id: crypto.randomUUID() }))
  })
})

describe('GET /agents?q', () => {
  const few = 1_000
  const later = { sortKey: 2.5, id: crypto.randomUUID() }
  const find = (filter: Partial<AgentSearch>, after?: AgentCursor) =>
    searchAgents(database.db, { status: 'active', ...filter }, after, LIMIT)

  /** All agents have them, one in ten, few, one, none; words, their beginnings, several, and none at all. */
  const texts = [
    'agent',
    'a',
    'yield',
    'y 1',
    'zebra',
    'Zebra 5',
    'shopping',
    's',
    '17',
    'autonomous 17',
    'nobody',
    '東京都庁',
    '庁',
    '%',
    '🦓',
  ]
  const filters: Partial<AgentFilter>[] = [
    {},
    { layer: 22 },
    { status: 'all', layer: 2 },
    { agentType: 'oracle' },
    { status: 'all', feeModel: 'hybrid', minReputation: 1 },
    { sort: 'newest' },
    { sort: 'newest', status: 'all', layer: 2, feeModel: 'hybrid', minReputation: 1 },
    { sort: 'rating' },
    { sort: 'hires', layer: 1, agentType: 'oracle' },
    { sort: 'price', status: 'all', layer: 22, minReputation: 1 },
  ]

  it.each(texts.flatMap((q) => filters.map((filter) => ({ q, ...filter }))))(
    '%j: reads at most 2,000 candidates, and their words',
    async (filter) => {
      // Of a row without spaces each pair of characters.
      const words = filter.q.split(/ |(?<=\p{sc=Han})(?=\p{sc=Han})/u).length
      // Names and each word's keys; then the candidates: their listing or row, and their text; then the page.
      const mostRead = (1 + words) * (few + 1) + 2 * 2 * (few + 1) + LIMIT
      for (const after of [undefined, later]) {
        const [plan] = await hold(mostRead, () => find(filter, after))
        // Listings are ranges of an index (by age its rows are in the table, one page each at worst); texts
        // are read only where the Bloom filter fits. By rating, hires and price each agent's text is read.
        const mostPages = { reputation: 700, newest: 2_000, rating: 7_000, hires: 7_000, price: 7_000 }
        expect(plan?.pages).toBeLessThanOrEqual(mostPages[filter.sort ?? 'reputation'])
      }
    },
  )

  it.each<Partial<AgentFilter>>([
    { agentType: 'oracle' },
    { minReputation: 12 },
    { status: 'all', layer: 22, feeModel: 'hybrid', minReputation: 1 },
  ])('%j, newest first: reads at most 2,000 agents', async (filter) => {
    const mostRead = 2 * 2 * (few + 1) + 2 * LIMIT
    for (const after of [undefined, later])
      await hold(mostRead, () => find({ ...filter, sort: 'newest' }, after))
  })

  it.each<Partial<AgentSearch> & { upTo?: number }>([
    { upTo: 10 },
    { upTo: 50_000, layer: 22 },
    { upTo: 50_000, status: 'all', agentType: 'oracle', minReputation: 1 },
    { upTo: 10, sort: 'newest' },
    { upTo: 10, q: 'agent' },
    { priced: true, agentType: 'oracle' },
    { priced: true, sort: 'newest', feeModel: 'hybrid' },
    { priced: true, q: 'agent', layer: 2 },
    { priced: true, q: 'zebra' },
    { priced: true, endpoint: 'live' },
  ])('%j: reads the listings and the rows of at most 2,000 agents', async ({ upTo, ...rest }) => {
    const filter = { ...rest, maxRequestPrice: upTo === undefined ? undefined : BigInt(upTo) }
    // Names and the word's keys; then the candidates: their listing, row, text and endpoint.
    const mostRead = 2 * (few + 1) + 4 * 2 * (few + 1) + LIMIT
    for (const after of [undefined, later]) {
      const [plan] = await hold(mostRead, () => find(filter, after))
      // Not of agents without prices.
      if (filter.sort !== 'newest') expect(plan?.indexes).toContain('agent_listings_priced')
    }
  })

  it.each(
    (['live', 'down', 'unknown'] as const).flatMap((endpoint) =>
      [{}, { q: 'agent' }, ...filters].map((filter) => ({ endpoint, ...filter })),
    ),
  )('%j: reads the endpoints of at most 2,000 agents', async (filter) => {
    // Names and the word's keys; then the candidates: their listing, row, text and endpoint.
    const mostRead = 2 * (few + 1) + 4 * 2 * (few + 1) + LIMIT
    for (const after of [undefined, later]) await hold(mostRead, () => find(filter, after))
  })

  const inOrder = {
    reputation: 'reputation_score desc,',
    newest: '',
    // The weighted rating with three stars of one payer more.
    rating: '(rating_sum + 3e9) / (rated_weight + 1e9) desc,',
    hires: 'total_hires desc,',
    price: "fee_model = 'percentage', fee_amount,",
  }

  it('returns on all pages together what a full scan finds, also for rare matches', async () => {
    for (const [filter, isOne] of [
      [{ q: 'zebra', layer: 22 }, "name like 'Zebra %' and 22 = any (supported_layers)"],
      [{ q: 'agent', agentType: 'oracle' }, "name like 'Agent %' and agent_type = 'oracle'"],
      [
        { sort: 'newest', agentType: 'oracle', minReputation: 1 },
        "agent_type = 'oracle' and reputation_score >= 1",
      ],
      [{ maxRequestPrice: 30n }, 'lowest_request_price <= 30'],
      [{ priced: true, agentType: 'oracle' }, "request_prices > 0 and agent_type = 'oracle'"],
      [{ priced: true, q: 'zebra', sort: 'newest' }, "request_prices > 0 and name like 'Zebra %'"],
      [
        { sort: 'rating', layer: 2, minReputation: 12 },
        '2 = any (supported_layers) and reputation_score >= 12',
      ],
      [{ sort: 'price', layer: 22 }, '22 = any (supported_layers)'],
      [{ sort: 'hires', q: 'agent', agentType: 'oracle' }, "name like 'Agent %' and agent_type = 'oracle'"],
    ] as const) {
      const found: string[] = []
      let after: AgentCursor | undefined
      do {
        const page = await find(filter, after)
        found.push(...page.agents.map(({ id }) => id))
        const last = page.agents.length === LIMIT ? page.agents.at(-1) : undefined
        after = last ?? page.reached
      } while (after)
      const { rows } = await database.client.query(
        `select id from agents where ${isOne} and status = 'active' order by ${inOrder['sort' in filter ? filter.sort : 'reputation']} id desc`,
      )
      expect(found).toEqual(rows.map(({ id }) => id))
    }
  })
})

describe('GET /registry/agents', () => {
  const list = (filter: RegistryFilter, after?: { registeredAt: Date; pubkey: Wallet }) =>
    selectRegisteredAgents(database.db, filter, after, LIMIT)
  const types = [{}, { agentType: 'data' }, { agentType: 'business' }] as const
  const capabilities = [
    {},
    { capability: 'compute' },
    { capability: 'energy' },
    { capability: 'gaming' },
  ] as const
  const layers = [{}, { layer: 6 }, { layer: 8 }, { layer: 23 }, { layer: 17 }]
  const cases = types.flatMap((type) =>
    capabilities.flatMap((capability) => layers.map((layer) => ({ ...type, ...capability, ...layer }))),
  )

  it.each(cases)('%j: the page is read in order, and so is a later one', async (filter) => {
    const mostRead = ('agentType' in filter ? 3 : 8) * LIMIT
    await hold(mostRead, () => list(filter))
    const page = await list(filter)
    const later = page.at(40) ?? page.at(-1) ?? { registeredAt: now, pubkey: wallet('key') }
    await hold(mostRead, () => list(filter, later))
  })
})

describe('GET /registry/agents?q', () => {
  const filters: RegistryFilter[] = [{}, { agentType: 'business' }, { capability: 'gaming' }, { layer: 8 }]
  const texts = ['entry', 'e', 'entry 77', 'gaming', 'business 8', 'nobody', '%']

  it.each(texts.flatMap((q) => filters.map((filter) => ({ q, ...filter }))))(
    '%j: reads at most 2,000 candidates, and their words',
    async (filter) => {
      const find = (after?: { registeredAt: Date; pubkey: Wallet }) =>
        searchEntries(database.db, filter, after, LIMIT)
      // Each word's keys; then the candidates: their listing or row, and their text; then the page.
      const mostRead = filter.q.split(' ').length * 1_001 + 2 * 2_002 + LIMIT
      await hold(mostRead, find)
      await hold(mostRead, () => find({ registeredAt: now, pubkey: wallet('key') }))
    },
  )

  it.each(['entry', 'e'])('%s, which all have: reads no more texts than the page takes', async (q) => {
    // Later entries have no text.
    const after = { registeredAt: new Date('2026-01-01T11:00:00Z'), pubkey: wallet('key') }
    for (const filter of [{}, { agentType: 'data' }, { layer: 6 }] as const) {
      const [plan] = await hold(1_001 + 2_000 + 3 * LIMIT, () =>
        searchEntries(database.db, { ...filter, q }, after, LIMIT),
      )
      expect(plan?.pages).toBeLessThanOrEqual(700)
    }
  })

  it('or by endpoints alone: walks at most 2,000 entries, and reads their endpoints', async () => {
    for (const seen of [{ endpoint: 'live' }, { endpoint: 'down', card: 'verified' }] as const)
      for (const filter of filters)
        await hold(5 * 2_002 + LIMIT, () =>
          searchEntries(database.db, { ...filter, ...seen }, undefined, LIMIT),
        )
  })
})

describe('GET /agents/counts', () => {
  it.each<AgentSearch>([
    { status: 'active' },
    { status: 'inactive', minReputation: 12 },
    { status: 'active', priced: true },
  ])('%j: reads a thousand listings of each layer', async (search) => {
    await hold(23 * 1_000 + 23, () => selectCounts(database.db, search))
  })

  it.each<AgentSearch>([
    { status: 'all' },
    { status: 'active', q: 'agent' },
    { status: 'active', q: 'zebra shopping' },
    { status: 'active', agentType: 'oracle' },
    { status: 'all', feeModel: 'flat', endpoint: 'live' },
    { status: 'active', priced: true, card: 'none' },
  ])('%j: reads what a page of a thousand agents does', async (search) => {
    // Names and each word's keys; then the candidates: listing, row, text and endpoint; the same by need.
    await hold(3 * 1_001 + 5 * 2 * 1_001 + 500 + 6 * 1_000, () => selectCounts(database.db, search))
  })

  it('counts all agents of a small layer, and says when it has not counted all of a text', async () => {
    const whole = await countAgents(database, { status: 'active' })
    const { rows } = await database.client.query(
      "select count(*)::integer as count from agents where status = 'active' and 22 = any (supported_layers)",
    )
    expect(whole).toMatchObject({ count: 1_000, complete: true })
    expect(whole.layers.find(({ layer }) => layer === 22)).toEqual({ layer: 22, count: rows[0].count })
    expect(await countAgents(database, { status: 'active', q: 'agent' })).toMatchObject({
      ...{ count: 1_000, complete: false },
    })
  })
})

describe('a search by need', () => {
  it.each(['summaries for an agent', 'zebra', 'autonomous zebras', 'the', '東京都庁の案内', 'nobody'])(
    '%s: GET /agents?q reads at most 1,000 candidates',
    async (q) => {
      const after = { isClose: true, keys: [50, 2.5] as [number, number], id: crypto.randomUUID() }
      // Keys of each word; then the candidates: their listing, row, text and endpoint.
      for (const filter of [{}, { layer: 1 }, { sort: 'price' }, { endpoint: 'live' }] as const)
        for (const position of [undefined, after])
          await hold(500 + 8 + 6 * 1_000 + LIMIT, () =>
            selectNeeded(
              database.db,
              { status: 'active', q, match: 'all or else some', ...filter },
              position,
              LIMIT,
            ),
          )
    },
  )

  // A word that all have, one that few have, none; several; a beginning, which finds nothing here.
  const texts = [
    'agent',
    'zebra',
    'nobody',
    'zebra agents for gaming or shopping',
    'autonomous',
    'zeb',
    'the',
    '東京都庁の案内',
    '🦓',
  ]
  // Keys of each word, and as many candidates: their row, listing and text.
  const mostRead = 2 * (500 + 8) + 3 * 2_000

  it.each(texts)('%s: reads at most 2,000 candidates', async (text) => {
    const after = { score: 50, reputation: 2.5, kind: 'agent', key: 'f' } as const
    await hold(mostRead, () => selectFound(database.db, { text }, undefined, LIMIT))
    await hold(mostRead, () => selectFound(database.db, { text, tags: ['oracle'] }, after, LIMIT))
    // Each candidate has a value of five fields, some have several capabilities.
    await hold(mostRead, () => countFacets(database.db, { text }), 12_000)
  })

  it('counts without a text from as many', async () => {
    await hold(mostRead, () => countFacets(database.db, {}), 12_000)
    await hold(mostRead, () => countFacets(database.db, { feeModels: ['hybrid'] }), 12_000)
  })
})

describe('a wallet with much history', () => {
  const owner = wallet('owner1')
  const hirer = wallet('hirer')

  it('reads its reputation from its totals, 200 attestations and its active agents', async () => {
    await hold(1_500, () => selectReputationFacts(database.db, hirer, 1n))
    await hold(1_500, () => selectReputationFacts(database.db, owner, 1n))
  })

  it('reads a page of 20,000 ratings, each with what was paid', async () => {
    const agentId = '00000000-0000-0000-0000-000000000001'
    const page = await selectRatings(database.db, agentId, { limit: LIMIT })
    expect(page).toHaveLength(LIMIT)
    const beforeId = page.at(-1)?.id
    await hold(2 * LIMIT, () => selectRatings(database.db, agentId, { limit: LIMIT }))
    await hold(2 * LIMIT, () => selectRatings(database.db, agentId, { beforeId, limit: LIMIT }))
  })

  it('reads a page of 10,000 hires, and of each what is spent in its period', async () => {
    await hold(3 * LIMIT, () => selectHires(database.db, hirer, { now, limit: LIMIT }))
    const [, , last] = await selectHires(database.db, hirer, { now, limit: 3 })
    const beforeId = last?.hire.id
    await hold(3 * LIMIT, () => selectHires(database.db, hirer, { beforeId, now, limit: LIMIT }))
  })

  it.each(hireStatuses)('reads a page of 10,000 hires by their status: %s', async (status) => {
    // Each hire of the page by its id, its agent and its period. Hires that expired after the last job run
    // are recorded as active: each of 3,500 active hires is read in an index and in the table.
    const mostRead = 5 * LIMIT + (status === 'expired' ? 2 * 3_500 : 0)
    await hold(mostRead, () => selectHires(database.db, hirer, { status, now, limit: LIMIT }))
    const [, , last] = await selectHires(database.db, hirer, { status, now, limit: 3 })
    const beforeId = last?.hire.id
    await hold(mostRead, () => selectHires(database.db, hirer, { status, beforeId, now, limit: LIMIT }))
  })

  it('reads a page of its events, of both sides', async () => {
    await hold(2 * LIMIT, () => selectEvents(database.db, hirer, undefined, LIMIT))
    const { events } = await selectEvents(database.db, hirer, undefined, LIMIT)
    await hold(2 * LIMIT + 1, () => selectEvents(database.db, hirer, events.at(-1)?.id, LIMIT))
    // If the event was deleted, reads the oldest remaining event of each side.
    const gone = crypto.randomUUID()
    await hold(10, () => selectEvents(database.db, hirer, gone, LIMIT))
    expect((await selectEvents(database.db, hirer, gone, LIMIT)).lost?.oldest).toBe(events[0]?.id)
    // Of an index and its table both count.
    await hold(2 * LIMIT, () => selectEvents(database.db, owner, undefined, LIMIT))
    await hold(2 * LIMIT, () => selectNewestEvents(database.db, hirer, LIMIT))
    await hold(2 * LIMIT, () => selectNewestEvents(database.db, owner, LIMIT))
  })
})

it('GET /events/deliveries finds the few deliveries of a status among 20,000', async () => {
  const { db, client } = database
  const id = (n: number) => `${n}`.padStart(32, '0')
  await arrange(`insert into deliveries (endpoint_id, event_id, wallet, status, created_at, next_attempt_at)
    select '${id(0)}', lpad(to_hex(n), 32, '0')::uuid, 'busy',
      case when n > 5 then 'delivered' when n > 2 then 'failed' else 'pending' end, '2026-05-01', case when n < 3 then timestamptz '2027-01-01' end
    from generate_series(1, 20000) as n`)
  await client.query('vacuum analyze deliveries')
  const page = { limit: LIMIT }
  for (const status of deliveryStates) {
    // Each with its event, and whether its endpoint is live.
    await hold(5 * LIMIT, () => selectDeliveries(db, wallet('busy'), { status }, page))
  }
  const counts = await Promise.all(
    deliveryStates.map(
      async (status) => (await selectDeliveries(db, wallet('busy'), { status }, page)).deliveries.length,
    ),
  )
  expect(counts).toEqual([0, LIMIT, 3, 2])
  await client.query(`delete from deliveries where wallet = 'busy'`)
})

it('GET /events/deliveries reads a bounded number of rows for a status without rows', async () => {
  const { db, client } = database
  const [held, live] = ['00000000-0000-0000-0000-0000000000f1', '00000000-0000-0000-0000-0000000000f2']
  await client.query(
    `insert into endpoints (id, wallet, url, event_types, agent_ids, created_at, set_at, secret, disabled_at, disabled_reason)
      select id, 'owes', 'https://example.com/owes', '{}', '{}', '2026-01-01', '2026-01-01', '',
        case id when $1 then timestamptz '2026-01-01' end, case id when $1 then 'paused' end from unnest(array[$1, $2]::uuid[]) as id`,
    [held, live],
  )
  await arrange(`insert into deliveries (endpoint_id, event_id, wallet, status, created_at, next_attempt_at)
    select (case when n <= 10000 then '${held}' else '${live}' end)::uuid, lpad(to_hex(n), 32, '0')::uuid, 'owes', 'pending',
      '2026-05-01', '2026-05-01' from generate_series(1, 20000) as n`)
  await client.query('vacuum analyze deliveries')
  const page = { limit: LIMIT }
  const list = (status: DeliveryState | undefined, endpointId?: string, after?: DeliveryCursor) =>
    selectDeliveries(db, wallet('owes'), { status, endpointId }, { ...page, after })
  // The newest 10,000 are of the live endpoint: 2,000 are looked at, each with whether its endpoint is live.
  for (const status of [...deliveryStates, undefined]) await hold(3 * 2_000, () => list(status))
  const none = await list('held')
  expect([none.deliveries.length, none.reached !== undefined]).toEqual([0, true])
  let found = 0
  for (let end = none.reached; end !== undefined && found === 0; ) {
    const next = await list('held', undefined, end)
    found = next.deliveries.length
    end = next.reached
  }
  expect(found).toBe(LIMIT)
  for (const endpointId of [held, live, '00000000-0000-0000-0000-00000000000b'])
    for (const status of [...deliveryStates, undefined]) await hold(5 * LIMIT, () => list(status, endpointId))
  expect((await list('held', held)).deliveries).toHaveLength(LIMIT)
  expect((await list('pending', held)).deliveries).toEqual([])
  // Somebody else's.
  expect((await selectDeliveries(db, wallet('busy'), { endpointId: held }, page)).deliveries).toEqual([])
  await hold(10, () => selectDeliveries(db, wallet('busy'), { status: 'failed', endpointId: held }, page))
  const limits = { ...SQL_LIMITS, maxWaiting: 9_990, givenUpAtOnce: 10 }
  await hold(100_010, () => postgres.trimBacklogs.call(db, { limits, now }))
  await client.query(`delete from deliveries where wallet = 'owes'`)
})

it('GET /marketplace/stats reads the totals', () => hold(20, () => selectTotals(database.db)))

it('GET /marketplace/stats/history reads the days that it answers, of fifty years', async () => {
  await database.client.query(`INSERT INTO stats_days SELECT day, day, 1, 1, 1, 1
    FROM generate_series(timestamptz '2027-01-01', timestamptz '2077-01-01', interval '1 day') AS day`)
  await database.client.query('ANALYZE stats_days')
  await hold(32, () => selectStatsDays(database.db, '2076-12-01'))
})

describe('GET /payments/charges', () => {
  const hireId = '00000000-0000-0000-0000-00000000000b'
  const sides = [
    { role: 'owner', of: 'owner11' },
    { role: 'owner', of: 'owner11', hireId },
    { role: 'owner', of: 'owner11', agentId: hireId },
    { role: 'hirer', of: 'hirer' },
    { role: 'hirer', of: 'hirer', hireId },
  ] as const
  const statuses = [{}, { status: 'recorded' }, { status: 'voided' }, { status: 'collected' }] as const
  const cases = sides.flatMap((side) => statuses.map((status) => ({ ...side, ...status })))

  it.each(cases)(
    '%j: of 20,000 a page is read in order, and so is a later one',
    async ({ of, ...filter }) => {
      // Of each of three statuses a page; then their charges, hires and agents.
      const mostRead = (('status' in filter ? 1 : 3) + 3) * LIMIT + 5
      const list = (beforeId?: string) =>
        selectCharges(database.db, filter, { wallet: wallet(of), now, beforeId, limit: LIMIT })
      await hold(mostRead, () => list())
      const page = await list()
      expect(page.length).toBeGreaterThan(9)
      await hold(mostRead, () => list(page[5]?.id))
    },
  )

  it.each(['owner', 'hirer'] as const)('to a stranger as %s a hire has none, at once', async (role) => {
    const page = { wallet: wallet('nobody'), now, limit: LIMIT }
    await hold(5, () => selectCharges(database.db, { role, hireId }, page))
    expect(await selectCharges(database.db, { role, hireId }, page)).toEqual([])
  })
})

describe('GET /payments/totals', () => {
  const side = (name: string, role: 'owner' | 'hirer') =>
    selectTotalsOf(database.db, {
      ...{ wallet: wallet(name), role, now },
      ...{ firstMonth: '2025-07-01', thisMonth: '2026-06-01' },
    })

  it('reads the months of the wallet, and at most 5,001 of its 13,000 unpaid charges', async () => {
    const [kinds, months, agents, [unpaid]] = await side('hirer', 'hirer')
    expect(kinds).toEqual([{ kind: 'charge', coin: '', payments: 10_000, amount: 25_000n, fee: 5_000n }])
    expect([months.length, agents.length]).toEqual([12, 100])
    expect(unpaid).toMatchObject({ hasMore: true, unpaidCharges: MAX_SUMMED_CHARGES + 1 })
    // All months twice and a year of them, of an index and its table; the agents' names.
    const months12 = 2 * (5_000 + 5_000 + 1_200) + 2 * 100
    await hold(months12 + 2 * MAX_SUMMED_CHARGES + 100, () => side('hirer', 'hirer'), 5_001)
    await hold(2 * MAX_SUMMED_CHARGES + 100, () => side('owner11', 'owner'), 5_001)
    await hold(10, () => side('nobody', 'owner'))
  })
})

describe('the money of jobs', () => {
  const WITH_DUE = 60
  const list = (role: 'hirer' | 'agent', filter: JobFilter) =>
    selectJobs(database.db, { ...filter, wallet: wallet(`job ${role}`), role, limit: LIMIT })

  it('is found by what is due, among any number of jobs that have ended', async () => {
    // The last ones are split, and neither side has its part yet.
    await arrange(`insert into jobs (id, agent_id, owner, hirer, reference, title, brief, price, fee_bps, judge,
        accept_minutes, work_minutes, review_minutes, terms_hash, salt, status, counted_at, created_at, accepted_at,
        key_version, funded_at, delivered_at, delivery_hash, ended_at, end_reason, agent_amount, hirer_amount,
        escrow, escrow_seed, paid_at, fee, refunded_at, escrow_closed_at)
      select md5('job' || n)::uuid, '${'0'.repeat(30)}0f', 'job agent', 'job hirer', 'job' || n, 't', 'b', 101, 100, 'none',
        60, 60, 60, 'hash', 'salt', 'completed', time, time, time, 1, time, time, 'hash', time, 'agreed', 51, 50,
        'escrow', 'seed', case when n > ${WITH_DUE} then time end, case when n > ${WITH_DUE} then 1 end,
        case when n > ${WITH_DUE} then time end, case when n > ${WITH_DUE} then time end
      from generate_series(1, 20000) as n, lateral (select timestamptz '2026-05-01') as of (time)`)
    await database.client.query('vacuum analyze jobs')
    for (const role of ['hirer', 'agent'] as const) {
      expect(await list(role, { due: true })).toHaveLength(LIMIT)
      // Each in the index and its table, and the rows of the page with their agents and no strays.
      await hold(2 * LIMIT + 4 * LIMIT, () => list(role, { due: true }))
      await hold(12 * LIMIT, () => list(role, { status: 'completed', since: new Date('2026-01-01') }))
    }
    const totals = { now, firstMonth: '2025-07-01', thisMonth: '2026-06-01' }
    const sides = [
      { wallet: wallet('job agent'), role: 'owner' },
      { wallet: wallet('job hirer'), role: 'hirer' },
    ] as const
    for (const side of sides) {
      const [, , , , [ofJobs]] = await selectTotalsOf(database.db, { ...side, ...totals })
      expect(ofJobs).toMatchObject({
        jobsHeld: 0n,
        ...(side.role === 'owner'
          ? { jobsDue: 51n * BigInt(WITH_DUE), jobsDueFee: BigInt(WITH_DUE) }
          : { jobsDue: 50n * BigInt(WITH_DUE) }),
      })
      await hold(3 * WITH_DUE, () => selectTotalsOf(database.db, { ...side, ...totals }))
    }
  })
})

describe('budget accounts', () => {
  const owner = wallet('owner21')

  it('are found by due charges, among any number of accounts without charges', async () => {
    const due = { owner, now, accounts: 24, undiscovered: 48, charges: 100 }
    const { due: accounts } = await selectDue(database.db, due)
    expect(accounts.length).toBeGreaterThan(10)
    // Of 30 charges and their accounts, hires and agents both an index and its table; those due again.
    await hold(30 * 10, () => selectDue(database.db, due))
    const [{ hireId } = { hireId: undefined }] = accounts
    await hold(30 * 2 + 20, () => selectDue(database.db, { ...due, hireId }))
  })

  it.each(['owner', 'hirer'] as const)('of an %s are read in order, each with what is due', async (role) => {
    const of = { owner, hirer: wallet('hirer') }
    const page = { role, wallet: of[role], now, limit: LIMIT }
    const budgets = await selectBudgets(database.db, page)
    expect(budgets).toHaveLength(LIMIT)
    // Hire 11 has what its owner has charged for 20,000 times.
    const after = '00000000-0000-0000-0000-00000000000b'
    await hold(8 * LIMIT, () => selectBudgets(database.db, { ...page, after }))
    const due = await selectBudgets(database.db, { ...page, due: true })
    expect(due.length).toBeGreaterThan(0)
    const hireId = budgets.find(({ hireId }) => hireId > after)?.hireId
    await hold(40, () => selectBudgets(database.db, { ...page, hireId }))
    const stranger = { ...page, wallet: wallet('nobody') }
    await hold(5, () => selectBudgets(database.db, { ...stranger, due: true }))
    await hold(40, () => selectBudgets(database.db, { ...stranger, hireId }))
  })
})

describe('GET /agents/{id}/hires', () => {
  it.each([undefined, ...hireStatuses])('of 10,000 hires a page is read in order: %s', async (status) => {
    const agent = { id: '00000000-0000-0000-0000-000000000001', owner: wallet('owner1') }
    const page = { status, limit: LIMIT, now }
    // Each hire that is read in the range of its status, with its agent; the due ones; then hires, periods.
    await hold(6 * LIMIT + 200, () => selectHiresOfAgent(database.db, agent, page))
    const read = await selectHiresOfAgent(database.db, agent, page)
    const beforeId = read?.[20]?.hire.id ?? '00000000-0000-0000-0000-00000000ffff'
    await hold(6 * LIMIT + 200, () => selectHiresOfAgent(database.db, agent, { ...page, beforeId }))
  })
})

describe('the jobs', () => {
  it('find due hires by their end, and record them', async () => {
    await hold(100 * 20, () => recordDueHires(database.db, new Date('2026-03-01T00:00:00Z'), 10))
    await hold(8, () => selectDueEnds(database.db, 1_000))
  })

  it('unlist due agents, oldest first, by their owners’ logins and attestations', async () => {
    const { db, client } = database
    // Of the owners some have logged in since, and one has very many attestations.
    await client.query(`insert into wallets (address, first_login_at, last_login_at)
      select 'owner' || n, '2026-01-01', case when n % 2 = 0 then timestamptz '2026-05-30' else '2026-01-01' end
      from generate_series(1, 900) as n`)
    await client.query(`update attestations set wallet = 'owner3' where wallet = 'hirer'`)
    await client.query('vacuum analyze wallets, attestations')
    const unlist = () => postgres.unlistIdleAgents.call(db, { limit: 100, now })
    // Each agent thrice, its owner's row and login, and of each its words and listings.
    await hold(100 * 40, unlist)
    // Of every nine of owners five have not logged in; one of them is verified.
    expect(await unlist()).toEqual({ checked: 100, unlisted: 55 })
    const { rows } =
      await client.query(`select count(*)::integer as left, min(listed_until) as next from agents
      where is_listed and listed_until <= '2026-06-01'`)
    expect(rows[0].left).toBeGreaterThan(30_000)
    expect(rows[0].next.getTime()).toBeGreaterThan(Date.UTC(2026, 4, 1))
    await client.query(`update attestations set wallet = 'hirer' where wallet = 'owner3'`)
    await client.query('vacuum analyze attestations, agents, agent_listings, documents, document_words')
  })

  it('find the endpoints with due deliveries in a step each, with any number paused', async () => {
    await hold(400, () => walkEndpoints(database.db, { now, steps: 100, limit: 20 }))
    const { endpointIds } = await walkEndpoints(database.db, { now, steps: 100, limit: 100 })
    expect(endpointIds).toHaveLength(40)
  })

  it('lease an endpoint’s due deliveries and record results, among any number of rows', async () => {
    const endpoint = {
      endpointId: '00000000-0000-0000-0000-00000000000f',
      urlHash: await sha256Hex('https://hooks.example.com/15'),
      host: 'hooks.example.com',
      lease: crypto.randomUUID(),
      now,
    }
    const endpointIds = [endpoint.endpointId]
    const { urlHash, host, ...shared } = { ...leaseRules(now), ...endpoint, endpointIds }
    await hold(60, () => postgres.leaseDeliveries.rows(database.db, { ...shared, urlHash, host }))
    await hold(60, () => postgres.leaseDeliveries.rows(database.db, shared))
    // Six of the deliveries that wait for it.
    const at = { id: endpoint.endpointId, wallet: wallet('owner15'), url: 'https://hooks.example.com/15' }
    const resultsOf = (given: Parameters<typeof resultOf>[2]) =>
      Array.from({ length: 6 }, (_, n) =>
        resultOf(at, (1_400 + 5_000 * n).toString(16).padStart(32, '0'), given),
      )
    const leased = { ...recordRules(now), lease: endpoint.lease, leasedAt: now }
    const record = (results: unknown[], isShared: boolean) =>
      postgres.recordAttempts.rows(database.db, { ...leased, results, isShared })
    await hold(60, () => record(resultsOf({}), true))
    // Which of the owner's 200 agents and ten endpoints have this URL, by an index and its table.
    await hold(500, () => record(resultsOf({ code: 410 }), false))
    await hold(500, () => record(resultsOf({ step: 'answered' }).slice(0, 1), false))
    await hold(60, () => record(resultsOf({ step: 'unsent' }), true))
    await hold(60, () => record(resultsOf({ step: 'unanswered' }), true))
    const confirmation = { id: endpoint.endpointId, wallet: at.wallet, challenge: 'none', now }
    await hold(60, () => postgres.confirmWebhookEndpoint.call(database.db, confirmation))
  })

  it('read secrets by the key that has encrypted them, and count those of other keys', async () => {
    const { db, client } = database
    await client.query(
      `update endpoints set secret = '2:x' where id > '00000000-0000-0000-0000-0000000f4300'`,
    )
    await client.query('vacuum analyze endpoints')
    await client.query(`update agent_webhook_secrets set secret = '2:x' where agent_id > $1`, [
      '00000000-0000-0000-0000-000000000004',
    ])
    await client.query('vacuum analyze agent_webhook_secrets')
    const page = { keyName: '', after: '00000000-0000-0000-0000-000000000000', limit: 50 }
    for (const location of secretLocations) await hold(100, () => selectEncrypted(db, location, page))
    for (const owner of ['wallet', 'agent'] as const)
      await hold(10, () => clearEnded(db, owner, { now, limit: 100 }))
    await hold(400, () => countOtherwiseEncrypted(db, '2'))
  })

  it('delete what is old, the oldest first', async () => {
    const { db } = database
    const before = new Date('2026-01-01T01:00:00Z')
    await hold(400, () => deleteOldDeliveries(db, before, 100))
    await hold(400, () => deleteOldAttempts(db, before, 100))
    await hold(400, () => deleteOldTargets(db, before, 100))
    await hold(400, () => deleteOldHosts(db, before, 100))
    await hold(400, () => deleteOldAddresses(db, before, 100))
    await hold(400, () => deleteSpentNonces(db, before, 100))
    // All events of the test have one timestamp. Events of money come first, and are skipped without a read.
    await hold(400, () => deleteOldEvents(db, new Date('2026-01-01T00:00:01Z'), 100))
    // The statement that the foreign key of deliveries runs for each of them.
    const cascade = 'explain (format json) delete from only deliveries where event_id = $1'
    const { rows } = await database.client.query(cascade, [crypto.randomUUID()])
    expect(JSON.stringify(rows)).toContain('deliveries_by_event')
    // Of each hire its unpaid charges and whether there are any, their periods, and their owners' quotas.
    const unpaid = { endedBy: now, mostHires: 100, mostCharges: 100 }
    await hold(100 * 12, () => postgres.deleteUnpaidCharges.call(db, unpaid))
  })

  it('lease a host and enqueue new endpoints by that host’s due ones', async () => {
    const { db } = database
    const at = { lease: crypto.randomUUID(), now, leaseEnd: now, limit: 10 }
    for (const queue of ['live', 'dead'] as const) await hold(40, () => leaseHost(db, { ...at, queue }))
    const leased = await leaseHost(db, { ...at, queue: 'live' })
    if (!leased) throw new Error('no host is due')
    expect(leased.endpoints.length).toBeGreaterThan(0)
    await hold(60, () => recordProbes(db, leased, { nextProbeAt: now, freeAt: now }))
    await hold(10, () => selectNextHosts(db))
    await hold(1, () => findIdentified(db, 'urn:air:h1.example.com:agents:x'))
    await hold(LIMIT, () => selectNewEndpoints(db, LIMIT))
    await hold(20, () => admitEndpoints(db, [{ urlHash: 'x', protocol: 'mcp', host: 'x.example.com' }], now))
    await hold(LIMIT, () => deleteIdleHosts(db, LIMIT, now))
  })

  it('take attestations from the queues in their order', async () => {
    const { db } = database
    await hold(LIMIT, () => selectPending(db, LIMIT))
    await hold(LIMIT, () => selectInReview(db, { limit: LIMIT }))
    const [, last] = await selectInReview(db, { limit: 2 })
    const { paidWeight, priority, requestedAt, id } = last ?? {}
    if (paidWeight === undefined || !priority || !requestedAt || !id) throw new Error('nothing is in review')
    const after = { paidWeight, priority, requestedAt, id }
    await hold(LIMIT, () => selectInReview(db, { after, limit: LIMIT }))
    await hold(LIMIT, () => selectInReview(db, { after, wallet: wallet('hirer'), limit: LIMIT }))
    await hold(100, () => selectProven(db, 100))
  })
})

describe('a write', () => {
  const id = '00000000-0000-0000-0000-000000000001'

  it('a session, a login and a revocation read the wallet’s row alone', async () => {
    const { db } = database
    const known = wallet('wallet4321')
    await hold(4, () => databaseAnswers(forSession(db, { wallet: known, epoch: 0 })))
    await hold(10, () => recordLogin(db, { nonce: 'new', wallet: known, now }))
    await hold(10, () => revokeBegun(forSession(db, { wallet: known, epoch: 0 }), now))
  })

  it('a grant reads its own row and the other active ones of its wallet', async () => {
    const { db, client } = database
    const known = wallet('wallet3210')
    const { rows } = await client.query(
      'select id from grants where wallet = $1 and ended_at is null limit 1',
      [known],
    )
    const grant = { id: String(rows[0]?.id), client: 'client', sequence: 0, now }
    await hold(6, () => databaseAnswers(forSession(db, { wallet: known, epoch: 0, grant: grant.id })))
    await hold(30, () => listGrants(db, known, now))
    await hold(10, () => refreshGrant(db, grant))
    await hold(10, () => endGrant(db, { id: grant.id, wallet: known, now }))
    await hold(60, () => redeemCode(db, newCode(known, now)))
    await hold(60, () => revokeBegun(forSession(db, { wallet: known, epoch: 0 }), now))
    // The index, and the rows by their keys.
    await hold(30, () => deleteEndedGrants(db, now, 10))
    await hold(30, () => deleteUnusedGrants(db, now, 10))
  })

  it('a login reads only those agents of its wallet that it lists again', async () => {
    const { db, client } = database
    const owner = wallet('owner1')
    await hold(10, () => recordLogin(db, { nonce: 'new', wallet: owner, agentId: id, now }))
    await client.query(
      `update agents set is_listed = false where pubkey = 'owner1' and id > '${id}' and status = 'active'`,
    )
    await client.query(`update agents set is_listed = false where pubkey = 'owner20'`)
    await client.query('vacuum analyze agents')
    await hold(10, () => recordLogin(db, { nonce: 'new', wallet: wallet('owner3'), now }))
    // Of each its row by two indexes, its text and its listings.
    await hold(200 * 20, () => recordLogin(db, { nonce: 'new', wallet: owner, now }))
    await client.query(
      `update agents set is_listed = true where not is_listed and pubkey in ('owner1', 'owner20')`,
    )
  })

  it('a registration reads its wallet, and lists the agent', async () => {
    await hold(40, () =>
      insertAgent(database.db, {
        id: crypto.randomUUID(),
        pubkey: wallet('owner1'),
        name: 'New',
        agentType: 'oracle',
        supportedLayers: [1, 2],
        feeModel: 'flat',
        feeAmount: 1n,
        registeredAt: now,
      }),
    )
  })

  it('a hire reads its agent and its own earlier hire alone', async () => {
    const hire = {
      id: crypto.randomUUID(),
      wallet: wallet('new'),
      agentId: id,
      autoRenew: false,
      termDays: 30,
      now,
    }
    await hold(60, () => tryToHire(database.db, hire))
    await hold(60, () => endHire(database.db, { id: hire.id, wallet: hire.wallet, now }))
  })

  it('a rating reads its hire, its agent and its wallet’s two rows, for any payers', async () => {
    const { db } = database
    const hire = { hireId: id, wallet: wallet('hirer') }
    const limits = { minPaid: 1n, revisableSince: new Date('2026-05-01T00:00:00Z'), now }
    const rate = (rating: number) =>
      postgres.giveRating.callThenRead(
        db,
        { id: crypto.randomUUID(), ...hire, ...limits, rating },
        ratedHire.item(hire),
      )
    await hold(60, () => rate(1))
    const [{ outcome }, [rated]] = await rate(1)
    expect(outcome).toBe('rated')
    await hold(60, () => rate(2))
    const ratingId = rated?.rating?.id ?? expect.fail()
    const answer = { id: ratingId, owner: wallet('owner1'), answer: 'Thanks', now }
    const read = ratingById.item({ id: ratingId })
    await hold(60, () => postgres.answerRating.callThenRead(db, answer, read))
    const agent = { agentId: id, wallet: wallet('hirer') }
    const rateAgent = () =>
      postgres.giveRating.callThenRead(
        db,
        { id: crypto.randomUUID(), ...agent, ...limits, minPaid: 0n, rating: 3 },
        ratedAgent.item(agent),
      )
    await hold(60, rateAgent)
    const [{ outcome: given }, [of]] = await rateAgent()
    expect([given, of?.rating?.hireId]).toEqual(['rated', null])
    await hold(60, rateAgent)
  })

  it('a step of verification reads its attestation alone', async () => {
    const { db } = database
    const at = (n: number) => ({ id: n.toString(16).padStart(32, '0'), now })
    const request = {
      ...at(2),
      wallet: wallet('hirer'),
      priority: 'expedited',
      expeditedPlaces: 3,
      addressHash: 'expedited',
      expeditedPerAddress: 10,
    }
    const decision = { from: 'in_review', status: 'verified', by: 'oracle', level: 'third_party_verified' }
    const proof = { level: 'self_attested', reason: 'gone' }
    const calls = [
      () => postgres.requestVerification.call(db, request),
      () => postgres.decideAttestation.call(db, { ...at(15), ...decision }),
      () => postgres.revokeProof.call(db, { ...at(100), ...proof }),
    ]
    for (const call of calls) await hold(20, call)
    const done = await Promise.all(calls.map((call) => call()))
    expect(done.map(({ outcome }) => outcome)).toEqual(['requested', 'decided', 'revoked'])
  })

  it('a new attestation reads its credential and the rows of its quotas alone', async () => {
    const attestation = attestationJson({
      ...{ id: crypto.randomUUID(), wallet: wallet('hirer'), verificationLevel: 'self_attested' },
      ...{ credentialType: 'skill', credentialId: 'new' },
    })
    const counted = { addressHash: 'attesting', attestationsPerAddress: 300, now }
    await hold(20, () => postgres.recordAttestation.call(database.db, { attestation, ...counted }))
  })

  it('a redemption reads its code and two pioneers alone', async () => {
    const { db, client } = database
    const id = (n: string) => `lpad(to_hex(${n}), 32, '0')::uuid`
    await client.query(`insert into invite_codes (id, code_hash, tier, issued_at, used_at)
      select ${id('n')}, md5(n::text), 'founding', '2026-01-01', case when n > 10 then timestamptz '2026-02-01' end
      from generate_series(1, 20000) as n`)
    await arrange(`insert into pioneers (wallet, invite_id, invite_code, tier, joined_at)
      select 'pioneer' || n, ${id('n')}, 'code', 'founding', '2026-02-01' from generate_series(11, 20000) as n`)
    await client.query(`insert into dealings (wallet, kind, other)
      select case when n < 10000 then 'pioneer11' else 'pioneer' || n - 1 end, 'counterparty', 'pioneer' || n
      from generate_series(12, 20000) as n`)
    await arrange(`insert into referral_bounties (wallet, referrer, earned_at)
      select other, wallet, '2026-02-01' from dealings where wallet like 'pioneer%'`)
    await client.query('vacuum analyze invite_codes, pioneers, dealings, referral_bounties')
    const { rows } = await client.query(`select md5('1') as hash`)
    const redemption = { wallet: wallet('new'), code: 'code', codeHash: rows[0].hash, spots: 1_000_000, now }
    await hold(40, () =>
      postgres.redeemInvite.callThenRead(
        db,
        { ...redemption, referredBy: wallet('pioneer11') },
        pioneerByWallet.item({ wallet: wallet('new') }),
      ),
    )
  })

  it('a change of status reads the due hires of its agent, not all that it has', async () => {
    const change = {
      id,
      wallet: wallet('owner1'),
      isOperator: false,
      details: {},
      status: 'inactive',
      ownerFrom: ['active'],
      operatorFrom: [],
      now: new Date('2026-03-01T00:00:00Z'),
    } as const
    await hold(1_000, () => updateAgent(database.db, change))
  })

  it('making, changing or testing an endpoint reads its row alone', async () => {
    const { db } = database
    const endpoint = { id: '000000000000000000000000000f424f', wallet: wallet('owner15') }
    const changes = { url: 'https://example.com/next', agent_ids: ['0000000000000000000000000000000f'] }
    const counted = { addressHash: 'webhooks', webhooksPerAddress: 300 }
    const made = { ...endpoint, ...changes, id: crypto.randomUUID(), event_types: [], secret: 'x' }
    await hold(20, () =>
      postgres.createWebhookEndpoint.call(db, { endpoint: made, limit: 10, ...counted, now }),
    )
    await hold(40, () =>
      postgres.changeWebhookEndpoint.call(db, {
        ...{ ...endpoint, changes, enabled: true, now },
        ...{ addressHash: 'webhook changes', changesPerAddress: 600 },
      }),
    )
    const rotation = { ...endpoint, secret: 'y', endsAt: now }
    await hold(20, () => postgres.rotateWebhookSecret.call(db, rotation))
    const ofAgent = { ...rotation, id: '0000000000000000000000000000000f' }
    await hold(20, () => postgres.rotateWebhookSecret.call(db, ofAgent))
    const { id: endpointId, wallet: owner } = endpoint
    await hold(20, () =>
      postgres.testWebhookEndpoint.call(db, {
        endpointId,
        wallet: owner,
        testedBefore: now,
        ...counted,
        now,
      }),
    )
  })

  it('a charge reads its hire, its period and the charge of its reference; a void, too', async () => {
    const owner = wallet('owner11')
    const hireId = '00000000-0000-0000-0000-00000000000b'
    const counted = { addressHash: 'charging', chargesPerAddress: 600 }
    const charge = { id: crypto.randomUUID(), owner, hireId, units: 1n, ...counted, now }
    await hold(60, () => postgres.recordCharge.call(database.db, { ...charge, reference: 'new' }))
    await hold(60, () => postgres.recordCharge.call(database.db, { ...charge, reference: '5000' }))
    await hold(60, () =>
      postgres.voidCharge.call(database.db, {
        id: '00000000-0000-0000-0000-00000000000a',
        owner,
        builtBy: now,
        now,
      }),
    )
  })
})

describe('the vault', () => {
  const owner = wallet('staker')
  const id = (n: number) => n.toString(16).padStart(32, '0')
  const place = (n: number) => `place${`${n}`.padStart(6, '0')}`
  const places = (from: number, count: number) => Array.from({ length: count }, (_, i) => place(from + i))
  const same = <T>(count: number, value: T) => Array.from({ length: count }, () => value)
  const intent = {
    id: crypto.randomUUID(),
    owner,
    keyVersion: 1,
    signing: 'service_first',
    transaction: 'AQ==',
    message: 'm',
    lastValidBlockHeight: 150n,
    builtSlot: 5n,
    now,
  }
  const limits = { yieldDay: '2026-06-01', perWallet: 1_000n, perDay: 1_000n }

  it('records what is built by the positions that it is for, of 20,000', async () => {
    const { db } = database
    const counted = { addressHash: '5', buildsPerAddress: 60 }
    const stack = {
      ...intent,
      ...limits,
      ...counted,
      address: 'new2',
      principal: 1n,
      leaseEnd: now,
      yield: 1n,
    }
    for (const signing of ['service_first', 'wallet_first'])
      await hold(60, () => postgres.recordStack.call(db, { ...stack, signing, kind: 'stack' }))
    const claimed = {
      addresses: places(20_011, 11),
      amounts: same(11, 1n),
      balances: same(11, 1_100n),
      claimedBefore: same(11, 0n),
    }
    await hold(150, () => postgres.recordClaim.call(db, { ...intent, ...claimed, replaces: [id(60_001)] }))
    const addresses = places(20_013, 11)
    await hold(150, () => postgres.recordClaim.call(db, { ...intent, ...claimed, addresses, replaces: [] }))
    const leg = { address: place(20_013), balance: 1_100n }
    await hold(20, () => postgres.recordWithdrawal.call(db, { ...intent, ...leg, kind: 'unstack' }))
    const message = {
      transaction: 'AQ==',
      leaseEnd: now,
      message: 'm',
      networkSignature: 's',
      lastValidBlockHeight: 1n,
      builtAfter: new Date(0),
    }
    const unsigned = { id: id(20_400), owner: wallet('staker401'), now, ...message, ...limits }
    expect(await postgres.cosignVaultIntent.call(db, unsigned)).toMatchObject({ outcome: 'recorded' })
    await hold(30, () =>
      postgres.cosignVaultIntent.call(db, { ...unsigned, id: id(20_800), owner: wallet('staker801') }),
    )
  })

  it('records outcomes by what they are of', async () => {
    const { db } = database
    const seen = { owner, now, slot: 6n }
    const claim = { id: id(60_001), addresses: places(20_001, 11), balances: same(11, 1_090n) }
    const stack = { id: id(60_002), addresses: ['new'], balances: [1_100n] }
    const unstack = { id: id(60_003), addresses: [place(20_012)], balances: [0n] }
    await hold(150, () => postgres.landVaultIntent.call(db, { ...seen, ...claim }))
    await hold(40, () => postgres.landVaultIntent.call(db, { ...seen, ...stack }))
    await hold(40, () => postgres.landVaultIntent.call(db, { ...seen, ...unstack }))
    const { slot, ...at } = { ...seen, landedAt: now, cosignedMessage: 'm', networkSignature: 's' }
    const lost = { ...at, slot, seenSlot: slot, keyVersion: 1, transaction: 'AQ==', message: 'm' }
    const terms = { lockDays: 30, apyBps: 1_000, stakedAt: now, yield: 1n }
    for (const [kind, found] of Object.entries({ claim, unstack, stack: { ...stack, ...terms } }))
      await hold(240, () =>
        postgres.recordFoundIntent.call(db, {
          ...lost,
          ...found,
          kind,
          id: crypto.randomUUID(),
          amounts: found.addresses.map(() => 1n),
        }),
      )
    const read = { owner, now, lastValidBlockHeight: 150n }
    for (const n of [60_001, 60_002, 60_003]) {
      await hold(120, () =>
        postgres.expireVaultIntent.call(db, { ...read, id: id(n), isBlocked: n === 60_003 }),
      )
      const judged = { id: id(n), owner, now, authority: 'a', recovery: 'r', reason: 'left_before_seen' }
      await hold(120, () => postgres.failVaultIntent.call(db, judged))
    }
  })

  it('records what is seen of positions by their addresses', async () => {
    const { db } = database
    const addresses = places(20_001, 50)
    for (const status of ['open', 'withdrawn', 'void'])
      await hold(800, () =>
        postgres.recordObservations.rows(db, {
          addresses,
          balances: same(50, 0n),
          statuses: same(50, status),
          authorities: same(50, 'a'),
          recoveries: same(50, 'r'),
          early: addresses,
          slot: 6n,
          now,
        }),
      )
    const suspectedPayout = { owner, address: place(20_013), balance: 1n, slot: 6n, now }
    for (const isConfirmed of [true, false])
      await hold(20, () => postgres.settleSuspectedPayout.call(db, { ...suspectedPayout, isConfirmed }))
  })

  it('reads again the expired stacks with most yield at stake, of 20,000', async () => {
    const { db } = database
    await hold(1_500, () => selectStacksToRecheck(db, { now, limit: 100 }))
    const ids = Array.from({ length: 50 }, (_, n) => id(n + 1))
    await hold(500, () => recordRechecks(db, { ids, seen: ids, now, watchedSince: new Date(0), again: now }))
  })

  it('finds what is due next, and the owners of it, at the head of what waits', async () => {
    const { db, client } = database
    await client.query(`insert into request_payments (id, agent_id, owner, payer, source, asset, amount, message_hash, transaction,
        network_signature, last_valid_block_height, network_fee, debit, status, created_at, due_at)
      select gen_random_uuid(), (select id from agents limit 1), 'o', 'p' || n, 's', 'a', 1, 'hash' || n, 't', 's', 5, 5, 5,
        'pending', '2026-01-01', timestamptz '2026-01-02' + n * interval '1 s' from generate_series(1, 5000) as n`)
    await client.query('analyze request_payments')
    await hold(10, () => postgres.nextSettlement.call(db, {}))
    const earliest = new Date('2026-01-01T06:00:00Z')
    await hold(200, () => selectDueOwners(db, earliest, 40))
    const ids = Array.from({ length: 50 }, (_, n) => id(20_000 + 50 * n))
    await hold(500, () => vaultChecks.recordChecks(db, { ids, dueAts: ids.map(() => now), now }))
  })

  it('reads positions of the last day, and those not read today, of 20,000 open ones', async () => {
    const { db } = database
    const keyVersions = [1]
    await database.client.query(
      "update positions set staked_at = '2026-06-01' where address between 'place050000' and 'place050999'",
    )
    await database.client.query(
      "update vault_yield_days set stacked_at = '2026-06-01' where day = '2026-06-01'",
    )
    const since = new Date('2026-05-31T12:00:00Z')
    const at = { keyVersions, since, days: '2026-05-31', seenBefore: since, longUnseen: since, limit: 1_000 }
    await hold(4_000, () => selectNewPositions(db, at))
    await hold(1_500, () => selectUnseen(db, { keyVersions, today: now, limit: 1_000 }))
    await hold(10, () => isSuspecting(db, { keyVersions, since }))
    // The seed has days to come, too.
    await hold(300, () => selectLastStack(db, at.days))
  })

  it('takes the largest reservations from open and signed stacks, not from ended ones', async () => {
    const { db } = database
    const due = {
      leaseEnd: now,
      signedBy: now,
      askedBy: now,
      limit: 50,
      askedAt: new Date(now.getTime() + 1),
    }
    // 800 open ones, each with its owner.
    for (const hasLease of [false, true])
      await hold(1_800, () => takeDue(db, { ...due, hasLease, day: limits.yieldDay }))
    await hold(100, () => postgres.lockOwners.call(db, { owners: [wallet('staker1'), wallet('staker2')] }))
  })

  it('ends what was not signed, and forgets what has ended, the oldest first', async () => {
    const { db } = database
    await hold(1_500, () => postgres.expireUnsignedVaultIntents.call(db, { builtBy: now, limit: 100, now }))
    for (const wereSigned of [true, false])
      await hold(1_500, () =>
        postgres.deleteEndedVaultIntents.call(db, { before: now, wereSigned, limit: 100 }),
      )
  })

  it('a transaction of payments reads its accounts, charges and payers alone', async () => {
    const { db, client } = database
    const idOf = (n: number) =>
      `${n.toString(16)}`.padStart(32, '0').replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
    // Hire, account, charge and collection of one number belong together.
    await arrange(`insert into payment_intent_legs (intent_id, hire_id, address, amount, fee)
      select id, id, id::text, 5, 1 from payment_intents`)
    await arrange(
      `update charges set collection_id = id where hire_id > '${idOf(20_000)}' and status = 'recorded'`,
    )
    await client.query('vacuum analyze payment_intent_legs, charges')
    // An open collection of the agent with most hires and payers, and another.
    const [open, next] = [40_000, 44_000]
    const settle = (outcome: string) =>
      postgres.settlePayments.call(db, {
        ids: [idOf(open), idOf(next)],
        networkSignatures: ['', ''],
        lastValidBlockHeights: [1n, 1n],
        outcomes: [outcome, 'landed'],
        feeStep: 100n,
        now,
      })
    const built = {
      id: crypto.randomUUID(),
      keyVersion: 1,
      transaction: 'AQ==',
      message: 'm',
      lastValidBlockHeight: 1n,
      builtSlot: 1n,
      now,
    }
    const collect = (by: string) =>
      postgres.recordCollection.call(db, {
        ...built,
        id: crypto.randomUUID(),
        wallet: wallet(by),
        feeBps: 100,
        charges: [idOf(10)],
        hires: [idOf(11)],
        addresses: ['a'],
        amounts: [5n],
        fees: [1n],
        seenHires: [idOf(11)],
      })
    const fund = () =>
      postgres.recordPaymentIntent.call(db, {
        ...built,
        wallet: wallet('once40000'),
        kind: 'fund_budget',
        hireId: idOf(open),
        address: 'a',
        seed: 's',
        addressBefore: idOf(open),
        amount: 1n,
      })
    const purchase = crypto.randomUUID()
    const buy = () =>
      postgres.recordPaymentIntent.call(db, {
        ...built,
        id: purchase,
        wallet: wallet('once40000'),
        kind: 'buy_credit',
        credit: 5n,
      })
    const land = () =>
      postgres.settlePayments.call(db, {
        ids: [purchase],
        networkSignatures: ['s'],
        lastValidBlockHeights: [2n],
        outcomes: ['landed'],
        feeStep: 100n,
        now,
      })
    const cosign = (id: string, by: string) =>
      postgres.cosignPayment.call(db, {
        id,
        wallet: wallet(by),
        transaction: 'AQ==',
        message: 'm',
        networkSignature: 's',
        lastValidBlockHeight: 2n,
        builtAfter: new Date('2025-01-01T00:00:00Z'),
        now,
      })
    const early = new Date('2026-01-01T00:30:00Z')
    const old = { before: early, limit: 100 }
    await hold(140, () => settle('landed'))
    await hold(140, () => settle('failed'))
    await hold(40, () => collect('owner11'))
    await hold(40, () => collect('owner0'))
    await hold(40, () => cosign(idOf(open), 'owner0'))
    await hold(10, fund)
    await hold(10, () => cosign(built.id, 'once40000'))
    await hold(10, buy)
    await hold(10, () => cosign(purchase, 'once40000'))
    await hold(10, land)
    expect(await buy()).toEqual({ outcome: 'recorded' })
    await cosign(purchase, 'once40000')
    await hold(30, land)
    await client.query(
      `update payment_intents set due_at = created_at, cosigned_at = created_at, cosigned_message = 'm', network_signature = 's'
       where status = 'open' and id > '${idOf(30_000)}' and id < '${idOf(39_000)}'`,
    )
    await client.query('vacuum analyze payment_intents')
    await hold(700, () => leaseDueIntents(db, now, 100))
    const checks = { ids: [idOf(30_010), idOf(30_020)], dueAts: [now, now], now }
    await hold(20, () => paymentChecks.recordChecks(db, checks))
    await hold(400, () => postgres.expireUnsignedPayments.call(db, { builtBy: early, now, limit: 20 }))
    await hold(400, () => postgres.deleteEndedPayments.call(db, { ...old, wereSigned: true }))
    await hold(400, () => postgres.deleteEndedPayments.call(db, { ...old, wereSigned: false }))
    // The statements measured above had their effect.
    await client.query(`update charges set collection_id = null where id = '${idOf(44_000)}'`)
    expect(await collect('owner11')).toEqual({ outcome: 'recorded' })
    expect(await fund()).toEqual({ outcome: 'recorded' })
    expect(await cosign(built.id, 'once40000')).toEqual({ outcome: 'recorded' })
    await settle('landed')
    const { rows } = await client.query(`select status from charges where id = '${idOf(open)}'`)
    expect(rows).toEqual([{ status: 'collected' }])

    // After a restore: of the owner with most unsigned collections.
    const hires = [idOf(11), idOf(open)]
    const lost = {
      id: crypto.randomUUID(),
      wallet: wallet('owner0'),
      keyVersion: 1,
      feeBps: 100,
      transaction: 'AQ==',
      message: 'm',
      cosignedMessage: 'm',
      networkSignature: 's',
      slot: 1n,
      landedAt: now,
      hires,
      addresses: hires,
      seeds: hires,
      amounts: [5n, 5n],
      fees: [1n, 1n],
      now,
    }
    await hold(60, () => postgres.holdCollection.call(db, lost))
    expect(await postgres.holdCollection.call(db, lost)).toEqual({ outcome: 'held' })
    await hold(140, () => postgres.settleHeld.call(db, { id: lost.id, charges: hires, feeStep: 100n, now }))
    await client.query(`update budget_accounts set held_at = null where held_at is not null`)
  })

  it('a search for budget accounts reads their hires and unsigned fundings alone', async () => {
    const { db, client } = database
    const idOf = (n: number) => n.toString(16).padStart(32, '0')
    await client.query(`delete from budget_accounts where hire_id > '${idOf(45_000)}'`)
    await arrange(`update hires set seek_at = hired_at where id > '${idOf(45_000)}'`)
    // Of one wallet a thousand, each for another hire.
    await client.query(`insert into payment_intents (id, wallet, kind, status, generation, hire_id, transaction, message,
        last_valid_block_height, built_slot, created_at, asked_at)
      select lpad(to_hex(100000 + n), 32, '0')::uuid, 'once48000', 'fund_budget', 'open', 1, lpad(to_hex(48000 - n), 32, '0')::uuid,
        'AQ==', 'm', 1, 1, '2026-06-01', '1970-01-01' from generate_series(0, 999) as n`)
    await client.query(`insert into payment_intent_legs (intent_id, hire_id, address, seed, amount, payable_before, fee)
      select id, hire_id, 'found', 'seed', 5, 0, 0 from payment_intents where kind = 'fund_budget' and wallet = 'once48000'`)
    await client.query('vacuum analyze hires, budget_accounts, payment_intents, payment_intent_legs')
    await hold(100 * 16, () => postgres.takeUndiscoveredBudgets.rows(db, { now, limit: 100 }))
    const found = {
      hireIds: [idOf(48_000)],
      addresses: ['found'],
      seeds: ['seed'],
      keyVersions: [1],
      payables: [7n],
      now,
    }
    await hold(1_100, () => postgres.recordFoundBudgets.call(db, found))
    expect((await postgres.recordFoundBudgets.call(db, found)).recorded).toHaveLength(1)
    const { rows } = await client.query(`select status from payment_intents where id = '${idOf(100_000)}'`)
    expect(rows).toEqual([{ status: 'landed' }])
  })
})
