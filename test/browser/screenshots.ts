import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { readCommandLine } from '../../lib/cli/arguments.ts'
import { signerOf, walletFromSecretKey } from '../../lib/cli/wallet.ts'
import { createClient } from '../../lib/client/index.ts'
import { startBrowser } from '../support/browser.ts'
import { createPageWallet, type PageWallet } from '../support/page-wallet.ts'
import { portsOf, READY, runScript } from '../support/process.ts'
import { ASKING, statesOf } from '../support/view-states.ts'
import { contactSheet, fileOf, type Picture } from './contact-sheet.ts'
import { setScene } from './scene.ts'

const ROOT = join(import.meta.dirname, '../..')
const FOLDER = join(ROOT, 'dist/screenshots')
/** The README's pictures of one window: `npm run screenshots -- --readme` takes them anew. */
const OF_README = [
  { view: 'market', style: 'desk' },
  { view: 'vault', style: 'dark' },
]
const PICTURES = join(ROOT, 'lib/console/pictures')

/** The view that asks for nothing. */
const FORM = 'agents/register'

const WIDE = { viewport: { width: 1080, height: 600 } }
const NARROW = { viewport: { width: 390, height: 844 }, isMobile: true }
const STYLES: Record<string, BrowserContextOptions> = {
  desk: { ...WIDE, colorScheme: 'light' },
  dark: { ...WIDE, colorScheme: 'dark' },
  phone: { ...NARROW, colorScheme: 'light' },
  'phone-dark': { ...NARROW, colorScheme: 'dark' },
}
/** In which every state of every view is taken. */
const STYLES_OF_STATES = ['desk', 'phone-dark']

/** Has a wallet's whole log unread (lib/console/wallet/remembered.ts). */
const NOTHING_SEEN = (wallet: string) =>
  Reflect.get(globalThis, 'localStorage').setItem('agentcred:seen', JSON.stringify({ wallet, id: '' }))

type Studio = {
  browser: Browser
  origin: string
  scene: Awaited<ReturnType<typeof setScene>>
  isForReadme: boolean
}

/** `npm run screenshots [-- --readme]`: every view, style and state, in dist/screenshots/index.html. */
async function main(isForReadme: boolean): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'agentcred-screenshots-'))
  const env = {
    DATA_DIR: dataDir,
    PORT: '0',
    NEON_PORT: '0',
    SOLANA_RPC_PORT: '0',
    INBOX_PORT: '0',
  }
  const platform = runScript('dev', [], env)
  let browser: Browser | undefined
  try {
    await platform.printed(READY)
    const ports = portsOf(platform)
    browser = await startBrowser()
    const origin = `http://localhost:${ports.PORT}`
    const scene = await setScene(`${origin}/v1`, `http://localhost:${ports.SOLANA_RPC_PORT}`)
    rmSync(FOLDER, { recursive: true, force: true })
    mkdirSync(FOLDER, { recursive: true })
    const studio = { browser, origin, scene, isForReadme }
    const pictures: Picture[] = []
    for (const style of Object.keys(STYLES)) {
      pictures.push(...(await takeBusy(studio, style)))
      if (STYLES_OF_STATES.includes(style)) pictures.push(...(await takeStates(studio, style)))
    }
    writeFileSync(join(FOLDER, 'index.html'), contactSheet(pictures))
  } finally {
    await browser?.close()
    await platform.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  console.log(join(FOLDER, 'index.html'))
}

/** A visitor's page, whose clock is the platform's, which has travelled. */
async function visit({ browser, origin, scene }: Studio, style: string, wallet: PageWallet): Promise<Page> {
  const context = await browser.newContext(STYLES[style])
  await wallet.installIn(context)
  await context.clock.setSystemTime(scene.now)
  const page = await context.newPage()
  await page.goto(`${origin}/console/`)
  return page
}

const openDialog = (page: Page) =>
  page.getByRole('banner').getByRole('button', { name: 'Connect wallet' }).click()

