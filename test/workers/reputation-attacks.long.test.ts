import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWallet, type KeyWallet } from '../../lib/cli/wallet.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { register } from '../support/agents.ts'
import { tryToHire } from '../support/hires.ts'
import { type Body, type Service, startService } from '../support/service.ts'
import { openDatabaseOf } from '../support/service-database.ts'
import { endHire, newWallet } from '../support/stored-agents.ts'

const DAY = 86_400_000
const MANY = 500
/** The most that activity at no cost may add: to an agent's score of 100, and to parts of a wallet's 200. */
const FREE = { agent: 20, reliability: 40, social: 36.25 }

let service: Service
let database: Awaited<ReturnType<typeof openDatabaseOf>>
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'agents', 'reputation', 'jobs'] })
  database = await openDatabaseOf(service)
})
afterAll(async () => {
  await database.close()
  await service.stop()
})

const travel = (days: number) => service.clock.travelTo(service.clock.now() + days * DAY)
const runJobs = () => service.runJobs('jobs')
const agentScore = async (id: string) =>
  Number((await service.call('GET', `/agents/${id}`)).body.reputationScore)
const reputationOf = async (wallet: string) =>
  (await service.call('GET', `/reputation?user_id=${wallet}`)).body as Body & {
    score: number
    breakdown: Record<'reliability' | 'social' | 'infrastructure', number>
  }

async function offer(owner: KeyWallet = createWallet()) {
  const { id } = await register((await service.signIn(owner)).call)
  return { id, owner }
}

/** A wallet that hires through HTTP, for one day. */
async function hireByHttp(agentId: string, wallet: KeyWallet = createWallet()) {
  const { call } = await service.signIn(wallet)
  const { body, status } = await call('POST', '/agents/hire', { body: { agentId, expiresInDays: 1 } })
  expect(status).toBe(201)
  const end = () => call('DELETE', `/agents/hire?id=${body.id}`)
  return { wallet, end }
}

/** The use case's own statement, for attackers beyond what HTTP calls have time for. */
async function hireBySql(agentId: string, wallet: Wallet = newWallet()) {
  const now = new Date(service.clock.now())
  const id = crypto.randomUUID()
  const made = await tryToHire(database.db, { id, wallet, agentId, autoRenew: false, termDays: 1, now })
  expect(made.id).toBeDefined()
  return { end: () => endHire(database.db, { id, wallet, now }) }
}

async function inBatches(count: number, action: () => Promise<unknown>) {
  for (let done = 0; done < count; done += 20)
    await Promise.all(Array.from({ length: Math.min(20, count - done) }, action))
}

describe('with wallets that cost nothing', () => {
  it('does not change a score when one hires and ends very often', async () => {
    const { id, owner } = await offer()
    for (let i = 0; i < 3; i += 1) await hireByHttp(id)
    await travel(1)
    await runJobs()
    const before = { agent: await agentScore(id), wallet: (await reputationOf(owner.publicKey)).breakdown }
    expect(before.agent).toBeGreaterThan(0)
    const attacker = createWallet()
    for (let i = 0; i < 20; i += 1) await (await hireByHttp(id, attacker)).end()
    for (let i = 20; i < 2 * MANY; i += 1) await (await hireBySql(id, attacker.publicKey as Wallet)).end()
    const after = { agent: await agentScore(id), wallet: (await reputationOf(owner.publicKey)).breakdown }
    expect(after).toMatchObject({
      agent: before.agent,
      wallet: { reliability: before.wallet.reliability, social: before.wallet.social },
    })
  })

  it('does not lower an agent’s score when many hire and end', async () => {
    const { id, owner } = await offer()
    for (let i = 0; i < 3; i += 1) await hireByHttp(id)
    await travel(1)
    await runJobs()
    const before = { agent: await agentScore(id), wallet: (await reputationOf(owner.publicKey)).breakdown }
    await inBatches(20, async () => (await hireByHttp(id)).end())
    await inBatches(MANY - 20, async () => (await hireBySql(id)).end())
    await runJobs()
    const { breakdown } = await reputationOf(owner.publicKey)
    expect({ agent: await agentScore(id), wallet: breakdown }).toMatchObject({
      agent: before.agent,
      wallet: { reliability: before.wallet.reliability, social: before.wallet.social },
    })
  })

  it('raises an agent’s score only up to the free cap', async () => {
    const { id, owner } = await offer()
    await inBatches(20, () => hireByHttp(id))
    await inBatches(MANY - 20, () => hireBySql(id))
    await travel(1)
    await runJobs()
    const { breakdown } = await reputationOf(owner.publicKey)
    expect(await agentScore(id)).toBeGreaterThan(0)
    expect(await agentScore(id)).toBeLessThan(FREE.agent)
    expect(breakdown.reliability).toBeLessThan(FREE.reliability)
    expect(breakdown.social).toBeLessThanOrEqual(FREE.social)
    // Twenty more for one day each, of one wallet: it counts once.
    const before = await agentScore(id)
    const again = createWallet()
    for (let i = 0; i < 3; i += 1) {
      await hireByHttp(id, again)
      await travel(1)
      await runJobs()
    }
    expect((await agentScore(id)) - before).toBeLessThan(0.01)
  })

  it('does not count a running hire for the social part', async () => {
    const { id, owner } = await offer()
    const { wallet } = await hireByHttp(id)
    expect((await reputationOf(owner.publicKey)).breakdown.social).toBe(0)
    expect((await reputationOf(wallet.publicKey)).breakdown.social).toBe(0)
    await travel(1)
    await runJobs()
    // One of ten: 200 (1 - e^-0.01).
    expect((await reputationOf(owner.publicKey)).breakdown.social).toBe(1.99)
    expect((await reputationOf(wallet.publicKey)).breakdown.social).toBe(1.99)
  })

  it('stays below 150 with all free facts, tenure aside', async () => {
    const owner = createWallet()
    const { call } = await service.signIn(owner)
    const { id } = await register(call, { supportedLayers: [6, 7, 8, 9, 10, 11] })
    for (let i = 0; i < 40; i += 1) {
      const body = {
        credentialType: 'degree',
        credentialId: `made-up-${i}`,
        documentUrl: 'https://x.example.com',
      }
      await call('POST', '/reputation/attest/skill', { body })
    }
    await inBatches(MANY, () => hireBySql(id))
    await travel(1)
    await runJobs()
    const { score, breakdown } = await reputationOf(owner.publicKey)
    expect(score - Number((breakdown as Record<string, number>).tenure)).toBeLessThan(150)
  })
})
