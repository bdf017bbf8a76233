import { describe, expect, it } from 'vitest'
import { openNeon } from '../../lib/cli/setup/neon-client.ts'
import { reportUsage } from '../../lib/cli/usage/used.ts'
import { inProcess } from '../support/cloud/in-process.ts'
import { sourceOf } from '../support/cloud/releases.ts'

/* How setup and `npm run usage` handle the plan that Neon reports. */

/** Three Workers, of which one has the setting that a plan changes. */
const { cloud, run } = inProcess(
  sourceOf('1.0.0', ({ jobs }) => {
    if (jobs) jobs.vars = { DATABASE_LIMIT_BYTES: '' }
  }),
)

const limitOf = (name: string) =>
  cloud()
    .cloudflare.scripts.get(name)
    ?.metadata.bindings.find((one) => one.name === 'DATABASE_LIMIT_BYTES')?.text

const havePlan = (plan: string) => {
  const [first] = cloud().neon.organizations
  if (first) first.plan = plan
}

describe('npm run setup', () => {
  it.each([
    ['free_v3', 21_600, '6 hours', '500000000'],
    ['launch_v3', 604_800, '7 days', ''],
    ['scale_v3', 604_800, '7 days', ''],
  ])(
    'on the plan %s sets the history window and the limit of storage',
    async (plan, seconds, span, limit) => {
      havePlan(plan)
      const { said, stopped } = await run()
      expect(stopped).toBeUndefined()
      expect(cloud().neon.projects[0]?.history_retention_seconds).toBe(seconds)
      expect(said).toContain(
        `Neon can restore it to any time of the last ${span}; for older states, use npm run backup`,
      )
      expect(limitOf('agentcred-jobs')).toBe(limit)
    },
  )

  it('leaves the history of a project that is there, and says what its plan allows', async () => {
    havePlan('free_v3')
    expect((await run()).stopped).toBeUndefined()
    havePlan('launch_v3')
    const { said, stopped } = await run()
    expect(stopped).toBeUndefined()
    expect(said).toMatch(
      /of the last 6 hours; its plan allows 7 days: change it under Settings, Instant restore/,
    )
    expect(cloud().neon.projects[0]?.history_retention_seconds).toBe(21_600)
    expect(limitOf('agentcred-jobs')).toBe('')
  })

  it('goes on where the key may not ask for the plan', async () => {
    cloud().faults.before = ({ name }) =>
      name.startsWith('neon GET /organizations')
        ? Response.json({ code: '', message: 'not allowed' }, { status: 403 })
        : undefined
    const { said, stopped } = await run()
    expect(stopped).toBeUndefined()
    expect(said).toContain('how far back Neon can restore it is shown under Settings, Instant restore')
    expect(limitOf('agentcred-jobs')).toBe('')
  })
})

describe('npm run usage', () => {
  /** Returns its lines about a project with this usage, and why it ends with 1. */
  async function usage(plan: string, used: { hours: number; megabytes: number }) {
    const { neon, env } = cloud()
    neon.projects.push({
      id: 'p-1',
      name: 'acme',
      region_id: 'aws-us-east-2',
      pg_version: 17,
      org_id: 'org-calm-sea-1',
    })
    havePlan(plan)
    neon.used.compute_time_seconds = used.hours * 3_600
    neon.used.logical_size = used.megabytes * 1e6
    const lines: string[] = []
    const stopped = await reportUsage(openNeon(env, { timeoutMs: 60_000 }), 'p-1', (line) =>
      lines.push(line),
    ).then(
      () => undefined,
      (error: Error) => error.message,
    )
    return { said: lines.join('\n'), stopped }
  }

  it('ends well up to 80 % of the free plan', async () => {
    const { said, stopped } = await usage('free_v3', { hours: 80, megabytes: 400 })
    expect(stopped).toBeUndefined()
    expect(said).toContain('compute  80.0 of 100 unit hours (80 %)\nstorage  400.0 of 500 MB (80 %)')
  })

  it.each([
    [{ hours: 81, megabytes: 1 }, 'compute'],
    [{ hours: 1, megabytes: 401 }, 'storage'],
    [{ hours: 101, megabytes: 501 }, 'compute and storage'],
  ])('ends with what is used to more than 80 %: %j', async (used, what) => {
    expect((await usage('free_v3', used)).stopped).toMatch(
      `More than 80 % of ${what} is used: choose a larger plan`,
    )
  })

  it('knows no end of what is paid by use', async () => {
    const { said, stopped } = await usage('launch_v3', { hours: 700, megabytes: 90_000 })
    expect(stopped).toBeUndefined()
    expect(said).toContain('compute  700.0 unit hours, paid by use')
  })
})
