import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ApiError } from '../../lib/api-error.ts'
import { answerRating } from '../../lib/reputation/ratings/answer.ts'
import { rate } from '../../lib/reputation/ratings/rate.ts'
import { cred } from '../../schema/amounts.ts'
import { reputationTotals } from '../../schema/tables/counterparties.ts'
import { events } from '../../schema/tables/events.ts'
import { payers } from '../../schema/tables/payers.ts'
import { ratings } from '../../schema/tables/ratings.ts'
import { connectDatabase, type DrizzleDb } from '../support/database.ts'
import { type Hired, storeHire } from '../support/hires.ts'
import { whileLocked } from '../support/locks.ts'
import { ONE_CRED, recordPayments } from '../support/paid.ts'
import { consistent } from '../support/paid-sums.ts'
import { newWallet, storeAgent } from '../support/stored-agents.ts'

const NOW = new Date('2026-11-20T10:00:00Z')

let db: DrizzleDb
let url: string
let close: () => Promise<void>
beforeAll(async () => {
  ;({ db, url, close } = await connectDatabase())
})
afterAll(() => close())

/** An agent and a hire of it by another wallet. */
async function hired(owner = newWallet(), payer = newWallet()): Promise<Hired> {
  const { id } = await storeAgent(db, owner, NOW)
  return storeHire(db, { agentId: id, owner, payer, now: NOW })
}
const depsAt = (ms: number) => ({ db, now: new Date(NOW.getTime() + ms), notify: () => {} })
const pay = (hire: Hired, fee = ONE_CRED / 4n) => recordPayments(db, [{ ...hire, amount: 100n * fee, fee }])
const give = ({ hireId, payer }: Hired, rating: number, at = 0) =>
  rate({ ...depsAt(at), fees: { minPaid: cred(ONE_CRED) } }, payer, { hireId, rating })

/** The types of the events of ratings that an agent's log has. */
async function typesOf({ agentId }: Hired): Promise<string[]> {
  const published = await db.select({ type: events.type }).from(events).where(eq(events.agentId, agentId))
  return published
    .map(({ type }) => type)
    .filter((type) => type.startsWith('rating.'))
    .sort()
}

/** What came of each call: the answer, or the refusal's code. */
const outcomes = async <Call extends Promise<unknown>>(calls: Call[]) =>
  (await Promise.allSettled(calls)).map((settled) => {
    if (settled.status === 'fulfilled') return settled.value
    if (settled.reason instanceof ApiError) return settled.reason.code
    throw settled.reason
  })

/** What calls come to of which as many as the pool lets through wait for the agent's row together. */
const atOnce = ({ agentId }: Hired, calls: () => ReturnType<typeof give>[]) =>
  whileLocked(
    { url, lock: 'select from agents where id = $1 for no key update', id: agentId, waiting: 10 },
    () => outcomes(calls()),
  )

describe('a race', () => {
  it('of twenty first ratings records one, and another as its revision', async () => {
    const hire = await hired()
    await pay(hire)
    const answers = await atOnce(hire, () => Array.from({ length: 20 }, (_, n) => give(hire, 1 + (n % 5), n)))
    const taken = answers.filter((one) => typeof one !== 'string')
    expect(taken.filter(({ isNew }) => isNew)).toHaveLength(1)
    expect(new Set(taken.map(({ rating }) => rating.rating)).size).toBe(2)
    expect(answers.filter((one) => one === 'rating_final').length).toBeGreaterThan(0)
    const [stored, ...others] = await db.select().from(ratings).where(eq(ratings.hireId, hire.hireId))
    expect(others).toEqual([])
    expect(stored?.revisedAt).not.toBeNull()
    const rows = await db.select().from(payers).where(eq(payers.payer, hire.payer))
    expect(rows.map(({ rating }) => rating)).toEqual([stored?.rating, stored?.rating])
    await consistent(db, hire)
    expect(await typesOf(hire)).toEqual(['rating.given', 'rating.revised'])
  })

  it('of the same revision records one event', async () => {
    const hire = await hired()
    await pay(hire)
    await give(hire, 5)
    const revised = await atOnce(hire, () => Array.from({ length: 10 }, () => give(hire, 2, 1)))
    expect(revised.filter((one) => typeof one !== 'string')).toHaveLength(10)
    expect(await typesOf(hire)).toEqual(['rating.given', 'rating.revised'])
    await consistent(db, hire)
  })

  it('of payments and ratings of one owner’s agents loses none', async () => {
    const owner = newWallet()
    const wallets = [newWallet(), newWallet()]
    const hires = await Promise.all(
      [0, 1, 2].flatMap(async () => {
        const { id } = await storeAgent(db, owner, NOW)
        return Promise.all(wallets.map((payer) => storeHire(db, { agentId: id, owner, payer, now: NOW })))
      }),
    ).then((all) => all.flat())
    await Promise.all(hires.map((hire) => pay(hire, ONE_CRED / 100n)))
    const calls = hires.flatMap((hire, index) => [
      ...Array.from({ length: 6 }, () => pay(hire, ONE_CRED / 25n)),
      ...Array.from({ length: 6 }, (_, n) => give(hire, 1 + ((n + index) % 5), n)),
    ])
    await outcomes(calls)
    for (const hire of hires) await consistent(db, hire)
    const [row] = await db.select().from(reputationTotals).where(eq(reputationTotals.wallet, owner))
    expect(row?.payersWeight).toBe(2n * 3n * (ONE_CRED / 100n + 6n * (ONE_CRED / 25n)))
  })

  it('of answers to a rating records the first', async () => {
    const hire = await hired()
    await pay(hire)
    const { rating } = await give(hire, 4)
    const deps = depsAt(0)
    const answered = await outcomes(
      Array.from({ length: 10 }, (_, n) =>
        answerRating(deps, hire.owner, { id: rating.id, answer: `Answer ${n % 2}` }),
      ),
    )
    expect(answered.filter((one) => typeof one !== 'string')).toHaveLength(5)
    expect(answered.filter((one) => one === 'already_answered')).toHaveLength(5)
    expect(await typesOf(hire)).toEqual(['rating.answered', 'rating.given'])
  })
})
