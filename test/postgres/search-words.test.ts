import { sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import fc from 'fast-check'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { selectAgentsOf } from '../../lib/agents/listing/owner-queries.ts'
import { searchAgents } from '../../lib/agents/listing/search-queries.ts'
import { selectFound } from '../../lib/discovery/ard/queries.ts'
import { everyWord, stemsOf, wordsOf } from '../../lib/discovery/search/queries.ts'
import { MAX_WORDS } from '../../lib/discovery/search/score.ts'
import { upsertRegistration } from '../../lib/registry/queries.ts'
import { searchEntries } from '../../lib/registry/search-queries.ts'
import { useDatabase } from '../support/database.ts'
import { insertAgent, newWallet } from '../support/stored-agents.ts'
import { MIXED_TEXT, MIXED_WORDS, textWordsSql } from '../support/text-words.ts'

/* How texts and searches are split into words: text_words of migrations/0004_folded_words.sql. */

const database = useDatabase()
const owner = newWallet()
const day = new Date('2026-01-01T00:00:00.000Z')

/** Stores a text as the description of an agent and of an entry, both of this name. */
async function store(name: string, description: string) {
  const both = { name, description, registeredAt: day, updatedAt: day }
  await insertAgent(database.db, {
    ...{ ...both, id: crypto.randomUUID(), pubkey: owner, agentType: 'oracle', supportedLayers: [1] },
    ...{ feeModel: 'flat', feeAmount: 1n },
  })
  await upsertRegistration(
    database.db,
    {
      ...{ ...both, pubkey: newWallet(), agentType: 'data', capabilities: ['shopping'], layers: [1] },
      ...{ feeModel: 'free', timestamp: 1, signature: crypto.randomUUID(), bodyHash: 'b' },
    },
    { addressHash: crypto.randomUUID(), endsAt: day, limit: 1 },
  )
}

/** The names of the active agents that a search of the market finds. */
async function agentsFor(q: string): Promise<string[]> {
  const { agents } = await searchAgents(database.db, { status: 'active', q }, undefined, 50)
  return agents.map(({ name }) => name)
}

/** What the searches of the market, of one wallet's agents and of the registry find, which is the same. */
async function found(q: string): Promise<string[]> {
  const { db } = database
  const agents = (await agentsFor(q)).sort()
  const entries = await searchEntries(db, { q }, undefined, 50)
  const owned = await selectAgentsOf(db, { owner, status: 'active', q }, undefined, 50)
  const names = (all: { name: string }[]) => all.map(({ name }) => name).sort()
  expect(names(entries.agents)).toEqual(agents)
  expect(names(owned)).toEqual(agents)
  return agents
}

/** What a need finds, in the market and in the registry. */
async function fitting(text: string): Promise<string[]> {
  const rows = await selectFound(database.db, { text }, undefined, 50)
  return rows.map(({ name }) => name)
}

describe('words are found', () => {
  // A text, beginnings of words that it has, and a need that names some of them.
  it.each([
    ['in each normal form', 'Crème fraîche', ['crème'.normalize('NFD'), 'fraîche'.normalize('NFC')], 'crème'],
    ['without accents', 'Brûlée Łódź Đặng Søren', ['brulee', 'lodz', 'dang', 'soren', 'BRÛLÉE'], 'brulee'],
    ['with accents that the text lacks', 'Resume writer', ['résumé', 'rèsumé writer'], 'résumé'],
    ['across ligatures', 'Straße Œuvre ﬁnance', ['STRASSE', 'oeuvre', 'finance', 'straß'], 'strasse'],
    ['in full width', 'ＡＩ Ｔｒａｄｅｒ', ['trader', 'ai', 'Ｔｒａｄ'], 'trader'],
    ['in half width', 'ｶﾞｲﾄﾞ案内', ['ガイド', 'ｶﾞｲﾄﾞ', 'イド案'], 'ガイド'],
    ['with a final sigma', 'ΟΔΥΣΣΕΥΣ', ['οδυσσευς', 'οδυσσεύσ', 'Οδυσσεύς'], 'οδυσσεύς'],
    ['in paths', 'DeFi/NFT observer', ['NFT', 'defi', 'nft observer', 'defi/nft'], 'nft'],
    ['in hosts', 'Node.js at api.acme.test', ['js', 'node.js', 'acme', 'acme.test', 'test'], 'acme'],
    ['in addresses', 'Mail user@host.test', ['host', 'user@host', 'user@host.test'], 'host'],
    ['in compounds', 'real-time_feed v1.2.3 3.5%', ['time', 'feed', 'real-time', 'v1.2', '3.5'], 'feed'],
    ['between signs', 'Price—volume•depth™ “quoted”', ['volume', 'depth', 'quoted', 'depth™'], 'depth'],
    ['around apostrophes', "L'été d’août", ['ete', 'aout', 'l’été', "d'aout"], 'été'],
    ['in Japanese', '今月の売上レポート', ['売上', '売上レポート', '今', 'ト', 'レポ', '上レポー'], '売上'],
    ['in Chinese', '监控DEX价格并报警', ['价格', 'dex', '报警', '价', 'dex价格', '监控dex'], '价格'],
    ['in Thai', 'รายงานยอดขายรายเดือน', ['ยอดขาย', 'เดือน', 'รายงาน', 'ย'], 'ยอดขาย'],
    ['in Lao', 'ລາຍງານຍອດຂາຍ', ['ຍອດຂາຍ', 'ລາຍ'], 'ຍອດຂາຍ'],
    ['in Khmer', 'របាយការណ៍លក់', ['ការណ៍', 'លក់'], 'ការណ៍'],
    ['in Burmese', 'အရောင်းအစီရင်ခံစာ', ['အစီရင်', 'ခံစာ'], 'အစီရင်'],
    ['in Korean, from their beginnings', '서울에서 데이터', ['서울', '서울'.normalize('NFD')], '데이터'],
    ['in Hindi', 'हिन्दी समाचार', ['हिन्दी', 'समा'], 'समाचार'],
    ['in Arabic without points', 'مُحَمَّد الأخبار', ['محمد', 'الاخبار'], 'محمد'],
    ['in Vietnamese', 'Hà Nội', ['ha noi', 'Hà Nội'.normalize('NFD')], 'nội'],
    ['past a soft hyphen', 'co\u00ADoperate', ['cooperate', 'co\u200Boperate', 'coop'], 'cooperate'],
  ])('%s', async (name, text, searches, need) => {
    await store(name, text)
    for (const q of searches) expect(await found(q), q).toContain(name)
    expect(await fitting(need)).toEqual(expect.arrayContaining([name, name]))
  })

  it('in a text without spaces only with the same characters in order', async () => {
    await store('Kyoto', '東京と京都')
    await store('Metropolis', '東京都')
    expect(await found('東京都')).toEqual(['Metropolis'])
    expect(await found('東京')).toEqual(['Kyoto', 'Metropolis'])
    expect(await found('京都 東京')).toEqual(['Kyoto', 'Metropolis'])
    expect(await found('京東')).toEqual([])
  })

  it('by a name of punctuation in each normal form and width', async () => {
    for (const name of ['≠≠≠', '％＄％', '***']) await store(name, 'x')
    for (const q of ['≠≠'.normalize('NFD'), '≠']) expect(await agentsFor(q)).toEqual(['≠≠≠'])
    for (const q of ['%$', '％$％']) expect(await agentsFor(q)).toEqual(['％＄％'])
    expect(await agentsFor('＊')).toEqual(['***'])
    expect(await agentsFor('_')).toEqual([])
  })

  it('by any part of a text without spaces, and any prefix of other words', async () => {
    const units = ['売', '上', 'レ', 'ー', 'が', 'ｶﾞ', 'ก่', 'น', 'นำ', 'រ', 'ក្', 'ခ', 'န်', 'ລ']
    const row = fc.array(fc.constantFrom(...units), { minLength: 1, maxLength: 9 })
    const letter = fc.constantFrom(...'aßÉéοςΣюйæ9٣한', 'ख्', 'कि')
    const word = fc.array(letter, { minLength: 1, maxLength: 9 })
    const sign = fc.constantFrom(' ', '/', '.', '—', '™', '🦓', '、', '\u00b7', '\u3000', '_')
    const form = fc.constantFrom('NFC', 'NFD', 'NFKC', 'NFKD')
    const { sql: fits } = new PgDialect().sqlToQuery(sql`
      with words as materialized (${wordsOf(sql`$2::text`)})
      select word_vector('simple', $1) @@ ${everyWord(sql`words`)} as fits`)
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(row, word, sign), { minLength: 1, maxLength: 4 }),
        fc.nat(),
        fc.nat(8),
        fc.nat(8),
        form,
        async (parts, which, from, length, form) => {
          const text = parts.map(([row, word, sign]) => [...row, ...word, sign].join('')).join('')
          const [row, word] = parts[which % parts.length] ?? expect.fail()
          const start = from % row.length
          for (const part of [row.slice(start, start + 1 + length), word.slice(0, 1 + length)]) {
            const q = part.join('').normalize(form)
            const { rows } = await database.pool.query(fits, [text, q])
            expect(rows, `${text}: ${q}`).toEqual([{ fits: true }])
          }
        },
      ),
      { numRuns: 200 },
    )
  })

  it('by any search, without an error', async () => {
    const texts = [
      '\u0301',
      '\u0301\u0302',
      '\u200D',
      '🏴‍☠️👩‍👩‍👧',
      '!?.—',
      '的',
      '的'.repeat(32),
      'ﷺ'.repeat(32),
      '\u3099',
      'ก็'.repeat(16),
    ]
    for (const q of texts) expect(await found(q), q).toEqual([])
    for (const need of [...texts, '的の'.repeat(500), 'ﷺ '.repeat(500), 'b/b '.repeat(250)])
      expect(await fitting(need)).toEqual([])
  })
})

