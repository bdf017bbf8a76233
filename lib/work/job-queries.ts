import { and, asc, desc, eq, getTableColumns, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import { jobs, jobTexts } from '../../schema/tables/jobs.ts'
import { paymentIntentJobs } from '../../schema/tables/payment-jobs.ts'
import { type JobRole, type JobStatus, jobStatuses } from '../../schema/values.ts'
import type { Address, Wallet } from '../../schema/wallet.ts'
import { isOwnedBy, nameOfAgent } from '../agents/parts/part-queries.ts'
import type { Db } from '../db/connect.ts'
import { read } from '../db/statement.ts'
import { idRange } from '../id-range.ts'

const { addressHash: _, hirerGrant: _hirer, ownerGrant: _owner, ...stored } = getTableColumns(jobs)

const columns = {
  ...stored,
  agentName: nameOfAgent(jobs.agentId).as('agent_name'),
  strays: sql<Address[]>`array(select ${paymentIntentJobs.address} from ${paymentIntentJobs}
    where ${and(
      eq(paymentIntentJobs.jobId, jobs.id),
      isNotNull(paymentIntentJobs.strayAt),
      isNull(paymentIntentJobs.returnedAt),
    )} order by ${paymentIntentJobs.intentId})`.as('strays'),
}

/** Reads a job. The caller checks who may see it. */
export const jobById = read({ id: jobs.id }, (db, $) =>
  db.select(columns).from(jobs).where(eq(jobs.id, $.id)),
)

/** Reads a hirer's job by its reference. */
export const jobByReference = read({ hirer: jobs.hirer, reference: jobs.reference }, (db, $) =>
  db
    .select(columns)
    .from(jobs)
    .where(and(eq(jobs.hirer, $.hirer), eq(jobs.reference, $.reference))),
)

/** A job with its agent's name and the escrows of its stray fundings. */
export type StoredJob = Awaited<ReturnType<typeof jobById.run>>[number]

/** Reads the texts of a job. */
export const textsOfJob = read({ id: jobTexts.jobId }, (db, $) =>
  db
    .select({ kind: jobTexts.kind, text: jobTexts.text, createdAt: jobTexts.createdAt })
    .from(jobTexts)
    .where(eq(jobTexts.jobId, $.id)),
)

const page = read(
  {
    ...{ wallet: 'text', agentId: 'uuid?', statuses: 'text[]' },
    ...{ firstId: jobs.id, beforeId: jobs.id, limit: 'integer' },
  },
  (db, $, { by }: { by: 'hirer' | 'owner' | 'agent' }) => {
    // All jobs of an agent are its owner's, so the right to see them is checked once.
    const keys: Record<typeof by, { key: SQL; value: SQL; filter: SQL; isAllowed: SQL }> = {
      hirer: {
        ...{ key: sql`${jobs.hirer}`, value: $.wallet, isAllowed: sql`true` },
        filter: sql`(${$.agentId} is null or ${jobs.agentId} = ${$.agentId})`,
      },
      owner: { key: sql`${jobs.owner}`, value: $.wallet, filter: sql`true`, isAllowed: sql`true` },
      agent: {
        ...{ key: sql`${jobs.agentId}`, value: $.agentId, filter: sql`true` },
        isAllowed: isOwnedBy($.agentId, $.wallet),
      },
    }
    const { key, value, filter, isAllowed } = keys[by]
    // The first jobs of each status are one range of an index, in order. Key and status are part of the range
    // and the order, so that the planner chooses no other index.
    const ids = sql`
      select first.id from unnest(${$.statuses}) as one_status, lateral (
        select ${jobs.id} from ${jobs}
        where (${key}, ${jobs.status}, ${jobs.id}) >= (${value}, one_status, ${$.firstId})
          and (${key}, ${jobs.status}, ${jobs.id}) < (${value}, one_status, ${$.beforeId}) and ${filter}
        order by ${desc(key)}, ${desc(jobs.status)}, ${desc(jobs.id)} limit ${$.limit}) as first
      where ${isAllowed}
      order by first.id desc limit ${$.limit}`
    return db.select(columns).from(jobs).where(sql`${jobs.id} = any (array(${ids}))`).orderBy(desc(jobs.id))
  },
)

/** Lists up to `limit` jobs that a wallet ordered or that are its agents', newest first. */
export const selectJobs = (
  db: Db,
  {
    wallet,
    role,
    status,
    agentId,
    beforeId,
    limit,
  }: {
    wallet: Wallet
    role: Exclude<JobRole, 'judge'>
    status?: JobStatus | undefined
    agentId?: string | undefined
    beforeId?: string | undefined
    limit: number
  },
): Promise<StoredJob[]> =>
  page.run(
    db,
    { ...{ wallet, agentId, limit }, ...idRange({ beforeId }), statuses: status ? [status] : jobStatuses },
    { by: role === 'hirer' ? 'hirer' : agentId === undefined ? 'owner' : 'agent' },
  )

const disputes = read(
  {
    wallet: 'text',
    judges: 'text[]',
    agentId: 'uuid?',
    beforePrice: 'bigint',
    beforeId: jobs.id,
    limit: 'integer',
  },
  (db, $) => {
    const ids = sql`
      select first.id from unnest(${$.judges}) as one_judge, lateral (
        select ${jobs.id}, ${jobs.price} from ${jobs}
        where ${jobs.status} = 'disputed' and (${jobs.judge}, -${jobs.price}, ${jobs.id}) > (one_judge, -${$.beforePrice}, ${$.beforeId})
          and ${jobs.judge} = one_judge and ${$.wallet} not in (${jobs.hirer}, ${jobs.owner})
          and (${$.agentId} is null or ${jobs.agentId} = ${$.agentId})
        order by ${asc(jobs.judge)}, -${jobs.price}, ${asc(jobs.id)} limit ${$.limit}) as first
      order by first.price desc, first.id limit ${$.limit}`
    return db
      .select(columns)
      .from(jobs)
      .where(sql`${jobs.id} = any (array(${ids}))`)
      .orderBy(desc(jobs.price), asc(jobs.id))
  },
)

/**
 * Lists up to `limit` disputes that a wallet may judge, the highest price first and then the oldest.
 * @param judges the names in `judge` that the wallet judges for
 */
export const selectDisputes = (
  db: Db,
  page: {
    wallet: Wallet
    judges: string[]
    agentId?: string | undefined
    beforePrice: bigint
    beforeId: string
    limit: number
  },
): Promise<StoredJob[]> => disputes.run(db, page)
