import { and, eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { selectHires } from '../../lib/agents/hiring/hire-list-queries.ts'
import { NO_PAYERS } from '../../lib/reputation/counterparties/rules.ts'
import { API_SCHEMA } from '../../schema/release.ts'
import { agents } from '../../schema/tables/agents.ts'
import { counterparties, reputationTotals } from '../../schema/tables/counterparties.ts'
import { hires } from '../../schema/tables/hires.ts'
import {
  type AgentStatus,
  agentStatuses,
  type counterpartyKinds,
  type HireOutcome,
  type HireStatus,
} from '../../schema/values.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { agentScore } from '../support/agent-score.ts'
import { connectDatabase, type DrizzleDb } from '../support/database.ts'
import { MAX_UNUSED_RENEWALS, tryToHire } from '../support/hires.ts'
import { whileLocked } from '../support/locks.ts'
import { runs } from '../support/runs.ts'
import { endHire, newWallet, recordDueHires, storeAgent, updateAgent } from '../support/stored-agents.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const START = Date.UTC(2026, 9, 20)
const ALL = 100_000

let db: DrizzleDb
let url: string
let close: () => Promise<void>
beforeAll(async () => {
  ;({ db, url, close } = await connectDatabase())
})
afterAll(() => close())

const hire = async (wallet: Wallet, agentId: string, now: number, termDays: number, autoRenew = false) => {
  const id = crypto.randomUUID()
  const row = { id, wallet, agentId, autoRenew, termDays, now: new Date(now) }
  return (await tryToHire(db, row)).id
}
const end = (wallet: Wallet, id: string, now: number) => endHire(db, { id, wallet, now: new Date(now) })
const change = (agentId: string, owner: Wallet, now: number, status?: AgentStatus, isAllowed = true) =>
  updateAgent(db, {
    id: agentId,
    wallet: owner,
    isOperator: false,
    details: {},
    status,
    ownerFrom: isAllowed ? agentStatuses : [],
    operatorFrom: [],
    now: new Date(now),
  })
const record = (now: number, limit = ALL) => recordDueHires(db, new Date(now), limit)

/** An agent's row, as the statements that change it return it. */
async function rowOf(agentId: string) {
  const [row] = await db.select().from(agents).where(eq(agents.id, agentId))
  return row
}

async function reputationOf(agentId: string) {
  const agent = await rowOf(agentId)
  return { hirers: agent?.hirers, score: agent?.reputationScore }
}
/** What an agent's row should say of so many distinct other wallets whose hire ran its first term. */
const expectedReputation = (hirers: number) => ({ hirers, score: agentScore({ hirers, payers: NO_PAYERS }) })
/** The distinct wallets of hires with the outcome `completed`. */
const hirersOf = (hired: { wallet: unknown; outcome?: HireOutcome | null | undefined }[]) =>
  new Set(hired.filter(({ outcome }) => outcome === 'completed').map(({ wallet }) => wallet)).size

/** A wallet's stored totals, and the same counted from the pairs: they must never differ. */
async function totals(wallet: Wallet) {
  const count = (kind: (typeof counterpartyKinds)[number]) =>
    db.$count(counterparties, and(eq(counterparties.wallet, wallet), eq(counterparties.kind, kind)))
  const { rows } = await db.execute<Record<string, number>>(sql`
    select coalesce(hirers, 0) as hirers, coalesce(counterparties, 0) as counterparties,
      ${count('hirer')}::integer as counted_hirers, ${count('counterparty')}::integer as counted_counterparties
    from (select) as always left join ${reputationTotals} on wallet = ${wallet}`)
  const { hirers, counterparties: others, counted_hirers, counted_counterparties } = rows[0] ?? {}
  expect([hirers, others]).toEqual([counted_hirers, counted_counterparties])
  return { hirers, counterparties: others }
}
const storedHires = (agentId: string) => db.select().from(hires).where(eq(hires.agentId, agentId))

it('computes the same score of an agent in SQL and in TypeScript', async () => {
  const counts = [
    ...Array.from({ length: 5_000 }, (_, n) => n),
    ...fc.sample(fc.nat(2 ** 31 - 1), 5_000),
    15_996,
    2 ** 31 - 1,
  ]
  const { rows } = await db.execute(sql`
    select hirers, ${sql.identifier(API_SCHEMA)}.agent_score(hirers, 0, 0) as score
    from unnest(${`{${counts.join(',')}}`}::integer[]) as counts (hirers)`)
  expect(rows).toEqual(counts.map((hirers) => ({ hirers, score: expectedReputation(hirers).score })))
})

/** One hire as time changes it, independent of what was recorded. */
class Model {
  status: HireStatus = 'active'
  outcome: HireOutcome | undefined
  expiresAt: number
  /** How often it renews yet: nobody logs in or pays. */
  left = MAX_UNUSED_RENEWALS
  id = ''
  readonly wallet: number
  readonly agent: { status: AgentStatus }
  readonly termDays: number
  readonly autoRenew: boolean

  constructor(
    start: number,
    of: { wallet: number; agent: { status: AgentStatus }; termDays: number; autoRenew: boolean },
  ) {
    this.wallet = of.wallet
    this.agent = of.agent
    this.termDays = of.termDays
    this.autoRenew = of.autoRenew
    this.expiresAt = start + of.termDays * DAY
  }

  reach(now: number) {
    while (this.status === 'active' && now >= this.expiresAt) {
      this.outcome ??= 'completed'
      if (this.autoRenew && this.agent.status === 'active' && this.left > 0) {
        this.expiresAt += this.termDays * DAY
        this.left -= 1
      } else this.status = 'expired'
    }
  }

  terminate() {
    if (this.status !== 'active') return
    this.outcome ??= 'cut_short'
    this.status = 'terminated'
  }
}

const OWNER = 0
const agentIndex = fc.nat(1)
const actions = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('hire' as const),
      wallet: fc.nat(2),
      agent: agentIndex,
      termDays: fc.integer({ min: 1, max: 9 }),
      autoRenew: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('end' as const), which: fc.nat(9) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('change' as const),
      agent: agentIndex,
      status: fc.option(fc.constantFrom(...agentStatuses), { nil: undefined }),
      isAllowed: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('job' as const), limit: fc.constantFrom(1, 2, ALL) }),
  },
)
const steps = fc.array(fc.tuple(fc.oneof(fc.constant(0), fc.nat(30), fc.nat(15 * 24)), actions), {
  minLength: 3,
  maxLength: 14,
})

