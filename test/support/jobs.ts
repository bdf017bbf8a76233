import type pg from 'pg'
import type { Db } from '../../lib/db/connect.ts'
import * as postgres from '../../lib/db/functions.ts'
import type { JobAct } from '../../lib/work/rules.ts'
import { API_SCHEMA } from '../../schema/release.ts'
import type { Service } from './service.ts'
import { newWallet, storeAgent } from './stored-agents.ts'

/** CRED in lamports. */
export const CRED = 1_000_000_000n
export const TERMS_HASH = 'ab'.repeat(32)

type Order = Parameters<typeof postgres.postJob.call>[1]
type Acceptance = Parameters<typeof postgres.acceptJob.call>[1]

/** Stores an agent that is sent jobs from 1 CRED on, with any of the judges. */
export async function storeWorkingAgent(
  db: Db,
  now: Date,
  { owner = newWallet(), judges = ['deployment', 'none'] } = {},
) {
  const { id: agentId } = await storeAgent(db, owner, now)
  const terms = { agentId, owner, minPrice: CRED, workMinutes: 60, judges, now }
  const { outcome } = await postgres.setJobTerms.call(db, terms)
  if (outcome !== 'recorded') throw new Error(`the terms were refused: ${outcome}`)
  return { agentId, owner }
}

/** Orders a job, by default from a new client address, with the longest deadlines that are the defaults. */
export async function tryToPost(db: Db, order: Pick<Order, 'agentId' | 'hirer' | 'now'> & Partial<Order>) {
  const id = order.id ?? crypto.randomUUID()
  const posted = await postgres.postJob.call(db, {
    ...{ id, reference: id, title: 'Translate', brief: 'The text, into German' },
    ...{ price: 100n * CRED, minPrice: CRED, feeBps: 100, judge: 'deployment' },
    ...{ acceptMinutes: 4_320, workMinutes: 4_320, reviewMinutes: 4_320 },
    ...{ termsHash: TERMS_HASH, salt: 'cd'.repeat(16) },
    ...{ addressHash: crypto.randomUUID(), jobsPerAddress: 60 },
    ...order,
  })
  return { id, ...posted }
}

/** Accepts a job under its terms. */
export const accept = (db: Db, job: Omit<Acceptance, 'termsHash' | 'keyVersion'> & Partial<Acceptance>) =>
  postgres.acceptJob.call(db, { termsHash: TERMS_HASH, keyVersion: 1, ...job })

/** Records that a funding was signed and confirmed, as the payments relay does, without a chain. */
export async function confirmFunding({ clock, database }: Service, id: unknown): Promise<void> {
  const now = new Date(clock.now()).toISOString()
  const step = (act: string, by: string) => ({
    query: `select record_job(after, $2) from lock_job($1) as job, job_next(job, '${act}', '${by}', null, $2) as after`,
    params: [String(id), now],
  })
  await database.engine.run([
    { query: `set local search_path = ${API_SCHEMA}, public`, params: [] },
    step('fund', 'hirer'),
    step('confirm', 'service'),
  ])
}

/**
 * Does an act that only parts of functions record: the signing of a funding, and its outcome on the chain.
 * @returns whether the states of a job allow it
 */
export async function actAsChain(
  pool: pg.Pool,
  id: string,
  act: JobAct & ('fund' | 'confirm' | 'lapse'),
  now: Date,
): Promise<boolean> {
  const client = await pool.connect()
  await client.query(`set search_path = ${API_SCHEMA}, public`)
  const { rowCount } = await client.query(
    `select record_job(after, $4) from lock_job($1) as job, job_next(job, $2, $3, null, $4) as after where after.id is not null`,
    [id, act, act === 'fund' ? 'hirer' : 'service', now],
  )
  client.release()
  return rowCount === 1
}

/** Stores copies of a job, with other ids and references. */
export async function copyJobIn(pool: pg.Pool, id: string, count: number): Promise<void> {
  await pool.query(
    `insert into jobs select (jsonb_populate_record(jobs, jsonb_build_object('id', gen_random_uuid(), 'reference', i::text))).*
     from jobs, generate_series(1, $2) as i where id = $1`,
    [id, count],
  )
}
