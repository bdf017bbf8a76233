import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { createContext, Script } from 'node:vm'
import { gzipSync } from 'node:zlib'
import * as esbuild from 'esbuild'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { buildClientPackage } from '../../lib/cli/client-package.ts'
import { WORKERD_BUILD } from '../../lib/local/bundle.ts'
import { convertV4MiniflareOptions, Miniflare } from '../../lib/tools/miniflare.ts'

/* The client as it is published: packed, installed in a fresh folder, and used from there. */

const ROOT = join(import.meta.dirname, '../..')
const LIMIT_BYTES = 8 * 1024

/** Uses the package in any runtime, without a network. */
const PROGRAM = `
import { AgentCredError, createClient, verifyWebhook } from '@agentcred/client'

export async function use() {
  const session = { sessionToken: 't', expiresAt: Date.now() + 86_400_000 }
  const challenge = { nonce: 'n', challenge: 'Sign this', expiresIn: 300_000, expiresAt: Date.now() + 300_000 }
  const answers = {
    'GET /v1/marketplace/stats': '{"totalValueLocked":18446744073709551615,"totalAgents":3}',
    'GET /v1/auth/handshake': JSON.stringify(challenge),
    'POST /v1/auth/handshake': JSON.stringify(session),
    'GET /v1/agents/hire': '{"hires":[],"count":0}',
    'GET /v1/agents/x': '{"code":"agent_not_found","detail":"No."}',
  }
  const fetch = async (url, { method, signal }) => {
    if (!(signal instanceof AbortSignal)) throw new Error('no signal')
    const name = method + ' ' + new URL(url).pathname
    return new Response(answers[name], { status: name.endsWith('/x') ? 404 : 200 })
  }
  const key = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])
  const sign = async (bytes) => new Uint8Array(await crypto.subtle.sign('Ed25519', key.privateKey, bytes))
  const wallet = { publicKey: 'w', signMessage: sign }
  const client = createClient({ baseUrl: 'https://api.example.com/v1', fetch, wallet })
  const { totalValueLocked } = await client.call('GET /marketplace/stats')
  const { count } = await client.call('GET /agents/hire')
  const error = await client.call('GET /agents/{id}', { path: { id: 'x' } }).catch((error) => error)

  const text = (bytes) => btoa(String.fromCharCode(...bytes))
  const body = '{"type":"vault.yield_claimed","data":{"amount":9007199254740993}}'
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = text(await sign(new TextEncoder().encode('e.' + timestamp + '.' + body)))
  const headers = { 'webhook-id': 'e', 'webhook-timestamp': timestamp, 'webhook-signature': 'v1a,' + signature }
  const keys = ['whpk_' + text(new Uint8Array(await crypto.subtle.exportKey('raw', key.publicKey)))]
  const { event } = await verifyWebhook({ headers, body }, { keys })
  return [totalValueLocked, count, error instanceof AgentCredError, error.code, event.data.amount].join(' ')
}
`
const USED = '18446744073709551615 0 true agent_not_found 9007199254740993'

const TYPED = `
import { AgentCredError, createClient, type Wallet } from '@agentcred/client'

const wallet: Wallet = { publicKey: 'w', signMessage: (message: Uint8Array) => message }
const client = createClient({ baseUrl: 'https://api.example.com/v1', wallet })
export const vault = async (owner: string): Promise<bigint> =>
  (await client.call('GET /vault', { query: { owner } })).balances.cred
export const names = async () => {
  for await (const agent of client.list('GET /agents', { query: { layer: 17 } })) console.log(agent.name.trim())
}
export const isGone = (error: unknown) => error instanceof AgentCredError && error.code === 'agent_not_found'
// @ts-expect-error: there is no such operation.
client.call('GET /agent')
// @ts-expect-error: the path needs an id.
client.call('GET /agents/{id}')
// @ts-expect-error: an amount is a bigint.
client.stake({ amount: 5, lockDays: 30 })
// @ts-expect-error: a mistyped field.
client.hire({ agentId: 'a', budgetLimt: 5n })
// @ts-expect-error: not a list.
client.list('GET /vault/terms')
`

const run = async (folder: string, command: string, ...args: string[]) =>
  (await promisify(execFile)(command, args, { cwd: folder })).stdout

