import { sql } from 'drizzle-orm'
import { jobs } from '../../schema/tables/jobs.ts'
import { jobStatuses } from '../../schema/values.ts'
import type { Db } from '../db/connect.ts'
import { read } from '../db/statement.ts'

const undecided = read(
  { from: jobs.dueAt, until: jobs.dueAt, overdue: jobs.dueAt, statuses: 'text[]' },
  (_db, $) => sql<{ silent: number; overdue: number }>`select
    (select count(*)::int from ${jobs} where ${jobs.status} = 'disputed' and ${jobs.judge} = 'deployment'
      and ${jobs.dueAt} > ${$.from} and ${jobs.dueAt} <= ${$.until} and not ${jobs.isFunding}) as silent,
    (select count(*)::int from ${jobs} where ${jobs.status} = any (${$.statuses})
      and ${jobs.dueAt} <= ${$.overdue} and not ${jobs.isFunding}) as overdue`,
)

type Undecided = { silent: number; overdue: number }

/**
 * Counts disputes whose deadline is in a span of time and that any judge of the deployment may decide, and
 * jobs whose deadline passed before `overdue`.
 */
export async function countUndecided(
  db: Db,
  times: { from: Date; until: Date; overdue: Date },
): Promise<Undecided> {
  const { rows } = await undecided.run(db, { ...times, statuses: jobStatuses })
  return rows[0] ?? { silent: 0, overdue: 0 }
}
