import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { base58 } from '@scure/base'
import { Keypair } from '@solana/web3.js'
import { afterEach, describe, expect, it } from 'vitest'
import { createClient, logIn } from '../../lib/cli/client.ts'
import { createWallet } from '../../lib/cli/wallet.ts'
import { register } from '../support/agents.ts'
import { createDatabase } from '../support/database.ts'
import { freePort, freePorts, runScript, type Script } from '../support/process.ts'
import type { Call } from '../support/service.ts'

const running: Script[] = []
const folders: string[] = []
afterEach(async () => {
  for (const script of running.splice(0)) await script.stop()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'agentcred-dev-'))
  folders.push(folder)
  return folder
}

async function variables(changes: Record<string, string> = {}) {
  return {
    PORT: String(await freePort()),
    NEON_PORT: String(await freePort()),
    DATA_DIR: temporaryFolder(),
    SOLANA_RPC_PORT: String((await freePorts(2))[0]),
    DATABASE_URL: '',
    SOLANA_RPC_URL: '',
    ...changes,
  }
}

function dev(env: Record<string, string>, ...args: string[]): Script {
  const script = runScript('dev', args, env)
  running.push(script)
  return script
}

const baseUrl = (env: { PORT: string }) => `http://localhost:${env.PORT}/v1`
const as = (env: { PORT: string }, token?: string): Call => {
  const call = createClient(baseUrl(env), token)
  return async (method, path, { body } = {}) => ({ ...(await call(method, path, body)), text: '' })
}

/** The processes that have this one among their ancestors. */
function descendants(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)
    .map(Number)
  return [...children, ...children.flatMap(descendants)]
}
/** Whether a process runs; one that has ended but was not collected by its parent does not. */
const isAlive = (pid: number) => {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

describe('npm run dev', { timeout: 120_000 }, () => {
  it('serves every flow, keeps its state over a restart, and leaves nothing running', async () => {
    const oracle = Keypair.generate()
    const env = await variables({ ORACLE_WALLETS: oracle.publicKey.toBase58() })
    const first = dev(env)
    await first.printed('rate limits')
    expect(first.output()).toContain(`AgentCred is ready: ${baseUrl(env)}`)
    const demo = runScript('demo', [baseUrl(env), `http://localhost:${env.SOLANA_RPC_PORT}`], {
      ORACLE_KEY: base58.encode(oracle.secretKey),
    })
    expect(await demo.ended, demo.output()).toBe(0)
    expect(demo.output()).toContain('An oracle verifies it')
    const wallet = createWallet()
    const token = await logIn(baseUrl(env), wallet)
    const agent = await register(as(env, token))
    const children = descendants(first.child.pid ?? 0)
    expect(children.length).toBeGreaterThan(0)
    expect(await first.stop()).toBe(0)
    expect(children.filter(isAlive)).toEqual([])

    const second = dev(env)
    await second.printed('rate limits')
    expect((await as(env)('GET', `/agents/${agent.id}`)).status).toBe(200)
    // The session keys are kept too.
    expect((await as(env, token)('GET', '/agents/hire')).status).toBe(200)
    expect(await second.stop('SIGINT')).toBe(0)

    const third = dev(env, '--fresh')
    await third.printed('rate limits')
    expect((await as(env)('GET', '/agents')).body.count).toBe(0)
    expect((await as(env, token)('GET', '/agents/hire')).status).toBe(401)
    await third.stop()
  })

  it('speaks Neon’s SQL over HTTP at its port', async () => {
    const env = await variables()
    const script = dev(env)
    await script.printed('rate limits')
    expect(script.output()).toContain(`http://127.0.0.1:${env.NEON_PORT}/sql`)
    const answer = await fetch(`http://127.0.0.1:${env.NEON_PORT}/sql`, {
      method: 'POST',
      headers: { 'neon-connection-string': 'postgresql://any:any@any.local/any' },
      body: JSON.stringify({ query: 'select count(*) from agents', params: [] }),
    })
    expect(await answer.json()).toMatchObject({ rows: [['0']] })
    await script.stop()
  })

  it('uses the database of DATABASE_URL, with the migrations applied', async () => {
    const database = await createDatabase()
    try {
      const env = await variables({ DATABASE_URL: database.url })
      const script = dev(env)
      await script.printed('rate limits')
      expect(script.output()).toMatch(/database +Postgres at 127\.0\.0\.1:\d+\/test_/)
      expect(script.output()).not.toContain(new URL(database.url).password)
      await register(as(env, await logIn(baseUrl(env), createWallet())))
      const [count] = await database.engine.run([{ query: 'select count(*) from agents', params: [] }])
      expect(count?.rows).toEqual([['1']])
      await script.stop()
    } finally {
      await database.close()
    }
  })

  it('names the port that is taken', async () => {
    const blocker = createServer().listen(0, '127.0.0.1')
    await once(blocker, 'listening')
    const address = blocker.address()
    const taken = String(typeof address === 'object' && address ? address.port : 0)
    try {
      for (const name of ['PORT', 'NEON_PORT', 'SOLANA_RPC_PORT']) {
        const script = dev(await variables({ [name]: taken }))
        expect(await script.ended).toBe(1)
        expect(script.output()).toContain(`port ${taken}`)
        expect(script.output()).not.toContain('    at ')
      }
    } finally {
      blocker.close()
    }
  })

  it('refuses a state folder that another one uses, and settings that it can’t read', async () => {
    const env = await variables()
    const first = dev(env)
    await first.printed('rate limits')
    const second = dev({ ...(await variables()), DATA_DIR: env.DATA_DIR })
    expect(await second.ended).toBe(1)
    expect(second.output()).toContain(env.DATA_DIR)
    await first.stop()
    for (const [name, value] of [
      ['PORT', '80a'],
      ['PORT', '70000'],
      ['RATE_LIMITS', 'yes'],
    ]) {
      const script = dev({ ...env, [String(name)]: String(value) })
      expect(await script.ended).toBe(1)
      expect(script.output()).toContain(`${name} must be`)
    }
  })

  it('asks for the vault’s settings when a real cluster is to be used', async () => {
    const script = dev(await variables({ SOLANA_RPC_URL: 'https://rpc.example.com', VAULT_MINT: '' }))
    expect(await script.ended).toBe(1)
    expect(script.output()).toContain(
      'with SOLANA_RPC_URL set, VAULT_MINT, VAULT_AUTHORITY_KEYS, VAULT_RECOVERY_ADDRESSES must be set too',
    )
  })

  it('says so when the database can’t be reached, without its password', async () => {
    const url = `postgresql://someone:hunter2@127.0.0.1:${await freePort()}/nothing`
    const script = dev(await variables({ DATABASE_URL: url }))
    expect(await script.ended).toBe(1)
    expect(script.output()).toContain('127.0.0.1')
    expect(script.output()).not.toContain('hunter2')
  })
})

describe('the demo', () => {
  it('fails with a clear message when nothing answers', async () => {
    const demo = runScript('demo', [`http://localhost:${await freePort()}/v1`])
    expect(await demo.ended).toBe(1)
    expect(demo.output()).toContain('The demo stopped')
  })
})
