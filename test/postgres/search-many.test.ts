import { sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import fc from 'fast-check'
import type pg from 'pg'
import { describe, expect, it } from 'vitest'
import { type AgentSearch, searchAgents } from '../../lib/agents/listing/search-queries.ts'
import type { ReadAgent } from '../../lib/agents/queries.ts'
import { countFacets, selectFound } from '../../lib/discovery/ard/queries.ts'
import { everyWord, wordsOf } from '../../lib/discovery/search/queries.ts'
import { removeEntry, updateEntry } from '../../lib/registry/moderation-queries.ts'
import { upsertRegistration } from '../../lib/registry/queries.ts'
import { layersOf } from '../../lib/registry/rules.ts'
import { searchEntries } from '../../lib/registry/search-queries.ts'
import { type Capability, capabilities, LAST_REGISTRY_LAYER, layerNames } from '../../schema/registry.ts'
import { useDatabase } from '../support/database.ts'
import { runs } from '../support/runs.ts'
import { insertAgent, newWallet, updateAgent } from '../support/stored-agents.ts'

const database = useDatabase()

const day = new Date('2026-01-01T00:00:00.000Z')

const store = (name: string, description?: string, layers = [1]) =>
  insertAgent(database.db, {
    id: crypto.randomUUID(),
    pubkey: newWallet(),
    name,
    description,
    agentType: 'oracle',
    supportedLayers: layers,
    feeModel: 'flat',
    feeAmount: 1n,
    registeredAt: day,
  })

let revision = 0
const enter = (name: string, its: Capability[], description?: string, pubkey = newWallet()) => {
  revision += 1
  return upsertRegistration(
    database.db,
    {
      pubkey,
      name,
      description,
      agentType: 'data',
      capabilities: its,
      layers: layersOf(its),
      feeModel: 'free',
      timestamp: revision,
      signature: `s${revision}`,
      bodyHash: `b${revision}`,
      updatedAt: day,
    },
    { addressHash: `address ${revision}`, endsAt: day, limit: 100 },
  )
}

const found = async (q: string) => {
  const { agents } = await searchAgents(database.db, { status: 'active', q }, undefined, 50)
  return agents.map(({ name }) => name)
}

/** The agents of all pages of a search. */
const foundOnAllPages = async (filter: AgentSearch) => {
  const agents: ReadAgent[] = []
  let after: Awaited<ReturnType<typeof searchAgents>>['reached']
  do {
    const page = await searchAgents(database.db, filter, after, 100)
    agents.push(...page.agents)
    const last = page.agents.length === 100 ? page.agents.at(-1) : undefined
    after = last ?? page.reached
  } while (after)
  return agents
}

const fitting = async (text: string, wanted: Parameters<typeof countFacets>[1] = {}) => {
  const rows = await selectFound(database.db, { ...wanted, text }, undefined, 50)
  return rows.map(({ name }) => name)
}

/** What the texts must be, by the tables that they are made of. */
const DOCUMENTS = `
  select kind, key, document_vector('simple', name, terms, description) as words,
    document_vector('english', name, terms, description) as stems, 1::smallint as folding
  from (
    select 'agent' as kind, id::text as key, name, layer_names(supported_layers) || agent_type as terms, description from agents
    union all select 'registered', pubkey, name, capabilities || agent_type, description from registry_agents where status <> 'removed') as its`
const DOCS = `
  select kind, word, key from documents, lateral (
    select distinct unnest(tsvector_to_array(words) || tsvector_to_array(stems)) as word) as its`

const expectKept = async (of: pg.Pool) => {
  const compared = (made: string, table: string) => `
    select (select count(*) from ((${made} except all table ${table}) union all (table ${table} except all ${made})) as wrong)::integer as wrong`
  expect((await of.query(compared(DOCUMENTS, 'documents'))).rows).toEqual([{ wrong: 0 }])
  expect((await of.query(compared(DOCS, 'document_words'))).rows).toEqual([{ wrong: 0 }])
}

describe('texts', () => {
  it('follow changes of agents and entries, and are deleted with them', async () => {
    const agent = await store('Kept', 'first words')
    const entry = await enter('Kept entry', ['shopping'])
    await enter('Kept entry', ['energy'], 'other words', entry?.pubkey)
    const gone = await enter('Gone entry', ['shopping'])
    const change = {
      wallet: agent.pubkey,
      isOperator: false,
      ownerFrom: ['active'],
      operatorFrom: [],
      now: day,
    } as const
    await updateAgent(database.db, { id: agent.id, ...change, details: { description: 'later words' } })
    await updateEntry(database.db, { pubkey: entry?.pubkey ?? newWallet(), status: 'suspended' })
    await removeEntry(database.db, gone?.pubkey ?? newWallet())
    const deleted = await store('Deleted')
    await database.pool.query('delete from agents where id = $1', [deleted.id])
    await expectKept(database.pool)
    expect(await found('later')).toEqual(['Kept'])
    expect(await found('first')).toEqual([])
    expect(await fitting('kept entries')).not.toContain('Kept entry')
    const { rows } = await database.pool.query(
      'select count(*)::integer as n from documents where key = any ($1)',
      [[gone?.pubkey, deleted.id]],
    )
    expect(rows).toEqual([{ n: 0 }])
  })

  it('have the names of layers of the catalog', async () => {
    const { rows } = await database.pool.query(
      `select layer_names(array_agg(n::smallint)) as names from generate_series(1, ${LAST_REGISTRY_LAYER}) as n`,
    )
    expect(rows[0].names).toEqual(Object.values(layerNames))
    expect(new Set(rows[0].names).size).toBe(LAST_REGISTRY_LAYER)
    for (const name of rows[0].names) expect(capabilities).toContain(name)
  })

  it('have in their filter every bit of a matching search', async () => {
    const { sql: text } = new PgDialect().sqlToQuery(sql`
      with words as materialized (${wordsOf(sql`$2::text`)}), made as (select word_vector('simple', $1) as its)
      select its @@ ${everyWord(sql`words`)} as fits, word_bloom(tsvector_to_array(its)) & asked = asked as may
      from made, word_bloom(array(select word from words)) as asked`)
    const wordLists = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 7 }), { maxLength: 12 })
    const isText = (texts: string[]) => texts.every((one) => one.isWellFormed() && !/\p{Cc}/u.test(one))
    let fitting = 0
    await fc.assert(
      fc.asyncProperty(wordLists.filter(isText), fc.nat(6), fc.nat(3), async (words, length, every) => {
        const begun = words
          .filter((_, i) => i % (every + 1) === 0)
          .map((word) => [...word].slice(0, length).join(''))
        const { rows } = await database.pool.query(text, [words.join(' '), begun.join(' ')])
        if (rows[0].fits) fitting++
        expect(rows[0].may || !rows[0].fits).toBe(true)
      }),
      { numRuns: 300 },
    )
    expect(fitting).toBeGreaterThan(50)
    const { rows } = await database.pool.query(
      `select word_bloom('{walked}') & word_bloom('{zebra}') = word_bloom('{zebra}') as may`,
    )
    expect(rows).toEqual([{ may: false }])
  })

  it('are listed under at most two hundred words each', async () => {
    const long = Array.from({ length: 280 }, (_, n) => `w${n}x`).join(' ')
    const entry = await enter('Endless', ['shopping'], long)
    const { rows } = await database.pool.query(
      'select count(*)::integer as n from document_words where key = $1',
      [entry?.pubkey],
    )
    expect(rows).toEqual([{ n: 200 }])
    await enter('Endless', ['shopping'], 'short', entry?.pubkey)
    await removeEntry(database.db, entry?.pubkey ?? newWallet())
    const left = await database.pool.query(
      'select count(*)::integer as n from document_words where key = $1',
      [entry?.pubkey],
    )
    expect(left.rows).toEqual([{ n: 0 }])
  })
})

