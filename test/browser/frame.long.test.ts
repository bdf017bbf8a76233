import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { walletFromSecretKey } from '../../lib/cli/wallet.ts'
import { register } from '../support/agents.ts'
import { useConsole } from '../support/console.ts'
import { createPageWallet } from '../support/page-wallet.ts'
import { PHONE } from '../support/view-faults.ts'

const site = useConsole()

/** Makes the market's pages five agents long. */
const shortenPages = (page: Page) =>
  page.route(/\/v1\/agents\?/, (route) => {
    const url = new URL(route.request().url())
    url.searchParams.set('limit', '5')
    return route.continue({ url: url.href })
  })

const scrolled = (page: Page) => page.evaluate<number>('Math.round(scrollY)')

it('shows the same agents at the same place when the visitor goes back, or reloads', async () => {
  const { call } = await site.service.signIn()
  for (let n = 10; n < 30; n += 1) await register(call, { name: `Finch ${n}` })
  const { page, open } = await site.visit({ context: { viewport: { width: 800, height: 600 } } })
  await shortenPages(page)
  await open('market?q=finch')
  const cards = page.getByRole('list', { name: 'Agents' }).getByRole('heading')
  for (const count of [5, 10]) {
    await expect.poll(() => cards.count()).toBe(count)
    await page.getByRole('button', { name: 'Show more' }).click()
  }
  await expect.poll(() => cards.count()).toBe(15)
  const last = cards.last().getByRole('link')
  const name = await last.innerText()
  await last.focus()
  const place = await scrolled(page)
  expect(place).toBeGreaterThan(500)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name }).waitFor()
  await expect.poll(() => page.title()).toBe(`${name} · AgentCred`)
  expect(await scrolled(page)).toBe(0)

  await page.goBack()
  await expect.poll(() => cards.count()).toBe(15)
  await expect.poll(() => scrolled(page)).toBe(place)
  await expect.poll(() => page.evaluate('document.activeElement.innerText')).toBe(name)
  await page.reload()
  await expect.poll(() => cards.count()).toBe(15)
  await expect.poll(() => scrolled(page)).toBe(place)

  await page.goForward()
  await page.getByRole('heading', { level: 1, name }).waitFor()
  expect(await scrolled(page)).toBe(0)
})

it('leads to the market’s search by “/”, except while the visitor types', async () => {
  const { page } = await site.visit({ view: 'statistics' })
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('/')
  await page.getByRole('heading', { level: 1, name: 'Market' }).waitFor()
  const focused = () => page.evaluate('document.activeElement.labels?.[0]?.innerText')
  await expect.poll(focused).toBe('Search')
  await page.keyboard.type('and/or')
  expect(await page.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe('and/or')
})

it('keeps the search of the first page while the visitor types', async () => {
  const wallet = createPageWallet()
  const { page, connect } = await site.visit({ wallets: [wallet] })
  await connect(wallet)
  await page.getByRole('heading', { level: 1, name: 'Market' }).waitFor()
  // Behind an open dialog "/" does nothing.
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.keyboard.press('/')
  await page.keyboard.type('trans')
  await expect.poll(() => page.url()).toContain('q=trans')
  await page.keyboard.type('late')
  await expect
    .poll(() => page.getByRole('searchbox', { name: 'Search' }).inputValue(), { timeout: 10_000 })
    .toBe('translate')
})

it('finds pages and the wallet’s agents by Ctrl+K, with the keyboard alone', async () => {
  const wallet = createPageWallet()
  const { page, connect, violations } = await site.visit({ view: 'vault', wallets: [wallet] })
  await connect(wallet)
  const { call } = await site.service.signIn(walletFromSecretKey(wallet.keypair.secretKey))
  await register(call, { name: 'Turnstone' })
  await page.keyboard.press('Control+k')
  const dialog = page.getByRole('dialog', { name: 'Search' })
  await dialog.waitFor()
  const results = dialog.getByRole('list').getByRole('link')
  await page.keyboard.type('stone')
  await expect.poll(() => results.first().innerText()).toMatch(/^Turnstone/)
  expect(await violations()).toEqual([])
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Turnstone' }).waitFor()
  await expect.poll(() => dialog.count()).toBe(0)

  await page.keyboard.press('Control+k')
  await page.keyboard.type('de')
  await expect.poll(() => results.allInnerTexts()).toHaveLength(3)
  for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
  await page.getByRole('heading', { level: 2, name: 'Deliveries' }).waitFor()
  await page.keyboard.press('Control+k')
  await dialog.waitFor()
  await page.keyboard.type('stone')
  await page.keyboard.press('Escape')
  await expect.poll(() => dialog.count(), { timeout: 10_000 }).toBe(0)
})

it('shows a phone’s header in one row, and every entry in a bar at the bottom', async () => {
  const wallet = createPageWallet()
  const { page, connect } = await site.visit({
    view: 'market',
    wallets: [wallet],
    context: { viewport: PHONE },
  })
  await connect(wallet)
  const top = await page.getByRole('heading', { level: 1 }).boundingBox()
  expect(top?.y).toBeLessThan(130)
  for (const name of ['Market', 'Hires', 'Agents', 'Money', 'Staking']) {
    const entry = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name })
    const box = await entry.boundingBox()
    expect([name, (box?.x ?? -1) >= 0, (box?.x ?? 0) + (box?.width ?? 0) <= PHONE.width]).toEqual([
      name,
      true,
      true,
    ])
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBe(PHONE.height)
    await entry.click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
  }
  // The bar must not hide the end of a page.
  await page.keyboard.press('End')
  await page.getByRole('navigation', { name: 'More' }).getByRole('link', { name: 'Statistics' }).click()
  await page.getByRole('heading', { level: 1, name: 'Statistics' }).waitFor()
})

it('says at Hires how many hires need funds', async () => {
  const wallet = createPageWallet()
  const owner = await site.service.signIn()
  const agent = await register(owner.call, { name: 'Sanderling', feeModel: 'flat', feeAmount: 1_000_000_000 })
  const { call } = await site.service.signIn(walletFromSecretKey(wallet.keypair.secretKey))
  const hire = await call('POST', '/agents/hire', { body: { agentId: agent.id } })
  const body = { hireId: hire.body.id, reference: 'May', units: 2 }
  expect((await owner.call('POST', '/payments/charges', { body })).status).toBe(201)
  const { page, connect, violations } = await site.visit({ view: 'hires', wallets: [wallet] })
  await connect(wallet)
  const entry = page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: /^Hires\s+\(1 hire needs funds\)$/ })
  await entry.waitFor()
  expect(await violations()).toEqual([])
})
