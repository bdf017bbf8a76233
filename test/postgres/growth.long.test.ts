import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { InferInput } from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AgentRow } from '../../lib/agents/column-queries.ts'
import { redeemCode } from '../../lib/auth/grants/queries.ts'
import * as postgres from '../../lib/db/functions.ts'
import { upsertRegistration } from '../../lib/registry/queries.ts'
import { JOB_KILOBYTES } from '../../lib/tools/description/job-growth.ts'
import { capabilities, capabilityLayers } from '../../schema/registry.ts'
import { grantablePermissions, JOB_TEXT_BYTES } from '../../schema/values.ts'
import type { Wallet } from '../../schema/wallet.ts'
import type { AgentPatch, AgentRegister } from '../../schema/wire/agents.ts'
import { eventTypes, retainedEventTypes } from '../../schema/wire/event-types/table.ts'
import { storeAttestation } from '../support/attestations.ts'
import { connectDatabase, type DrizzleDb } from '../support/database.ts'
import { consent, newCode } from '../support/grants.ts'
import { growthOf, longUrl, prose, rare, times } from '../support/growth.ts'
import { tryToHire } from '../support/hires.ts'
import { buildOfJobs, newEscrow } from '../support/job-payments.ts'
import { accept, tryToPost } from '../support/jobs.ts'
import { endHire, insertAgent, newWallet, recordDueHires, updateAgent } from '../support/stored-agents.ts'
import { insertEndpoint } from '../support/stored-endpoints.ts'

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

describe('permanent events', () => {
  it('are events of money', () => {
    // Payments for requests are as many as requests: their tables keep what became of them.
    const ofMoney = eventTypes.filter((type) =>
      /^(charge|budget|vault)\.|^job\.(funded|ended|paid|refunded|stray)$/.test(type),
    )
    expect(retainedEventTypes.toSorted()).toEqual(ofMoney.toSorted())
  })

  it('are left out of the index for deletions', async () => {
    const [index] = await rowsOf(sql`select indexdef from pg_indexes where indexname = 'events_to_delete'`)
    const named = [...String(index?.indexdef).matchAll(/'([\w.]+)'/g)].map(([, type]) => type)
    expect(named.toSorted()).toEqual(retainedEventTypes.toSorted())
  })
})

/* What tables and indexes take, in bytes, of the largest of each thing that an address may store. */

const MANY = 200
/** The rows that a published change adds: an event and its deliveries. */
const PUBLISHED = ['events', 'deliveries']
/** A tenth above what functions/growth.md says. */
const MOST = {
  agent: { bytes: 149_000, rows: 242 },
  entry: { bytes: 357_000, rows: 853 },
  change: { bytes: 7_600, rows: 12 },
  build: { bytes: 5_000, rows: 1 },
  hire: { bytes: 17_200, rows: 24 },
  renewal: { bytes: 16_500, rows: 28 },
  end: { bytes: 17_000, rows: 22 },
  charge: { bytes: 34_700, rows: 24 },
  voided: { bytes: 19_800, rows: 22 },
  attestation: { bytes: 13_600, rows: 2 },
  endpoint: { bytes: 11_600, rows: 1 },
  attempt: { bytes: 200, rows: 1 },
  prices: { bytes: 150_300, rows: 50 },
  grant: { bytes: 15_400, rows: 12 },
  job: { bytes: 1_100 * JOB_KILOBYTES.order, rows: 23 },
  acceptance: { bytes: 1_100 * JOB_KILOBYTES.acceptance, rows: 22 },
  input: { bytes: 1_100 * JOB_KILOBYTES.input, rows: 2 },
  jobEnd: { bytes: 1_100 * JOB_KILOBYTES.end, rows: 22 },
}
/** What each row of growth.md's table of a day is the sum of. */
const ROWS: (keyof typeof MOST)[][] = [
  ...[['agent'], ['entry'], ['change'], ['hire', 'end'], ['attestation'], ['charge', 'voided'], ['endpoint']],
  ...[['prices'], ['grant'], ['build'], ['job', 'acceptance', 'input', 'jobEnd']],
] as (keyof typeof MOST)[][]

it('computes the bytes and rows of functions/growth.md from what is measured', () => {
  const text = readFileSync(join(import.meta.dirname, '../../functions/growth.md'), 'utf8')
  const written = [...text.matchAll(/^\| .+ \| ([\d,]+) \| ([\d. KB+]+) \| \d+ MB \|$/gm)]
  expect(written).toHaveLength(ROWS.length)
  let rowsADay = 0
  for (const [index, [, aDay = '', kilobytes = '']] of written.entries()) {
    const parts = ROWS[index]?.map((name) => MOST[name]) ?? []
    const figures = [...kilobytes.matchAll(/[\d.]+/g)].map(Number)
    for (const [part, { bytes }] of parts.entries())
      expect((figures[part] ?? 0) / (bytes / 1_100), `${ROWS[index]}`).toBeCloseTo(1, 1)
    rowsADay += Number(aDay.replace(',', '')) * parts.reduce((sum, { rows }) => sum + rows, 0)
  }
  expect(text).toContain(`At most ${(rowsADay / 1e6).toFixed(1)} million rows on its first day`)
})

