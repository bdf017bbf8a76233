import { expect, it } from 'vitest'
import { statusesAllowing } from '../../lib/agents/rules.ts'
import * as postgres from '../../lib/db/functions.ts'
import { attestationJson } from '../../lib/reputation/queries.ts'
import { storeAttestation } from '../support/attestations.ts'
import { useDatabase } from '../support/database.ts'
import { tryToHire } from '../support/hires.ts'
import { hiredAgent } from '../support/payments.ts'
import { endHire, newWallet, storeAgent, updateAgent } from '../support/stored-agents.ts'
import { insertEndpoint } from '../support/stored-endpoints.ts'

/* A thousand unpaid wallets of one address, all at once: together they pass no limit of the address. */

const now = new Date('2026-11-21T12:00:00.000Z')

const database = useDatabase()
const { rows: query } = database

const range = (length: number) => Array.from({ length }, (_, i) => i)
const THOUSAND = 1_000
const used = async (addressHash: string) =>
  (await query('select used from address_quotas where address_hash = $1', addressHash))[0]?.[0]
const tally = (outcomes: string[]) =>
  Object.fromEntries(
    Map.groupBy(outcomes, String)
      .entries()
      .map(([key, all]) => [key, all.length]),
  )

it('hire 300 times in an hour, and again in the next', async () => {
  const agents = await Promise.all(range(20).map(() => storeAgent(database.db, newWallet(), now)))
  const hireAll = (count: number, addressHash: string, at: Date) =>
    Promise.all(
      range(count).map(async (i) => {
        const hire = { id: crypto.randomUUID(), wallet: newWallet(), agentId: agents[i % 20]?.id ?? '' }
        const counted = { addressHash, hiresPerAddress: 300 }
        const terms = { autoRenew: false, termDays: 30, now: at }
        return (await tryToHire(database.db, { ...hire, ...counted, ...terms })).outcome
      }),
    )
  expect(tally(await hireAll(THOUSAND, 'hiring', now))).toEqual({ hired: 300, too_many_hires: 700 })
  expect(await used('hiring')).toBe('300')
  const ids = `{${agents.map(({ id }) => id).join()}}`
  const [[stored, hirers, events, counted] = []] = await query(
    `select (select count(*) from hires where agent_id = any ($1::uuid[])),
      (select count(*) from wallet_quotas join hires using (wallet) where agent_id = any ($1::uuid[])),
      (select count(*) from events where agent_id = any ($1::uuid[]) and type = 'hire.created'),
      (select sum(total_hires) from agents where id = any ($1::uuid[]))`,
    ids,
  )
  expect([stored, hirers, events, counted]).toEqual(['300', '300', '300', '300'])
  const nextHour = new Date(now.getTime() + 3_600_000)
  expect(await hireAll(5, 'hiring', nextHour)).toEqual(range(5).map(() => 'hired'))
  expect(await used('hiring')).toBe('5')
})

it('record 300 attestations in an hour', async () => {
  const record = async () => {
    const id = crypto.randomUUID()
    const credential = {
      credentialType: 'skill',
      credentialId: id,
      verificationLevel: 'self_attested' as const,
    }
    const { outcome } = await postgres.recordAttestation.call(database.db, {
      attestation: attestationJson({ id, wallet: newWallet(), ...credential }),
      addressHash: 'attesting',
      attestationsPerAddress: 300,
      now,
    })
    return { id, outcome }
  }
  const all = await Promise.all(range(THOUSAND).map(record))
  expect(tally(all.map(({ outcome }) => outcome))).toEqual({ recorded: 300, too_many_attestations: 700 })
  const ids = `{${all.map(({ id }) => id).join()}}`
  expect(await query('select count(*) from attestations where id = any ($1::uuid[])', ids)).toEqual([['300']])
  expect(await used('attesting')).toBe('300')
})

it('change statuses of agents 600 times in an hour', async () => {
  const agents = await Promise.all(range(THOUSAND).map(() => storeAgent(database.db, newWallet(), now)))
  const outcomes = await Promise.all(
    agents.map(async ({ id, pubkey }) => {
      const change = { id, wallet: pubkey, isOperator: false, details: {}, status: 'inactive' as const }
      const counted = { changesHash: 'changing', changesPerAddress: 600 }
      const from = { ownerFrom: statusesAllowing('owner', 'inactive'), operatorFrom: [] }
      return (await updateAgent(database.db, { ...change, ...counted, ...from, now })).outcome
    }),
  )
  expect(tally(outcomes)).toEqual({ changed: 600, address_changes_too_often: 400 })
  const ids = `{${agents.map(({ id }) => id).join()}}`
  const inactive = "select count(*) from agents where id = any ($1::uuid[]) and status = 'inactive'"
  expect(await query(inactive, ids)).toEqual([['600']])
  expect(await used('changing')).toBe('600')
})

