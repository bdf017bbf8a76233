import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { listAgents } from '../../lib/agents/listing/list.ts'
import { selectFound } from '../../lib/discovery/ard/queries.ts'
import { type AgentSort, agentSorts } from '../../schema/values.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { useDatabase } from '../support/database.ts'
import { insertAgent, newWallet } from '../support/stored-agents.ts'

/* What GET /agents?q= finds besides the beginnings of words. */

const database = useDatabase()
const owner = newWallet()

type Stored = { name: string; description?: string; layers?: number[]; fee?: bigint; pubkey?: Wallet }

let stored = 0
const store = ({ name, description, layers = [1], fee = 1n, pubkey = owner }: Stored) => {
  stored += 1
  const id = `00000000-0000-7000-8000-${String(stored).padStart(12, '0')}`
  return insertAgent(database.db, {
    ...{ id, pubkey, name, description, agentType: 'oracle', supportedLayers: layers },
    ...{ feeModel: 'flat', feeAmount: fee, registeredAt: new Date(Date.UTC(2026, 0, 1, 0, 0, stored)) },
  })
}

type Asked = Partial<Omit<Parameters<typeof listAgents>[1], 'q' | 'limit'>>

/** The first page of a search: each agent's name, with a question mark if they only come close. */
async function found(q: string, wanted: Asked = {}): Promise<string[]> {
  const { agents, isClose } = await listAgents(database, { status: 'active', q, limit: 100, ...wanted })
  return agents.map(({ name }) => (isClose ? `${name}?` : name))
}

