import pg from 'pg'
import { expect } from 'vitest'
import type { Db } from '../../lib/db/connect.ts'
import * as postgres from '../../lib/db/functions.ts'
import { cred } from '../../schema/amounts.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { TERMS_HASH, tryToPost } from './jobs.ts'
import { createAgent, createPayer, type Payer } from './payer.ts'
import type { Service } from './service.ts'
import { openDatabaseOf } from './service-database.ts'
import { ONE } from './staker.ts'

export const JOB_PRICE = cred(100n * BigInt(ONE))

/** Jobs of one agent, with their money on the service's chain. Acts without money are calls of Postgres. */
export async function openJobs(service: Service) {
  const { db, close } = await openDatabaseOf(service)
  return { db, close, ...(await createJobAgent(service, db)) }
}

/** An agent that takes jobs without a judge, its owner, and the acts of both sides. */
export async function createJobAgent(service: Service, db: Db) {
  const { agentId, owner } = await createAgent(service)
  const wallet = owner.owner as Wallet
  const now = () => new Date(service.clock.now())
  const terms = { agentId, owner: wallet, minPrice: JOB_PRICE, workMinutes: 60, judges: ['none'] }
  await postgres.setJobTerms.call(db, { ...terms, now: now() })
  const recorded = async (act: Promise<{ outcome: string }>) => expect((await act).outcome).toBe('recorded')

  async function posted(hirer: Payer): Promise<string> {
    const order = { agentId, hirer: hirer.owner as Wallet, price: JOB_PRICE, judge: 'none', now: now() }
    const { id, outcome } = await tryToPost(db, order)
    expect(outcome).toBe('recorded')
    return id
  }
  const accept = (id: string) =>
    recorded(postgres.acceptJob.call(db, { id, wallet, termsHash: TERMS_HASH, keyVersion: 1, now: now() }))
  async function accepted(hirer: Payer): Promise<string> {
    const id = await posted(hirer)
    await accept(id)
    return id
  }

  return {
    agentId,
    owner,
    /** A wallet with CRED and a refund account. */
    async createHirer(): Promise<Payer> {
      const hirer = await createPayer(service)
      await hirer.land(hirer.post('jobs/refund-account'))
      return hirer
    },
    posted,
    accept,
    accepted,
    async funded(hirer: Payer): Promise<string> {
      const jobId = await accepted(hirer)
      await hirer.land(hirer.post('jobs/fund', { jobId }))
      return jobId
    },
    deliver: (id: string) =>
      recorded(postgres.deliverJob.call(db, { id, wallet, delivery: 'The work', now: now() })),
    object: (id: string, { owner: hirer }: Payer) =>
      recorded(
        postgres.objectJob.call(db, { id, wallet: hirer as Wallet, reason: 'Not the work', now: now() }),
      ),
    approve: (id: string, { owner: hirer }: Payer) =>
      recorded(
        postgres.decideJob.call(db, {
          ...{ id, wallet: hirer as Wallet, act: 'approve', isJudge: false, now: now() },
        }),
      ),
    /** The agent's owner gives a funded job up, so that the hirer gets all back. */
    giveUp: (id: string) => recorded(postgres.endJob.call(db, { id, wallet, now: now() })),
    async split(id: string, { owner: hirer }: Payer, agentAmount: bigint) {
      for (const by of [hirer, wallet] as Wallet[])
        await recorded(
          postgres.proposeSplit.call(db, { id, wallet: by, amount: cred(agentAmount), now: now() }),
        )
    },
    async rowOf(id: string): Promise<Record<string, unknown>> {
      // A restored database has another URL.
      const client = new pg.Client({ connectionString: service.database.url })
      await client.connect()
      const { rows } = await client.query('select * from jobs where id = $1', [id])
      await client.end()
      return rows[0] ?? {}
    },
  }
}
