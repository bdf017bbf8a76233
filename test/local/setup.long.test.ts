import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { thisSource } from '../../lib/cli/deploy/source.ts'
import { groupOf } from '../../schema/rights.ts'
import { cloudflareError, inProcess } from '../support/cloud/in-process.ts'

const { cloud, run, changes } = inProcess(thisSource())

const WITHOUT_SOLANA = 14

describe('npm run setup', () => {
  it('plans, makes everything once, and has nothing to do when it runs again', async () => {
    const plan = await run({ plan: true })
    expect(plan.stopped).toBeUndefined()
    expect(plan.said).toContain('make  the Neon project agentcred')
    expect(plan.said).toContain('make  the queue agentcred-verifications-dead')
    expect(changes()).toEqual([])
    expect(cloud().files()).toEqual([])

    const first = await run()
    expect(first.stopped).toBeUndefined()
    const { cloudflare, neon } = cloud()
    expect(first.said).toContain('https://agentcred-root.acme.workers.dev/console/')
    expect(first.said).toContain('the service is healthy, and a wallet has logged in')
    expect([...cloudflare.scripts.keys()]).toHaveLength(WITHOUT_SOLANA)
    expect([...cloudflare.queues.keys()].toSorted()).toEqual([
      'agentcred-deliveries',
      'agentcred-lone-deliveries',
      'agentcred-verifications',
      'agentcred-verifications-dead',
    ])
    for (const { consumers } of cloudflare.queues.values()) expect(consumers).toHaveLength(1)
    expect(cloudflare.scripts.get('agentcred-jobs')?.crons).toEqual(['*/10 * * * *'])
    expect(cloudflare.scripts.get('agentcred-probes')?.metadata.limits).toEqual({ cpu_ms: 60_000 })
    expect(Object.keys(cloudflare.scripts.get('agentcred-auth')?.secrets ?? {}).toSorted()).toEqual([
      'DATABASE_URL',
      'SESSION_JWKS',
      'SESSION_SIGNING_KEY',
    ])
    const urls = [...cloudflare.scripts.values()].flatMap(({ secrets }) => secrets.DATABASE_URL ?? [])
    const deployed = [...cloudflare.scripts.keys()].map((name) => name.replace('agentcred-', ''))
    expect(new Set(urls).size).toBe(new Set(deployed.flatMap((worker) => groupOf(worker) ?? [])).size)
    for (const each of new Set(urls)) {
      const { username, searchParams } = new URL(each)
      expect(searchParams.get('application_name')).toBe('pooled')
      const client = new pg.Client({ connectionString: each })
      await client.connect()
      const { rows } = await client.query('select current_user as login')
      await client.end()
      expect(rows).toEqual([{ login: expect.stringMatching(/^agentcred_\w+_a$/) }])
      expect(rows).toEqual([{ login: username }])
    }
    const onWorkersDev = [...cloudflare.scripts].filter(([, script]) => script.onWorkersDev)
    expect(onWorkersDev.map(([name]) => name)).toEqual(['agentcred-root'])
    expect({ ...cloudflare.made, projects: neon.made }).toEqual({
      namespaces: 2,
      queues: 4,
      subdomains: 0,
      projects: 1,
    })
    expectNoSecretsElsewhere(first.said)

    const before = changes().length
    const again = await run()
    expect(again.stopped).toBeUndefined()
    expect(changes().slice(before)).toEqual([])
    expect(again.said).toContain('kept  agentcred-root')
    expect(again.said).not.toContain('made ')
  })

  it('goes on after a call whose answer was lost, and makes nothing twice', async () => {
    for (const lost of ['neon POST /projects', 'cloudflare POST /accounts/<id>/storage/kv/namespaces']) {
      let isLost = false
      cloud().faults.after = ({ name }) => {
        if (name !== lost || isLost) return undefined
        isLost = true
        return Response.json({ success: false, errors: [], code: '', message: '' }, { status: 502 })
      }
      stopBeforeDeploying()
      expect((await run()).stopped).toContain('limits the rate of requests')
    }
    expect({ ...cloud().cloudflare.made, projects: cloud().neon.made }).toMatchObject({
      namespaces: 2,
      projects: 1,
      queues: 4,
    })
  })
})

/** Lets wrangler's first upload fail: what is before it has been done. */
function stopBeforeDeploying() {
  cloud().faults.before = ({ name }) =>
    /PUT .*\/workers\/scripts\//.test(name) ? cloudflareError(429, 10429, 'Too Many Requests') : undefined
}

/** No secret may be said, or stand in a file but the one that the summary names. */
function expectNoSecretsElsewhere(said: string) {
  const files = cloud().files()
  const kept = files.find(({ path }) => path.endsWith('/secrets.json'))
  const secrets = Object.values(JSON.parse(kept?.text ?? '{}') as Record<string, string>)
  expect(secrets.length).toBeGreaterThan(7)
  for (const { path, text, mode } of files) {
    if (path.startsWith(cloud().folder)) expect(mode, path).toBe(0o600)
    if (path !== kept?.path) for (const secret of secrets) expect(text, path).not.toContain(secret)
  }
  for (const secret of [...secrets, cloud().env.CLOUDFLARE_API_TOKEN, cloud().env.NEON_API_KEY])
    expect(said).not.toContain(secret)
  expect(said).toContain(String(kept?.path))
}
