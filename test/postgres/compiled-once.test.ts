import { sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { hireAgent } from '../../lib/agents/hiring/hire.ts'
import { selectHires } from '../../lib/agents/hiring/hire-list-queries.ts'
import { selectHiresOfAgent } from '../../lib/agents/hiring/hirer-queries.ts'
import { terminateHire } from '../../lib/agents/hiring/terminate.ts'
import type { AgentCursor } from '../../lib/agents/listing/cursor.ts'
import type { AgentFilter } from '../../lib/agents/listing/list-queries.ts'
import { selectAgentsOf } from '../../lib/agents/listing/owner-queries.ts'
import { selectAgents } from '../../lib/agents/listing/page-queries.ts'
import { searchAgents } from '../../lib/agents/listing/search-queries.ts'
import { findAgent } from '../../lib/agents/queries.ts'
import type { Db } from '../../lib/db/connect.ts'
import { statement } from '../../lib/db/statement.ts'
import { selectEvents } from '../../lib/events/queries.ts'
import { selectTotals } from '../../lib/marketplace/queries.ts'
import { chargeHire } from '../../lib/payments/charges/charge.ts'
import { selectCharges } from '../../lib/payments/charges/list-queries.ts'
import { voidCharge } from '../../lib/payments/charges/void.ts'
import { selectRegisteredAgents } from '../../lib/registry/list-queries.ts'
import { selectReputationFacts } from '../../lib/reputation/queries.ts'
import { readVault } from '../../lib/vault/queries.ts'
import { agentStatuses } from '../../schema/values.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { connectDatabase } from '../support/database.ts'
import { tryToHire } from '../support/hires.ts'
import { endHire, newWallet, recordDueHires, storeAgent, updateAgent } from '../support/stored-agents.ts'

const NOW = new Date('2026-10-20T12:00:00.000Z')

let db: Db
let close: () => Promise<void>
beforeAll(async () => {
  ;({ db, close } = await connectDatabase())
})
afterAll(() => close())
afterEach(() => vi.restoreAllMocks())

/** How many statements Drizzle makes text of while this runs, and the texts that are sent. */
async function watched(run: () => Promise<unknown>): Promise<{ compilations: number; texts: string[] }> {
  const compiling = vi.spyOn(PgDialect.prototype, 'sqlToQuery')
  const sending = vi.spyOn(globalThis, 'fetch')
  await run()
  const bodies = sending.mock.calls.map(([, init]) => JSON.parse(String(init?.body)))
  const texts = bodies.flatMap((body) =>
    (body.queries ?? [body]).map(({ query }: { query: string }) => query),
  )
  const compilations = compiling.mock.calls.length
  vi.restoreAllMocks()
  return { compilations, texts }
}

/** A wallet's way through an agent's life: each call of it has other values. */
async function counterparty() {
  const owner = newWallet()
  const wallet = newWallet()
  const agent = await storeAgent(db, owner, NOW)
  const id = crypto.randomUUID()
  await tryToHire(db, { id, wallet, agentId: agent.id, autoRenew: false, termDays: 30, now: NOW })
  const at = { db, now: NOW, notify: () => {}, schedule: () => {}, chargesPerAddress: 1 }
  const charge = await chargeHire(at, owner, { hireId: id, reference: id }, id)
  await voidCharge({ db, now: NOW, notify: () => {} }, owner, charge.id)
  await selectCharges(db, { role: 'owner', hireId: id }, { wallet: owner, now: NOW, limit: 10 })
  await selectHiresOfAgent(db, { id: agent.id, owner }, { limit: 10, now: NOW })
  await selectHires(db, wallet, { now: NOW, limit: 10 })
  await endHire(db, { id, wallet, now: NOW })
  await updateAgent(db, {
    id: agent.id,
    wallet: owner,
    isOperator: false,
    details: { logoUrl: `https://example.com/${id}.png` },
    ownerFrom: agentStatuses,
    operatorFrom: [],
    now: NOW,
  })
  await recordDueHires(db, NOW, 10)
  await findAgent(db, agent.id)
  await selectEvents(db, owner, undefined, 10)
  await selectReputationFacts(db, wallet, 1n)
  await readVault(db, wallet, NOW)
  await selectTotals(db)
}

it('counts every compilation', async () => {
  const one = statement({ n: 'integer' }, (_db, $) => sql`select ${$.n} as n`)
  const twice = await watched(async () => {
    await one.run(db, { n: 1 })
    await one.run(db, { n: 2 })
  })
  expect(twice.compilations).toBe(1)
  expect(twice.texts).toHaveLength(2)
})

it('sends at most 1,500 characters of SQL for a hire, a charge and its end', async () => {
  const limits = { hiresPerAddress: 1_000, chargesPerAddress: 1_000 }
  const deps = { db, now: NOW, notify: () => {}, schedule: () => {}, ...limits }
  const owner = newWallet()
  const hirer = newWallet()
  const agent = await storeAgent(db, owner, NOW)
  let hireId = ''
  const acts = [
    async () => {
      const terms = { agentId: agent.id, autoRenew: false, expiresInDays: 30 }
      hireId = (await hireAgent(deps, hirer, terms, '192.0.2.1')).hire.id
    },
    () => chargeHire(deps, owner, { hireId, reference: hireId }, '192.0.2.1'),
    () => terminateHire(deps, hirer, hireId),
  ]
  for (const act of acts) {
    const { texts } = await watched(act)
    expect(texts.join('').length).toBeLessThanOrEqual(1_500)
  }
})

// The number of statements compiled by the first run depends on earlier test files: they share their modules.
describe('compiles each statement once', () => {
  it('for the calls of an agent, its hirer and a vault’s owner', async () => {
    const first = await watched(counterparty)
    const second = await watched(counterparty)
    expect(first.texts.length).toBeGreaterThan(10)
    expect(second.compilations).toBe(0)
    expect(second.texts).toEqual(first.texts)
  })

  it('for each set of filters of a list', async () => {
    const ask = async (filter: AgentFilter, after?: AgentCursor) => {
      await selectAgents(db, filter, after, 3)
    }
    const all = async (n: number) => {
      await ask({ status: 'active' })
      await ask({ status: 'all', layer: n })
      await ask({ status: 'all', layer: n, sort: 'newest' })
      const words = { status: n === 1 ? 'inactive' : 'suspended', q: `name ${n}`, layer: n + 1 } as const
      await searchAgents(db, words, undefined, 3)
      await ask({ status: 'active', minReputation: n }, { sortKey: n, id: crypto.randomUUID() })
      const owner = `owner ${n}` as Wallet
      await selectAgentsOf(db, { status: 'all', owner }, undefined, n)
      await selectAgentsOf(db, { ...words, owner }, undefined, n)
      await selectRegisteredAgents(db, { layer: n }, undefined, n)
    }
    const first = await watched(() => all(1))
    const second = await watched(() => all(2))
    expect(first.texts).toHaveLength(8)
    expect(second.compilations).toBe(0)
    expect(second.texts).toEqual(first.texts)
  })
})
