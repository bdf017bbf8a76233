import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, delimiter, join } from 'node:path'
import { createContext, Script } from 'node:vm'
import { gzipSync } from 'node:zlib'
import * as esbuild from 'esbuild'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { fromSecretKey } from '../../lib/client/index.ts'
import { WORKERD_BUILD } from '../../lib/local/bundle.ts'
import { convertV4MiniflareOptions, Miniflare } from '../../lib/tools/miniflare.ts'
import { installBoth, installClient, packedPackages, run } from '../support/packages.ts'

/* The packages as they are published: packed, installed in a fresh folder, and used from there. */

const ROOT = join(import.meta.dirname, '../..')
/** Of everything that the client exports, and of `createClient` alone. */
const LIMIT_BYTES = 10.25 * 1024
const CREATE_CLIENT_LIMIT_BYTES = 8 * 1024
/** Of the check of transactions, which is loaded when a flow signs. */
const VERIFY_LIMIT_BYTES = 12.25 * 1024
/** Of signing with a secret key, which is loaded where Web Crypto lacks Ed25519. */
const SIGN_LIMIT_BYTES = 7 * 1024

/** Uses the package in any runtime, without a network. */
const PROGRAM = `
import { AgentCredError, createClient, verifyWebhook } from '@agentcred/client'

export async function use() {
  const session = { sessionToken: 't', expiresAt: Date.now() + 86_400_000 }
  const now = Date.now()
  const text = [
    'api.example.com wants you to sign in with your Solana account:',
    'w',
    '',
    'Sign in to AgentCred. This proves that you own this wallet; it costs nothing and moves no funds.',
    '',
    'URI: https://api.example.com',
    'Version: 1',
    'Nonce: n',
    'Issued At: ' + new Date(now).toISOString(),
    'Expiration Time: ' + new Date(now + 300_000).toISOString(),
    'Resources:',
    '- https://api.example.com/v1',
  ]
  const challenge = { nonce: 'n', challenge: text.join('\\n'), expiresIn: 300_000, expiresAt: now + 300_000 }
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

  const base64 = (bytes) => btoa(String.fromCharCode(...bytes))
  const body = '{"type":"vault.yield_claimed","data":{"amount":9007199254740993}}'
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = base64(await sign(new TextEncoder().encode('e.' + timestamp + '.' + body)))
  const headers = { 'webhook-id': 'e', 'webhook-timestamp': timestamp, 'webhook-signature': 'v1a,' + signature }
  const keys = ['whpk_' + base64(new Uint8Array(await crypto.subtle.exportKey('raw', key.publicKey)))]
  const { event } = await verifyWebhook({ headers, body }, { keys })
  return [totalValueLocked, count, error instanceof AgentCredError, error.code, event.data.amount].join(' ')
}
`
const USED = '18446744073709551615 0 true agent_not_found 9007199254740993'

const TYPED = `
import { AgentCredError, createClient, parseCred, type Wallet } from '@agentcred/client'

const wallet: Wallet = { publicKey: 'w', signMessage: (message: Uint8Array) => message }
const client = createClient({ baseUrl: 'https://api.example.com/v1', wallet })
export const vault = async (owner: string): Promise<bigint> =>
  (await client.call('GET /vault', { query: { owner } })).balances.cred
export const names = async () => {
  for await (const agent of client.list('GET /agents', { query: { layer: 17 } })) console.log(agent.name.trim())
}
export const isGone = (error: unknown) => error instanceof AgentCredError && error.code === 'agent_not_found'
export const amount: bigint | undefined = parseCred('1,500.25')
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

const TYPED_REACT = `
import type { AgentCredError } from '@agentcred/client'
import { useAgents, useEvents, useHires, useLogin } from '@agentcred/react'

