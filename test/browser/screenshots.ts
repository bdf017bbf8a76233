import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { startBrowser } from '../support/browser.ts'
import { createPageWallet } from '../support/page-wallet.ts'
import { freePort, freePorts, runScript } from '../support/process.ts'
import { setScene } from './scene.ts'

const ROOT = join(import.meta.dirname, '../..')
const FOLDER = join(ROOT, 'dist/screenshots')
/** Those that README shows, as far as a window goes: `npm run screenshots -- --readme` takes them anew. */
const OF_README = ['market-desk', 'vault-dark']
const PICTURES = join(ROOT, 'lib/console/pictures')

/** The sections of the view for developers, beside the one that it opens with. */
const SECTIONS = ['register', 'registry', 'webhooks', 'deliveries']

const LOOKS: Record<string, BrowserContextOptions> = {
  desk: { viewport: { width: 1080, height: 600 }, colorScheme: 'light' },
  dark: { viewport: { width: 1080, height: 600 }, colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: 'light', isMobile: true },
}

/** `npm run screenshots [-- --readme]`: pictures of every view, in every look, in dist/screenshots. */
async function main(isForReadme: boolean): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'agentcred-screenshots-'))
  const env = {
    DATA_DIR: dataDir,
    PORT: String(await freePort()),
    NEON_PORT: String(await freePort()),
    SOLANA_RPC_PORT: String((await freePorts(2))[0]),
  }
  const platform = runScript('dev', [], env)
  let browser: Browser | undefined
  try {
    await platform.printed('rate limits')
    browser = await startBrowser()
    const origin = `http://localhost:${env.PORT}`
    const scene = await setScene(`${origin}/v1`, `http://localhost:${env.SOLANA_RPC_PORT}`)
    rmSync(FOLDER, { recursive: true, force: true })
    mkdirSync(FOLDER, { recursive: true })
    const ofReadme = isForReadme ? PICTURES : undefined
    for (const [look, options] of Object.entries(LOOKS))
      await takeAll(browser, origin, look, options, scene, ofReadme)
  } finally {
    await browser?.close()
    await platform.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  console.log(FOLDER)
}

async function takeAll(
  browser: Browser,
  origin: string,
  look: string,
  options: BrowserContextOptions,
  { keypair, agentId, now }: Awaited<ReturnType<typeof setScene>>,
  ofReadme: string | undefined,
): Promise<void> {
  const context = await browser.newContext({ locale: 'en-GB', ...options })
  const wallet = createPageWallet({
    keypair,
    label: 'Everyday',
    others: [{ label: 'Savings' }, { label: 'Elsewhere', chains: ['solana:mainnet'] }],
  })
  await wallet.installIn(context)
  // The platform has travelled.
  await context.clock.setSystemTime(now)
  const page = await context.newPage()
  await page.goto(`${origin}/console/`)
  await page.getByRole('banner').getByRole('button', { name: 'Connect wallet' }).click()
  // A dialog covers the window, not the page below it.
  await take(page, `connect-${look}`, false)
  await page.getByRole('dialog').getByRole('button', { name: wallet.name }).click()
  await take(page, `accounts-${look}`, false)
  await page.getByRole('dialog').getByTitle(wallet.address).click()
  const links = await page.getByRole('navigation', { name: 'Views' }).getByRole('link').all()
  const views = await Promise.all(links.map(async (link) => `${await link.getAttribute('href')}`))
  const sections = SECTIONS.map((section) => `/console/developer/${section}`)
  for (const path of [...views, ...sections, `/console/agents/${agentId}`]) {
    await page.goto(origin + path)
    const view = path.split('/').slice(2).join('-').replace(`-${agentId}`, '')
    const name = `${view}-${look}`
    await take(page, name)
    if (ofReadme && OF_README.includes(name)) await page.screenshot({ path: join(ofReadme, `${view}.png`) })
  }
  await wallet.show(page, wallet.addresses.slice(1))
  await take(page, `signed-out-${look}`, false)
  await context.close()
}

/** Waits until the page has nothing more to ask for. */
async function take(page: Page, name: string, fullPage = true): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.screenshot({ path: join(FOLDER, `${name}.png`), fullPage })
}

await main(process.argv.includes('--readme'))
