import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { unlistIdleAgents } from '../../lib/agents/listing/unlist-idle.ts'
import { recordLogin } from '../../lib/auth/queries.ts'
import * as postgres from '../../lib/db/functions.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { connectDatabase } from '../support/database.ts'
import { tryToHire } from '../support/hires.ts'
import { compareListed } from '../support/listed-agents.ts'
import { ONE_CRED, recordPayments } from '../support/paid.ts'
import { runs } from '../support/runs.ts'
import { insertAgent, newWallet, updateAgent } from '../support/stored-agents.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const START = Date.UTC(2026, 0, 1)

let database: Awaited<ReturnType<typeof connectDatabase>>
let client: pg.Client
beforeAll(async () => {
  database = await connectDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await database.close()
})

/** What an agent should be: who used it, and whether it is listed. */
type Agent = {
  id: string
  owner: number
  isActive: boolean
  isListed: boolean
  /** When it was registered or last hired. */
  usedAt: number
}
type Owner = { wallet: Wallet; loggedInAt: number; verifiedUntil: number }

const steps = fc.array(
  fc.record({
    hours: fc.oneof(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 35 * 24 })),
    agent: fc.integer({ min: 0, max: 3 }),
    does: fc.constantFrom(
      ...(['logs in', 'is hired', 'is paid', 'is verified', 'pauses', 'activates', 'is described'] as const),
      ...(['job run', 'job run', 'job run'] as const),
    ),
  }),
  { maxLength: 25 },
)

it('lists exactly the used agents by word and layer in random histories', async () => {
  const { db } = database
  await fc.assert(
    fc.asyncProperty(steps, async (history) => {
      await client.query('delete from hire_payments; delete from hires; delete from agents')
      let at = START
      const now = () => new Date(at)
      const owners: Owner[] = [0, 1].map(() => ({ wallet: newWallet(), loggedInAt: START, verifiedUntil: 0 }))
      const logIn = ({ wallet }: Owner) => recordLogin(db, { nonce: crypto.randomUUID(), wallet, now: now() })
      for (const owner of owners) await logIn(owner)
      const agents: Agent[] = []
      for (let n = 0; n < 4; n++) {
        const id = crypto.randomUUID()
        await insertAgent(db, {
          ...{ id, pubkey: owners[n % 2]?.wallet as Wallet, name: `Agent ${n}`, agentType: 'oracle' },
          ...{ supportedLayers: [1, 2 + n], feeModel: 'flat', feeAmount: 1n, registeredAt: now() },
        })
        const state = { isActive: true, isListed: true, usedAt: START }
        agents.push({ id, owner: n % 2, ...state })
      }
      const change = (agent: Agent, details: { description?: string }, status?: 'active' | 'inactive') =>
        updateAgent(db, {
          ...{
            id: agent.id,
            wallet: owners[agent.owner]?.wallet as Wallet,
            isOperator: false,
            details,
            status,
          },
          ...{ ownerFrom: ['active', 'inactive'], operatorFrom: [], now: now() },
        })
      const hire = async (agent: Agent) => {
        const hireId = crypto.randomUUID()
        const terms = { autoRenew: false, termDays: 1 }
        const { id } = await tryToHire(db, {
          id: hireId,
          wallet: newWallet(),
          agentId: agent.id,
          ...terms,
          now: now(),
        })
        expect(id !== undefined).toBe(agent.isActive)
        return id
      }

      for (const step of history) {
        at += step.hours * HOUR
        const agent = agents[step.agent] as Agent
        const owner = owners[agent.owner] as Owner
        const list = () => {
          for (const one of agents) if (one.owner === agent.owner && one.isActive) one.isListed = true
        }
        if (step.does === 'logs in') {
          await logIn(owner)
          owner.loggedInAt = at
          list()
        } else if (step.does === 'is hired') {
          if (await hire(agent)) Object.assign(agent, { usedAt: at, isListed: true })
        } else if (step.does === 'is paid' && agent.isActive) {
          const hireId = (await hire(agent)) as string
          const payment = {
            hireId,
            agentId: agent.id,
            owner: owner.wallet,
            payer: newWallet(),
            amount: 1n,
            fee: 0n,
          }
          await recordPayments(db, [payment], ONE_CRED, now())
          Object.assign(agent, { usedAt: at, isListed: true })
        } else if (step.does === 'is verified') {
          const id = crypto.randomUUID()
          await client.query(
            `insert into attestations (id, wallet, credential_type, credential_id, verification_level, created_at, status)
             values ($1::uuid, $2, 'license', gen_random_uuid(), 'self_attested', $3, 'in_review')`,
            [id, owner.wallet, now()],
          )
          const decision = {
            from: 'in_review',
            status: 'verified',
            by: 'oracle',
            level: 'third_party_verified',
          }
          const expiresAt = new Date(at + 45 * DAY)
          expect(
            await postgres.decideAttestation.call(db, { id, ...decision, expiresAt, now: now() }),
          ).toMatchObject({
            outcome: 'decided',
          })
          owner.verifiedUntil = expiresAt.getTime()
          list()
        } else if (step.does === 'pauses' || step.does === 'activates') {
          const isActive = step.does === 'activates'
          if (isActive) agent.isListed = true
          await change(agent, {}, isActive ? 'active' : 'inactive')
          agent.isActive = isActive
        } else if (step.does === 'is described') {
          await change(agent, { description: `said at ${at}` })
        } else if (step.does === 'job run') {
          await unlistIdleAgents({ db, now: now(), elapsed: () => 0 })
        }

        const { rows } = await client.query('select id, is_listed from agents')
        const isListed = new Map(rows.map((row) => [row.id, row.is_listed as boolean]))
        for (const one of agents) {
          const { loggedInAt, verifiedUntil } = owners[one.owner] as Owner
          const idleFor = at - Math.max(one.usedAt, loggedInAt)
          // A date that was given for a verified owner, or for a hire, may be later than that.
          const isSure = idleFor >= 31 * DAY && at >= verifiedUntil + 30 * DAY
          if (step.does === 'job run' && one.isListed && at >= verifiedUntil && idleFor >= 30 * DAY)
            one.isListed = isSure ? false : (isListed.get(one.id) ?? expect.fail())
          expect(isListed.get(one.id), JSON.stringify({ one, step })).toBe(one.isListed)
        }
      }
      expect(await compareListed(client)).toMatchObject({ wrong: 0 })
    }),
    { numRuns: runs(25, 1_000) },
  )
})
