import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { Keypair } from '@solana/web3.js'
import * as esbuild from 'esbuild'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { createServer } from 'vite'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { createWallet, walletFromSecretKey } from '../../lib/cli/wallet.ts'
import { WORKERD_BUILD } from '../../lib/local/bundle.ts'
import { convertV4MiniflareOptions, Miniflare } from '../../lib/tools/miniflare.ts'
import { startBrowser } from '../support/browser.ts'
import { installBoth, packedPackages, run, saveFiles, write } from '../support/packages.ts'
import { createPageWallet } from '../support/page-wallet.ts'
import { clientOf, usePlatform } from '../support/platform.ts'

/* The files that both packages' READMEs show, run as they are in a folder that has the packages installed. */

const CLIENT = ['lib/client/README.md', 'lib/client/reference.md']
const REACT = 'lib/react/README.md'

/** What `npm create vite@latest my-page -- --template react` makes around src/main.jsx. */
const TEMPLATE = '<!doctype html><div id="root"></div><script type="module" src="/src/main.jsx"></script>'

const platform = usePlatform()
let browser: Browser
let packed: ReturnType<typeof packedPackages>
let home: string
beforeAll(async () => {
  packed = packedPackages()
  home = await installBoth(packed, 19)
  browser = await startBrowser()
  await clientOf(platform.env).call('POST /agents/register', {
    body: { name: 'Harbor', agentType: 'autonomous', supportedLayers: [17] },
  })
})
afterAll(async () => {
  await browser?.close()
  await esbuild.stop()
  if (packed) rmSync(packed.folder, { recursive: true, force: true })
})
beforeEach(() => {
  for (const file of CLIENT) saveFiles(file, home, platform.env.PORT)
})

/** Serves a folder as `npx vite` does. @returns its address */
async function serve(root: string): Promise<string> {
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'error',
    server: { port: 0, host: '127.0.0.1', hmr: false, ws: false, watch: null },
  })
  onTestFinished(() => server.close())
  await server.listen()
  const address = server.httpServer?.address()
  return `http://localhost:${typeof address === 'object' ? address?.port : ''}/`
}

/** Opens a page, which may throw nothing. */
async function open(
  url: string,
  prepare: (context: BrowserContext) => Promise<unknown> = async () => {},
): Promise<Page> {
  const context = await browser.newContext()
  const errors: string[] = []
  onTestFinished(async () => {
    await context.close()
    expect(errors).toEqual([])
  })
  await prepare(context)
  const page = await context.newPage()
  page.on('pageerror', ({ message }) => errors.push(message))
  page.on('dialog', (dialog) => {
    errors.push(dialog.message())
    void dialog.dismiss()
  })
  await page.goto(url)
  return page
}

const hiresOf = async (keypair: Keypair) => {
  const { hires } = await clientOf(platform.env, walletFromSecretKey(keypair.secretKey)).call(
    'GET /agents/hire',
  )
  return hires.map(({ agent, budgetLimit }) => `${agent.name} ${budgetLimit}`)
}
const HIRED = ['Harbor 5000000000']

