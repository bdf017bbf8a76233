import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type Cloud, startCloud } from '../support/cloud/cloud.ts'
import { runScript } from '../support/process.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Runs a script on the fakes as an operator would; it must end well, and repeat no secret. */
async function run(cloud: Cloud, name: string, ...args: string[]): Promise<string> {
  const script = runScript(name, args, {
    ...cloud.env,
    NODE_OPTIONS: `--import ${join(ROOT, 'test/support/cloud/reroute.mjs')}`,
    REROUTE_TO: `${cloud.origin}/service`,
  })
  expect(await script.ended, script.output()).toBe(0)
  const secrets: Record<string, string> = JSON.parse(read(cloud, 'secrets.json'))
  for (const secret of Object.values(secrets)) expect(script.output()).not.toContain(secret)
  return script.output()
}

const read = ({ folder }: Cloud, name: string) => readFileSync(join(folder, name), 'utf8')

it('npm run rotate on a deployment, wrangler and all: session in two runs, then every login', async () => {
  const cloud = await startCloud()
  await run(cloud, 'setup')
  const secretsOf = (worker: string) => cloud.cloudflare.scripts.get(`agentcred-${worker}`)?.secrets ?? {}
  const kidsOf = (worker: string): string[] =>
    JSON.parse(secretsOf(worker).SESSION_JWKS ?? '').keys.map(({ kid }: { kid: string }) => kid)
  const signer = () => JSON.parse(secretsOf('auth').SESSION_SIGNING_KEY ?? '').kid
  const [first = ''] = kidsOf('auth')

  const plan = await run(cloud, 'rotate', 'session', '--plan')
  expect(plan).toMatch(/^make what is new beside the present, deploy .*, auth, ask/)
  expect(await run(cloud, 'rotate', 'session')).toMatch(/\ndeploy agentcred-auth\nleft {3}the older key/)
  const second = signer()
  expect(second).not.toBe(first)
  for (const worker of ['agents', 'registry', 'reputation', 'events', 'auth'])
    expect(kidsOf(worker), worker).toEqual([second, first])
  expect(await run(cloud, 'rotate', 'session')).toMatch(/^left {3}the older key/)
  // A day later.
  const journal = JSON.parse(read(cloud, 'rotate.json'))
  journal.session.deployedAt = new Date(Date.now() - 25 * 3_600_000).toISOString()
  writeFileSync(join(cloud.folder, 'rotate.json'), JSON.stringify(journal))
  await run(cloud, 'rotate', 'session')
  for (const worker of ['agents', 'auth']) expect(kidsOf(worker)).toEqual([second])

  const before = secretsOf('auth').DATABASE_URL ?? ''
  expect(await run(cloud, 'rotate', 'database', '--at-once')).toContain('has replaced what was before')
  expect([before, secretsOf('auth').DATABASE_URL ?? ''].map((url) => new URL(url).username)).toEqual([
    'agentcred_auth_a',
    'agentcred_auth_b',
  ])
  expect(await run(cloud, 'rotate', 'database', '--stop')).toContain('Every login is closed')
  // Lets them in again; nothing has changed for Cloudflare.
  expect(await run(cloud, 'setup')).not.toContain('deploy agentcred')
})
