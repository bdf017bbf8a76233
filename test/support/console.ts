import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { startBrowser } from './browser.ts'
import type { PageWallet } from './page-wallet.ts'
import { type Service, startService } from './service.ts'

/** On a busy machine a page takes its time, and no test here asserts any. */
const PATIENCE_MS = 180_000

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Makes a page's timers end eight times as soon, such as the wait between two checks of a transaction. */
const HURRY = `for (const name of ['setTimeout', 'setInterval']) {
  const timer = globalThis[name]
  globalThis[name] = (run, ms = 0, ...given) => timer(run, ms / 8, ...given)
}`

type VisitOptions = {
  /** A view, with its query. */
  view?: string
  wallets?: readonly PageWallet[]
  context?: BrowserContextOptions
  /** Origins that the page may call besides its own. */
  others?: readonly string[]
  /** Whether the page's timers end sooner. Not for waits that give somebody else time. */
  isHurried?: boolean
}

export type Visit = Awaited<ReturnType<typeof visitConsole>>

/** A service with its console, and a browser, for all tests of a file. */
export function useConsole() {
  let service: Service
  let browser: Browser
  beforeAll(async () => {
    // One after the other, so that a browser that can't start leaves no service behind.
    browser = await startBrowser()
    service = await startService({ knowsOrigin: true })
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })
  return {
    get service() {
      return service
    },
    /** Opens the console as a new visitor. */
    visit: (options?: VisitOptions) => visitConsole(browser, service.origin, options),
  }
}

/**
 * Opens a console as a new visitor. When the test ends, the page must have no uncaught error, no violation of
 * the content security policy, and no request to another host.
 */
export async function visitConsole(
  browser: Browser,
  origin: string,
  { view = '', wallets = [], context: options = {}, others = [], isHurried = true }: VisitOptions = {},
) {
  const context = await browser.newContext(options)
  context.setDefaultTimeout(PATIENCE_MS)
  if (isHurried) await context.addInitScript(HURRY)
  for (const wallet of wallets) await wallet.installIn(context)
  const page = await context.newPage()
  const faults = faultsOf(page, [origin, ...others])
  onTestFinished(async () => {
    await context.close()
    expect(faults).toEqual([])
  })
  const url = (path: string) => `${origin}/console/${path}`
  await page.goto(url(view))
  return {
    page,
    context,
    /** The errors so far. A test that expects an error takes it out. */
    faults,
    /** The address of a view. */
    url,
    /** Goes to another view by its address. */
    open: (path: string) => page.goto(url(path)),
    /** Connects a wallet by the dialog, as a visitor does. */
    connect: (wallet: PageWallet) => connect(page, wallet),
    /** Returns what axe finds against the rules of WCAG and good practice, or against the named rules. */
    violations: (...rules: string[]) => violationsOf(page, rules),
  }
}

async function connect(page: Page, { name, address }: PageWallet): Promise<void> {
  await page.getByRole('banner').getByRole('button', { name: 'Connect wallet' }).click()
  await page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
  await page.getByRole('banner').getByTitle(address).waitFor()
}

function faultsOf(page: Page, origins: readonly string[]): string[] {
  const faults: string[] = []
  page.on('pageerror', ({ message, stack }) => faults.push(stack ?? message))
  page.on('console', (line) => {
    if (/content security policy/i.test(line.text())) faults.push(line.text())
  })
  page.on('request', (request) => {
    const url = new URL(request.url())
    // Neither goes to a host: the other opens a wallet app.
    if (['data:', 'solana-wallet:'].includes(url.protocol)) return
    if (!origins.includes(url.origin)) faults.push(`asked ${url.origin}`)
  })
  return faults
}

async function violationsOf(page: Page, rules: string[]): Promise<string[]> {
  await page.evaluate(axe)
  const options = rules.length > 0 ? { runOnly: rules } : {}
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(options)})`)
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}\n${html}\n${failureSummary}`),
  )
}
