import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { selectHires } from '../../lib/agents/hiring/hire-queries.ts'
import type { Db } from '../../lib/db/connect.ts'
import type { AgentStatus } from '../../schema/values.ts'
import { connectDatabase } from '../support/database.ts'
import { tryToHire } from '../support/hires.ts'
import { runs } from '../support/runs.ts'
import { newWallet, storeAgent, updateAgent } from '../support/stored-agents.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const START = Date.UTC(2026, 9, 20)

let db: Db
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
  readonly termDays: number
  readonly autoRenew: boolean

  constructor(termDays: number, autoRenew: boolean) {
    this.termDays = termDays
    this.autoRenew = autoRenew
    this.expiresAt = START + termDays * DAY
  }

  reach(now: number) {
    while (this.status === 'active' && now >= this.expiresAt) {
      if (this.autoRenew && this.agent === 'active') this.expiresAt += this.termDays * DAY
      else this.status = 'expired'
    }
  }
}

const steps = fc.array(
  fc.record({
    hours: fc.oneof(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 40 * 24 })),
    agent: fc.option(fc.constantFrom<AgentStatus>('active', 'inactive'), { nil: undefined }),
  }),
  { maxLength: 8 },
)

it('a hire’s status and term follow the clock and its agent, whatever happens in whatever order', async () => {
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
        await tryToHire(db, {
          id: crypto.randomUUID(),
          wallet: user,
          agentId,
          autoRenew,
          termDays,
          now: new Date(START),
        })
        let now = START
        for (const { hours, agent } of changes) {
          now += hours * HOUR
          model.reach(now)
          if (agent !== undefined) {
            await updateAgent(db, {
              id: agentId,
              wallet: owner,
              isOperator: false,
              details: {},
              status: agent,
              ownerFrom: ['active', 'inactive'],
              operatorFrom: [],
              now: new Date(now),
            })
            model.agent = agent
          }
          const [read] = await selectHires(db, user, new Date(now), { limit: 100 })
          expect(read?.hire.status).toBe(model.status)
          expect(read?.hire.expiresAt.getTime()).toBe(model.expiresAt)
          expect(read?.hire.endedAt?.getTime()).toBe(model.status === 'expired' ? model.expiresAt : undefined)
        }
      },
    ),
    { numRuns: runs(20, 300) },
  )
})