describe('the files of the README', () => {
  it('hire from a server, with the text of a key file in its environment', async () => {
    const keypair = Keypair.generate()
    const script = `AGENTCRED_SECRET_KEY="$(cat key.json)" "${process.execPath}" server.mjs`
    write(join(home, 'key.json'), `${JSON.stringify([...keypair.secretKey])}\n`)
    const [first, second] = (await run(home, 'sh', '-c', script)).split('\n')
    expect(first).toBe(`${keypair.publicKey.toBase58()} hired Harbor`)
    expect(second).toMatch(/^[\w-]{36} active$/)
    expect(await hiresOf(keypair)).toEqual(HIRED)
  })

  it('hire from a page, with the wallet extension of its user', async () => {
    const wallet = createPageWallet()
    const page = await open(await serve(home), (context) => wallet.installIn(context))
    const button = page.getByRole('button', { name: 'Hire the best agent' })
    await button.click()
    await page.getByText('Harbor may charge up to 5 CRED.').waitFor()
    expect(await hiresOf(wallet.keypair)).toEqual(HIRED)
    await button.click()
    await page.getByText('already_hired: ').waitFor()
  })

  it('receive webhooks in a Worker', async () => {
    const owner = createWallet()
    const worker = await esbuild.build({
      ...WORKERD_BUILD,
      entryPoints: [join(home, 'worker.js')],
      external: [],
      define: {},
    })
    const miniflare = new Miniflare(
      convertV4MiniflareOptions({
        cf: false,
        modules: true,
        script: worker.outputFiles?.[0]?.text ?? '',
        bindings: { WALLET: owner.publicKey },
        compatibilityDate: '2026-10-20',
      }),
    )
    onTestFinished(() => miniflare.dispose())
    const { port } = await miniflare.ready
    const url = `http://127.0.0.1:${port}/`
    const client = clientOf(platform.env, owner)
    await client.call('POST /events/endpoints', { body: { url } })
    const { agents } = await client.call('GET /agents')
    await client.hire({ agentId: agents[0]?.id ?? '' })
    const deliveries = async () =>
      (await client.call('GET /events/deliveries')).deliveries.map(({ status }) => status)
    await expect.poll(deliveries).toEqual(['delivered'])
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(400)
  })

  it('list agents in React', async () => {
    write(join(home, 'index.html'), TEMPLATE)
    const page = await open(await serve(home))
    await page.getByRole('listitem').filter({ hasText: 'Harbor' }).waitFor()
  })

  it('hire in React Native, where signals can do less', async () => {
    const folder = join(home, 'native')
    write(join(folder, 'react-native.js'), REACT_NATIVE)
    write(join(folder, 'wallet-app.js'), WALLET_APP)
    await esbuild.build({
      stdin: { contents: MOUNT, resolveDir: home, loader: 'jsx' },
      bundle: true,
      outfile: join(folder, 'app.js'),
      loader: { '.js': 'jsx' },
      jsx: 'automatic',
      alias: {
        'react-native': join(folder, 'react-native.js'),
        '@solana-mobile/mobile-wallet-adapter-protocol': join(folder, 'wallet-app.js'),
      },
    })
    write(join(folder, 'index.html'), '<!doctype html><div id="root"></div><script src="/app.js"></script>')
    const page = await open(await serve(folder), (context) => context.addInitScript(`(${asInReactNative})()`))
    await page.getByRole('button', { name: 'Hire the best agent' }).click()
    await page.getByText('Hired Harbor').waitFor()
  })
})

describe.each([18, 19] as const)('the page of the hooks’ README in React %i', (react) => {
  it('logs in, hires, and shows what happens', async () => {
    const folder = react === 19 ? home : await installBoth(packed, react)
    saveFiles(REACT, folder, platform.env.PORT)
    write(join(folder, 'index.html'), TEMPLATE)
    const wallet = createPageWallet()
    const page = await open(await serve(folder), (context) => wallet.installIn(context))
    await page.getByRole('button', { name: 'Connect a wallet' }).click()
    await page.getByRole('button', { name: 'Log in' }).click()
    const agent = page.getByRole('listitem').filter({ hasText: /^Harbor Hire$/ })
    await agent.getByRole('button', { name: 'Hire' }).click()
    // An event says so, by which the page loads its hires again.
    await page.getByText('Harbor: active, 0 CRED charged').waitFor()
    await page.getByText('hire.created').waitFor()
    expect(await hiresOf(wallet.keypair)).toEqual(HIRED)
    await agent.getByRole('button', { name: 'Hire' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.getByRole('button', { name: 'Log in' }).waitFor()
  })
})

/** The components of React Native that the file uses, of a page's elements. */
const REACT_NATIVE = `
export const View = 'div'
export const Text = 'span'
export const Button = ({ title, onPress }) => <button onClick={onPress}>{title}</button>
`

/** A wallet app as the Mobile Wallet Adapter protocol has it: bytes in Base64, signatures behind messages. */
const WALLET_APP = `
import { base58, fromSecretKey } from '@agentcred/client'

const toBase64 = (bytes) => btoa(String.fromCharCode(...bytes))
const fromBase64 = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
const wallet = fromSecretKey(crypto.getRandomValues(new Uint8Array(32)))
let opened = 0

export async function transact(use) {
  const { publicKey, signMessage } = await wallet
  const address = toBase64(base58.decode(publicKey))
  opened += 1
  return use({
    async authorize({ identity, chain, auth_token }) {
      if (!identity.uri || !chain || (opened > 1 && auth_token !== 'token')) throw new Error('not authorized')
      return { accounts: [{ address }], auth_token: 'token' }
    },
    async signMessages({ addresses, payloads: [payload] }) {
      if (addresses[0] !== address) throw new Error('another account')
      const message = fromBase64(payload)
      return { signed_payloads: [toBase64([...message, ...(await signMessage(message))])] }
    },
  })
}
`

const MOUNT = `
import { createRoot } from 'react-dom/client'
import App from './App.js'
createRoot(document.getElementById('root')).render(<App />)
`

/** Removes the members of a page's signals that React Native does not have. */
function asInReactNative(): void {
  for (const name of ['any', 'timeout']) Reflect.deleteProperty(AbortSignal, name)
  for (const name of ['throwIfAborted', 'reason']) Reflect.deleteProperty(AbortSignal.prototype, name)
}