describe('GET /agents?q', () => {
  it('finds by the beginning of the name or of each word, in any case', async () => {
    await store('Harbour Pilot', 'Guides vessels through narrow straits', [5, 17])
    for (const q of [
      'harbour',
      'HARBOUR PI',
      'pilot',
      'pil har',
      'vess',
      'straits guides',
      'liquid',
      'insurance',
      'harbour oracle',
    ])
      expect(await found(q), q).toContain('Harbour Pilot')
    for (const q of ['arbour', 'harbour tower', 'vesselss', 'shopping harbour'])
      expect(await found(q), q).toEqual([])
    await store('$$$ !!!')
    expect(await found('$$')).toEqual(['$$$ !!!'])
    await store('Per%cent_Case')
    expect(await found('per%')).toEqual(['Per%cent_Case'])
    expect(await found('p_r')).toEqual([])
  })

  it('accepts any text', async () => {
    const signs = fc.constantFrom(
      "'",
      '\\',
      ':',
      '*',
      '&',
      '|',
      '!',
      '(',
      ')',
      '<->',
      ' ',
      '"',
      '%',
      '_',
      '/',
      '.',
      '-',
      '@',
      'a',
      '1',
      'http://a.b/c?d',
      'ß',
      'İ',
      '你好',
      '🦓',
      '\u0301',
    )
    const texts = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 32 }),
      fc.array(signs, { minLength: 1, maxLength: 12 }).map((parts) => parts.join('')),
    )
    const isText = (text: string) => text.isWellFormed() && !/\p{Cc}/u.test(text)
    await fc.assert(
      fc.asyncProperty(texts.filter(isText), async (text) => {
        await searchAgents(database.db, { status: 'all', q: text }, undefined, 2)
        await searchEntries(database.db, { q: text }, undefined, 2)
        await selectFound(database.db, { text }, undefined, 2)
        await countFacets(database.db, { text })
      }),
      { numRuns: runs(30, 150) },
    )
  })

  it('finds an agent by any valid name', async () => {
    const names = fc.string({ unit: 'grapheme', minLength: 3, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(
        names.filter((name) => !/\p{C}|\p{Z}/u.test(name)),
        async (name) => {
          await store(name)
          expect(await found(name)).toContain(name)
        },
      ),
      { numRuns: 30 },
    )
  })

  it('finds the same on all pages together, whether few or many begin so', async () => {
    const many = async (from: number, to: number) => {
      await database.pool.query(`
        insert into agents (id, pubkey, name, description, agent_type, supported_layers, fee_model, fee_amount, reputation_score, status, registered_at)
        select lpad(to_hex(n), 32, '0')::uuid, 'many', 'Common ' || n, case when n % 3 = 1 then 'Émile’s quokkas 你好世界' end,
          case when n % 3 = 0 then 'oracle' else 'autonomous' end, '{3}', 'flat', 1,
          n % 20, case when n % 7 = 0 then 'inactive' else 'active' end, '2026-01-01' from generate_series(${from}, ${to}) as n`)
    }
    await many(1, 999)
    const all = async (filter: AgentSearch) => (await foundOnAllPages(filter)).map(({ id }) => id)
    const expected = async (where: string) => {
      const { rows } = await database.pool.query(
        `select id from agents where name like 'Common %' and ${where} order by reputation_score desc, id desc`,
      )
      return rows.map(({ id }) => id)
    }
    for (const last of [999, 1_000, 1_001, 5_000].slice(0, runs(3, 4))) {
      if (last > 999) await many(last === 5_000 ? 1_002 : last, last)
      for (const q of ['é', 'ÉMI', '你', 'quok common', 'qu'])
        expect(await all({ status: 'all', q }), `${q} of ${last}`).toEqual(
          await expected('description is not null'),
        )
      for (const q of ['common', 'COMM', 'oracle common']) {
        const isOracle = q.startsWith('oracle') ? "agent_type = 'oracle' and " : ''
        const plain = await all({ status: 'active', q })
        expect(plain, `${q} of ${last}`).toEqual(await expected(`${isOracle} status = 'active'`))
        const kinds = await all({ status: 'all', agentType: 'oracle', layer: 3, minReputation: 4, q })
        expect(kinds, `${q} of ${last}`).toEqual(
          await expected("agent_type = 'oracle' and reputation_score >= 4"),
        )
      }
    }
  })
})