const now = new Date('2026-06-01T00:00:00Z')

/** Returns the longest value of each column that a caller sets. A missing one does not compile. */
const longestAgent = (): Pick<AgentRow, keyof InferInput<typeof AgentRegister>> => ({
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
})

/**
 * Returns the longest value of each column that an owner changes. A missing one does not compile. A new
 * webhook would rewrite the waiting deliveries, whose old versions Postgres removes: those are no growth.
 */
const longestChange = (): Pick<
  AgentRow,
  Exclude<keyof InferInput<typeof AgentPatch>, 'status' | 'reason' | 'webhookUrl'>
> => ({
  feeModel: 'hybrid',
  feeAmount: 2n ** 53n - 1n,
  description: prose(100),
  apiEndpoint: longUrl(),
  apiProtocol: 'a2a-jsonrpc',
  logoUrl: longUrl(),
})

const added = (count: number, store: () => Promise<unknown>, tables?: string[]) =>
  growthOf(db, { count, store, tables })

/** Parallel calls would each take pages of their own. */
async function oneByOne(store: (i: number) => Promise<unknown>) {
  for (let i = 0; i < MANY; i++) await store(i)
}

it('stores at most as many bytes per address as functions/growth.md says', async () => {
  const owners = times(MANY, newWallet)
  const hirers = times(MANY, newWallet)
  await db.execute(sql`insert into endpoints (id, wallet, url, event_types, agent_ids, created_at, set_at, secret)
    select gen_random_uuid(), wallet, 'https://example.com/', '{}', '{}', ${now}, ${now}, ''
    from unnest(${`{${[...owners, ...hirers].join()}}`}::text[]) as wallet, generate_series(1, 10)`)
  const ids = owners.map(() => crypto.randomUUID())
  const storeAgent = (i: number) =>
    insertAgent(db, {
      id: ids[i] as string,
      pubkey: owners[i] as Wallet,
      ...longestAgent(),
      webhookSecret: `1:${rare(72)}`,
      registeredAt: now,
    })
  const agent = await added(MANY, () => oneByOne(storeAgent))

  const hires = ids.map(() => crypto.randomUUID())
  const storeHire = (i: number) =>
    tryToHire(db, {
      ...{ id: hires[i] as string, wallet: hirers[i] as Wallet, agentId: ids[i] as string },
      ...{ budgetLimit: 2n ** 53n - 1n, autoRenew: true, termDays: 1, now },
      ...{ addressHash: 'hires', hiresPerAddress: MANY },
    })
  const hire = await added(MANY, () => oneByOne(storeHire))

  const charges = ids.map(() => crypto.randomUUID())
  const chargeHire = (i: number) =>
    postgres.recordCharge.call(db, {
      ...{ id: charges[i] as string, owner: owners[i] as Wallet, hireId: hires[i] as string, now },
      ...{ reference: rare(128), description: rare(500), result: rare(2_000) },
      ...{ capturedValue: 2n ** 53n - 1n, layer: 1 },
      ...{ addressHash: 'charges', chargesPerAddress: MANY },
    })
  const charge = await added(MANY, () => oneByOne(chargeHire))
  const voidCharge = (i: number) =>
    postgres.voidCharge.call(db, { id: charges[i] as string, owner: owners[i] as Wallet, builtBy: now, now })
  const voided = await added(MANY, () => oneByOne(voidCharge), PUBLISHED)

  // The end of a term rewrites rows of the agent, and adds none.
  const nextDay = new Date(now.getTime() + 86_400_001)
  const renewal = await added(MANY, () => recordDueHires(db, nextDay, MANY), [
    ...PUBLISHED,
    ...['agent_hirers', 'dealings', 'standings'],
  ])
  const endOf = (i: number) =>
    endHire(db, { id: hires[i] as string, wallet: hirers[i] as Wallet, now: nextDay })
  const end = await added(MANY, () => oneByOne(endOf), PUBLISHED)

  const changeStatus = (i: number) =>
    updateAgent(db, {
      id: ids[i] as string,
      wallet: owners[i] as Wallet,
      isOperator: false,
      details: longestChange(),
      status: 'inactive',
      ownerFrom: ['active'],
      operatorFrom: [],
      now,
    })
  const change = await added(MANY, () => oneByOne(changeStatus), PUBLISHED)

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
        lateral (select string_agg(md5(i || ' ' || j), '') from generate_series(1, 52) as j) as random (text)`),
  )
  const attestation = await added(
    MANY,
    () =>
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
    ['attestations', 'wallet_quotas'],
  )

  const storeEndpoint = () =>
    insertEndpoint(db, {
      ...{ id: crypto.randomUUID(), wallet: newWallet(), url: longUrl(), description: rare(200) },
      ...{ eventTypes: [...eventTypes], agentIds: [], secret: 'x'.repeat(100), now },
    })
  const endpoint = await added(MANY, () => oneByOne(storeEndpoint), ['endpoints'])
  const attempt = await added(MANY * 100, () =>
    db.execute(sql`insert into delivery_attempts (endpoint_id, event_id, attempted_at, failure, duration_ms)
      select gen_random_uuid(), gen_random_uuid(), timestamptz '2026-06-01' + i * interval '1 second', 'timeout', 5000
      from generate_series(1, ${MANY * 100}::integer) as i`),
  )

  const setPrices = (i: number) =>
    postgres.setRequestPrices.call(db, {
      ...{ agentId: ids[i] as string, owner: owners[i] as Wallet, now },
      names: times(50, () => rare(128)),
      assets: times(50, newWallet),
      amounts: times(50, () => 2n ** 53n - 1n),
      cred: newWallet(),
      ...{ addressHash: 'price changes', changesPerAddress: MANY },
    })
  const prices = await added(MANY, () => oneByOne(setPrices))

  for (const owner of owners) await consent(db, owner, now)
  const redeem = (i: number) =>
    redeemCode(
      db,
      newCode(owners[i] as Wallet, now, {
        client: rare(2048 / 4),
        name: rare(60),
        host: rare(252 / 4),
        permissions: grantablePermissions,
        spendLimit: 2n ** 53n - 1n,
      }),
    )
  const grant = await added(MANY, () => oneByOne(redeem), ['grants', ...PUBLISHED])

  const storeTerms = (i: number) =>
    postgres.setJobTerms.call(db, {
      ...{ agentId: ids[i] as string, owner: owners[i] as Wallet, now },
      ...{ minPrice: 1n, workMinutes: 60, judges: [newWallet()] },
    })
  await db.execute(sql`update agents set status = 'active'`)
  await oneByOne(storeTerms)
  const judges = await rowsOf(sql`select agent_id, judges[1] as judge, pubkey as owner from job_terms
    join agents on agents.id = agent_id`)
  const input = rare(JOB_TEXT_BYTES / 4)
  const inputHash = createHash('sha256').update(input).digest('hex')
  const jobs = ids.map(() => crypto.randomUUID())
  const post = (i: number) =>
    tryToPost(db, {
      ...{ id: jobs[i] as string, agentId: String(judges[i]?.agent_id), judge: String(judges[i]?.judge) },
      ...{ hirer: hirers[i] as Wallet, now, inputHash },
      ...{ reference: rare(128), title: rare(80), brief: rare(1_000) },
      ...{ grant: crypto.randomUUID(), addressHash: 'x'.repeat(64), jobsPerAddress: MANY },
    })
  const job = await added(MANY, () => oneByOne(post), ['jobs', ...PUBLISHED])
  const acceptJob = (i: number) =>
    accept(db, { id: jobs[i] as string, wallet: judges[i]?.owner as Wallet, now })
  const acceptance = await added(MANY, () => oneByOne(acceptJob), PUBLISHED)
  const sendInput = (i: number) => {
    const legs = [{ jobId: jobs[i] as string, address: newEscrow(), amount: 1n }]
    return buildOfJobs(db, { kind: 'fund_job', wallet: hirers[i] as Wallet, legs, input, now })
  }
  const sent = await added(MANY, () => oneByOne(sendInput), ['job_texts', 'payment_intent_jobs'])
  const withdraw = (i: number) =>
    postgres.endJob.call(db, { id: jobs[i] as string, wallet: hirers[i] as Wallet, now })
  const jobEnd = await added(MANY, () => oneByOne(withdraw), PUBLISHED)

  const published = { change, hire, renewal, end, charge, voided, attempt }
  const ofJobs = { job, acceptance, input: sent, jobEnd }
  const measured = { agent, entry, build, attestation, endpoint, prices, grant, ...ofJobs, ...published }
  const changed = Object.entries(MOST).flatMap(([name, { bytes, rows }]) => {
    const found = measured[name as keyof typeof MOST]
    // Tables and indexes grow by several pages at once, and when depends on drawn ids: a figure varies by a
    // tenth. Less than half is worth a new one.
    const isAsBefore = found.bytes < 1.1 * bytes && found.bytes > 0.5 * bytes
    return isAsBefore && Math.floor(found.rows) === rows ? [] : [{ name, ...found, before: { bytes, rows } }]
  })
  expect(changed, 'write the new figures into MOST and growth.md').toEqual([])
})