it('counts first terms of others’ hires in random histories', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      await db.delete(hires)
      const wallets = [newWallet(), newWallet(), newWallet()]
      const walletOf = (index: number) => wallets[index] as Wallet
      const offers = await Promise.all(
        [0, 1].map(async () => ({
          id: (await storeAgent(db, walletOf(OWNER), new Date(START))).id,
          status: 'active' as AgentStatus,
        })),
      )
      const offerOf = (index: number) => offers[index] as (typeof offers)[number]
      const models: Model[] = []
      let now = START

      const perform = async (action: (typeof sequence)[number][1]) => {
        if (action.kind === 'hire') {
          const agent = offerOf(action.agent)
          const isFree = !models.some(
            (model) => model.agent === agent && model.wallet === action.wallet && model.status === 'active',
          )
          const id = await hire(walletOf(action.wallet), agent.id, now, action.termDays, action.autoRenew)
          expect(id !== undefined).toBe(isFree && agent.status === 'active')
          if (id === undefined) return
          models.push(Object.assign(new Model(now, { ...action, agent }), { id }))
        } else if (action.kind === 'end') {
          const model = models[action.which % Math.max(models.length, 1)]
          if (!model) return
          model.terminate()
          const ended = await end(walletOf(model.wallet), model.id, now)
          expect(ended?.hire).toMatchObject({ status: model.status, outcome: model.outcome })
          expect(await rowOf(ended?.agent.id ?? '')).toMatchObject(ended?.agent ?? {})
        } else if (action.kind === 'change') {
          const agent = offerOf(action.agent)
          const { outcome, statusBefore } = await change(
            agent.id,
            walletOf(OWNER),
            now,
            action.status,
            action.isAllowed,
          )
          expect(statusBefore).toBe(agent.status)
          expect(outcome).toBe(action.isAllowed ? 'changed' : 'not_allowed')
          if (action.isAllowed) agent.status = action.status ?? agent.status
        } else {
          const isDue = sql`status = 'active' and expires_at <= ${new Date(now).toISOString()}::timestamptz`
          const due = await db.$count(hires, isDue)
          const { expired, renewed } = await record(now, action.limit)
          expect(expired + renewed).toBe(Math.min(due, action.limit))
          expect(await db.$count(hires, isDue)).toBe(due - expired - renewed)
        }
      }

      /** Holds every stored row against the model; what is not due must be recorded, what is may be. */
      const compare = async () => {
        const recorded = await db.select().from(hires)
        for (const row of recorded) {
          const model = models.find(({ id }) => id === row.id)
          const isDue = row.status === 'active' && row.expiresAt.getTime() <= now
          if (!isDue || row.outcome) expect(row.outcome ?? undefined).toBe(model?.outcome)
        }
        const fromOthers = recorded.filter(({ wallet }) => wallet !== walletOf(OWNER))
        for (const { id } of offers) {
          const others = fromOthers.filter(({ agentId }) => agentId === id)
          expect(await reputationOf(id)).toEqual(expectedReputation(hirersOf(others)))
        }
        expect(await totals(walletOf(OWNER))).toEqual({
          hirers: hirersOf(fromOthers),
          counterparties: hirersOf(fromOthers),
        })
        for (const wallet of wallets.slice(1)) {
          const own = fromOthers.filter((row) => row.wallet === wallet)
          expect(await totals(wallet)).toEqual({ hirers: 0, counterparties: hirersOf(own) })
        }
        for (const wallet of wallets) {
          for (const { hire: read } of await selectHires(db, wallet, { now: new Date(now), limit: 100 })) {
            const model = models.find(({ id }) => id === read.id)
            expect(read.status).toBe(model?.status)
            expect(read.expiresAt.getTime()).toBe(model?.expiresAt)
          }
        }
      }

      for (const [hours, action] of sequence) {
        now += hours * HOUR
        for (const model of models) model.reach(now)
        await perform(action)
        await compare()
      }
      await record(now)
      await compare()
      for (const offer of offers) {
        const others = models.filter(({ agent, wallet }) => agent === offer && wallet !== OWNER)
        expect(await reputationOf(offer.id)).toEqual(expectedReputation(hirersOf(others)))
      }
      expect(await record(now)).toEqual({ expired: 0, renewed: 0 })
    }),
    { numRuns: runs(12, 160) },
  )
})

