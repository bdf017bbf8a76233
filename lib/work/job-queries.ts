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

const ofList = {
  ...({ wallet: 'text', agentId: 'uuid?', statuses: 'text[]' } as const),
  ...({ firstId: jobs.id, beforeId: jobs.id, limit: 'integer' } as const),
}

const page = read(ofList, (db, $, { keyed }: { keyed: 'hirer' | 'owner' | 'agent' }) => {
  // All jobs of an agent are its owner's, so the right to see them is checked once.
  const keys: Record<typeof keyed, { key: SQL; value: SQL; filter: SQL; isAllowed: SQL }> = {
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
  const { key, value, filter, isAllowed } = keys[keyed]
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
})

const duePage = read(ofList, (db, $, { side }: { side: 'hirer' | 'owner' }) => {
  const wallet = jobs[side]
  const isDue = {
    hirer: sql`${jobs.hirerAmount} > 0 and ${jobs.refundedAt} is null
      and ${jobs.escrow} is not null and ${jobs.escrowClosedAt} is null`,
    owner: sql`${jobs.agentAmount} > 0 and ${jobs.paidAt} is null`,
  }
  // One range of the index of what can be paid. With an equation Postgres could walk the index of ids.
  const ids = sql`select ${jobs.id} from ${jobs}
    where ${isDue[side]}
      and (${wallet}, ${jobs.id}) >= (${$.wallet}, ${$.firstId})
      and (${wallet}, ${jobs.id}) < (${$.wallet}, ${$.beforeId})
      and ${jobs.status} = any (${$.statuses}) and (${$.agentId} is null or ${jobs.agentId} = ${$.agentId})
    order by ${desc(wallet)}, ${desc(jobs.id)} limit ${$.limit}`
  return db.select(columns).from(jobs).where(sql`${jobs.id} = any (array(${ids}))`).orderBy(desc(jobs.id))
})

/** Filters a wallet's jobs. */
export type JobFilter = {
  status?: JobStatus | undefined
  agentId?: string | undefined
  /** Only ended jobs that owe the wallet its part of the price. */
  due?: boolean | undefined
  /** The time that they were ordered at: from the first on, before the second. */
  since?: Date | undefined
  until?: Date | undefined
}

/** Lists up to `limit` jobs that a wallet ordered or that are its agents', newest first. */
export function selectJobs(
  db: Db,
  {
    wallet,
    role,
    status,
    agentId,
    due = false,
    since,
    until,
    beforeId,
    limit,
  }: JobFilter & {
    wallet: Wallet
    role: Exclude<JobRole, 'judge'>
    beforeId?: string | undefined
    limit: number
  },
): Promise<StoredJob[]> {
  const asked = {
    ...{ wallet, agentId, limit, statuses: status ? [status] : jobStatuses },
    ...idRange({ since, until, beforeId }),
  }
  const side = role === 'hirer' ? 'hirer' : 'owner'
  return due
    ? duePage.run(db, asked, { side })
    : page.run(db, asked, { keyed: side === 'owner' && agentId !== undefined ? 'agent' : side })
}

const disputes = read(
  {
    wallet: 'text',
    judges: 'text[]',
    agentId: 'uuid?',
    firstId: jobs.id,
    endId: jobs.id,
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
          and ${jobs.id} >= ${$.firstId} and ${jobs.id} < ${$.endId}
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
export function selectDisputes(
  db: Db,
  {
    since,
    until,
    ...page
  }: Pick<JobFilter, 'agentId' | 'since' | 'until'> & {
    wallet: Wallet
    judges: string[]
    beforePrice: bigint
    beforeId: string
    limit: number
  },
): Promise<StoredJob[]> {
  const { firstId, beforeId: endId } = idRange({ since, until })
  return disputes.run(db, { ...page, firstId, endId })
}
