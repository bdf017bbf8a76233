import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { register } from '../support/agents.ts'
import { useConsole } from '../support/console.ts'
import { setHidden } from '../support/live-pages.ts'
import { createPageWallet } from '../support/page-wallet.ts'

const site = useConsole()

const AGENTS = /\/v1\/agents(\?|$)/

/** Holds a page's requests until they are released. */
async function hold(page: Page, pattern: RegExp) {
  const waiting: (() => void)[] = []
  let isHeld = true
  await page.route(pattern, async (route) => {
    if (isHeld) await new Promise<void>((resolve) => waiting.push(resolve))
    await route.continue()
  })
  return {
    waiting,
    release() {
      isHeld = false
      for (const go of waiting.splice(0)) go()
    },
  }
}

it('keeps the results of the last search, dimmed, while the next one loads', async () => {
  const { call } = await site.service.signIn()
  for (const name of ['Heron one', 'Heron two']) await register(call, { name })
  const { page } = await site.visit({ view: 'market?q=heron' })
  const cards = page.getByRole('main').getByRole('listitem').getByRole('heading')
  await expect.poll(() => cards.count()).toBe(2)
  const { waiting, release } = await hold(page, AGENTS)
  await page.getByRole('searchbox', { name: 'Search' }).fill('heron two')
  await expect.poll(() => waiting.length).toBe(1)
  expect(await page.locator('[aria-busy=true]').getByRole('heading').allInnerTexts()).toHaveLength(2)
  await expect.poll(() => page.getByRole('status', { name: 'Loading' }).count()).toBe(0)
  release()
  await expect.poll(() => cards.allInnerTexts()).toEqual(['Heron two'])
  expect(await page.locator('[aria-busy=true]').count()).toBe(0)
})

it('shows placeholders in the shape of cards before the first results', async () => {
  const { page } = await site.visit({ view: 'statistics' })
  await page.getByRole('heading', { level: 1, name: 'Statistics' }).waitFor()
  const { release } = await hold(page, AGENTS)
  await page.getByRole('navigation').getByRole('link', { name: 'Market' }).click()
  const placeholder = page.getByRole('status', { name: 'Loading' }).locator('span')
  await expect.poll(() => placeholder.count()).toBe(6)
  const heights = await placeholder.evaluateAll((all) => all.map(({ clientHeight }) => clientHeight))
  expect(Math.min(...heights)).toBeGreaterThan(200)
  release()
  await expect.poll(() => placeholder.count()).toBe(0)
})

it('shows in the pressed button that its action runs', async () => {
  const owner = await site.service.signIn()
  const { id } = await register(owner.call, { name: 'Slow Loris' })
  const wallet = createPageWallet()
  const { page, connect, violations } = await site.visit({ view: `agents/${id}`, wallets: [wallet] })
  await connect(wallet)
  const hire = page.getByRole('button', { name: 'Hire', exact: true })
  await hire.waitFor()
  const { waiting, release } = await hold(page, /\/v1\/agents\/hire$/)
  await hire.click()
  await expect.poll(() => waiting.length).toBe(1)
  expect(await page.locator('button[aria-busy=true]').allInnerTexts()).toEqual(['Hire'])
  const ring = () => hire.evaluate((button) => getComputedStyle(button, '::before').borderTopWidth)
  expect(await ring()).toBe('2px')
  expect(await violations()).toEqual([])
  release()
  await page.getByText('Hired until').waitFor()
})

it('blames the service in an outage, once, and heals by itself', async () => {
  const { page, violations } = await site.visit({ view: 'statistics' })
  await page.getByText('Agents: ').or(page.getByText('No history yet.')).waitFor()
  let isDown = true
  let asked = 0
  await page.route(/\/v1\//, (route) => {
    asked += 1
    return isDown ? route.abort('connectionrefused') : route.continue()
  })
  await page.getByRole('navigation').getByRole('link', { name: 'Market' }).click()
  await page.getByRole('alert').getByText('AgentCred doesn’t answer.').waitFor()
  await page.getByText(/Trying again in \d+ s/).waitFor()
  expect(await page.getByRole('alert').count()).toBe(1)
  expect(await violations()).toEqual([])
  await setHidden(page, true)
  const askedIn = async (ms: number) => {
    const before = asked
    await page.waitForTimeout(ms)
    return asked - before
  }
  // The client repeats a read that was on its way, with pauses of up to half a second.
  await expect.poll(() => askedIn(1_000)).toBe(0)
  expect(await askedIn(2_000)).toBe(0)
  isDown = false
  await setHidden(page, false)
  await expect.poll(() => page.getByRole('alert').count()).toBe(0)
  await expect.poll(() => page.getByRole('status', { name: 'Loading' }).count()).toBe(0)

  isDown = true
  await page.getByRole('searchbox', { name: 'Search' }).fill('nobody')
  await page.getByRole('alert').getByText('AgentCred doesn’t answer.').waitFor()
  isDown = false
  await page.getByText('No agents match your search.').waitFor()
  await expect.poll(() => page.getByRole('alert').count()).toBe(0)
})
