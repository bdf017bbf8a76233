import { describe, expect, it } from 'vitest'
import { hireAgent } from '../../lib/agents/hiring/hire.ts'
import { statusesAllowing } from '../../lib/agents/rules.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { AgentStatus } from '../../schema/values.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { storeAttestation } from '../support/attestations.ts'
import { useDatabase } from '../support/database.ts'
import { endHire, newWallet, recordDueHires, storeAgent, updateAgent } from '../support/stored-agents.ts'

const now = new Date('2026-11-21T12:00:00.000Z')

const database = useDatabase()
const { rows: query } = database

const range = (length: number) => Array.from({ length }, (_, i) => i)
const stored = (wallet: Wallet) =>
  storeAgent(database.db, wallet, now).then(
    (agent) => agent,
    () => undefined,
  )
const set = (wallet: Wallet, id: string, status: AgentStatus) =>
  updateAgent(database.db, {
    id,
    wallet,
    isOperator: false,
    details: {},
    status,
    ownerFrom: statusesAllowing('owner', status),
    operatorFrom: [],
    now,
  }).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error
  })
const counters = async (wallet: Wallet) =>
  (await query('select agents, active_agents from wallet_quotas where wallet = $1', wallet))[0]

it('allows at most 200 active agents in concurrent registrations and changes', async () => {
  const wallet = newWallet()
  const agents = (await Promise.all(range(230).map(() => stored(wallet)))).flatMap((agent) => agent ?? [])
  expect(agents).toHaveLength(200)
  const [half, rest] = [agents.slice(0, 100), agents.slice(100)]
  await Promise.all(half.flatMap(({ id }) => [set(wallet, id, 'inactive'), set(wallet, id, 'inactive')]))
  expect(await counters(wallet)).toEqual(['200', '100'])
  await Promise.all([
    ...half.flatMap(({ id }) => [set(wallet, id, 'active'), set(wallet, id, 'inactive')]),
    ...half.map(({ id }) => set(wallet, id, 'active')),
    ...range(80).map(() => stored(wallet)),
    ...rest.slice(0, 30).map(({ id }) => set(wallet, id, 'inactive')),
  ])
  const [[total, active] = []] = await query(
    "select count(*), count(*) filter (where status = 'active') from agents where pubkey = $1",
    wallet,
  )
  expect(await counters(wallet)).toEqual([total, active])
  expect(Number(active)).toBeLessThanOrEqual(200)
})

it('allows at most 1,000 agents of any status', async () => {
  const wallet = newWallet()
  await stored(wallet)
  await query('update wallet_quotas set agents = 990, active_agents = 0 where wallet = $1', wallet)
  const agents = await Promise.all(range(40).map(() => stored(wallet)))
  expect(agents.filter((agent) => agent !== undefined)).toHaveLength(10)
})

it('records at most 100 concurrent attestations of a wallet a day', async () => {
  const wallet = newWallet()
  const attest = (credentialId: string, createdAt = now) =>
    storeAttestation(database.db, {
      id: crypto.randomUUID(),
      wallet,
      credentialType: 'skill',
      credentialId,
      verificationLevel: 'self_attested',
      createdAt,
    }).then(
      () => true,
      () => false,
    )
  // Each of 60 twice at once: recorded and counted once.
  await Promise.all(range(120).map((i) => attest(`c-${i % 60}`)))
  const read = () => query('select attestations from wallet_quotas where wallet = $1', wallet)
  expect(await read()).toEqual([['60']])
  const more = await Promise.all(range(80).map((i) => attest(`more-${i}`)))
  expect(more.filter(Boolean)).toHaveLength(40)
  expect(await query('select count(*) from attestations where wallet = $1', wallet)).toEqual([['100']])
  expect(await attest('tomorrow', new Date(now.getTime() + 86_400_000))).toBe(true)
  expect(await read()).toEqual([['1']])
})

