import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { selectHires } from '../../lib/agents/hiring/hire-list-queries.ts'
import { recordLogin } from '../../lib/auth/queries.ts'
import { hires } from '../../schema/tables/hires.ts'
import { type AgentStatus, hireStatuses } from '../../schema/values.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { connectDatabase, type DrizzleDb } from '../support/database.ts'
import { MAX_UNUSED_RENEWALS, tryToHire } from '../support/hires.ts'
import { runs } from '../support/runs.ts'
import { newWallet, recordDueHires, storeAgent, updateAgent } from '../support/stored-agents.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const START = Date.UTC(2026, 9, 20)

let db: DrizzleDb
let close: () => Promise<void>
beforeAll(async () => {
  ;({ db, close } = await connectDatabase())
})
afterAll(() => close())

/** What a hire should be, worked out an hour at a time: at the end of a term it is renewed or it expires. */
class Model {
  status: 'active' | 'expired' = 'active'
  agent: AgentStatus = 'active'
  expiresAt: number
  /** Renewals left without a login of the hirer or a collected charge in between. */
  left = MAX_UNUSED_RENEWALS
  lastUse = 0
  readonly termDays: number
  readonly autoRenew: boolean

  constructor(termDays: number, autoRenew: boolean) {
    this.termDays = termDays
    this.autoRenew = autoRenew
    this.expiresAt = START + termDays * DAY
  }

  reach(now: number) {
    const term = this.termDays * DAY
    while (this.status === 'active' && now >= this.expiresAt) {
      if (this.lastUse >= this.expiresAt - term) this.left = MAX_UNUSED_RENEWALS + 1
      if (this.autoRenew && this.agent === 'active' && this.left > 0) {
        this.expiresAt += term
        this.left -= 1
      } else this.status = 'expired'
    }
  }
}

const steps = fc.array(
  fc.record({
    hours: fc.oneof(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 40 * 24 })),
    does: fc.constantFrom('nothing', 'activates', 'pauses', 'logs in', 'pays', 'records'),
  }),
  { maxLength: 10 },
)

it('computes a hire’s status and term in random histories', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 12 }),
      fc.boolean(),
      steps,
      async (termDays, autoRenew, changes) => {
        const owner = newWallet()
        const user = newWallet()
        const model = new Model(termDays, autoRenew)
        const { id: agentId } = await storeAgent(db, owner, new Date(START))
        const id = crypto.randomUUID()
        await tryToHire(db, { id, wallet: user, agentId, autoRenew, termDays, now: new Date(START) })
        let now = START
        for (const { hours, does } of changes) {
          now += hours * HOUR
          model.reach(now)
          // Only the last login is known: each run records the effect of earlier logins.
          if (does === 'records' || does === 'logs in') await recordDueHires(db, new Date(now), 1_000)
          if (does === 'logs in') {
            await recordLogin(db, { nonce: crypto.randomUUID(), wallet: user, now: new Date(now) })
            model.lastUse = now
          }
          if (does === 'pays' && model.status === 'active') {
            await db
              .update(hires)
              .set({ paidAt: new Date(now) })
              .where(eq(hires.id, id))
            model.lastUse = now
          }
          if (does === 'activates' || does === 'pauses') {
            model.agent = does === 'activates' ? 'active' : 'inactive'
            await setStatus(agentId, owner, model.agent, now)
          }
          const [read] = await selectHires(db, user, { now: new Date(now), limit: 100 })
          const state = { status: read?.hire.status, expiresAt: read?.hire.expiresAt.getTime() }
          expect(state).toEqual({ status: model.status, expiresAt: model.expiresAt })
          expect(read?.hire.endedAt?.getTime()).toBe(model.status === 'expired' ? model.expiresAt : undefined)
          for (const status of hireStatuses) {
            const found = await selectHires(db, user, { status, now: new Date(now), limit: 100 })
            expect(found).toEqual(status === model.status ? [read] : [])
          }
        }
      },
    ),
    {
      numRuns: runs(40, 600),
      // A pause that begins as a term ends, and one that ends so.
      examples: [
        [1, true, [{ hours: 24, does: 'pauses' }]],
        [
          1,
          true,
          [
            { hours: 23, does: 'pauses' },
            { hours: 1, does: 'activates' },
          ],
        ],
        [
          1,
          true,
          [
            { hours: 24, does: 'pauses' },
            { hours: 1, does: 'activates' },
            { hours: 23, does: 'records' },
          ],
        ],
        [
          1,
          true,
          [
            { hours: 23, does: 'pauses' },
            { hours: 1, does: 'activates' },
            { hours: 1, does: 'pauses' },
          ],
        ],
      ],
    },
  )
})

const setStatus = (id: string, wallet: Wallet, status: AgentStatus, now: number) =>
  updateAgent(db, {
    id,
    wallet,
    isOperator: false,
    details: {},
    status,
    ownerFrom: ['active', 'inactive'],
    operatorFrom: [],
    now: new Date(now),
  })