/** A folder that has the package installed, and nothing else. */
let folder: string
let home: string
let packed: { filename: string; files: { path: string }[] }
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'agentcred-client-'))
  const built = join(folder, 'built')
  buildClientPackage(built)
  home = join(folder, 'home')
  mkdirSync(home)
  ;[packed] = JSON.parse(
    await run(built, 'npm', 'pack', '--json', '--no-update-notifier', '--pack-destination', folder),
  )
  writeFileSync(join(home, 'package.json'), '{ "type": "module", "private": true }')
  writeFileSync(join(home, 'program.js'), PROGRAM)
  await run(
    home,
    'npm',
    'install',
    '--offline',
    '--no-audit',
    '--no-update-notifier',
    join(folder, packed.filename),
  )
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await esbuild.stop()
})

/** Bundles a module of the fresh folder. */
async function bundle(contents: string, options: esbuild.BuildOptions): Promise<string> {
  const stdin = { contents, resolveDir: home }
  const { outputFiles } = await esbuild.build({ stdin, bundle: true, write: false, ...options })
  return outputFiles?.[0]?.text ?? ''
}

describe('the package', () => {
  it('holds modules with their types, README and licence, and depends on nothing', async () => {
    const paths = packed.files.map(({ path }) => path)
    expect(paths.filter((path) => !/\.(js|d\.ts)$/.test(path))).toEqual([
      'LICENSE',
      'README.md',
      'package.json',
    ])
    expect(paths).toContain('index.js')
    const manifest = JSON.parse(
      readFileSync(join(home, 'node_modules/@agentcred/client/package.json'), 'utf8'),
    )
    expect(Object.keys(manifest).filter((name) => /dependencies|scripts/i.test(name))).toEqual([])
    const { messages, pkg } = await publint({ pkgDir: join(home, 'node_modules/@agentcred/client') })
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([])
  })

  it.each(['node16', 'bundler'])(
    'has types that resolve as %s, without DOM or Node types at fault',
    async (way) => {
      writeFileSync(join(home, 'typed.ts'), TYPED)
      const module = way === 'node16' ? 'node16' : 'esnext'
      const flags = ['--strict', '--exactOptionalPropertyTypes', '--noEmit', '--target', 'es2022']
      const tsc = join(ROOT, 'node_modules/.bin/tsc')
      const compiled = run(home, tsc, 'typed.ts', ...flags, '--module', module, '--moduleResolution', way)
      await expect(compiled).resolves.toBe('')
    },
  )

  it('is at most 8 KB in a browser’s bundle, of what every browser has', async () => {
    const browser = { platform: 'browser', minify: true, target: 'es2022', format: 'iife' } as const
    const all = await bundle(`export * from '@agentcred/client'`, { ...browser, globalName: 'client' })
    expect(gzipSync(all).length).toBeLessThanOrEqual(LIMIT_BYTES)
    const page = await bundle(PROGRAM, { ...browser, globalName: 'page' })
    const web = { Headers, Response, URL, URLSearchParams, TextEncoder, TextDecoder, AbortSignal, crypto }
    const context = createContext({ ...web, Uint8Array, btoa, atob, setTimeout, clearTimeout })
    new Script(page).runInContext(context)
    expect(await new Script('page.use()').runInContext(context)).toBe(USED)
  })

  it('works in a Worker', async () => {
    const worker = `${PROGRAM}
      export default { fetch: async () => new Response(await use()) }`
    const script = await bundle(worker, { ...WORKERD_BUILD, external: [] })
    const options = { cf: false, modules: true, script, compatibilityDate: '2026-10-20' } as const
    const miniflare = new Miniflare(convertV4MiniflareOptions(options))
    onTestFinished(() => miniflare.dispose())
    expect(await (await miniflare.dispatchFetch('http://worker.internal/')).text()).toBe(USED)
  })

  it.each(nodes())('works in %s', async (_name, node) => {
    writeFileSync(join(home, 'main.js'), `import { use } from './program.js'\nconsole.log(await use())`)
    expect((await run(home, node, 'main.js')).trim()).toBe(USED)
  })
})

/** The Node that runs this, and the machine's own, where there is one: by name and path. */
function nodes(): [string, string][] {
  const folders = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
  const machines = folders.map((folder) => join(folder, 'node')).find((path) => existsSync(path))
  return [
    ['this Node', process.execPath],
    ...(machines ? [['the machine’s Node', machines] as [string, string]] : []),
  ]
}
