import { join } from 'node:path'
import * as esbuild from 'esbuild'
import type { Browser } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { createFakeService, loginReplies, type Reply } from './fake-service.ts'
import type { ReactVersion } from './packages.ts'

const ROOT = join(import.meta.dirname, '../..')
const ORIGIN = 'https://page.example.com'

/** Renders a hook inside a provider, in StrictMode as new React projects do, and shows what it returns. */
const HARNESS = `
import * as hooks from './lib/react/index.ts'
import { createElement, StrictMode, useEffect } from 'react'
import { createRoot } from 'react-dom/client'

const root = createRoot(document.body)
const published = []
const sessions = []
const wallets = new Map()
const walletOf = (publicKey) => {
  if (!wallets.has(publicKey))
    wallets.set(publicKey, {
      publicKey,
      signMessage: async () => Uint8Array.from(await sign('signMessage')),
      // Most tests need one way to log in.
      ...(publicKey === 'hardware' && {
        signOffchainMessage: async () => Uint8Array.from(await sign('signOffchainMessage')),
      }),
    })
  return wallets.get(publicKey)
}
let result
let rendered = () => {}
const onEvent = ({ id }) => published.push(id)
function Hook({ name, options }) {
  result = hooks[name](name === 'useEvents' ? { ...options, onEvent } : options)
  if (name !== 'useLogin') result.account = hooks.useLogin()
  useEffect(() => rendered())
  return null
}
globalThis.render = ({ name, options, wallet, provider, isBare }) => {
  const props = {
    baseUrl: 'https://api.example.com/v1',
    retries: 0,
    WebSocket: undefined,
    sleep: () => new Promise((resolve) => setTimeout(resolve, 1)),
    onSession: (session) => sessions.push(session?.sessionToken),
    wallet: wallet && walletOf(wallet),
    ...provider,
  }
  const hook = createElement(Hook, { name, options })
  const inside = isBare ? hook : createElement(hooks.AgentCredProvider, props, hook)
  return new Promise((resolve) => {
    rendered = resolve
    root.render(createElement(StrictMode, null, inside))
    // Without a provider it never is.
    if (isBare) resolve()
  })
}
globalThis.unmount = () => root.unmount()
globalThis.invoke = ({ method, given }) => (result[method] ?? result.account[method])(...given)
globalThis.seen = () => JSON.parse(JSON.stringify({ ...result, published, sessions }, (_key, value) =>
  value instanceof Error ? { code: value.code, loginMethods: value.loginMethods } : typeof value === 'bigint' ? String(value) : value))
`

const bundles = new Map<ReactVersion, Promise<string>>()

async function bundle(react: ReactVersion): Promise<string> {
  const folder = join(ROOT, react === 18 ? 'test/react-18/node_modules' : 'node_modules')
  const { outputFiles } = await esbuild.build({
    stdin: { contents: HARNESS, resolveDir: ROOT },
    bundle: true,
    write: false,
    alias: { react: join(folder, 'react'), 'react-dom': join(folder, 'react-dom') },
    define: { 'process.env.NODE_ENV': '"development"' },
    logLevel: 'error',
  })
  return outputFiles[0]?.text ?? ''
}

type Rendered = {
  name:
    | 'useAgents'
    | 'useHires'
    | 'useHire'
    | 'useJobs'
    | 'useJob'
    | 'useCharge'
    | 'useTotals'
    | 'useEvents'
    | 'useLogin'
  /** The argument of the hook. */
  options?: object | string
  /** The public key of the wallet; without it there is no wallet. */
  wallet?: string
  /** Further properties of the provider. */
  provider?: object
  /** Renders without a provider. */
  isBare?: boolean
}

type HookPageOptions = {
  browser: Browser
  react: ReactVersion
  replies: Record<string, Reply | Reply[]>
  /** Signs for the wallet. */
  sign?: (method: string) => Promise<number[]>
}

/** Opens a page that can render one hook at a time, over a fake service. */
export async function openHookPage({ browser, react, replies, sign }: HookPageOptions) {
  const all: Record<string, Reply | Reply[]> = {}
  const service = createFakeService(all)
  service.clock.now = Date.now()
  Object.assign(all, loginReplies(service.clock), replies)
  const script = bundles.get(react) ?? bundle(react)
  bundles.set(react, script)
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))
  let cancelled = 0
  page.on('requestfailed', () => {
    cancelled += 1
  })
  await page.route(`${ORIGIN}/**`, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><body></body>' }),
  )
  await page.route('https://api.example.com/**', async (route) => {
    const request = route.request()
    const cors = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }
    if (request.method() === 'OPTIONS') return route.fulfill({ status: 204, headers: cors })
    const response = await service.fetch(request.url(), {
      method: request.method(),
      headers: request.headers(),
      body: request.postData() ?? undefined,
    } as RequestInit)
    const headers = { ...Object.fromEntries(response.headers), ...cors }
    // A request that was cancelled takes no answer.
    await route.fulfill({ status: response.status, headers, body: await response.text() }).catch(() => {})
  })
  await page.exposeFunction('sign', sign ?? (async () => Array<number>(64).fill(1)))
  await page.goto(`${ORIGIN}/`)
  await page.addScriptTag({ content: await script })
  const inPage = <T>(name: string, argument?: unknown): Promise<T> =>
    page.evaluate(`globalThis.${name}(${JSON.stringify(argument)})`) as Promise<T>
  return {
    errors,
    operations: service.operations,
    cancelled: () => cancelled,
    render: (rendered: Rendered) => inPage<void>('render', rendered),
    unmount: () => inPage<void>('unmount'),
    /** Calls a method of what the hook returned. */
    invoke: (method: string, ...given: unknown[]) => inPage<unknown>('invoke', { method, given }),
    /** Calls a method twice before React renders again. */
    invokeTwice: (method: string) =>
      page.evaluate(`for (const _ of [1, 2]) void invoke(${JSON.stringify({ method, given: [] })})`),
    /** Returns what the hook returned last, errors by their codes; and what its callbacks received. */
    seen: () => inPage<Record<string, unknown>>('seen'),
  }
}