/** Starts `action` while the agent is locked, until so many sessions wait or by default to its end. */
const whileHeld = <T>(id: string, action: () => Promise<T>, waiting?: number): Promise<T> =>
  whileLocked(
    { url, lock: 'select from agents where id = $1 for no key update', id, ...(waiting && { waiting }) },
    action,
  )
/** As many as the client has connections. */
const ALL_WAIT = 10
const times = <T>(count: number, action: () => Promise<T>) =>
  Promise.all(Array.from({ length: count }, action))

describe('a race', () => {
  it.each([
    ['running counts nothing', 1, 0],
    ['over counts it once', 8 * DAY, 1],
  ] as const)('of twenty ends of one hire whose first term is %s', async (_, after, hirers) => {
    const { id } = await storeAgent(db, newWallet(), new Date(START))
    const user = newWallet()
    const hireId = (await hire(user, id, START, 7, true)) ?? ''
    const ends = await whileHeld(id, () => times(20, () => end(user, hireId, START + after)), ALL_WAIT)
    expect(await reputationOf(id)).toEqual(expectedReputation(hirers))
    for (const ended of ends) expect(ended).toMatchObject({ hire: ends[0]?.hire, agent: ends[0]?.agent })
    const published = await db.execute(
      `select id from events where data->>'hireId' = '${hireId}' and type in ('hire.terminated', 'hire.expired')`,
    )
    expect(published.rows).toHaveLength(1)
    expect(await rowOf(id)).toMatchObject(ends[0]?.agent ?? {})
  })

  it('of twenty new hires after an ended one counts that once', async () => {
    const { id } = await storeAgent(db, newWallet(), new Date(START))
    const user = newWallet()
    await hire(user, id, START, 7)
    const again = await whileHeld(id, () => times(20, () => hire(user, id, START + 8 * DAY, 7)), ALL_WAIT)
    expect(again.filter((hireId) => hireId !== undefined)).toHaveLength(1)
    expect(await reputationOf(id)).toEqual(expectedReputation(1))
  })

  it('of status changes and job runs counts and renews each due hire once', async () => {
    const owner = newWallet()
    const { id } = await storeAgent(db, owner, new Date(START))
    await hire(newWallet(), id, START, 7, true)
    const changes = () => times(10, () => change(id, owner, START + 8 * DAY, 'inactive'))
    await whileHeld(id, changes, ALL_WAIT)
    await times(10, () => record(START + 9 * DAY))
    expect(await reputationOf(id)).toEqual(expectedReputation(1))
    const [stored] = await storedHires(id)
    expect(stored).toMatchObject({ status: 'active', expiresAt: new Date(START + 14 * DAY) })
  })

  it('of job runs, ends, new hires and status changes counts every hire once', async () => {
    await db.delete(hires)
    const owner = newWallet()
    const offers = await Promise.all([0, 1, 2].map(() => storeAgent(db, owner, new Date(START))))
    const first = await Promise.all(
      Array.from({ length: 24 }, async (_, index) => {
        const wallet = index < 3 ? owner : newWallet()
        const agentId = offers[index % 3]?.id ?? ''
        return { wallet, agentId, id: (await hire(wallet, agentId, START, 5, index % 2 === 0)) ?? '' }
      }),
    )
    const now = START + 6 * DAY
    const calls = () =>
      Promise.all([
        times(5, () => record(now)),
        ...first.flatMap(({ wallet, agentId, id }, index) => [
          ...(index % 4 === 0 ? [times(2, () => end(wallet, id, now))] : []),
          times(2, () => hire(wallet, agentId, now, 5)),
        ]),
        ...offers.flatMap(({ id }) => [
          change(id, owner, now, 'inactive'),
          change(id, owner, now, 'active'),
          change(id, owner, now, 'suspended'),
        ]),
        times(5, () => record(now)),
      ])
    await whileHeld(offers[0]?.id ?? '', calls, ALL_WAIT)
    await record(now)
    for (const { id } of offers) {
      const hirers = first.filter(({ agentId, wallet }) => agentId === id && wallet !== owner)
      expect(await reputationOf(id)).toEqual(expectedReputation(hirers.length))
      const stored = await storedHires(id)
      const again = stored.filter((row) => !first.some((known) => known.id === row.id))
      expect(again.map(({ status, outcome }) => ({ status, outcome }))).toEqual(
        again.map(() => ({ status: 'active', outcome: null })),
      )
    }
  })

  it('of hires of many agents of one owner counts the pair of wallets once', async () => {
    const owner = newWallet()
    const users = [newWallet(), newWallet(), newWallet()]
    const offers = await Promise.all(Array.from({ length: 8 }, () => storeAgent(db, owner, new Date(START))))
    const hired = await Promise.all(
      offers.flatMap(({ id }) => users.map(async (user) => ({ user, id: await hire(user, id, START, 1) }))),
    )
    // The wallets swap roles at the same time.
    const back = await Promise.all(
      users.map(async (user) => {
        const { id } = await storeAgent(db, user, new Date(START))
        return hire(owner, id, START, 1)
      }),
    )
    const now = START + 2 * DAY
    await Promise.all([
      ...hired.map(({ user, id }) => end(user, id ?? '', now)),
      ...back.map((id) => end(owner, id ?? '', now)),
      times(5, () => record(now)),
    ])
    await record(now)
    for (const { id } of offers) expect(await reputationOf(id)).toEqual(expectedReputation(3))
    expect(await totals(owner)).toEqual({ hirers: 3, counterparties: 3 })
    for (const user of users) expect(await totals(user)).toEqual({ hirers: 1, counterparties: 1 })
  })

  it('of job runs records each due hire once', async () => {
    await db.delete(hires)
    const { id } = await storeAgent(db, newWallet(), new Date(START))
    await Promise.all(Array.from({ length: 12 }, (_, i) => hire(newWallet(), id, START, 5, i < 5)))
    const runs = await times(10, () => record(START + 12 * DAY))
    const sum = (key: 'expired' | 'renewed') => runs.reduce((total, run) => total + run[key], 0)
    expect([sum('expired'), sum('renewed')]).toEqual([7, 5])
    expect(await reputationOf(id)).toEqual(expectedReputation(12))
    const ends = (await storedHires(id)).map(({ status, expiresAt }) => [status, expiresAt.getTime()])
    expect(ends.filter(([status]) => status === 'active')).toEqual(
      Array(5).fill(['active', START + 15 * DAY]),
    )
  })
})

