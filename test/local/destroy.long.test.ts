import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { openDeployment } from '../../lib/cli/deploy/deployment.ts'
import { destroy, type Options } from '../../lib/cli/destroy/run.ts'
import { addForeign, stateOf } from '../support/cloud/accounts.ts'
import { type Cloud, startCloud } from '../support/cloud/cloud.ts'
import { cloudflareError, type Values } from '../support/cloud/in-process.ts'
import { WITH_QUEUES } from '../support/cloud/releases.ts'
import { read, secretsOf } from '../support/cloud/scripts.ts'
import { deployFirst, reroute } from '../support/cloud/upgrades.ts'

/** A deployment in accounts with other resources, and the resources before it. */
async function deployed(values: Values = {}) {
  const cloud = await startCloud()
  reroute(() => cloud)
  addForeign(cloud)
  if (values.topology === 'routes') cloud.cloudflare.records.add('api.acme.test')
  const before = stateOf(cloud)
  await deployFirst(cloud, WITH_QUEUES, values)
  expect(stateOf(cloud)).not.toEqual(before)
  return { cloud, before }
}

/** Runs it in this process. @returns what it said, and why it stopped */
async function run(cloud: Cloud, options: Partial<Options> = {}) {
  const lines: string[] = []
  const folder = openDeployment({ DEPLOYMENT_DIR: cloud.folder })
  const command = { folder, env: cloud.env, say: (line: string) => lines.push(line), source: WITH_QUEUES }
  const stopped = await destroy(command, {
    ...{ isPlan: false, isAbandoned: false, timeoutMs: 60_000, pause: async () => {} },
    ...{ ask: async () => 'agentcred', now: new Date() },
    ...options,
  }).then(
    () => undefined,
    (error: Error) => (error.cause ? `${error.message}: ${error.cause}` : error.message),
  )
  return { said: lines.join('\n'), stopped }
}

const filesOf = ({ folder }: Cloud) => readdirSync(folder).toSorted()

