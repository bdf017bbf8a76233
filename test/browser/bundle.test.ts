import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { CONSOLE_FOLDER } from '../../lib/local/console.ts'
import { buildConsole } from '../../lib/tools/description/console.ts'
import { runScript } from '../support/process.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Where wrangler.toml has a deployment take its files from. */
const DEPLOYED = join(ROOT, 'dist/console')

/** Budget of what a visitor's first view needs before it, gzipped. */
const FIRST_LOAD_BYTES = 40 * 1024

beforeAll(async () => {
  const build = runScript('generate', ['console'])
  if ((await build.ended) !== 0) throw new Error(build.output())
})

/** Every file of a build, by its path. */
const filesOf = (folder: string): Map<string, string> =>
  new Map(
    globSync('**/*.*', { cwd: folder }).map((path) => [path, readFileSync(join(folder, path), 'latin1')]),
  )

const containing = (folder: string, words: RegExp): string[] =>
  [...filesOf(folder)].filter(([, text]) => words.test(text)).map(([path]) => path)

describe('a deployment', () => {
  it('leaves out the development wallet, inbox and example market of a local platform', () => {
    const words = [
      'development[ -]wallet',
      'surfnet_',
      'development\\.json',
      'requestAirdrop',
      'inbox',
      'example market',
      'test funds',
    ]
    for (const word of words.map((source) => new RegExp(source, 'i'))) {
      expect(containing(DEPLOYED, word)).toEqual([])
      expect(containing(CONSOLE_FOLDER, word)).not.toEqual([])
    }
  })

  it('says to the page what it does without', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'agentcred-console-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const leftOut = async (offered: { isOnChain?: boolean; isLive?: boolean }) => {
      await buildConsole(folder, { chain: 'solana:mainnet', ...offered })
      const page = readFileSync(join(folder, 'console/index.html'), 'utf8')
      return /<meta name="left-out" content="([^"]*)">/.exec(page)?.[1]
    }
    expect(await leftOut({})).toBeUndefined()
    expect(await leftOut({ isLive: false })).toBe('live')
    expect(await leftOut({ isLive: false, isOnChain: false })).toBe('jobs vault earnings selling live')
  })

  it('names the page where visitors get CRED when the setting FUNDING_URL does', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'agentcred-console-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    await buildConsole(folder, { chain: 'solana:mainnet', fundingUrl: 'https://cred.example.com/?a=1&b=2' })
    const page = readFileSync(join(folder, 'console/index.html'), 'utf8')
    expect(page).toContain('<meta name="funding-url" content="https://cred.example.com/?a=1&amp;b=2">')
    expect(readFileSync(join(DEPLOYED, 'console/index.html'), 'utf8')).not.toContain('funding-url')
  })

  it('has no source map, and no path of the machine that built it', () => {
    expect([...filesOf(DEPLOYED).keys()].filter((path) => path.endsWith('.map'))).toEqual([])
    expect(containing(DEPLOYED, /sourceMappingURL|node_modules|\/home\/|\/Users\//)).toEqual([])
    expect([...filesOf(DEPLOYED)].filter(([, text]) => text.includes(ROOT)).map(([path]) => path)).toEqual([])
  })

  it('allows scripts, styles and calls of its own origin only, on every page', () => {
    const headers = readFileSync(join(DEPLOYED, '_headers'), 'utf8')
    const [, policy = ''] = /Content-Security-Policy: (.*)/.exec(headers) ?? []
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
      // Wallet apps of a phone, on the phone itself.
      "connect-src 'self' ws://localhost:* http://localhost",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ])
  })

  it('shows its first view after at most 40 KB gzipped, without charts and wallet apps', () => {
    const page = readFileSync(join(DEPLOYED, 'console/index.html'), 'utf8')
    const linked = [...page.matchAll(/(?:src|href)="\/(console\/assets\/[^"]+)"/g)].map(
      ([, path]) => `${path}`,
    )
    expect(linked.map((path) => path.split('.').at(-1)).sort()).toEqual(['css', 'js', 'js'])
    expect(linked.join()).not.toMatch(/latest-/)
    const first = [page, ...linked.map((path) => readFileSync(join(DEPLOYED, path)))]
    const bytes = first.reduce((sum, file) => sum + gzipSync(file).length, 0)
    expect(bytes).toBeLessThanOrEqual(FIRST_LOAD_BYTES)
    expect(first.join()).not.toMatch(/uplot|solana-wallet:/)
    expect(page).toContain('<meta name="solana-chain" content="solana:mainnet">')
  })
})