it('skips hires of a locked agent in a job run', async () => {
  await db.delete(hires)
  const busy = await storeAgent(db, newWallet(), new Date(START))
  const idle = await storeAgent(db, newWallet(), new Date(START))
  for (const { id } of [busy, idle]) await hire(newWallet(), id, START, 7)
  const now = START + 8 * DAY
  expect(await whileHeld(busy.id, () => record(now))).toEqual({ expired: 1, renewed: 0 })
  expect(await reputationOf(busy.id)).toEqual(expectedReputation(0))
  expect(await reputationOf(idle.id)).toEqual(expectedReputation(1))
  expect(await record(now)).toEqual({ expired: 1, renewed: 0 })
  expect(await reputationOf(busy.id)).toEqual(expectedReputation(1))
})

it('bounds a job run, takes the longest due first, and continues in the next', async () => {
  await db.delete(hires)
  const { id } = await storeAgent(db, newWallet(), new Date(START))
  for (const termDays of [5, 3, 4, 9]) await hire(newWallet(), id, START, termDays)
  const now = START + 8 * DAY
  expect(await record(now, 2)).toEqual({ expired: 2, renewed: 0 })
  const recorded = await db
    .select({ termDays: hires.termDays })
    .from(hires)
    .where(eq(hires.status, 'expired'))
  expect(recorded.map((row) => row.termDays).sort()).toEqual([3, 4])
  expect(await record(now, 2)).toEqual({ expired: 1, renewed: 0 })
  expect(await record(now, 2)).toEqual({ expired: 0, renewed: 0 })
  expect(await reputationOf(id)).toEqual(expectedReputation(3))
})
