import { join } from 'node:path'
import { Keypair } from '@solana/web3.js'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { backUp } from '../../lib/cli/backup/dump.ts'
import { restore } from '../../lib/cli/backup/restore.ts'
import { openDeployment } from '../../lib/cli/deploy/deployment.ts'
import { readSecrets } from '../../lib/cli/setup/keys.ts'
import { logsIn, type Operated, operate } from '../support/cloud/operated.ts'
import { deployedSecrets } from '../support/cloud/scripts.ts'
import { temporaryFolder } from '../support/key-files.ts'
import { createAgent, createPayer, hireAgent } from '../support/payer.ts'
import { contentsOf, openAt, startWithTools } from '../support/postgres-tools.ts'
import { type Answer, type Body, type Service, startService } from '../support/service.ts'
import { createStaker, ONE, type Staker, travel, travelToNoon } from '../support/staker.ts'

/*
 * The drill of a backup: a service with agents, hires, payments and stakes is backed up and goes on. The
 * backup is restored into a new branch, reconcile reads from the chain what it lacks, and the Workers may log
 * in again. On Postgres 17, the version that deployments have.
 */

const recovery = Keypair.generate()
const VAULT_RECOVERY_ADDRESSES = `1:${recovery.publicKey.toBase58()}`

let tools: Awaited<ReturnType<typeof startWithTools>>
let service: Service
let operated: Operated | undefined
beforeAll(async () => {
  tools = await startWithTools()
  const database = await openAt(await tools.newDatabase())
  const { applyMigrations } = await import('../../lib/migrations/migrations.ts')
  await applyMigrations(database.engine)
  service = await startService({
    bindings: { VAULT_RECOVERY_ADDRESSES },
    database: Object.create(database, {
      handler: {
        value: async (request: Request) => (await operated?.refusalOf(request)) ?? database.handler(request),
      },
    }),
  })
  await travelToNoon(service)
})
afterAll(async () => {
  await service?.stop()
  await tools?.stop()
})

async function landed(staker: Staker, building: Promise<Answer>) {
  const built = await building
  expect(built.status, built.text).toBe(200)
  await staker.relay(built)
  await travel(service, 2_001)
  expect(await staker.status(built)).toMatchObject({ status: 'landed' })
}

const termsOf = async (staker: Staker) =>
  ((await staker.vault()).body.positions as Body[]).map(
    ({ address, amount, claimed, escrowed, stakedAt }) => ({
      ...{ address, amount, claimed, escrowed, stakedAt },
    }),
  )

/** Returns counts and sums of every table that concerns money. */
const sums = async () => {
  const queries = [
    'select count(*), sum(principal), sum(claimed) from positions',
    'select count(*) from budget_accounts',
    'select status, count(*), sum(amount), sum(fee) from charges group by status order by status',
    'select count(*) from agents',
    'select status, count(*) from hires group by status order by status',
    'select version from drizzle.releases',
  ]
  const results = await service.database.engine.run(queries.map((query) => ({ query, params: [] })))
  return results.map(({ rows }) => rows.map((row) => row.join()))
}

