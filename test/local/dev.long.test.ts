import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { base58 } from '@scure/base'
import { Keypair } from '@solana/web3.js'
import { describe, expect, it, vi } from 'vitest'
import { createWallet } from '../../lib/cli/wallet.ts'
import type { AgentRegister } from '../../lib/client/generated/types.ts'
import type { AuthSession } from '../../lib/client/index.ts'
import { openPglite } from '../../lib/local/neon/pglite.ts'
import { createDatabase } from '../support/database.ts'
import { migrateElsewhere } from '../support/migrations.ts'
import { baseUrlOf, clientOf, platformVariables, start, startPlatform } from '../support/platform.ts'
import { runScript } from '../support/process.ts'

// Tests that kill, restart or refuse a platform. Most of npm run dev is in dev-start.long.test.ts.

const AGENT: AgentRegister = { name: 'Test agent', agentType: 'autonomous', supportedLayers: [1] }

/** A file of /proc; empty when the process has ended. */
function readProcess(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'utf8')
  } catch {
    return ''
  }
}

/** Returns the descendants of a process. */
function descendants(pid: number): number[] {
  const children = readProcess(`${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number)
  return [...children, ...children.flatMap(descendants)]
}
/** Whether a process runs; one that has ended but was not collected by its parent does not. */
const isAlive = (pid: number) => /^\d+ \(.*\) [^Z]/s.test(readProcess(`${pid}/stat`))

describe('npm run dev', () => {
  it('serves every flow and SQL, keeps its state over a restart, and stops completely', async () => {
    const [oracle, operator] = [Keypair.generate(), Keypair.generate()]
    const env = platformVariables({
      ORACLE_WALLETS: oracle.publicKey.toBase58(),
      OPERATOR_WALLETS: operator.publicKey.toBase58(),
    })
    const first = await startPlatform(env)
    expect(first.env.PORT).toMatch(/^\d+$/)
    expect(first.output()).toContain('invite codes')
    const own = await clientOf(first.env).call('POST /agents/register', { body: AGENT })
    const listed = async () => (await clientOf(first.env).call('GET /agents')).agents.map(({ id }) => id)
    const demo = runScript('demo', [baseUrlOf(first.env), `http://localhost:${first.env.SOLANA_RPC_PORT}`], {
      ORACLE_KEY: base58.encode(oracle.secretKey),
      OPERATOR_KEY: JSON.stringify([...operator.secretKey]),
    })
    expect(await demo.ended, demo.output()).toBe(0)
    expect(demo.output()).toContain('An oracle verifies it')
    expect(demo.output()).toContain('An operator removes it for good')
    expect(demo.output()).toContain('{"code":"quota_exceeded"')
    expect(demo.output()).toContain('A client that pins another token signs nothing')
    expect(demo.output()).toContain('Signing puts 80 CRED into your hire budget')
    expect(demo.output()).toContain('The hirer withdraws the rest')
    expect(demo.output()).toContain('The webhook has payment.settled, its signature verified')
    expect(demo.output()).toContain('After 4 it rates the agent')
    expect(demo.output()).toContain('payment_identifier_used')
    expect(demo.output()).toContain('A second transaction closes the account')
    expect(demo.output()).toContain('It arrives with the same id')
    expect(demo.output()).toContain('Its v1 signature is verified')
    expect(demo.output().indexOf('it moves the clock a month ahead')).toBeLessThan(
      demo.output().indexOf('== AgentCred at'),
    )
    expect(await listed()).toEqual([own.id])
    const { totalAgents } = await clientOf(first.env).call('GET /marketplace/stats')
    expect(totalAgents).toBeLessThan(20)
    let sessions = 0
    let session: AuthSession | undefined
    const wallet = createWallet()
    const onSession = (made: AuthSession | undefined) => {
      session = made
      if (made) sessions++
    }
    const clientTo = (platform: { env: { PORT: string } }) =>
      clientOf(platform.env, wallet, { session, onSession })
    const agent = await clientTo(first).call('POST /agents/register', { body: AGENT })
    const children = descendants(first.child.pid ?? 0)
    expect(children.length).toBeGreaterThan(0)
    expect(await first.stop()).toBe(0)
    await expect.poll(() => children.filter(isAlive)).toEqual([])

    const second = await startPlatform(env)
    expect(second.output()).not.toContain('invite codes')
    const client = clientTo(second)
    expect(await client.call('GET /agents/{id}', { path: { id: agent.id } })).toMatchObject({ id: agent.id })
    // The session keys stay the same, too.
    await client.call('GET /agents/hire')
    expect(sessions).toBe(1)
    expect(await second.stop('SIGINT')).toBe(0)

    const third = await startPlatform(env, ['--fresh'])
    expect((await clientTo(third).call('GET /agents')).count).toBe(0)
    expect(third.output()).toContain(`http://127.0.0.1:${third.env.NEON_PORT}/sql`)
    const answer = await fetch(`http://127.0.0.1:${third.env.NEON_PORT}/sql`, {
      method: 'POST',
      headers: { 'neon-connection-string': 'postgresql://any:any@any.local/any' },
      body: JSON.stringify({ query: 'select count(*) from agents', params: [] }),
    })
    expect(await answer.json()).toMatchObject({ rows: [['0']] })
    await clientTo(third).call('GET /agents/hire')
    expect(sessions).toBe(2)
    await third.stop()
  })

  it('leaves nothing running when it is stopped while it starts', async () => {
    const script = start('dev', platformVariables())
    const children = () => descendants(script.child.pid ?? 0)
    const isWorkerd = (pid: number) => readProcess(`${pid}/cmdline`).includes('workerd')
    await vi.waitFor(() => expect(children().some(isWorkerd)).toBe(true), { timeout: 180_000, interval: 20 })
    const started = children()
    expect(await script.stop()).toBe(0)
    await expect.poll(() => started.filter(isAlive)).toEqual([])
  })

  it('starts again at once after everything was killed', async () => {
    const env = platformVariables()
    const { child, ended } = await startPlatform(env)
    const npm = child.pid ?? 0
    // In one process: some end by themselves once another is gone.
    spawnSync('sh', ['-c', `kill -KILL ${[npm, ...descendants(npm)].join(' ')}`])
    await ended
    await startPlatform(env)
  })

  it('refuses a state folder that another platform uses, after waiting for its end', async () => {
    const env = platformVariables()
    await startPlatform(env)
    const { DATA_DIR } = env
    const second = start('dev', { ...platformVariables(), DATA_DIR })
    expect(await second.ended).toBe(1)
    const pid = parseInt(readFileSync(join(DATA_DIR, 'lock'), 'utf8'), 10)
    expect(second.output()).toContain(`waiting until process ${pid}`)
    expect(second.output()).toContain(`${DATA_DIR} is in use by process ${pid}: end it (kill ${pid})`)
  })

  it('refuses a state folder of an unreleased version, until --fresh empties it', async () => {
    const env = platformVariables()
    const folder = join(env.DATA_DIR, 'postgres')
    const database = await openPglite(folder)
    await migrateElsewhere(database, 1)
    await database.close()
    const refused = start('dev', env)
    expect(await refused.ended).toBe(1)
    expect(refused.output()).toContain(
      `an unreleased version of AgentCred made the database in ${folder}, which can't be migrated: run npm run dev -- --fresh`,
    )
    expect(readdirSync(env.DATA_DIR)).toEqual(['postgres'])
    const fresh = await startPlatform(env, ['--fresh'])
    expect((await clientOf(fresh.env).call('GET /agents')).count).toBe(0)
  })

  it('names the port that is taken', async () => {
    const blocker = createServer().listen(0, '127.0.0.1')
    await once(blocker, 'listening')
    const address = blocker.address()
    const taken = String(typeof address === 'object' && address ? address.port : 0)
    // Sooner at its ports than with an embedded database to make.
    const database = await createDatabase()
    try {
      for (const name of ['PORT', 'NEON_PORT', 'SOLANA_RPC_PORT', 'INBOX_PORT']) {
        const script = start('dev', platformVariables({ DATABASE_URL: database.url, [name]: taken }))
        expect(await script.ended).toBe(1)
        expect(script.output()).toContain(`port ${taken}`)
        expect(script.output()).not.toContain('    at ')
      }
    } finally {
      blocker.close()
      await database.close()
    }
  })
})
