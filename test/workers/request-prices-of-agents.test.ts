import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { register } from '../support/agents.ts'
import { rowsOf } from '../support/chain.ts'
import { type Body, type Call, type Service, startService } from '../support/service.ts'
import { PRICE, payableAgent, payerOf, setCredit } from '../support/x402-service.ts'

/* What an agent's prices of requests change in the marketplace. */

let service: Service
/** A mint that prices may use, too. */
const OTHER = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'agents', 'x402'], bindings: { X402_ASSETS: OTHER } })
})
afterAll(() => service.stop())

const read = async (id: string) => (await service.call('GET', `/agents/${id}`)).body as Body & { id: string }

/** The ids of all pages of a list, and each agent's `requests`. */
async function list(query: string, limit = 2) {
  const found: (Body & { id: string; requests?: Body })[] = []
  let cursor = ''
  do {
    const { body, status } = await service.call('GET', `/agents?${query}&limit=${limit}${cursor}`)
    expect(status).toBe(200)
    found.push(...(body.agents as typeof found))
    cursor = body.nextCursor === undefined ? '' : `&cursor=${body.nextCursor}`
  } while (cursor !== '')
  return found
}
const ids = (agents: { id: string }[]) => agents.map(({ id }) => id)

const setPrices = async (call: Call, id: string, prices: Body[]) => {
  const { status } = await call('PUT', `/x402/agents/${id}/prices`, { body: { prices } })
  expect(status).toBe(200)
}
const price = (name: string, amount: number, asset?: string) => ({ name, amount, ...(asset && { asset }) })

describe('requests of an agent', () => {
  it('shows the lowest price in CRED, the number of prices, and what is missing', async () => {
    const owner = await service.signIn()
    const address = owner.wallet.publicKey
    const { id } = await register(owner.call)
    expect(await read(id)).not.toHaveProperty('requests')
    await setPrices(owner.call, id, [price('a', 5, OTHER)])
    const missing = ['key', 'credit', 'endpoint']
    expect((await read(id)).requests).toEqual({ count: 1, ready: false, missing })
    await setPrices(owner.call, id, [price('a', 5, OTHER), price('b', 700), price('c', 300)])
    const requests = { from: 300, count: 3, ready: false, missing }
    expect((await read(id)).requests).toEqual(requests)
    expect(await list(`owner=${address}`)).toMatchObject([{ id, requests }])
    // Answers of writes and hires do not read it.
    const body = { apiEndpoint: 'https://a.example.com/api' }
    expect((await owner.call('PATCH', `/agents/${id}`, { body })).body).not.toHaveProperty('requests')
    expect((await read(id)).requests).toMatchObject({ missing: ['key', 'credit'] })
    await owner.call('POST', `/x402/agents/${id}/key`)
    expect((await read(id)).requests).toMatchObject({ missing: ['credit'] })
    // X402_FEE is 0.01 CRED.
    await setCredit(service, address, 9_999_999n)
    expect((await read(id)).requests).toMatchObject({ ready: false, missing: ['credit'] })
    await setCredit(service, address, 10_000_000n)
    expect((await read(id)).requests).toEqual({ from: 300, count: 3, ready: true })
    // A server is paid without a registered address.
    await owner.call('PATCH', `/agents/${id}`, { body: { apiEndpoint: null } })
    expect((await read(id)).requests).toEqual({ from: 300, count: 3, ready: true, missing: ['endpoint'] })
    await owner.call('PATCH', `/agents/${id}`, { body })
    await owner.call('PATCH', `/agents/${id}`, { body: { status: 'inactive' } })
    expect((await read(id)).requests).toEqual({ from: 300, count: 3, ready: false })
    await setPrices(owner.call, id, [])
    expect(await read(id)).not.toHaveProperty('requests')
  })

  it('misses a token account after a payment was refused for it', async () => {
    const agent = await payableAgent(service)
    await agent.call('PATCH', `/agents/${agent.id}`, { body: { apiEndpoint: 'https://b.example.com' } })
    const request = await (await payerOf(service)).sign(agent)
    expect((await read(agent.id)).requests).toEqual({ from: PRICE, count: 1, ready: true })
    const at = new Date(service.clock.now()).toISOString()
    const refusal = `insert into request_refusals values ($1, 'no_token_account', $2::timestamptz, $2, $2)`
    await rowsOf(service, refusal, agent.id, at)
    expect((await read(agent.id)).requests).toMatchObject({ ready: false, missing: ['token_account'] })
    expect((await agent.ask('settle', request)).body).toMatchObject({ success: true })
    expect((await read(agent.id)).requests).toEqual({ from: PRICE, count: 1, ready: true })
  })

  it('has another entity tag after each change of its prices', async () => {
    const owner = await service.signIn()
    const { id } = await register(owner.call)
    const tags = new Set<string | null>()
    for (const prices of [[], [price('a', 2)], [price('a', 1)], [price('a', 1), price('b', 1)]]) {
      await setPrices(owner.call, id, prices)
      const { headers } = await service.call('GET', `/agents/${id}`)
      const etag = headers.get('etag')
      tags.add(etag)
      const again = { headers: { 'if-none-match': String(etag) } }
      expect((await service.call('GET', `/agents/${id}`, again)).status).toBe(304)
    }
    expect(tags.size).toBe(4)
  })
})

