import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Db } from '../../lib/db/connect.ts'
import { removeEntry } from '../../lib/registry/moderation-queries.ts'
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
const quota = (address = 'anybody', limit = 1_000_000) => ({
  addressHash: address,
  endsAt: new Date(0),
  limit,
})
const upsert = async (body: SignedRegistration, by = quota()) => {
  const row = await upsertRegistration(db, body, by)
  if (!row) throw new Error('above the quota')
  return row
}
const store = (...body: Parameters<typeof registration>) => upsert(registration(...body))
const range = (length: number) => Array.from({ length }, (_, i) => i)

it('stores one of several concurrent bodies with one signature', async () => {
  const pubkey = newWallet()
  const rows = await Promise.all(range(40).map((i) => store(pubkey, 1000, `Name ${i}`)))
  const stored = await findRegisteredAgent(db, pubkey)
  expect(stored?.revision).toBe(1)
  for (const row of rows) expect({ ...row, endpoint: null }).toMatchObject(stored ?? {})
})

it('treats concurrent identical bodies as the first registration', async () => {
  const pubkey = newWallet()
  const rows = await Promise.all(range(40).map(() => store(pubkey, 1000)))
  expect(new Set(rows.map(({ revision, bodyHash }) => `${revision} ${bodyHash}`)).size).toBe(1)
  expect(rows[0]?.revision).toBe(1)
})

it('stores the latest of concurrent registrations', async () => {
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

it('follows a model in any order of registrations', async () => {
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

it('removes fields that an update leaves out', async () => {
  const pubkey = newWallet()
  const full = {
    ...registration(pubkey, 1000),
    feeAmount: 0.1,
    description: 'x',
    website: 'https://example.com',
    logoUrl: 'https://example.com',
    apiEndpoint: 'https://example.com',
    apiProtocol: 'http' as const,
    developerPubkey: newWallet(),
    contactEmail: 'a@example.com',
  }
  expect(await upsert(full)).toMatchObject(full)
  const row = await store(pubkey, 1001)
  for (const field of [
    'feeAmount',
    'description',
    'website',
    'logoUrl',
    'apiEndpoint',
    'apiProtocol',
    'developerPubkey',
    'contactEmail',
  ]) {
    expect(row).toHaveProperty(field, null)
  }
})

it('stores as many concurrent new keys of an address as the hour allows', async () => {
  const by = quota('one address', 60)
  const rows = await Promise.all(
    range(100).map(() => upsertRegistration(db, registration(newWallet(), 1), by)),
  )
  expect(rows.filter((row) => row !== undefined)).toHaveLength(60)
  const nextHour = { ...by, endsAt: new Date(3_600_000) }
  expect(await upsertRegistration(db, registration(newWallet(), 1), nextHour)).toBeDefined()
  // A clock that is behind does not begin the hour before anew.
  const again = await Promise.all(
    range(100).map(() => upsertRegistration(db, registration(newWallet(), 1), by)),
  )
  expect(again.filter((row) => row !== undefined)).toHaveLength(59)
})

it('never restores a removed key in a concurrent registration', async () => {
  for (const _ of range(20)) {
    const pubkey = newWallet()
    await store(pubkey, 1000)
    await Promise.all([...range(8).map((i) => store(pubkey, 1001 + i, `Name ${i}`)), removeEntry(db, pubkey)])
    expect(await findRegisteredAgent(db, pubkey)).toMatchObject({ status: 'removed', name: '' })
    expect((await store(pubkey, 2000)).status).toBe('removed')
  }
})
