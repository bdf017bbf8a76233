import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { register } from '../support/agents.ts'
import { useConsole, type Visit } from '../support/console.ts'
import { createPageWallet } from '../support/page-wallet.ts'
import { createStaker } from '../support/staker.ts'
import { ASKING, statesOf } from '../support/view-states.ts'

const site = useConsole()

const PHONE = { width: 390, height: 844 }
const DESK = { width: 1280, height: 900 }

/** Every view of the navigation, each when what it shows has come. */
async function* views(page: Page): AsyncGenerator<string> {
  for (const link of await page.getByRole('navigation', { name: 'Views' }).getByRole('link').all()) {
    await link.click()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expect.poll(() => page.getByRole('status', { name: 'Loading' }).count()).toBe(0)
    yield await link.innerText()
  }
}

/** How many pixels a page is too wide, once charts and the like have followed the window. */
async function overflow(page: Page): Promise<number> {
  const pixels = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
  // Not by waitForFunction, which evaluates text in the page: its policy forbids that.
  for (let looks = 0; looks < 300; looks++) {
    if ((await page.evaluate<number>(pixels)) <= 0) return 0
    await page.waitForTimeout(100)
  }
  return page.evaluate<number>(pixels)
}

/** What is wrong with any view, in light and dark, wide and narrow. */
async function faults({ page, violations }: Visit): Promise<string[]> {
  const found: string[] = []
  for await (const view of views(page)) {
    for (const violation of await violations()) found.push(`${view}: ${violation}`)
    // Colours alone differ in the dark.
    await page.emulateMedia({ colorScheme: 'dark' })
    for (const violation of await violations('color-contrast')) found.push(`${view}, dark: ${violation}`)
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize(PHONE)
    const pixels = await overflow(page)
    if (pixels > 0) found.push(`${view} is ${pixels} pixels wider than a phone`)
    await page.setViewportSize(DESK)
  }
  return found
}

it('every view is accessible and fits a phone while nobody is connected', async () => {
  const visit = await site.visit({ context: { viewport: DESK } })
  expect(await faults(visit)).toEqual([])
})

it('every view is accessible and fits a phone for a wallet that has nothing yet', async () => {
  const wallet = createPageWallet()
  const visit = await site.visit({ wallets: [wallet], context: { viewport: DESK } })
  await visit.connect(wallet)
  expect(await faults(visit)).toEqual([])
})

it('every view is accessible and fits a phone for a wallet with agents, hires and stakes', async () => {
  const staker = await createStaker(site.service)
  const { id } = await register(staker.call, { name: 'A'.repeat(32) })
  await staker.call('POST', '/agents/hire', {
    body: { agentId: id, layers: [1], expiresInDays: 30, budgetLimit: 5_000_000_000 },
  })
  for (const _ of ['the vault', 'the stake']) await staker.relay(await staker.stack(123_456_789_012))
  const wallet = createPageWallet({ keypair: staker.keypair })
  const visit = await site.visit({ wallets: [wallet], context: { viewport: DESK } })
  await visit.connect(wallet)
  expect(await faults(visit)).toEqual([])
  await visit.page.setViewportSize(PHONE)
  for (const path of [`agents/${id}`, 'developer/register', 'developer/registry', 'developer/webhooks']) {
    await visit.open(path)
    await visit.page.getByRole('main').getByRole('textbox').first().waitFor()
    await expect.poll(() => visit.page.getByRole('status', { name: 'Loading' }).count()).toBe(0)
    expect([path, await visit.violations()]).toEqual([path, []])
    expect([path, await overflow(visit.page)]).toEqual([path, 0])
  }
})

it('the dialog is accessible', async () => {
  const { page, violations } = await site.visit({ view: 'market' })
  await page.getByRole('banner').getByRole('button', { name: 'Connect wallet' }).click()
  await page.getByRole('dialog').waitFor()
  expect(await violations()).toEqual([])
})

it('every view says that it loads, that the network is gone and that the service fails, beside what it had', async () => {
  const { keypair, call } = await createStaker(site.service)
  const { id } = await register(call, { name: 'Dunlin' })
  const wallet = createPageWallet({ keypair })
  const walk = async (paths: string[]) => {
    const visit = await site.visit({ wallets: [wallet], view: 'hires', context: { viewport: DESK } })
    await visit.connect(wallet)
    await visit.page.getByText('You have not hired anybody yet.').waitFor()
    for (const path of paths) {
      for await (const state of statesOf(visit.page, visit.url(path))) {
        expect([path, state, await visit.violations()]).toEqual([path, state, []])
        const old = async () => [path, state, (await visit.page.locator('.stale').count()) > 0]
        await expect.poll(old).toEqual([path, state, state === 'failed'])
      }
    }
  }
  const paths = [...ASKING, `agents/${id}`]
  // Three readers at once: most of the time is waiting.
  await Promise.all([0, 1, 2].map((reader) => walk(paths.filter((_, index) => index % 3 === reader))))
})