describe('npm run destroy', () => {
  it.each<[string, Values]>([
    ['at workers.dev', {}],
    ['at a domain', { domain: 'api.acme.test' }],
    ['by routes', { domain: 'api.acme.test', topology: 'routes' }],
  ])('leaves the accounts as they were before setup: %s', async (_where, values) => {
    const { cloud, before } = await deployed(values)
    const secrets = secretsOf(cloud)
    cloud.cloudflare.unbindsLate = 2
    const { said, stopped } = await run(cloud)
    expect(stopped).toBeUndefined()
    expect(stateOf(cloud)).toEqual(before)
    expect(said).toContain('leave   the Worker agentcred-shop, which this deployment did not make')
    expect(said).toContain('removed the Neon project agentcred (calm-sea-1)')
    expect(filesOf(cloud)).toEqual(['secrets.json'])
    expect(secretsOf(cloud)).toEqual(secrets)
    for (const secret of Object.values(secrets)) expect(said).not.toContain(secret)
    expect(await run(cloud)).toEqual({
      said: `There is no deployment in ${cloud.folder}: nothing to remove.`,
      stopped: undefined,
    })
    // The remaining files are enough for another deployment with the same keys.
    await deployFirst(cloud, WITH_QUEUES, values)
    expect(secretsOf(cloud).SESSION_SIGNING_KEY).toBe(secrets.SESSION_SIGNING_KEY)
    expect((await run(cloud)).stopped).toBeUndefined()
    expect(stateOf(cloud)).toEqual(before)
  })

  it('removes the former hosts of a service that moved', async () => {
    const { cloud, before } = await deployed({ domain: 'old.acme.test' })
    await deployFirst(cloud, WITH_QUEUES, { domain: 'api.acme.test' })
    expect([...cloud.cloudflare.domains.keys()]).toContain('old.acme.test')
    expect((await run(cloud)).stopped).toBeUndefined()
    expect(stateOf(cloud)).toEqual(before)
  })

  it('changes nothing in a plan, and nothing when another name is given', async () => {
    const { cloud } = await deployed({ domain: 'api.acme.test' })
    const before = [stateOf(cloud), cloud.files()]
    const changes = () => cloud.calls.filter(({ name }) => /^(cloudflare|neon) (?!GET)/.test(name)).length
    const count = changes()
    const plan = await run(cloud, { isPlan: true, ask: () => Promise.reject(new Error('asked')) })
    expect(plan.stopped).toBeUndefined()
    for (const what of [
      'the custom domain api.acme.test',
      'the consumer of the queue agentcred-deliveries',
      'the Worker agentcred-root',
      'the queue agentcred-dead',
      'the KV namespace agentcred-nonces',
      'the Neon project agentcred',
    ])
      expect(plan.said).toContain(`remove  ${what}`)
    expect(plan.said).toMatch(/^leave {3}.*secrets.json, and recovery keys$/m)
    expect((await run(cloud, { ask: async () => 'agentcred-shop' })).stopped).toMatch(
      /^the deployment is called agentcred: confirm with that name. Nothing was removed/,
    )
    expect([stateOf(cloud), cloud.files(), changes()]).toEqual([...before, count])
  })

  it('leaves a project that it was given, with the database in it', async () => {
    const cloud = await startCloud()
    reroute(() => cloud)
    addForeign(cloud)
    const before = stateOf(cloud)
    await deployFirst(cloud, WITH_QUEUES, { 'neon-project': 'cold-lake-1' })
    const { said, stopped } = await run(cloud)
    expect(stopped).toBeUndefined()
    expect(said).toContain('leave   the Neon project cold-lake-1, which setup did not make')
    expect(stateOf(cloud)).toEqual(before)
    // Another setup takes it, on another machine, too.
    rmSync(cloud.folder, { recursive: true })
    await deployFirst(cloud, WITH_QUEUES, { 'neon-project': 'cold-lake-1' })
    expect(existsSync(join(cloud.folder, 'deployment.json'))).toBe(true)
  })

  it('removes what a setup made that was interrupted before its first Worker', async () => {
    for (const stopAt of [/POST .*\/queues$/, /PUT .*\/workers\/scripts\//]) {
      const cloud = await startCloud()
      reroute(() => cloud)
      addForeign(cloud)
      const before = stateOf(cloud)
      cloud.faults.before = ({ name }) =>
        stopAt.test(name) ? cloudflareError(400, 10_001, 'Not today') : undefined
      await expect(deployFirst(cloud, WITH_QUEUES)).rejects.toThrow('Not today')
      expect(cloud.neon.projects).toHaveLength(2)
      cloud.faults.before = () => undefined
      expect((await run(cloud)).stopped).toBeUndefined()
      expect(stateOf(cloud)).toEqual(before)
    }
  })

  it('leaves a resource that somebody made in place of its own', async () => {
    const { cloud } = await deployed()
    const queue = cloud.cloudflare.queues.get('agentcred-dead')
    Object.assign(queue ?? {}, { queue_id: 'e'.repeat(32) })
    const { said } = await run(cloud)
    expect(said).toContain('leave   the queue agentcred-dead, which this deployment did not make')
    expect(cloud.cloudflare.queues.has('agentcred-dead')).toBe(true)
  })

  it('refuses as long as users have something in it, and names what', async () => {
    const { cloud, before } = await deployed()
    const deployment = { ...JSON.parse(read(cloud, 'deployment.json')), solana: 'solana:devnet' }
    writeFileSync(join(cloud.folder, 'deployment.json'), JSON.stringify(deployment))
    writeFileSync(join(cloud.folder, 'vault-recovery-1.json'), '[]')
    const client = new pg.Client({ connectionString: cloud.neon.url })
    await client.connect()
    await client.query(`insert into credits (owner, balance) values ('${'1'.repeat(32)}', 2500000000)`)
    await client.end()
    const refused = await run(cloud)
    expect(refused.stopped).toMatch(
      /^Users have credit for payments for requests \(2\.5 CRED\): close the service first \(functions\/runbooks\.md.*--abandon\. Nothing was removed\.$/,
    )
    const { said, stopped } = await run(cloud, { isAbandoned: true })
    expect(stopped).toBeUndefined()
    expect(said).toContain('positions leave by their recovery keys alone')
    expect(filesOf(cloud)).toEqual(['secrets.json', 'vault-recovery-1.json'])
    expect(stateOf(cloud)).toEqual(before)
  })

  it('does not break a Worker of somebody else that uses one of its own', async () => {
    const { cloud } = await deployed()
    const shop = cloud.cloudflare.scripts.get('agentcred-shop')
    shop?.metadata.bindings.push({ type: 'service', name: 'JOBS', service: 'agentcred-jobs' })
    expect((await run(cloud)).stopped).toMatch(
      /^Cloudflare rejected the request \(removing the Worker agentcred-jobs, .*referenced by agentcred-shop”\): fix this. Run npm run destroy again; it continues with what is left.$/,
    )
    shop?.metadata.bindings.pop()
    expect((await run(cloud)).stopped).toBeUndefined()
  })

  it('keeps the files as long as it does not know all of what there is', async () => {
    const { cloud } = await deployed()
    const [project] = cloud.neon.projects.splice(1)
    expect((await run(cloud)).stopped).toMatch(
      /^NEON_API_KEY has no access to the project calm-sea-1: set the key/,
    )
    if (project) cloud.neon.projects.push(project)
    rmSync(join(cloud.folder, 'setup.json'))
    expect((await run(cloud)).stopped).toMatch(
      /setup\.json is missing. It lists what setup made: put it back/,
    )
    expect(existsSync(join(cloud.folder, 'deployment.json'))).toBe(true)
  })

  it('waits for every other command that changes the deployment', async () => {
    const { cloud } = await deployed()
    const client = new pg.Client({ connectionString: cloud.neon.url })
    await client.connect()
    await client.query('select pg_advisory_lock(7238110246)')
    const before = stateOf(cloud)
    expect((await run(cloud)).stopped).toMatch(/^Another upgrade, setup, deployment or rotation is running/)
    expect(stateOf(cloud)).toEqual(before)
    await client.end()
  })
})
