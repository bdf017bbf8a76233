import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { lockFile } from '../../lib/local/lock.ts'
import { createDatabase } from '../support/database.ts'
import { baseUrlOf, clientOf, platformVariables, start, usePlatform } from '../support/platform.ts'
import { CLOSED_PORT } from '../support/process.ts'

// Tests that need a platform of their own are in dev.long.test.ts.

let database: Awaited<ReturnType<typeof createDatabase>>
const platform = usePlatform(async () => {
  database = await createDatabase()
  // Positions of two generations of keys, of which the platform has the first.
  await database.engine.execScript(`
    insert into vaults (owner, settled_at) values ('owner', '2026-01-01');
    insert into positions (owner, id, address, generation, principal, lock_days, apy_bps, staked_at,
      escrowed, seen_slot) select 'owner', n, 'position ' || n, n, 1000, 7, 800, '2026-01-01', 1001, 5
      from generate_series(1, 2) n`)
  return { DATABASE_URL: database.url }
})
afterAll(() => database?.close())

/** A call of a tool, which MCP's Worker hands to another. */
const CALL = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'search_agents', arguments: {} },
})

describe('npm run dev', () => {
  it('says what it is doing while it starts, and ends with three things to try', async () => {
    const { output } = platform.script
    expect(output()).toMatch(/^ +\d\.\d s {2}starting database and chain\n/)
    expect(output()).toMatch(/\d\.\d s {2}starting the Workers\n(.*\n)*AgentCred is ready/)
    await expect.poll(output).toMatch(/Try.*:\n.* {2}\(.*\n +curl .*\n +npm run demo.*\n$/)
    const command = output().match(/curl -s '(.*)'/)?.[1] ?? ''
    expect((await fetch(command)).status).toBe(200)
  })

  it('uses the database of DATABASE_URL, with the migrations applied', async () => {
    const output = platform.script.output()
    expect(output).toMatch(/database +Postgres at 127\.0\.0\.1:\d+\/test_/)
    expect(output).not.toContain(new URL(database.url).password)
    await clientOf(platform.env).call('POST /agents/register', {
      body: { name: 'Test agent', agentType: 'autonomous', supportedLayers: [1] },
    })
    const [count] = await database.engine.run([{ query: 'select count(*) from agents', params: [] }])
    expect(count?.rows).toEqual([['1']])
  })

  it('gives each Worker the rights of its login, and no others', async () => {
    const { engine } = database
    const list = () => clientOf(platform.env).call('GET /agents', {})
    await list()
    await engine.execScript('revoke select on agents from agentcred_decide')
    await expect(list()).rejects.toMatchObject({ status: 500 })
    await engine.execScript('grant select on agents to agentcred_decide')
    await list()
  })

  it('refuses other hosts and their pages on every port, the gateway’s calls aside', async () => {
    const { output } = platform.script
    const [, sql = ''] = output().match(/SQL \(HTTP\) +(\S+)/) ?? []
    const [, rpc = ''] = output().match(/Solana RPC +(\S+)/) ?? []
    const [, inboxUrl = ''] = output().match(/inbox +(\S+)/) ?? []
    const api = `${baseUrlOf(platform.env)}/agents`
    const mcp = `${baseUrlOf(platform.env)}/mcp`
    const send = async (url: string, method: string, headers: Record<string, string>) => {
      const sent = request(url, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        agent: false,
      })
      const [response] = await once(sent.end(method === 'GET' ? undefined : CALL), 'response')
      response.resume()
      return response.statusCode
    }
    for (const [url, method] of [
      [api, 'GET'],
      [api, 'OPTIONS'],
      [mcp, 'POST'],
      [sql, 'POST'],
      [rpc, 'POST'],
      [inboxUrl, 'GET'],
    ] as const) {
      expect(await send(url, method, { host: 'rebound.example' }), url).toBe(403)
      // Miniflare takes a request's URL from this header, which a page of a rebound name may set.
      for (const named of [url, 'http://agentcred.internal/v1/agents']) {
        const headers = { host: 'rebound.example', 'mf-original-url': named }
        expect(await send(url, method, headers), `${url} as ${named}`).toBe(403)
      }
      // Networks of companies and clouds have names that end so.
      expect(await send(url, method, { host: 'rebound.corp.internal' }), url).toBe(403)
      expect(await send(url, method, { origin: 'https://evil.example' }), url).toBe(403)
      if (url !== sql)
        expect(await send(url, method, { origin: 'http://localhost:5173' }), url).toBeLessThan(300)
    }
  })

  it('names the key version that has positions and no keys here, and no other', () => {
    const named = platform.script.output().match(/.*lacks key version.*/g)
    expect(named).toEqual(['VAULT_AUTHORITY_ADDRESSES lacks key version 2, which still has positions'])
  })

  it('locks its state folder against every other process', async () => {
    const { DATA_DIR } = platform.env
    const lock = join(DATA_DIR, 'lock')
    const pid = parseInt(readFileSync(lock, 'utf8'), 10)
    await expect(lockFile(lock, { patienceMs: 0 })).rejects.toThrow(
      `${DATA_DIR} is in use by process ${pid}: end it`,
    )
  })

  it('refuses an invalid setting', async () => {
    const script = start('dev', platformVariables({ PORT: '80a' }))
    expect(await script.ended).toBe(1)
    expect(script.output()).toContain('PORT must be a port number')
  })

  it('asks for the vault’s settings when a real cluster is to be used', async () => {
    const script = start(
      'dev',
      platformVariables({ SOLANA_RPC_URL: 'https://rpc.example.com', VAULT_MINT: '' }),
    )
    expect(await script.ended).toBe(1)
    expect(script.output()).toContain(
      'with SOLANA_RPC_URL set, VAULT_MINT, VAULT_AUTHORITY_KEYS, VAULT_AUTHORITY_ADDRESSES, VAULT_RECOVERY_ADDRESSES, PAYMENTS_AUTHORITY_KEYS, PAYMENTS_AUTHORITY_ADDRESSES, PAYMENTS_RECOVERY_ADDRESSES, X402_FEE_PAYER_KEY, X402_KEY_SECRET must be set too',
    )
  })

  it('reports a database that cannot be reached, without its password', async () => {
    const url = `postgresql://someone:hunter2@127.0.0.1:${CLOSED_PORT}/nothing`
    const script = start('dev', platformVariables({ DATABASE_URL: url }))
    expect(await script.ended).toBe(1)
    expect(script.output()).toContain('127.0.0.1')
    expect(script.output()).not.toContain('hunter2')
  })
})
