import { expect, it } from 'vitest'
import { countAgents } from '../../lib/agents/listing/count.ts'
import { type AgentFilter, isInRanges } from '../../lib/agents/listing/list-queries.ts'
import { selectAgentsOf } from '../../lib/agents/listing/owner-queries.ts'
import { selectAgents } from '../../lib/agents/listing/page-queries.ts'
import { searchAgents } from '../../lib/agents/listing/search-queries.ts'
import type { ReadAgent } from '../../lib/agents/queries.ts'
import * as postgres from '../../lib/db/functions.ts'
import { selectRegisteredAgents } from '../../lib/registry/list-queries.ts'
import { removeEntry, updateEntry } from '../../lib/registry/moderation-queries.ts'
import { upsertRegistration } from '../../lib/registry/queries.ts'
import { layersOf } from '../../lib/registry/rules.ts'
import { capabilities, layerNames, registryAgentTypes } from '../../schema/registry.ts'
import { type AgentSort, agentSorts, agentStatuses, agentTypes, feeModels } from '../../schema/values.ts'
import { useDatabase } from '../support/database.ts'
import { tryToHire } from '../support/hires.ts'
import { compared, compareListed } from '../support/listed-agents.ts'
import { insertAgent, newWallet, recordDueHires, updateAgent } from '../support/stored-agents.ts'

/** What the listings must be, by the table that they are made of. */
const ENTRIES = `select layer, capability, agent_type, registered_at, pubkey
  from registry_agents, unnest(0::smallint || layers) as layer, unnest(''::text || capabilities) as capability
  where status = 'active'`

const database = useDatabase()

/** Pseudo-random numbers, the same in each run. */
function randomNumbers() {
  let state = 7
  const below = (limit: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * limit)
  }
  return { below, any: <T>(list: readonly T[]) => list[below(list.length)] as T }
}

/** Whether an agent's name begins with a text, or its words, its layers' too, begin with all of its words. */
const isFound = (
  agent: { name: string; description: string | null; agentType: string; supportedLayers: number[] },
  text: string,
) => {
  const words = (of: string) => of.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const layers = agent.supportedLayers.map((layer) => layerNames[layer])
  const its = words([agent.name, agent.description ?? '', agent.agentType, ...layers].join(' '))
  const isBegun = (word: string) => its.some((one) => one.startsWith(word))
  return agent.name.toLowerCase().startsWith(text.toLowerCase()) || words(text).every(isBegun)
}

const names = ['Agent', 'agency', 'Zebra', 'ze%ra', 'Öl 1', 'öl 2']
const day = (n: number) => new Date(Date.UTC(2026, 0, 1 + n))