/** Takes the pictures of a wallet with agents, hires and stakes, from connection to disconnection. */
async function takeBusy(studio: Studio, style: string): Promise<Picture[]> {
  const { origin, scene, isForReadme } = studio
  const wallet = createPageWallet({
    keypair: scene.keypair,
    label: 'Everyday',
    others: [{ label: 'Savings' }, { label: 'Elsewhere', chains: ['solana:mainnet'] }],
  })
  const page = await visit(studio, style, wallet)
  const pictures: Picture[] = []
  const add = async (view: string, isWhole: boolean) =>
    pictures.push(await take(page, { view, style }, isWhole))
  await add('start', true)
  // A dialog covers the window, not the page below it.
  await openDialog(page)
  await add('connect', false)
  await page.getByRole('dialog').getByRole('button', { name: wallet.name }).click()
  await add('accounts', false)
  await page.getByRole('dialog').getByTitle(wallet.address).click()
  const paths: [string, string][] = [
    ...pathsOf(scene.agentId, scene.ownId),
    ['hire', `hires/${scene.hireId}`],
    ['sold-hire', `hires/${scene.soldId}`],
    ['charge', `charges/${scene.chargeId}`],
  ]
  for (const [view, path] of paths) {
    await page.goto(`${origin}/console/${path}`)
    await add(view, true)
    if (isForReadme && OF_README.some((one) => one.view === view && one.style === style))
      await page.screenshot({ path: join(PICTURES, `${view}.png`) })
  }
  await page.goto(`${origin}/console/selling/${scene.ownId}`)
  await page.getByRole('button', { name: 'Replace key…' }).click()
  await add('selling-question', false)
  await page.getByRole('button', { name: 'Replace key', exact: true }).click()
  await page.getByRole('button', { name: 'I’ve saved it' }).waitFor()
  await add('selling-key', false)
  await page.evaluate(NOTHING_SEEN, wallet.address)
  await page.reload()
  await page.locator('.bell .unread').waitFor()
  await add('unread', false)
  await page.locator('.bell summary').click()
  await page.locator('.latest').waitFor()
  await add('bell', false)
  await wallet.show(page, wallet.addresses.slice(1))
  await add('signed-out', false)
  await page.context().close()
  return pictures
}

/** Takes the pictures of a wallet without data, and of everything that can delay or replace the data. */
async function takeStates(studio: Studio, style: string): Promise<Picture[]> {
  const { origin, scene } = studio
  const wallet = createPageWallet()
  const page = await visit(studio, style, wallet)
  await openDialog(page)
  await page.getByRole('dialog').getByRole('button', { name: wallet.name }).click()
  const pictures: Picture[] = []
  await page.goto(`${origin}/console/selling/${scene.ownId}`)
  pictures.push(await take(page, { view: 'selling', style, state: 'forbidden' }))
  for (const [view, path] of pathsOf(scene.agentId, await registerFor(wallet, origin))) {
    const url = `${origin}/console/${path}`
    await page.goto(url)
    pictures.push(await take(page, { view, style, state: 'empty' }))
    // A form asks for nothing.
    if (path === FORM) continue
    for await (const state of statesOf(page, url)) pictures.push(await shoot(page, { view, style, state }))
  }
  await page.context().close()
  return pictures
}

/** Every view by the name of its pictures, with its address. */
const pathsOf = (agentId: string, ownId: string): [string, string][] => [
  ...[...ASKING, FORM].map((path): [string, string] => [path.replace('/', '-'), path]),
  ['agent', `agents/${agentId}`],
  ['own-agent', `agents/${ownId}`],
  ['selling', `selling/${ownId}`],
]

/** Registers an agent of a wallet, so that the wallet has something to sell. @returns its id */
async function registerFor({ keypair }: PageWallet, origin: string): Promise<string> {
  const wallet = signerOf(walletFromSecretKey(keypair.secretKey))
  const client = createClient({ baseUrl: `${origin}/v1`, wallet })
  const body = { name: 'New Gauge', agentType: 'oracle' as const, supportedLayers: [5] }
  return (await client.call('POST /agents/register', { body })).id
}

/** Takes a picture once the page has nothing more to ask for. */
async function take(page: Page, picture: Picture, isWhole = true): Promise<Picture> {
  await page.waitForLoadState('networkidle')
  return shoot(page, picture, isWhole)
}

async function shoot(page: Page, picture: Picture, fullPage = true): Promise<Picture> {
  await page.screenshot({ path: join(FOLDER, fileOf(picture)), fullPage })
  return picture
}

await main(readCommandLine('screenshots').values.readme)
