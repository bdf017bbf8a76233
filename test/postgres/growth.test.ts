import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { upsertRegistration } from '../../lib/registry/queries.ts'
import { capabilities, capabilityLayers } from '../../schema/registry.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { eventTypes, keptEventTypes } from '../../schema/wire/event-types/table.ts'
import { storeAttestation } from '../support/attestations.ts'
import { connectDatabase, type DrizzleDb } from '../support/database.ts'
import { storeHire } from '../support/hires.ts'
import { insertAgent, newWallet, updateAgent } from '../support/stored-agents.ts'

let db: DrizzleDb
let close: () => Promise<void>
beforeAll(async () => {
  ;({ db, close } = await connectDatabase())
})
afterAll(() => close())

const rowsOf = async (query: ReturnType<typeof sql>) => (await db.execute(query)).rows

describe('functions/growth.md', () => {
  it('lists every table of the database, and no other', async () => {
    const found = await rowsOf(sql`select table_name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`)
    const text = readFileSync(join(import.meta.dirname, '../../functions/growth.md'), 'utf8')
    const cells = [...text.matchAll(/^\| (`[^|]+) \|.+\|.+\|.+\|$/gm)].map(([, cell = '']) => cell)
    const listed = cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name))
    expect(listed.toSorted()).toEqual(found.map(({ table_name }) => table_name))
  })
})

describe('events that are kept for ever', () => {
  it('are those of money', () => {
    const ofMoney = eventTypes.filter((type) => /^(charge|budget|vault|payment|credit)\./.test(type))
    expect(keptEventTypes.toSorted()).toEqual(ofMoney.toSorted())
  })

  it('are those that the index for deletions leaves out', async () => {
    const [index] = await rowsOf(sql`select indexdef from pg_indexes where indexname = 'events_by_age'`)
    const named = [...String(index?.indexdef).matchAll(/'([\w.]+)'/g)].map(([, type]) => type)
    expect(named.toSorted()).toEqual(keptEventTypes.toSorted())
  })
})

/* What tables and indexes take, in bytes, of the largest of each thing that an address may store. */

const MANY = 200
/** A tenth above what functions/growth.md says. A status change is an event and its deliveries. */
const MOST = {
  agent: { bytes: 113_000, rows: 141 },
  entry: { bytes: 298_000, rows: 753 },
  change: { bytes: 7_400, rows: 12 },
  build: { bytes: 5_000, rows: 1 },
  hire: { bytes: 10_500, rows: 14 },
  attestation: { bytes: 13_500, rows: 2 },
}
const now = new Date('2026-06-01T00:00:00Z')

/** Random letters, which compress to nothing, of a script of so many bytes a letter in UTF-8. */
const letters = (count: number, first: number, among: number) =>
  String.fromCodePoint(...Array.from({ length: count }, () => first + Math.floor(Math.random() * among)))
const cjk = (count: number) => letters(count, 0x4e00, 0x5000)
const rare = (count: number) => letters(count, 0x20000, 0xa000)
const longUrl = () => `https://${crypto.randomUUID()}.example.com/${cjk(1_990)}`
const prose = (words: number) => Array.from({ length: words }, () => rare(4)).join(' ')
const times = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i))

/** Parallel calls would each take pages of their own. */
async function oneByOne(store: (i: number) => Promise<unknown>) {
  for (let i = 0; i < MANY; i++) await store(i)
}

/** Bytes and rows that a change adds, each divided by how many things it stores. */
async function added(count: number, store: () => Promise<unknown>, tables?: string[]) {
  const read = async () => {
    const names = await rowsOf(sql`select relname, pg_total_relation_size(oid) as bytes from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace`)
    const counted = names.filter(({ relname }) => tables?.includes(String(relname)) ?? true)
    let rows = 0
    for (const { relname } of counted) {
      const [row] = await rowsOf(sql`select count(*) from ${sql.identifier(String(relname))}`)
      rows += Number(row?.count)
    }
    return { rows, bytes: counted.reduce((sum, { bytes }) => sum + Number(bytes), 0) }
  }
  const before = await read()
  await store()
  const after = await read()
  return { bytes: (after.bytes - before.bytes) / count, rows: (after.rows - before.rows) / count }
}

it('the largest of what an address may store takes what functions/growth.md says, and no more', async () => {
  const owners = times(MANY, newWallet)
  await db.execute(sql`insert into endpoints (id, wallet, url, event_types, agent_ids, created_at, set_at, secret)
    select gen_random_uuid(), wallet, 'https://example.com/', '{}', '{}', ${now}, ${now}, ''
    from unnest(${`{${owners.join()}}`}::text[]) as wallet, generate_series(1, 10)`)
  const ids = owners.map(() => crypto.randomUUID())
  const storeAgent = (i: number) =>
    insertAgent(db, {
      id: ids[i] as string,
      pubkey: owners[i] as Wallet,
      name: rare(32),
      description: prose(100),
      agentType: 'semi-autonomous',
      supportedLayers: times(22, (layer) => layer + 1),
      feeModel: 'percentage',
      feeAmount: 1n,
      apiEndpoint: longUrl(),
      apiProtocol: 'mcp',
      webhookUrl: longUrl(),
      logoUrl: longUrl(),
      registeredAt: now,
    })
  const agent = await added(MANY, () => oneByOne(storeAgent))

  const hire = await added(MANY, () =>
    oneByOne((i) =>
      storeHire(db, { agentId: ids[i] as string, owner: owners[i] as Wallet, payer: newWallet(), now }),
    ),
  )

  const changeStatus = (i: number) =>
    updateAgent(db, {
      id: ids[i] as string,
      wallet: owners[i] as Wallet,
      isOperator: false,
      details: {},
      status: 'inactive',
      ownerFrom: ['active'],
      operatorFrom: [],
      now,
    })
  const change = await added(MANY, () => oneByOne(changeStatus), ['events', 'deliveries'])

  const register = () =>
    upsertRegistration(
      db,
      {
        pubkey: newWallet(),
        name: rare(64),
        agentType: 'infrastructure',
        capabilities,
        layers: [...new Set(Object.values(capabilityLayers).flat())],
        feeModel: 'subscription',
        description: prose(400),
        website: longUrl(),
        logoUrl: longUrl(),
        apiEndpoint: longUrl(),
        apiProtocol: 'mcp',
        developerPubkey: newWallet(),
        contactEmail: 'x'.repeat(254),
        timestamp: now.getTime(),
        signature: 'x'.repeat(88),
        bodyHash: 'x'.repeat(64),
        updatedAt: now,
      },
      { addressHash: crypto.randomUUID(), endsAt: now, limit: 1 },
    )
  const entry = await added(MANY, () => oneByOne(register))
  const build = await added(MANY, () =>
    db.execute(sql`insert into vault_intents (id, owner, kind, status, generation, signing, transaction, message,
        last_valid_block_height, built_slot, created_at)
      select gen_random_uuid(), ''||i, 'stack', 'open', 1, 'wallet_first', text, text, 1, 1, '2026-06-01'
      from generate_series(1, ${MANY}::integer) as i,
        lateral (select string_agg(md5(random()::text || i || j), '') from generate_series(1, 52) as j) as random (text)`),
  )
  const attestation = await added(MANY, () =>
    oneByOne(() =>
      storeAttestation(db, {
        id: crypto.randomUUID(),
        wallet: newWallet(),
        credentialType: rare(64),
        credentialId: rare(128),
        issuingAuthority: rare(128),
        documentUrl: longUrl(),
        verificationLevel: 'document_submitted',
        createdAt: now,
      }),
    ),
  )

  const measured = { agent, entry, change, build, hire, attestation }
  for (const [name, { bytes, rows }] of Object.entries(MOST)) {
    const found = measured[name as keyof typeof MOST]
    expect(found.bytes, name).toBeLessThan(bytes)
    // Less by far would be worth new figures.
    expect(found.bytes, name).toBeGreaterThan(0.7 * bytes)
    expect(Math.floor(found.rows), name).toBe(rows)
  }
}, 300_000)