describe('GET /registry/agents?q', () => {
  const all = async (filter: Parameters<typeof searchEntries>[1]) => {
    const keys: string[] = []
    let after: Awaited<ReturnType<typeof searchEntries>>['reached']
    do {
      const page = await searchEntries(database.db, filter, after, 100)
      keys.push(...page.agents.map(({ pubkey }) => pubkey))
      after = page.agents.length === 100 ? page.agents.at(-1) : page.reached
    } while (after)
    return keys
  }

  it('finds active entries by the beginnings of all words, in any case', async () => {
    const entry = await enter('Lighthouse Keeper', ['gaming'], 'Minds lamps')
    const pubkey = entry?.pubkey ?? newWallet()
    for (const q of ['light', 'KEEPER light', 'lamp minds', 'gaming lamps'])
      expect(await all({ q }), q).toEqual([pubkey])
    for (const q of ['house', 'lamp shops', '%', '🦓']) expect(await all({ q }), q).toEqual([])
    await updateEntry(database.db, { pubkey, status: 'suspended' })
    expect(await all({ q: 'lighthouse' })).toEqual([])
  })

  it('finds the same on all pages together, whether few or many begin so', async () => {
    const many = (from: number, to: number) =>
      database.pool.query(`
        insert into registry_agents (pubkey, name, agent_type, capabilities, layers, fee_model, timestamp, signature, body_hash, revision, registered_at, updated_at)
        select 'often' || n, 'Often ' || n, case when n % 3 = 0 then 'defi' else 'data' end, case when n % 5 = 0 then '{energy}' else '{compute}' end::text[],
          case when n % 5 = 0 then '{8}' else '{6}' end::smallint[], 'free', 1, 'often' || n, 'b', 1, timestamptz '2026-01-01' + n % 50 * interval '1 hour', '2026-01-01'
        from generate_series(${from}, ${to}) as n`)
    const expected = async (where: string) => {
      const { rows } = await database.pool.query(
        `select pubkey from registry_agents where name like 'Often %' and ${where} order by registered_at desc, pubkey desc`,
      )
      return rows.map(({ pubkey }) => pubkey)
    }
    await many(1, 999)
    for (const last of [1_000, 1_001, 3_000].slice(0, runs(2, 3))) {
      await many(last === 3_000 ? 1_002 : last, last)
      expect(await all({ q: 'often' }), String(last)).toEqual(await expected('true'))
      expect(await all({ q: 'OFT', agentType: 'defi', capability: 'energy' })).toEqual(
        await expected("agent_type = 'defi' and 'energy' = any (capabilities)"),
      )
      expect(await all({ q: 'often data', layer: 8 })).toEqual(
        await expected("agent_type = 'data' and 8 = any (layers)"),
      )
    }
  })
})

