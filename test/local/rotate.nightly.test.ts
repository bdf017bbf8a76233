import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startCloud } from '../support/cloud/cloud.ts'
import { deployedSecrets, read, runOn } from '../support/cloud/scripts.ts'

it('rotates sessions and logins of a deployment, and says what is in its queues', async () => {
  const cloud = await startCloud()
  const run = (name: string, ...args: string[]) => runOn(cloud, name, args)
  await run('setup')
  const secretsOf = (worker: string) => deployedSecrets(cloud, worker)
  const kidsOf = (worker: string): string[] =>
    JSON.parse(secretsOf(worker).SESSION_JWKS ?? '').keys.map(({ kid }: { kid: string }) => kid)
  const signer = () => JSON.parse(secretsOf('auth').SESSION_SIGNING_KEY ?? '').kid
  const [first = ''] = kidsOf('auth')

  const plan = await run('rotate', 'session', '--plan')
  expect(plan).toMatch(/^make a new key besides the current one, deploy .*, auth, check/)
  expect(await run('rotate', 'session')).toMatch(/\ndeploy agentcred-auth\nleft {3}the older key/)
  const second = signer()
  expect(second).not.toBe(first)
  for (const worker of ['agents', 'registry', 'reputation', 'events', 'auth'])
    expect(kidsOf(worker), worker).toEqual([second, first])
  expect(await run('rotate', 'session')).toMatch(/^left {3}the older key/)
  // A day later.
  const journal = JSON.parse(read(cloud, 'rotate.json'))
  journal.session.deployedAt = new Date(Date.now() - 31 * 24 * 3_600_000).toISOString()
  writeFileSync(join(cloud.folder, 'rotate.json'), JSON.stringify(journal))
  await run('rotate', 'session')
  for (const worker of ['agents', 'auth']) expect(kidsOf(worker)).toEqual([second])

  for (const queue of cloud.cloudflare.queues.values())
    if (queue.queue_name === 'agentcred-deliveries') queue.backlog = 12
  expect(await run('queues')).toBe(
    [
      'agentcred-deliveries           12 messages, 1200 bytes',
      'agentcred-lone-deliveries      0 messages, 0 bytes',
      'agentcred-verifications        0 messages, 0 bytes',
      'agentcred-verifications-dead   0 messages, 0 bytes\n',
    ].join('\n'),
  )

  const before = secretsOf('auth').DATABASE_URL ?? ''
  expect(await run('rotate', 'database', '--at-once')).toContain('has replaced the older keys')
  expect([before, secretsOf('auth').DATABASE_URL ?? ''].map((url) => new URL(url).username)).toEqual([
    'agentcred_auth_a',
    'agentcred_auth_b',
  ])
  expect(await run('rotate', 'database', '--stop')).toContain('Every login is disabled')
  // Lets them in again; nothing has changed for Cloudflare.
  expect(await run('setup')).not.toContain('deploy agentcred')
})