describe('hires of a wallet', () => {
  /** Agents of 20 owners. */
  const manyAgents = (count: number) => {
    const owners = range(20).map(() => newWallet())
    return Promise.all(range(count).map((i) => storeAgent(database.db, owners[i % 20] ?? newWallet(), now)))
  }
  const hire = (wallet: Wallet, { id: agentId }: { id: string }, at = now, autoRenew = false) =>
    hireAgent(
      { db: database.db, now: at, notify: () => {}, schedule: () => {}, hiresPerAddress: 1_000_000 },
      wallet,
      { agentId, autoRenew, expiresInDays: 1 },
      wallet,
    ).then(
      ({ hire }) => hire.id,
      (error: unknown) => {
        if (error instanceof ApiError) return error.code
        throw error
      },
    )
  const isHired = (outcome: string) => outcome.includes('-')
  const hireCounters = async (wallet: Wallet) =>
    (await query('select hires, active_hires from wallet_quotas where wallet = $1', wallet))[0]
  const activeOf = async (wallet: Wallet) =>
    (await query("select count(*) from hires where wallet = $1 and status = 'active'", wallet))[0]?.[0]
  const tomorrow = new Date(now.getTime() + 86_400_000)

  it('are at most 1,000 active ones when they begin and end concurrently', async () => {
    const wallet = newWallet()
    const agents = await manyAgents(230)
    await hire(wallet, agents[0] ?? expect.fail())
    // 800 more than there are.
    await query('update wallet_quotas set active_hires = 801 where wallet = $1', wallet)
    const outcomes = await Promise.all(agents.slice(1).map((agent) => hire(wallet, agent)))
    expect(outcomes.filter(isHired)).toHaveLength(199)
    expect(new Set(outcomes.filter((outcome) => !isHired(outcome)))).toEqual(new Set(['quota_exceeded']))
    const ids = outcomes.filter(isHired)
    await Promise.all([
      ...ids.slice(0, 40).flatMap((id) => range(2).map(() => endHire(database.db, { id, wallet, now }))),
      ...agents.slice(200).map((agent) => hire(wallet, agent)),
    ])
    const [, active] = (await hireCounters(wallet)) ?? []
    expect(Number(active)).toBe(800 + Number(await activeOf(wallet)))
    expect(Number(active)).toBeLessThanOrEqual(1_000)
  })

  it('lower the counter when their term ends, in every statement', async () => {
    const wallet = newWallet()
    const agents = await manyAgents(6)
    const [renewed, again, left, ended] = agents
    if (!renewed || !again || !left || !ended) throw new Error('too few agents')
    await hire(wallet, renewed, now, true)
    for (const agent of agents.slice(1)) await hire(wallet, agent)
    expect(await hireCounters(wallet)).toEqual(['6', '6'])
    // Of a wallet whose quota is full, one whose term has run out makes room for the next.
    await query('update wallet_quotas set active_hires = 1000 where wallet = $1', wallet)
    expect(await hire(wallet, again, tomorrow)).toSatisfy(isHired)
    expect(await hireCounters(wallet)).toEqual(['1', '1000'])
    await query('update wallet_quotas set active_hires = 6 where wallet = $1', wallet)
    await endHire(database.db, {
      id: String(
        (await query('select id from hires where wallet = $1 and agent_id = $2', wallet, ended.id))[0]?.[0],
      ),
      wallet,
      now: tomorrow,
    })
    await recordDueHires(database.db, tomorrow, 1_000)
    expect(await hireCounters(wallet)).toEqual(['1', '2'])
    expect(await activeOf(wallet)).toBe('2')
  })

  it('are at most 1,000 new ones each day (UTC); rejected ones do not count', async () => {
    const wallet = newWallet()
    const agents = await manyAgents(30)
    const [first] = agents
    if (!first) throw new Error('no agent')
    await hire(wallet, first)
    await query('update wallet_quotas set hires = 990 where wallet = $1', wallet)
    expect(await Promise.all(range(5).map(() => hire(wallet, first)))).toEqual(
      range(5).map(() => 'already_hired'),
    )
    const outcomes = await Promise.all(agents.slice(1).map((agent) => hire(wallet, agent)))
    expect(outcomes.filter(isHired)).toHaveLength(10)
    expect(new Set(outcomes.filter((outcome) => !isHired(outcome)))).toEqual(new Set(['rate_limited']))
    expect(await hireCounters(wallet)).toEqual(['1000', '11'])
    expect(await hire(wallet, agents.at(-1) ?? first, tomorrow)).toSatisfy(isHired)
  })
})
