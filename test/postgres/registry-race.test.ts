import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Db } from '../../lib/db/connect.ts'
import {
  findRegisteredAgent,
  type SignedRegistration,
  upsertRegistration,
} from '../../lib/registry/queries.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { connectDatabase } from '../support/database.ts'
import { newWallet } from '../support/stored-agents.ts'

let db: Db
let close: () => Promise<void>
beforeAll(async () => {
  ;({ db, close } = await connectDatabase())
})
afterAll(() => close())

/** A registration as the use case stores it; one body for each name, one signature for each timestamp. */
const registration = (pubkey: Wallet, timestamp: number, name = 'Agent'): SignedRegistration => ({
  pubkey,
  name,
  agentType: 'personal',
  capabilities: ['shopping'],
  layers: [1],
  feeModel: 'free',
  timestamp,
  signature: `signature for ${timestamp}`,
  bodyHash: `${timestamp} ${name}`,
  updatedAt: new Date(timestamp),
})
const store = (...body: Parameters<typeof registration>) => upsertRegistration(db, registration(...body))
const range = (length: number) => Array.from({ length }, (_, i) => i)

it('of parallel bodies with one signature one is stored, and all are told which', async () => {
  const pubkey = newWallet()
  const rows = await Promise.all(range(40).map((i) => store(pubkey, 1000, `Name ${i}`)))
  const stored = await findRegisteredAgent(db, pubkey)
  expect(stored?.revision).toBe(1)
  for (const row of rows) expect(row).toEqual(stored)
})

it('the same body in parallel is the first registration for all', async () => {
  const pubkey = newWallet()
  const rows = await Promise.all(range(40).map(() => store(pubkey, 1000)))
  expect(new Set(rows.map(({ revision, bodyHash }) => `${revision} ${bodyHash}`)).size).toBe(1)
  expect(rows[0]?.revision).toBe(1)
})

it('of parallel registrations at many times the latest stands, and nothing older follows a later one', async () => {
  for (const round of range(5)) {
    const pubkey = newWallet()
    const times = range(40).map((i) => 1000 + ((i * 17 + round) % 40))
    const rows = await Promise.all(times.map((time) => store(pubkey, time)))
    const accepted = rows.filter(({ timestamp }, i) => timestamp === times[i])
    // Each accepted one has a revision of its own, and they rise with the timestamps.
    const byRevision = accepted.toSorted((a, b) => a.revision - b.revision)
    expect(byRevision.map(({ revision }) => revision)).toEqual(range(accepted.length).map((i) => i + 1))
    const ascending = byRevision.map(({ timestamp }) => timestamp)
    expect(ascending).toEqual(ascending.toSorted((a, b) => a - b))
    for (const [i, row] of rows.entries()) expect(row.timestamp).toBeGreaterThanOrEqual(times[i] ?? 0)
    expect(await findRegisteredAgent(db, pubkey)).toMatchObject({
      timestamp: 1039,
      revision: accepted.length,
      registeredAt: byRevision[0]?.registeredAt,
    })
  }
})

it('in any order one after the other, it is as a model has it', async () => {
  const steps = fc.array(fc.tuple(fc.integer({ min: 1, max: 6 }), fc.constantFrom('a', 'b')), {
    maxLength: 12,
  })
  await fc.assert(
    fc.asyncProperty(steps, async (sent) => {
      const pubkey = newWallet()
      let model = { timestamp: 0, name: '', revision: 0 }
      for (const [timestamp, name] of sent) {
        if (timestamp > model.timestamp) model = { timestamp, name, revision: model.revision + 1 }
        const { timestamp: time, name: kept, revision } = await store(pubkey, timestamp, name)
        expect({ timestamp: time, name: kept, revision }).toEqual(model)
      }
    }),
    { numRuns: 40 },
  )
})

it('what an update leaves out is gone', async () => {
  const pubkey = newWallet()
  const full = {
    ...registration(pubkey, 1000),
    feeAmount: 0.1,
    description: 'x',
    website: 'https://example.com',
    logoUrl: 'https://example.com',
    apiEndpoint: 'https://example.com',
    developerPubkey: newWallet(),
    contactEmail: 'a@example.com',
  }
  expect(await upsertRegistration(db, full)).toMatchObject(full)
  const row = await store(pubkey, 1001)
  for (const field of [
    'feeAmount',
    'description',
    'website',
    'logoUrl',
    'apiEndpoint',
    'developerPubkey',
    'contactEmail',
  ]) {
    expect(row).toHaveProperty(field, null)
  }
})