describe('a text of thousands of words', () => {
  it('has a thousand words, and is listed under two hundred', async () => {
    const long = Array.from({ length: 2_000 }, (_, n) => String.fromCodePoint(0x4e00 + 7 * n)).join('')
    await store('Endless', long)
    const { rows } = await database.pool.query(`
      select kind, length(words) < 1100 as bounded, (select count(*)::integer from document_words as its
          where its.kind = documents.kind and its.key = documents.key) as listed
      from documents where words @@ '一万'::tsquery order by kind`)
    expect(rows).toEqual([
      { kind: 'agent', bounded: true, listed: 200 },
      { kind: 'registered', bounded: true, listed: 200 },
    ])
  })
})

it('splits a text the same in a database of another locale', async () => {
  const name = `plain_${process.pid}`
  await database.pool.query(
    `create database ${name} template template0 encoding 'UTF8' locale_provider libc locale 'C'`,
  )
  const client = new pg.Client({ connectionString: new URL(`/${name}`, database.url).href })
  await client.connect()
  await client.query(textWordsSql())
  for (const its of [client, database.pool]) {
    const { rows } = await its.query(
      `select string_agg(word, ' ' order by at) as words from text_words($1)`,
      [MIXED_TEXT],
    )
    expect(rows).toEqual([{ words: MIXED_WORDS }])
  }
  await client.end()
  await database.pool.query(`drop database ${name}`)
})

describe('a need', () => {
  const stems = async (text: string): Promise<string[]> => {
    const { rows } = await database.db.execute<{ word: string }>(stemsOf(sql`${text}`))
    return rows.map(({ word }) => word)
  }

  it('is its first eight words, by their stems and each once', async () => {
    const words = [
      'audits',
      'bridges',
      'custody',
      'dollars',
      'escrow',
      'futures',
      'grants',
      'hedges',
      'income',
    ]
    expect(words).toHaveLength(MAX_WORDS + 1)
    const found = await stems(`Audits ${words.join(' ')}`)
    expect(found).toEqual(['audit', 'bridg', 'custodi', 'dollar', 'escrow', 'futur', 'grant', 'hedg'])
  })

  it('is its first sixteen pairs of characters in a script without spaces', async () => {
    const text = '一二三四五六七八九十百千万亿兆京垓秭'
    const found = await stems(text)
    expect(found).toHaveLength(2 * MAX_WORDS)
    expect(found.slice(0, 2)).toEqual(['一二', '二三'])
  })
})
