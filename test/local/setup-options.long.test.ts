import { describe, expect, it } from 'vitest'
import { openDeployment } from '../../lib/cli/deploy/deployment.ts'
import { destroy } from '../../lib/cli/destroy/run.ts'
import { cloudflareError, inProcess } from '../support/cloud/in-process.ts'
import { sourceOf, WITH_QUEUES } from '../support/cloud/releases.ts'

/* What setup keeps of its options, and the variables that it takes. */

describe('npm run setup, when a first one has stopped', () => {
  const { cloud, run, changes } = inProcess(WITH_QUEUES)

  /** Lets calls fail. */
  const stopAt = (pattern: RegExp | undefined) => {
    cloud().faults.before = ({ name }) =>
      pattern?.test(name) ? cloudflareError(400, 10_001, 'Not today') : undefined
  }

  /** Returns what destroy would remove and leave. */
  async function plannedToRemove(): Promise<string> {
    const lines: string[] = []
    const folder = openDeployment({ DEPLOYMENT_DIR: cloud().folder })
    const command = { folder, env: cloud().env, say: (line: string) => lines.push(line), source: WITH_QUEUES }
    const ask = () => Promise.reject(new Error('asked'))
    await destroy(command, { isPlan: true, isAbandoned: false, ask, timeoutMs: 60_000, now: new Date() })
    return lines.join('\n')
  }

  it('refuses options that would begin another deployment, and says what to type', async () => {
    stopAt(/POST .*\/queues$/)
    const first = await run({ name: 'acme', region: 'aws-us-east-2', live: 'off', var: ['CODE=7'] })
    expect(first.stopped).toMatch(/Not today/)
    stopAt(undefined)
    const removed = await plannedToRemove()
    expect(removed).toContain('remove  the KV namespace acme-nonces')
    expect(removed).toContain('remove  the Neon project acme (calm-sea-1)')
    const before = changes().length
    expect((await run({ name: 'other' })).stopped).toMatch(
      /has begun as acme: run it without --name to continue, or add --stage <name>/,
    )
    expect((await run({ region: 'aws-eu-central-1' })).stopped).toBe(
      'The Neon project acme of this setup is in aws-us-east-2: use --region aws-us-east-2.',
    )
    expect((await run({ region: 'aws-us-east-2', 'neon-project': 'cold-lake-1' })).stopped).toMatch(
      /^This setup has begun the Neon project acme: continue with it by --neon-project=, or run npm run destroy/,
    )
    expect(changes()).toHaveLength(before)
    const last = await run({ 'neon-project': '', live: '' })
    expect(last.stopped).toBeUndefined()
    expect(last.said).toMatch(/^note {2}continues the setup .* --region aws-us-east-2 --var CODE=…$/m)
    const folder = openDeployment({ DEPLOYMENT_DIR: cloud().folder })
    expect(folder.deployment()).toMatchObject({
      ...{ name: 'acme', live: 'on', neonProject: 'calm-sea-1', clockLocation: 'enam', vars: { CODE: '7' } },
    })
    expect(cloud().neon.made).toBe(1)
  })

  it('takes another name when the first one belongs to somebody else', async () => {
    const queue = { queue_id: 'x', queue_name: 'agentcred-dead', consumers: [], backlog: 0 }
    cloud().cloudflare.queues.set(queue.queue_name, queue)
    expect((await run({ live: 'off' })).stopped).toMatch(/^The queue agentcred-dead already exists.*--name/)
    stopAt(/POST .*\/queues$/)
    expect((await run({ name: 'acme' })).stopped).toMatch(/Not today/)
    expect(cloud().neon.projects.map(({ name }) => name)).toEqual(['acme'])
    expect(await plannedToRemove()).not.toMatch(/ agentcred/)
  })

  it('lists the name below workers.dev when nothing else was made', async () => {
    cloud().cloudflare.subdomain = undefined
    cloud().faults.before = ({ name }) =>
      name.startsWith('neon') && cloud().cloudflare.subdomain
        ? Response.json({ message: 'Not today' }, { status: 400 })
        : undefined
    expect((await run()).stopped).toMatch(/Not today/)
    const made = cloud().cloudflare.subdomain
    cloud().faults.before = () => undefined
    expect(await plannedToRemove()).toContain(`leave   the name ${made}.workers.dev`)
  })
})

describe('npm run setup -- --var', () => {
  const { cloud, run } = inProcess(
    sourceOf('1.0.0', (env) => {
      delete env.jobs
      delete env.mcp?.services
      Object.assign(env.mcp?.vars ?? {}, {
        ...{ PIONEER_SPOTS: '1000', ALERT_URL: '', CLOCK_LOCATION: '' },
        WEBHOOK_TRUSTED_HOSTS: 'a.example',
      })
    }),
  )
  const varsOf = () => openDeployment({ DEPLOYMENT_DIR: cloud().folder }).deployment().vars

  it('refuses a wrong value before it makes or stores anything', async () => {
    const wrong = await run({ name: 'acme', var: ['PIONEER_SPOTS=many'] })
    expect(wrong.stopped).toMatch(/^PIONEER_SPOTS must be a whole number/)
    const made = await run({ var: ['API_HOST=evil.example'] })
    expect(made.stopped).toBe('API_HOST: the deployment makes it; use --domain instead of --var.')
    expect([cloud().files(), cloud().calls]).toEqual([[], []])
  })

  it('shows and applies changes, restores a default, and keeps both from a wrong value', async () => {
    const token = 'https://alerts.example/a-token'
    expect((await run({ var: ['PIONEER_SPOTS=7', `ALERT_URL=${token}`] })).stopped).toBeUndefined()
    const before = [cloud().files(), varsOf()]
    expect((await run({ var: ['PIONEER_SPOTS=-1'] })).stopped).toMatch(/^PIONEER_SPOTS must be/)
    expect((await run({ var: ['CLOCK_LOCATION=mars'] })).stopped).toMatch(/^CLOCK_LOCATION: .* --region/)
    const changed = { live: 'off', var: ['PIONEER_SPOTS=', 'ALERT_URL=', 'WEBHOOK_TRUSTED_HOSTS=b.example'] }
    const { said, stopped } = await run({ ...changed, plan: true })
    expect(stopped).toBeUndefined()
    expect(said).toMatch(/^reset PIONEER_SPOTS from 7 to its default, 1000$/m)
    expect(said).toMatch(/^reset ALERT_URL from https:\/\/alerts\.example\/… to its default, empty$/m)
    expect(said).toMatch(/^set {3}WEBHOOK_TRUSTED_HOSTS from a\.example to b\.example$/m)
    expect(said).toMatch(/^set {3}live from on to off$/m)
    expect([cloud().files(), varsOf()]).toEqual(before)
    expect((await run(changed)).stopped).toBeUndefined()
    expect(varsOf()).toEqual({ WEBHOOK_TRUSTED_HOSTS: 'b.example' })
  })
})
