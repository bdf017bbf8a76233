import * as v from 'valibot'
import type { JobRole, JobTextKind } from '../../schema/values.ts'
import { MAX_CHARGED } from '../../schema/values.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { ApiError } from '../api-error.ts'
import { makeCursor, pageOf, readCursor } from '../cursor.ts'
import { batch } from '../db/batch.ts'
import type { Db } from '../db/connect.ts'
import {
  type JobFilter,
  jobById,
  type StoredJob,
  selectDisputes,
  selectJobs,
  textsOfJob,
} from './job-queries.ts'
import { type Caller, roleIn } from './views.ts'

/** The dependencies of reads. `judges` are the judges of the deployment. */
type ReadDeps = { db: Db; now: Date; judges: ReadonlySet<string> }

/** A job, and the caller's part in it. */
export type SeenJob = { job: StoredJob; role: JobRole }

export const jobNotFound = () => new ApiError('job_not_found', 'You have no part in a job with this id.')

/** @throws ApiError job_not_found for a stranger */
export function seenBy(job: StoredJob | undefined, caller: Caller): SeenJob {
  const role = job && roleIn(job, caller)
  if (!job || !role) throw jobNotFound()
  return { job, role }
}

export const callerOf = ({ judges }: { judges: ReadonlySet<string> }, wallet: Wallet): Caller => ({
  wallet,
  isJudge: judges.has(wallet),
})

/**
 * Reads a job, for its two sides and its judge.
 * @throws ApiError job_not_found, also for a stranger
 */
export async function readJob(deps: ReadDeps, wallet: Wallet, id: string): Promise<SeenJob> {
  const [job] = await jobById.run(deps.db, { id })
  return seenBy(job, callerOf(deps, wallet))
}

type Text = { text: string; createdAt: Date }

/**
 * Reads the texts of a job that the wallet may read. The agent's owner reads the input once the job is
 * funded. A judge reads all once the job was disputed.
 * @throws ApiError job_not_found, also for a stranger
 */
export async function readTexts(
  deps: ReadDeps,
  wallet: Wallet,
  id: string,
): Promise<Record<JobTextKind, Text | undefined>> {
  const [[job], texts] = await batch(deps.db, [jobById.item({ id }), textsOfJob.item({ id })])
  const seen = seenBy(job, callerOf(deps, wallet))
  const textOf = (kind: JobTextKind) => texts.find((text) => text.kind === kind && mayRead(seen, kind))
  return {
    input: textOf('input'),
    delivery: textOf('delivery'),
    objection: textOf('objection'),
    verdict: textOf('verdict'),
  }
}

function mayRead({ job, role }: SeenJob, kind: JobTextKind): boolean {
  if (role === 'judge') return job.disputedAt !== null
  return kind !== 'input' || role === 'hirer' || job.fundedAt !== null
}

const Id = v.pipe(v.string(), v.uuid())
const CursorParts = v.strictTuple([Id])
const DisputeCursorParts = v.strictTuple([v.pipe(v.string(), v.regex(/^\d{1,16}$/)), Id])
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

type ListQuery = JobFilter & { role: JobRole; limit: number; cursor?: string | undefined }

/**
 * Lists one page of the jobs of a wallet in a role, with a cursor if another page follows.
 * @throws ApiError invalid_request for a cursor that this list did not issue
 */
export async function listJobs(
  deps: ReadDeps,
  wallet: Wallet,
  query: ListQuery,
): Promise<{ jobs: SeenJob[]; nextCursor?: string }> {
  if (query.role === 'judge') return listDisputes(deps, wallet, query)
  const { role, cursor, limit, ...filter } = query
  const [beforeId] = cursor === undefined ? [] : readCursor(CursorParts, cursor)
  const found = await selectJobs(deps.db, { ...filter, wallet, role, beforeId, limit: limit + 1 })
  const { rows, last, hasMore } = pageOf(found, limit)
  const jobs = rows.map((job) => ({ job, role }))
  return hasMore && last ? { jobs, nextCursor: makeCursor([last.id]) } : { jobs }
}

async function listDisputes(
  deps: ReadDeps,
  wallet: Wallet,
  { status, due, limit, cursor, ...filter }: ListQuery,
) {
  if (due || (status !== undefined && status !== 'disputed')) return { jobs: [] }
  const [price, id] = cursor === undefined ? [] : readCursor(DisputeCursorParts, cursor)
  const found = await selectDisputes(deps.db, {
    ...filter,
    wallet,
    judges: deps.judges.has(wallet) ? [wallet, 'deployment'] : [wallet],
    beforePrice: price === undefined ? MAX_CHARGED : BigInt(price),
    beforeId: id ?? FIRST_ID,
    limit: limit + 1,
  })
  const { rows, last, hasMore } = pageOf(found, limit)
  const jobs = rows.map((job) => ({ job, role: 'judge' as const }))
  return hasMore && last ? { jobs, nextCursor: makeCursor([last.price.toString(), last.id]) } : { jobs }
}