it('restores a backup into a branch, records the chain’s state, and opens the logins', async () => {
  const operator = await operate(service)
  const { cloud } = operator
  cloud.neon.newDatabase = tools.newDatabase
  onTestFinished(() => {
    operated = undefined
  })
  expect((await operator.setUp()).stopped).toBeUndefined()
  operated = operator
  const folder = openDeployment({ DEPLOYMENT_DIR: cloud.folder })
  const lines: string[] = []
  const command = {
    folder,
    // The deployment of the fakes has no Solana: what reconcile reads is this service's.
    env: {
      ...cloud.env,
      ...service.solana.bindings,
      SOLANA_RPC_URL: service.solana.url,
      VAULT_RECOVERY_ADDRESSES,
      DEPLOYMENT_DIR: temporaryFolder(),
      PG_BIN: tools.folder,
    } as Record<string, string>,
    say: (line: string) => lines.push(line),
  }
  const staker = await createStaker(service)
  await landed(staker, staker.stack(100 * ONE, 30))
  const agent = await createAgent(service)
  const [early, late] = [await createPayer(service), await createPayer(service)]
  const earlyHire = await hireAgent(early, agent.agentId)
  await early.land(early.fund(earlyHire, 20 * ONE))
  await agent.owner.charge(earlyHire, 3 * ONE)
  await agent.owner.land(agent.owner.collect())
  await agent.owner.charge(earlyHire, 2 * ONE)
  await travel(service, 10_000)
  const since = new Date(service.clock.now())
  const before = await sums()
  const contents = await contentsOf(service.database.url)
  const out = join(temporaryFolder(), 'backup.age')
  const options = { out, recipient: undefined, timeoutMs: 60_000, now: new Date() }
  await backUp(command, options)

  // The time that is lost.
  await landed(staker, staker.stack(30 * ONE, 90))
  const lateHire = await hireAgent(late, agent.agentId)
  await late.land(late.fund(lateHire, 4 * ONE))
  const truth = await termsOf(staker)
  expect((await operator.rotate('database', { isStop: true })).said).toContain('Every login is disabled')
  expect((await staker.vault()).status).toBe(503)
  await travel(service, 3 * 60_000)

  const former = service.database.url
  const restoring = { file: out, keys: undefined, since, isIntoUrl: false, timeoutMs: 60_000 }
  await restore(command, restoring)
  const [branch] = cloud.neon.branches
  const url = branch?.databases.get('agentcred') ?? ''
  expect(lines.join('\n')).toContain(
    `make ${branch?.name} the default branch in Neon’s console, and run npm run setup`,
  )
  const filled = await contentsOf(url)
  expect(Object.keys(filled).toSorted()).toEqual(Object.keys(contents).toSorted())
  for (const table of ['agents', 'hires', 'charges', 'wallets', 'events'])
    expect(Number.parseInt(filled[`public.${table}`] ?? '', 10), table).toBeGreaterThan(0)
  for (const table of ['public.agents', 'public.charges', 'drizzle.releases', 'drizzle.__drizzle_migrations'])
    expect(filled[table], table).toBe(contents[table])
  // The branch that serves is as it was.
  expect(await contentsOf(former)).not.toEqual(filled)
  const again = await contentsOf(url)
  await restore(command, restoring)
  expect(cloud.neon.branches).toHaveLength(1)
  // Positions were looked at once more.
  const { 'public.positions': _, ...same } = again
  expect(await contentsOf(url)).toMatchObject(same)

  await service.database.restore(url)
  const { stopped } = await operator.rotate('session', { isAtOnce: true, timeoutMs: 1_000 })
  expect(stopped).toMatch(/is unhealthy/)
  const { SESSION_JWKS = '', SESSION_SIGNING_KEY = '' } = deployedSecrets(cloud, 'auth')
  await service.redeploy({ SESSION_JWKS, SESSION_SIGNING_KEY })
  cloud.neon.defaultBranch = branch?.id ?? ''
  expect((await operator.setUp()).stopped).toBeUndefined()
  expect(new URL(operator.urlOf('decide')).pathname).toBe(new URL(url).pathname)
  expect(await logsIn(operator.urlOf('decide'))).toBe(true)
  expect(new URL(readSecrets(folder).DATABASE_URL ?? '').pathname).toBe(new URL(url).pathname)

  for (const one of [staker, agent.owner, early, late]) await one.signInAgain()
  await service.runJobs('settlement')
  expect(await termsOf(staker)).toEqual(truth)
  // Of the lost time the chain has a stake; the hire that was funded is lost, and says so.
  const [positions, ...others] = await sums()
  expect(positions).toEqual([`2,${130 * ONE},0`])
  expect(others).toEqual(before.slice(1))
  await agent.owner.land(agent.owner.collect())
  expect((await early.budget(earlyHire))?.balance).toBe(15 * ONE)
  const next = await hireAgent(late, agent.agentId)
  expect(next).not.toBe(lateHire)
})