it('lists agents as they are after concurrent writes, for every filter', async () => {
  const { db } = database
  const { below, any } = randomNumbers()
  const owners = [newWallet(), newWallet()]
  const stored = await Promise.all(
    Array.from({ length: 80 }, (_, n) =>
      insertAgent(db, {
        id: crypto.randomUUID(),
        pubkey: any(owners),
        name: `${any(names)} ${n}`,
        agentType: any(agentTypes),
        supportedLayers: Array.from({ length: 22 }, (_, i) => i + 1).filter(() => below(6) === 0 || n === 0),
        feeModel: any(feeModels),
        feeAmount: BigInt(n % 5),
        registeredAt: day(n),
      }).catch(() => undefined),
    ),
  )
  const agents = stored.flatMap((agent) => agent ?? [])
  const change = (id: string, status: 'active' | 'inactive' | 'suspended') =>
    updateAgent(db, {
      id,
      wallet: newWallet(),
      isOperator: true,
      details: below(2) === 0 ? {} : { description: `says ${any(names)}` },
      status,
      ownerFrom: agentStatuses,
      operatorFrom: agentStatuses,
      now: day(1),
    })
  const hire = (agentId: string) =>
    tryToHire(db, {
      id: crypto.randomUUID(),
      wallet: newWallet(),
      agentId,
      autoRenew: below(2) === 0,
      termDays: 1,
      now: day(1),
    })
  const priceOf = (id: string) => {
    const amounts = Array.from({ length: below(4) }, () => BigInt(1 + below(9)))
    const owner = agents.find((agent) => agent.id === id)?.pubkey ?? newWallet()
    return postgres.setRequestPrices.call(db, {
      ...{
        agentId: id,
        owner,
        names: amounts.map((_, n) => `price ${n}`),
        amounts,
        cred: 'CRED',
        now: day(1),
      },
      ...{
        assets: amounts.map(() => any(['CRED', 'CRED', 'other'])),
        addressHash: owner,
        changesPerAddress: 9_999,
      },
    })
  }
  for (let round = 0; round < 8; round++) {
    await Promise.all(Array.from({ length: 25 }, () => hire(any(agents).id)))
  }
  for (let round = 0; round < 6; round++) {
    await Promise.all([
      ...Array.from({ length: 25 }, () => change(any(agents).id, any(agentStatuses))),
      ...Array.from({ length: 15 }, () => priceOf(any(agents).id)),
      recordDueHires(db, day(3), 20),
      recordDueHires(db, day(3), 20),
    ])
  }
  await database.pool.query(
    'delete from agents where id = (select id from agents where hirers = 0 and total_hires = 0 and id not in (select agent_id from request_prices) limit 1)',
  )
  await database.pool.query(`
    update agents set ratings = 1, rated_weight = weight, rating_sum = weight * (1 + get_byte(uuid_send(id), 7) % 5)
    from (values (1000000), (1000000000), (7654321098)) as weights (weight)
    where get_byte(uuid_send(id), 8) % 4 > 0 and weight % 3 = get_byte(uuid_send(id), 9) % 3`)
  const { wrong, listings } = await compareListed(database.pool)
  expect(wrong).toBe(0)
  expect(listings).toBeGreaterThan(200)

  const { rows: mispriced } = await database.pool.query(`
    select id from agents left join lateral (
      select count(*) as prices, min(amount) filter (where asset = 'CRED') as lowest
      from request_prices where agent_id = id and ended_at is null) as present on true
    where (request_prices, lowest_request_price) is distinct from (prices, lowest)`)
  expect(mispriced).toEqual([])

  const all = (await selectAgents(db, { status: 'all' }, undefined, 1000)).sort(
    (a, b) => b.reputationScore - a.reputationScore || (a.id < b.id ? 1 : -1),
  )
  expect(new Set(all.map((agent) => agent.reputationScore)).size).toBeGreaterThan(2)
  const priced = all.filter((agent) => agent.requestPrices > 0)
  expect(priced.length).toBeGreaterThan(10)
  expect(priced.filter((agent) => agent.lowestRequestPrice === null)).not.toEqual([])
  for (let round = 0; round < 250; round++) {
    const maybe = <T>(list: readonly T[]) => (below(2) ? undefined : any(list))
    const filter: AgentFilter = {
      status: any([...agentStatuses, 'all']),
      layer: maybe([1, 5, 22]),
      agentType: maybe(agentTypes),
      feeModel: maybe(feeModels),
      minReputation: maybe([0, 4, 7]),
      priced: maybe([true]),
      maxRequestPrice: below(4) === 0 ? BigInt(1 + below(9)) : undefined,
      sort: maybe(agentSorts),
    }
    const keyOf = sortKey[filter.sort ?? 'reputation']
    const inOrder = all.toSorted((a, b) => keyOf(b) - keyOf(a) || (a.id < b.id ? 1 : -1))
    const q = maybe(['ag', 'AGENT', 'ze%', 'ÖL', 'zebra 1'])
    const owner = maybe([...owners, newWallet()])
    const last = maybe(all)
    const after = last && { sortKey: keyOf(last), id: last.id }
    const ofEveryLayer = inOrder.filter(
      (agent) =>
        (filter.status === 'all' || agent.status === filter.status) &&
        (!filter.agentType || agent.agentType === filter.agentType) &&
        (!filter.feeModel || agent.feeModel === filter.feeModel) &&
        (!owner || agent.pubkey === owner) &&
        (!filter.priced || agent.requestPrices > 0) &&
        (filter.maxRequestPrice === undefined ||
          (agent.lowestRequestPrice ?? 99n) <= filter.maxRequestPrice) &&
        (!q || isFound(agent, q)) &&
        agent.reputationScore >= (filter.minReputation ?? 0),
    )
    const isOf = (layer: number) => (agent: ReadAgent) => agent.supportedLayers.includes(layer)
    const wanted = filter.layer ? ofEveryLayer.filter(isOf(filter.layer)) : ofEveryLayer
    if (!owner) {
      const { count, layers, complete } = await countAgents({ db }, { ...filter, q })
      const counts = layers.map(({ layer }) => ({ layer, count: ofEveryLayer.filter(isOf(layer)).length }))
      expect({ count, layers, complete }).toEqual({
        ...{ count: ofEveryLayer.length, layers: counts, complete: true },
      })
      expect(layers).toHaveLength(22)
    }
    const rest = last ? wanted.filter((agent) => inOrder.indexOf(agent) > inOrder.indexOf(last)) : wanted
    const found = owner
      ? await selectAgentsOf(db, { ...filter, owner, q }, after, 7)
      : q || !isInRanges(filter)
        ? (await searchAgents(db, { ...filter, q }, after, 7)).agents
        : await selectAgents(db, filter, after, 7)
    expect(found.map(({ id }) => id)).toEqual(rest.slice(0, 7).map(({ id }) => id))
  }
})