/** All pages of a search. */
async function pagesOf(q: string, limit: number, wanted: Asked = {}) {
  const ids: string[] = []
  let cursor: string | undefined
  do {
    const page = await listAgents(database, { status: 'active', q, limit, cursor, ...wanted })
    expect(page.agents.length).toBeLessThanOrEqual(limit)
    if (page.nextCursor !== undefined) expect(page.agents).toHaveLength(limit)
    ids.push(...page.agents.map(({ id }) => id))
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return ids
}

beforeAll(async () => {
  await store({ name: 'Digest', description: 'Writes a summary of any text' })
  await store({ name: 'Summaries', description: 'Short abstracts' })
  await store({ name: 'Interpreter', description: 'Translates texts into German', layers: [2], fee: 3n })
  await store({ name: 'Heron', description: 'Watches prices of tokens', fee: 2n, pubkey: newWallet() })
})

describe('GET /agents?q', () => {
  it('finds a need by its words in any form, and what comes close if nothing has all', async () => {
    expect(await found('summaries of a text')).toEqual(['Digest'])
    expect(await found('translation')).toEqual(['Interpreter'])
    expect(await found('somebody who is watching the price')).toEqual(['Heron?'])
    expect(await found('gardening')).toEqual([])
  })

  it('lists agents whose words begin so before those that a need finds', async () => {
    expect(await found('summaries')).toEqual(['Summaries', 'Digest'])
    expect(await found('text')).toEqual(['Interpreter', 'Digest'])
    expect(await found('tex')).toEqual(['Interpreter', 'Digest'])
  })

  it('applies the filters and the order of the list to what a need finds', async () => {
    expect(await found('summaries of a text', { layer: 2 })).toEqual(['Interpreter?'])
    expect(await found('prices of texts', { sort: 'price' })).toEqual(['Digest?', 'Heron?', 'Interpreter?'])
    expect(await found('prices of texts', { sort: 'newest' })).toEqual(['Heron?', 'Interpreter?', 'Digest?'])
    expect(await found('prices of texts', { owner })).toEqual(['Interpreter?', 'Digest?'])
    expect(await found('prices of texts', { status: 'inactive' })).toEqual([])
    expect(await found('prices of texts', { endpoint: 'live' })).toEqual([])
  })

  it('finds on all pages what one page has, each once, for every order and size', async () => {
    for (let n = 0; n < 12; n += 1)
      await store({
        name: n % 3 === 0 ? `Painter ${n}` : `Brush ${n}`,
        description: ['Paints walls', 'Painting of a wall', 'Paint', 'A wall'][n % 4] ?? '',
        fee: BigInt(n % 5),
      })
    for (const [q, count] of [
      ['paint walls', 6],
      ['ceilings painted', 9],
    ] as const)
      for (const sort of agentSorts) {
        const all = await pagesOf(q, 100, { sort })
        expect(all).toHaveLength(count)
        expect(new Set(all).size).toBe(count)
        for (const limit of [1, 2, 3, 6]) expect(await pagesOf(q, limit, { sort })).toEqual(all)
      }
  })

  it('goes on behind its cursor while agents are added', async () => {
    for (const [q, name] of [
      ['paint walls', 'Paint walls new'],
      ['ceilings painted', 'Painting new'],
    ] as const) {
      const before = await pagesOf(q, 100)
      const first = await listAgents(database, { status: 'active', q, limit: 4 })
      await store({ name })
      const { nextCursor: cursor } = first
      const rest = await listAgents(database, { status: 'active', q, limit: 100, cursor })
      expect([...first.agents, ...rest.agents].map(({ id }) => id)).toEqual(before)
      expect(rest.isClose).toBe(first.isClose)
    }
  })

  it('finds of agents what POST /ard/search finds, or those of them that have all words', async () => {
    for (const text of ['painting of doors', 'token prices in German', 'summaries of a text', 'wall']) {
      const { agents, isClose = false } = await listAgents(database, {
        status: 'active',
        q: text,
        limit: 100,
      })
      const needed = await selectFound(database.db, { text }, undefined, 100)
      const keys = needed.map(({ key }) => key)
      expect(agents).not.toEqual([])
      const ids = agents.map(({ id }) => id)
      expect(keys).toEqual(expect.arrayContaining(ids))
      if (!isClose) continue
      expect(ids).toHaveLength(keys.length)
      const scores = ids.map((id) => needed[keys.indexOf(id)]?.score ?? 0)
      expect(scores).toEqual(scores.toSorted((a, b) => b - a))
    }
  })

  it.each([
    ['only stop words', 'of the and a'],
    ['operators', "text & !summaries | 'x':* <-> (\\"],
    ['quotes', '"summaries" \'text\' ´`'],
    ['a hundred words', 'ab '.repeat(66)],
    ['one long word', 'x'.repeat(200)],
    ['letters from right to left', '\u202Eشقيقة text\u202C'],
    ['half of a pair', 'a\uFFFD 🧑‍🎨 \u0301'],
    ['a script without spaces', '要約'.repeat(60)],
    ['patterns', '%_%'],
  ])('accepts %s', async (_what, q) => {
    for (const sort of agentSorts) await pagesOf(q, 2, { sort })
  })

  it('accepts any text in any order', async () => {
    const sort = fc.constantFrom<AgentSort>(...agentSorts)
    const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 200 })
    await fc.assert(
      fc.asyncProperty(text, sort, async (text, sort) => {
        const q = text.replaceAll(/\0|\p{Cs}/gu, '')
        if (q.trim() !== '') await found(q, { sort })
      }),
      { numRuns: 100 },
    )
  })

  it('ranks a word in a name above any number of them in a description', async () => {
    await store({ name: 'Often', description: 'coffee '.repeat(70).trim() })
    await store({ name: 'Once', description: 'coffee' })
    await store({ name: 'Coffee maker' })
    const rows = await selectFound(database.db, { text: 'coffees' }, undefined, 10)
    const scores = rows.map(({ name, score }) => [name, score])
    expect(scores).toEqual([
      ['Coffee maker', 100],
      ['Often', 82],
      ['Once', 50],
    ])
    expect(await found('coffees')).toEqual(['Coffee maker', 'Often', 'Once'])
  })
})