export function useAll(): AgentCredError | undefined {
  const { agents, loadMore } = useAgents({ layer: 17, sort: 'reputation' })
  const { hires, error } = useHires({ limit: 5 })
  const { events } = useEvents({ onEvent: ({ type }) => type.startsWith('hire.') })
  const names: string[] = [...agents.map(({ name }) => name), ...events.map(({ id }) => id)]
  const spent: bigint[] = hires.map((hire) => hire.spent)
  if (names.length > spent.length) loadMore()
  return error ?? useLogin().error
}
// @ts-expect-error: there is no such order.
useAgents({ sort: 'cheapest' })
`

/** A folder that has the client installed, and nothing else. */
let home: string
let packed: ReturnType<typeof packedPackages>
beforeAll(async () => {
  packed = packedPackages()
  home = await installClient(packed)
  writeFileSync(join(home, 'program.js'), PROGRAM)
})
afterAll(async () => {
  rmSync(packed.folder, { recursive: true, force: true })
  await esbuild.stop()
})

/** Bundles a module of the fresh folder. */
async function bundle(contents: string, options: esbuild.BuildOptions): Promise<string> {
  const stdin = { contents, resolveDir: home }
  const { outputFiles } = await esbuild.build({ stdin, bundle: true, write: false, ...options })
  return outputFiles?.[0]?.text ?? ''
}

/** Bundles a module for a page, and measures it gzipped: its first load, and later imports by name. */
async function sizes(contents: string): Promise<{ first: number; later: Record<string, number> }> {
  const { outputFiles, metafile } = await esbuild.build({
    ...{ stdin: { contents, resolveDir: home }, bundle: true, write: false, splitting: true, metafile: true },
    ...{ platform: 'browser', minify: true, target: 'es2022', format: 'esm', outdir: home },
  })
  const bytes = new Map(outputFiles.map(({ path, contents }) => [path, gzipSync(contents).length]))
  const outputs = Object.entries(metafile.outputs)
  const first = new Set<string>()
  /** Adds a file and those that it imports at once, and returns the bytes of the added ones. */
  const load = (path: string, loaded: Set<string>): number => {
    if (loaded.has(path)) return 0
    loaded.add(path)
    const imported = metafile.outputs[path]?.imports.filter(({ kind }) => kind === 'import-statement') ?? []
    const own = bytes.get(join(process.cwd(), path)) ?? Number.NaN
    return imported.reduce((sum, { path }) => sum + load(path, loaded), own)
  }
  const entries = outputs.flatMap(([path, { entryPoint }]) => (entryPoint ? [{ path, entryPoint }] : []))
  const main = entries.find(({ entryPoint }) => entryPoint === '<stdin>')?.path ?? ''
  return {
    first: load(main, first),
    later: Object.fromEntries(
      entries
        .filter(({ path }) => path !== main)
        .map(({ path, entryPoint }) => [basename(entryPoint), load(path, new Set(first))]),
    ),
  }
}

/** Files of a package next to its modules and their sources. */
const OTHERS = {
  client: ['LICENSE', 'README.md', 'package.json', 'reference.md'],
  react: ['LICENSE', 'README.md', 'package.json'],
}

describe.each(['client', 'react'] as const)('the package of %s', (name) => {
  const built = () => join(packed.folder, name)

  it('has modules with their types and source maps, its texts, and its maker', () => {
    const files = globSync('**/*', { cwd: built(), withFileTypes: true })
    const paths = files.filter((file) => file.isFile()).map((file) => file.name)
    expect(paths.filter((path) => !/\.(js|js\.map|d\.ts)$/.test(path)).sort()).toEqual(OTHERS[name])
    const repository = { type: 'git', url: expect.stringContaining('github.com/'), directory: `lib/${name}` }
    const manifest = JSON.parse(readFileSync(join(built(), 'package.json'), 'utf8'))
    expect(manifest).toMatchObject({ license: 'MIT', homepage: expect.any(String), repository })
    expect(manifest.keywords).toContain('agentcred')
    expect(manifest.publishConfig).toEqual({ access: 'public', provenance: true })
    expect(manifest).not.toHaveProperty('devDependencies')
    const version = `^${manifest.version}`
    expect(manifest.dependencies).toEqual(name === 'client' ? undefined : { '@agentcred/client': version })
    expect(Object.keys(manifest.peerDependencies ?? {})).toEqual(name === 'client' ? [] : ['react'])
  })

  it('has source maps with their sources, without paths of this machine', () => {
    const maps = globSync('**/*.js.map', { cwd: built() })
    expect(maps).toHaveLength(globSync('**/*.js', { cwd: built() }).length)
    for (const path of maps) {
      const { sources, sourcesContent } = JSON.parse(readFileSync(join(built(), path), 'utf8'))
      // These modules contain two packages.
      if (basename(path) === 'noble.js.map') {
        expect(sources).toEqual(expect.arrayContaining(['index.js', 'sha2.ts', 'noble.ts']))
        continue
      }
      expect([sources.length, sourcesContent.length]).toEqual([1, 1])
      expect(sources[0]).toMatch(/^[\w-]+\.ts$/)
    }
  })

  it('passes publint and Are the types wrong', async () => {
    const { messages, pkg } = await publint({ pkgDir: built(), strict: true })
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([])
    // It rejects with its output when it finds a problem. CommonJS is not supported.
    const attw = join(ROOT, 'node_modules/.bin/attw')
    expect(await run(ROOT, attw, '--profile', 'esm-only', packed.tarballs[name])).toContain('(ESM)')
  })
})

describe('the package of React', () => {
  it.each([18, 19] as const)('installs with React %i, with types that resolve', async (version) => {
    const folder = await installBoth(packed, version)
    writeFileSync(join(folder, 'typed.ts'), TYPED_REACT)
    const flags = ['--strict', '--noEmit', '--target', 'es2022']
    const tsc = join(ROOT, 'node_modules/.bin/tsc')
    await expect(
      run(folder, tsc, 'typed.ts', ...flags, '--module', 'esnext', '--moduleResolution', 'bundler'),
    ).resolves.toBe('')
  })
})

describe('the client', () => {
  it.each(['node16', 'bundler'])(
    'has types that resolve as %s, without errors from DOM or Node types',
    async (way) => {
      writeFileSync(join(home, 'typed.ts'), TYPED)
      const module = way === 'node16' ? 'node16' : 'esnext'
      const flags = ['--strict', '--exactOptionalPropertyTypes', '--noEmit', '--target', 'es2022']
      const tsc = join(ROOT, 'node_modules/.bin/tsc')
      const compiled = run(home, tsc, 'typed.ts', ...flags, '--module', module, '--moduleResolution', way)
      await expect(compiled).resolves.toBe('')
    },
  )

  it('adds at most 10.25 KB to a page, 8 KB with createClient alone, and more when it signs', async () => {
    const all = await sizes(`export * from '@agentcred/client'`)
    expect(all.first).toBeLessThanOrEqual(LIMIT_BYTES)
    const alone = await sizes(`export { createClient } from '@agentcred/client'`)
    expect(alone.first).toBeLessThanOrEqual(CREATE_CLIENT_LIMIT_BYTES)
    expect(alone.later['check.js']).toBeLessThanOrEqual(VERIFY_LIMIT_BYTES)
    expect(all.later['noble.js']).toBeLessThanOrEqual(SIGN_LIMIT_BYTES)
    const browser = { platform: 'browser', minify: true, target: 'es2022', format: 'iife' } as const
    const page = await bundle(PROGRAM, { ...browser, globalName: 'page' })
    const web = {
      Headers,
      Response,
      URL,
      URLSearchParams,
      TextEncoder,
      TextDecoder,
      AbortController,
      AbortSignal,
      crypto,
    }
    const context = createContext({ ...web, Uint8Array, btoa, atob, setTimeout, clearTimeout })
    new Script(page).runInContext(context)
    expect(await new Script('page.use()').runInContext(context)).toBe(USED)
  })

  it.each([
    ['no Web Crypto, as React Native', ''],
    [
      'a Web Crypto without Ed25519, as older browsers',
      `globalThis.crypto = { subtle: { importKey: async () => { throw new Error('NotSupportedError') } } }`,
    ],
  ])('signs with a secret key in a runtime with %s', async (_lack, crypto) => {
    const use = `import { fromSecretKey } from '@agentcred/client'
      export async function use() {
        const { publicKey, signMessage } = await fromSecretKey(new Uint8Array(32).fill(7))
        return publicKey + ' ' + (await signMessage(new Uint8Array([1, 2, 3])))
      }`
    const script = await bundle(use, { platform: 'browser', format: 'iife', globalName: 'page' })
    const context = createContext()
    new Script(`${crypto}\n${script}`).runInContext(context)
    const byWebCrypto = await fromSecretKey(new Uint8Array(32).fill(7))
    const signature = await byWebCrypto.signMessage(new Uint8Array([1, 2, 3]))
    expect(await new Script('page.use()').runInContext(context)).toBe(`${byWebCrypto.publicKey} ${signature}`)
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