/** What lists are ordered by, highest first. */
const sortKey: Record<AgentSort, (agent: ReadAgent) => number> = {
  reputation: (agent) => agent.reputationScore,
  newest: () => 0,
  rating: ({ ratingSum, ratedWeight }) =>
    Number(ratingSum + 3_000_000_000n) / Number(ratedWeight + 1_000_000_000n),
  hires: (agent) => agent.totalHires,
  price: ({ feeModel, feeAmount }) =>
    feeModel === 'percentage' ? -1e16 * (1 + Number(feeAmount)) : -Number(feeAmount),
}

it('lists entries as they are after concurrent writes', async () => {
  const { db } = database
  const { below, any } = randomNumbers()
  const keys = Array.from({ length: 30 }, newWallet)
  const register = (n: number) => {
    const chosen = capabilities.filter(() => below(8) === 0)
    const all = n === 0 ? capabilities : chosen.length > 0 ? chosen : [any(capabilities)]
    return upsertRegistration(
      db,
      {
        pubkey: any(keys),
        name: 'Entry',
        agentType: any(registryAgentTypes),
        capabilities: all,
        layers: layersOf(all),
        feeModel: 'free',
        timestamp: n,
        signature: `s${n}`,
        bodyHash: `b${n}`,
        updatedAt: day(n % 20),
      },
      { addressHash: `address ${n}`, endsAt: day(0), limit: 100 },
    )
  }
  const moderate = () => updateEntry(db, { pubkey: any(keys), status: any(['active', 'suspended'] as const) })
  await Promise.all(
    Array.from({ length: 200 }, (_, n) =>
      n % 5 === 4 ? moderate() : n === 111 ? removeEntry(db, any(keys)) : register(n),
    ),
  )
  const { rows } = await database.pool.query(compared(ENTRIES, 'table registry_listings'))
  expect(rows).toEqual([{ wrong: 0, kept: expect.any(Number) }])
  expect(rows[0].kept).toBeGreaterThan(100)

  const entries = await selectRegisteredAgents(db, {}, undefined, 100)
  for (const capability of capabilities) {
    for (const layer of [undefined, 1, 17]) {
      const wanted = entries.filter(
        (entry) => entry.capabilities.includes(capability) && (!layer || entry.layers.includes(layer)),
      )
      const found = await selectRegisteredAgents(db, { capability, layer }, undefined, 100)
      expect(found.map(({ pubkey }) => pubkey)).toEqual(wanted.map(({ pubkey }) => pubkey))
    }
  }
})