describe('a search by the state of endpoints', () => {
  it('finds all agents in the state over all pages, whether few or many', async () => {
    // Of twelve, six name an endpoint and what it speaks; of those one is down and one is unknown.
    const offer = (from: number, to: number) =>
      database.pool.query(`
        insert into agents (id, pubkey, name, agent_type, supported_layers, fee_model, fee_amount, reputation_score, status, registered_at,
          api_endpoint, api_protocol)
        select lpad(to_hex(100000 + n), 32, '0')::uuid, 'seen' || n, 'Seen ' || n, case when n % 5 = 0 then 'oracle' else 'autonomous' end, '{4}',
          'flat', 1, n % 20, case when n % 7 = 0 then 'inactive' else 'active' end, '2026-01-01',
          case when n % 3 > 0 then 'https://h' || n % 12 || '.example.com/' end, case when n % 4 > 0 then 'http' end
        from generate_series(${from}, ${to}) as n`)
    const ids = async (where: string) => {
      const { rows } = await database.pool.query(
        `select id from agents where name like 'Seen %' and ${where} order by reputation_score desc, id desc`,
      )
      return rows.map(({ id }) => id)
    }
    const isAt = (...hosts: number[]) => `
      api_endpoint = any ('{${hosts.map((n) => `https://h${n}.example.com/`)}}') and api_protocol is not null`
    const byState = { live: isAt(1, 2, 5, 7), down: isAt(10), unknown: isAt(11) }
    await offer(1, 900)
    await database.pool.query(`update agent_endpoints set status = case when url like '%h10.%' then 'down' else 'live' end
      where url ~ '//h(1|2|5|7|10)[.]example'`)
    for (const last of [900, 3_000].slice(0, runs(1, 2))) {
      if (last > 900) await offer(901, last)
      for (const endpoint of ['live', 'down', 'unknown'] as const) {
        const all = async (filter: AgentSearch) => {
          const agents = await foundOnAllPages({ endpoint, layer: 4, ...filter })
          expect(agents.every((agent) => (agent.endpoint?.status ?? 'unknown') === endpoint)).toBe(true)
          return agents.map(({ id }) => id)
        }
        const isIt = byState[endpoint]
        expect(await all({ status: 'active' })).toEqual(await ids(`${isIt} and status = 'active'`))
        expect(await all({ status: 'all', q: 'seen' })).toEqual(await ids(isIt))
        expect(await all({ status: 'all', agentType: 'oracle', minReputation: 9, q: 'oracle seen' })).toEqual(
          await ids(`${isIt} and agent_type = 'oracle' and reputation_score >= 9`),
        )
      }
    }
  })
})