it('records charges and endpoints of sixty owners up to the address’s limit', async () => {
  const hires = await Promise.all(range(60).map(() => hiredAgent(database.db, { hiredAt: now })))
  const charged = hires.map(async ({ id: hireId, owner }) => {
    const id = crypto.randomUUID()
    const counted = { addressHash: 'charging', chargesPerAddress: 20 }
    const charge = { id, owner, hireId, reference: id, units: 1n, ...counted, now }
    return (await postgres.recordCharge.call(database.db, charge)).outcome
  })
  expect(tally(await Promise.all(charged))).toEqual({ recorded: 20, too_many_charges: 40 })
  const made = hires.map(async ({ owner: wallet }) => {
    const url = 'https://hooks.example.com/events'
    const endpoint = { id: crypto.randomUUID(), wallet, url, event_types: [], agent_ids: [], secret: 'x' }
    const counted = { addressHash: 'hearing', webhooksPerAddress: 20 }
    return (await postgres.createWebhookEndpoint.call(database.db, { endpoint, limit: 10, ...counted, now }))
      .outcome
  })
  expect(tally(await Promise.all(made))).toEqual({ created: 20, address_too_often: 40 })
  const owners = `{${hires.map(({ owner }) => owner).join()}}`
  const stored = `select (select count(*) from charges where owner = any ($1::text[])),
    (select count(*) from endpoints where wallet = any ($1::text[])),
    (select sum(charges) from wallet_quotas where wallet = any ($1::text[]))`
  expect(await query(stored, owners)).toEqual([['20', '20', '20']])
})

it('makes changes of sixty webhook endpoints up to the address’s limit', async () => {
  const counted = { addressHash: 'changing endpoints', changesPerAddress: 20 }
  const changed = range(60).map(async () => {
    const endpoint = { id: crypto.randomUUID(), wallet: newWallet(), now }
    const url = 'https://hooks.example.com/events'
    await insertEndpoint(database.db, { ...endpoint, url, eventTypes: [], agentIds: [], secret: 'x' })
    const change = { ...endpoint, changes: { description: 'changed' }, enabled: true }
    return (await postgres.changeWebhookEndpoint.call(database.db, { ...change, ...counted })).outcome
  })
  expect(tally(await Promise.all(changed))).toEqual({ changed: 20, address_too_often: 40 })
  expect(await query("select count(*) from endpoints where description = 'changed'")).toEqual([['20']])
  expect(await used('changing endpoints')).toBe('20')
})

it('runs a few wallets on one or two addresses without deadlocks', async () => {
  const wallets = range(6).map(() => newWallet())
  const agents = await Promise.all(wallets.map((wallet) => storeAgent(database.db, wallet, now)))
  const at = (i: number) => ({ addressHash: `office ${i % 2}` })
  const calls = range(240).map(async (i) => {
    const wallet = wallets[i % 6] ?? newWallet()
    const agent = agents[(i * 7 + Math.floor(i / 6)) % 6]
    const own = agents[i % 6]
    if (!agent || !own) throw new Error('no agent')
    if (i % 3 === 0) {
      const [id, status] = [crypto.randomUUID(), i % 2 === 0 ? ('inactive' as const) : ('active' as const)]
      const from = { ownerFrom: statusesAllowing('owner', status), operatorFrom: [] }
      const change = { id: own.id, wallet, isOperator: false, details: {}, status, ...from, now }
      await updateAgent(database.db, { ...change, changesHash: 'office', changesPerAddress: 1_000 })
      await storeAttestation(database.db, {
        ...{ id, wallet, credentialType: 'skill', credentialId: `c-${i % 5}` },
        ...{ verificationLevel: 'self_attested', createdAt: now },
      })
      return
    }
    const hire = { id: crypto.randomUUID(), wallet, agentId: agent.id, autoRenew: false, termDays: 1, now }
    const { id } = await tryToHire(database.db, { ...hire, ...at(i), hiresPerAddress: 1_000 })
    if (id !== undefined) await endHire(database.db, { id, wallet, now })
  })
  const failed = (await Promise.allSettled(calls)).filter(({ status }) => status === 'rejected')
  expect(failed).toEqual([])
  const deadlocks = 'select deadlocks from pg_stat_database where datname = current_database()'
  expect(await query(deadlocks)).toEqual([['0']])
})