describe('GET /agents with priced and maxRequestPrice', () => {
  /** Agents with these lowest prices, the first with the best reputation; undefined: without prices. */
  async function market(name: string, ofAgents: (number | undefined)[], asset?: string) {
    const owner = await service.signIn()
    const stored: string[] = []
    for (const [n, amount] of ofAgents.entries()) {
      const changes = { name: `${name} ${n}`, supportedLayers: n % 2 ? [4] : [4, 9], agentType: 'oracle' }
      const { id } = await register(owner.call, changes)
      if (amount !== undefined)
        await setPrices(owner.call, id, [price('a', amount, asset), price('b', amount + 1, asset)])
      await rowsOf(
        service,
        'update agents set reputation_score = $1::float8 where id = $2',
        String(90 - n),
        id,
      )
      stored.push(id)
    }
    return { owner, stored }
  }

  it('lists agents by reputation over all pages, also with words, layer and other filters', async () => {
    const { owner, stored } = await market('Whimbrel', [50, undefined, 10, 30, undefined, 20, 40])
    const of = (...numbers: number[]) => numbers.map((n) => stored[n])
    const address = owner.wallet.publicKey
    for (const [query, expected] of [
      ['priced=true', of(0, 2, 3, 5, 6)],
      ['maxRequestPrice=30', of(2, 3, 5)],
      ['maxRequestPrice=30&priced=true', of(2, 3, 5)],
      ['maxRequestPrice=9', []],
      ['priced=true&layer=9', of(0, 2, 6)],
      ['maxRequestPrice=30&layer=9', of(2)],
      ['priced=true&agentType=oracle&feeModel=percentage', of(0, 2, 3, 5, 6)],
      ['priced=true&agentType=autonomous', []],
      ['priced=true&minReputation=87', of(0, 2, 3)],
      ['priced=true&sort=newest', of(6, 5, 3, 2, 0)],
      ['maxRequestPrice=30&sort=newest', of(5, 3, 2)],
      ['priced=true&status=inactive', []],
      ['priced=true&endpoint=live', []],
    ] as const) {
      for (const filter of ['q=whimbrel', `owner=${address}`])
        expect(ids(await list(`${filter}&${query}`)), `${filter}&${query}`).toEqual(expected)
      const isStored = ({ id }: { id: string }) => stored.includes(id)
      expect(ids((await list(query)).filter(isStored)), query).toEqual(expected)
    }
    // The order is the list's own: the same without the filter.
    const all = ids(await list('q=whimbrel'))
    expect(ids(await list('q=whimbrel&priced=true'))).toEqual(
      all.filter((id) => of(0, 2, 3, 5, 6).includes(id)),
    )
  })

  it('counts prices in other tokens, but compares only CRED', async () => {
    const { stored } = await market('Dunlin', [5], OTHER)
    expect(ids(await list('q=dunlin&priced=true'))).toEqual(stored)
    expect(await list('q=dunlin&maxRequestPrice=1000')).toEqual([])
  })

  it.each([
    'priced=false',
    'priced=1',
    'priced=',
    'maxRequestPrice=0',
    'maxRequestPrice=1.5',
    'maxRequestPrice=x',
  ])('refuses %s', async (query) => {
    const { status, body } = await service.call('GET', `/agents?${query}`)
    expect(status).toBe(400)
    expect(body).toMatchObject({ errors: [{ path: query.split('=')[0] }] })
  })

  it('lists unpaid wallets’ bait prices after agents with reputation, and the cheapest not first', async () => {
    const { stored } = await market('Curlew', [900])
    const baits: string[] = []
    for (let n = 0; n < 12; n += 1) {
      const { call } = await service.signIn()
      const { id } = await register(call, { name: `Curlew bait ${n}` })
      await setPrices(call, id, [price('a', 1)])
      baits.push(id)
    }
    for (const query of ['priced=true', 'maxRequestPrice=1000']) {
      const found = ids(await list(`q=curlew&${query}`, 5))
      expect(found[0]).toBe(stored[0])
      // Newest first, as without prices.
      expect(found.slice(1)).toEqual(baits.toReversed())
    }
  })

  it('rewrites listings only for the first price and after the last one', async () => {
    const { call } = await service.signIn()
    const { id } = await register(call, { supportedLayers: Array.from({ length: 22 }, (_, n) => n + 1) })
    const written = () =>
      rowsOf(service, 'select layer, ctid::text from agent_listings where agent_id = $1 order by layer', id)
    const changes: boolean[] = []
    let before = await written()
    expect(before).toHaveLength(23)
    const many = Array.from({ length: 50 }, (_, n) => price(`p${n}`, 50 - n))
    for (const prices of [
      [price('a', 5)],
      [price('a', 4)],
      many,
      many.slice(0, 10),
      [price('b', 9)],
      [],
      [],
    ]) {
      await setPrices(call, id, prices)
      const after = await written()
      changes.push(JSON.stringify(after) !== JSON.stringify(before))
      before = after
    }
    expect(changes).toEqual([true, false, false, false, false, true, false])
  })
})