describe('a search by need', () => {
  it('ranks by rare words, then by reputation, and leaves out low scores', async () => {
    await store('Orchid Keeper', 'Waters orchids and reports their health')
    await store('Plant Reporter', 'Reports on plants, orchids among them')
    await store('Price Reporter', 'Reports prices')
    await enter('Orchid archive', ['curation'], 'Pictures of orchids')
    const names = await fitting('which agent is watering my orchids?')
    expect(names[0]).toBe('Orchid Keeper')
    expect(names).toContain('Orchid archive')
    expect(names).not.toContain('Price Reporter')
    const [best] = await selectFound(database.db, { text: 'orchid keeper' }, undefined, 1)
    expect(best).toMatchObject({ name: 'Orchid Keeper', score: 100, kind: 'agent', protocol: 'http' })
  })

  it('finds only what passes its filters, and counts the same', async () => {
    await store('Lantern One', 'tulip', [17])
    await store('Lantern Two', 'tulip', [5])
    await enter('Lantern Three', ['liquidity'], 'tulip')
    expect((await fitting('tulip lantern')).sort()).toEqual(['Lantern One', 'Lantern Three', 'Lantern Two'])
    expect(await fitting('tulip', { tags: ['registered'] })).toEqual(['Lantern Three'])
    expect((await fitting('tulip', { capabilities: ['liquidity'] })).sort()).toEqual([
      'Lantern One',
      'Lantern Three',
    ])
    expect(await fitting('tulip', { protocols: ['mcp'] })).toEqual([])
    expect(await fitting('tulip', { agentTypes: ['oracle'], feeModels: ['free'] })).toEqual([])
    const counts = await countFacets(database.db, { text: 'tulip' })
    expect(counts.filter(({ field }) => field === 'kind').sort((a, b) => a.count - b.count)).toEqual([
      { field: 'kind', value: 'registered', count: 1 },
      { field: 'kind', value: 'agent', count: 2 },
    ])
    expect(counts).toContainEqual({ field: 'capability', value: 'liquidity', count: 2 })
  })

  it('filters agents by the protocol of their endpoint, http without one', async () => {
    await database.pool.query(`
      insert into agents (id, pubkey, name, agent_type, supported_layers, fee_model, fee_amount, status, registered_at,
        api_endpoint, api_protocol)
      select gen_random_uuid(), 'peony' || n, 'Peony ' || n, 'data', '{4}', 'flat', 1, 'active', '2026-01-01', endpoint, protocol
      from (values (1, 'https://peony.example.com/', 'mcp'), (2, null, 'mcp'), (3, 'https://peony.example.com/', null))
        as peonies (n, endpoint, protocol)`)
    expect(await fitting('peony', { protocols: ['mcp'] })).toEqual(['Peony 1'])
    expect((await fitting('peony', { protocols: ['http'] })).sort()).toEqual(['Peony 2', 'Peony 3'])
  })

  it('finds entries older than spam, and later ones that their hosts name', async () => {
    const many = (prefix: string, year: number, entries: number) =>
      database.pool.query(`
        insert into registry_agents (pubkey, name, agent_type, capabilities, layers, fee_model, timestamp, signature, body_hash, revision,
          registered_at, updated_at, api_endpoint, api_protocol)
        select '${prefix}' || n, '${prefix} heron alert', 'business', '{gaming}', '{23}', 'free', 1, '${prefix}' || n, 'b', 1,
          timestamptz '${year}-01-01' + n * interval '1 minute', '${year}-01-01', 'https://' || '${prefix}' || n || '.example.com/', 'http'
        from generate_series(1, ${entries}) as n`)
    await many('honest', 2025, 10)
    await many('spam', 2026, 400)
    await many('named', 2027, 10)
    await many('flood', 2028, 400)
    await database.pool.query(`update agent_endpoints set status = 'live', identifier = 'urn:air:' || host || ':agents:x',
        identifies = 'registered:' || substr(url, 9, length(url) - 21) where url like 'https://named%'`)
    const seen = async () => {
      const resources = await selectFound(database.db, { text: 'heron alert' }, undefined, 1_000)
      return resources.map(({ key }) => key).filter((key) => !/^(spam|flood)/.test(key))
    }
    const numbered = (prefix: string) => Array.from({ length: 10 }, (_, n) => `${prefix}${n + 1}`)
    expect((await seen()).sort()).toEqual([...numbered('honest'), ...numbered('named')].sort())
    await database.pool.query(`update agent_endpoints set status = 'down' where url like 'https://named%'`)
    expect((await seen()).sort()).toEqual(numbered('honest').sort())
  })

  it('returns every result once over its pages', async () => {
    for (let n = 0; n < 7; n++) await store(`Beacon ${n}`, 'lighthouse')
    await enter('Beacon entry', ['energy'], 'lighthouse')
    const names: string[] = []
    let after: Parameters<typeof selectFound>[2]
    for (;;) {
      const page = await selectFound(database.db, { text: 'lighthouse' }, after, 3)
      names.push(...page.map(({ name }) => name))
      const last = page[2]
      if (!last) break
      after = { score: last.score, reputation: last.reputationScore ?? -1, kind: last.kind, key: last.key }
    }
    expect(names).toHaveLength(8)
    expect(new Set(names).size).toBe(8)
    expect(names.at(-1)).toBe('Beacon entry')
  })
})
