import { CommandError, commandErrorOf } from '../setup/errors.ts'
import type { Neon } from '../setup/neon-client.ts'
import { FREE, isFree, planOf } from '../setup/plans.ts'

/** The percentage of a limit at which somebody has to act. */
const FULL = 80

type Used = { what: string; unit: string; used: number; limit: number | undefined }

/**
 * Prints a project's use of its plan, or of its own quotas. No Worker can read this, since it needs an API
 * key.
 * @throws CommandError that names each limit that is used to more than 80 %
 */
export async function reportUsage(
  client: Neon,
  projectId: string,
  say: (line: string) => void,
): Promise<void> {
  const [{ project }, { branches }] = await Promise.all([
    client.getProject(projectId).then(({ data }) => data),
    client.listProjectBranches({ projectId }).then(({ data }) => data),
  ]).catch((error) => {
    throw commandErrorOf(error, `looking for the Neon project ${projectId}`)
  })
  const plan = await planOf(client, project.org_id)
  const free = plan !== undefined && isFree(plan) ? FREE : undefined
  const { compute_time_seconds = 0, logical_size_bytes = 0 } = project.settings?.quota ?? {}
  const largest = Math.max(0, ...branches.map(({ logical_size = 0 }) => logical_size))
  const all: Used[] = [
    {
      what: 'compute',
      unit: 'unit hours',
      used: project.compute_time_seconds / 3_600,
      // 0 represents no quota.
      limit: compute_time_seconds / 3_600 || free?.unitHours,
    },
    {
      what: 'storage',
      unit: 'MB',
      used: largest / 1e6,
      limit: (logical_size_bytes || free?.storageBytes || 0) / 1e6 || undefined,
    },
  ]
  say(`Neon project ${project.id}, plan ${plan ?? 'unknown'}, until ${project.consumption_period_end}`)
  for (const one of all) say(lineOf(one))
  const full = all.filter((one) => percentOf(one) > FULL)
  if (full.length > 0)
    throw new CommandError(
      `More than ${FULL} % of ${full.map(({ what }) => what).join(' and ')} is used: choose a larger plan (functions/plans.md), or find out what uses it (functions/idle.md, functions/growth.md).`,
    )
}

const percentOf = ({ used, limit }: Used): number => (limit === undefined ? 0 : (100 * used) / limit)

function lineOf(one: Used): string {
  const { what, unit, used, limit } = one
  const begin = `${what}  ${used.toFixed(1)}`
  if (limit === undefined) return `${begin} ${unit}, paid by use`
  return `${begin} of ${limit} ${unit} (${Math.floor(percentOf(one))} %)`
}
