import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { register } from '../support/agents.ts'
import { useConsole } from '../support/console.ts'
import { untilLanded } from '../support/open-vault.ts'
import { createPageWallet } from '../support/page-wallet.ts'
import { createPayer } from '../support/payer.ts'
import { connectionOf, createStaker, ONE } from '../support/staker.ts'

const site = useConsole()

/** Returns the focused element, by its text, its label or its tag. */
const focused = (page: Page) =>
  page.evaluate<string>(`(() => {
    const { innerText, labels, id, ariaLabel, tagName } = document.activeElement
    if (tagName === 'BODY' || id === 'content') return id || tagName
    return labels?.[0]?.innerText || innerText.trim().split('\\n')[0] || ariaLabel || tagName
  })()`)

/** Waits for a control, and presses Tab until it has the focus. */
async function tabTo(page: Page, wanted: string): Promise<void> {
  // A page that is still being drawn has nothing to stop at.
  const control = page.locator('a, button, label, summary').getByText(wanted, { exact: true })
  await control.filter({ visible: true }).first().waitFor()
  for (let presses = 0; presses < 40; presses += 1) {
    await page.keyboard.press('Tab')
    if ((await focused(page)) === wanted) return
  }
  throw new Error(`no ${wanted} within 40 presses of Tab`)
}

it('skips the navigation at the first tab stop; the others follow the page', async () => {
  const { page } = await site.visit({ view: 'market' })
  await page.getByText('No agents yet.').waitFor()
  const links = await page.getByRole('navigation', { name: 'Main' }).getByRole('link').allInnerTexts()
  for (const stop of [
    'Skip to content',
    'AgentCred',
    ...links,
    'Search',
    'Connect wallet',
    'Search',
    'Category',
    'Sort by',
    'More filters',
  ]) {
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe(stop)
  }
  await page.reload()
  await page.getByText('No agents yet.').waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  expect(await focused(page)).toBe('Search')
})

it('keeps the focus in the dialog, closes it by Escape, and gives the focus back', async () => {
  const { page } = await site.visit({ view: 'market', wallets: [createPageWallet()] })
  await page.getByText('No agents yet.').waitFor()
  await tabTo(page, 'Connect wallet')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Connect a wallet' }).waitFor()
  const stops = new Set<string>()
  for (let presses = 0; presses < 6; presses += 1) {
    stops.add(await focused(page))
    await page.keyboard.press('Tab')
  }
  // BODY is the browser's own controls, through which a page's dialog lets the focus pass.
  stops.delete('BODY')
  expect(stops).toEqual(new Set(['Development wallet', 'Test wallet', 'Cancel']))
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect.poll(() => focused(page)).toBe('Connect wallet')
})

it('a stake takes no mouse, and the focus stays where it was', async () => {
  const { keypair } = await createStaker(site.service)
  const wallet = createPageWallet({ keypair, connection: connectionOf(site.service) })
  const { page } = await site.visit({ view: 'vault', wallets: [wallet] })
  await page.getByText('Connect a wallet to see your stakes.').waitFor()
  await tabTo(page, 'Connect wallet')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  for (let presses = 0; (await focused(page)) !== 'Test wallet' && presses < 6; presses += 1)
    await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByText('You have not staked yet.').waitFor()
  // The button that opened the dialog is gone.
  await expect.poll(() => focused(page)).toBe('content')
  await tabTo(page, 'Amount in CRED')
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('75')
  await tabTo(page, 'Lock period')
  await page.keyboard.press('7')
  await tabTo(page, 'Stake')
  await page.keyboard.press('Enter')
  // Right below the form, so that nobody scrolls for it.
  await untilLanded(site.service, page.locator('form + .steps').getByText('Transaction confirmed.'))
  await page.getByRole('heading', { name: '75 CRED for 7 days' }).waitFor()
  expect(await focused(page)).toBe('Stake')
})

it('hires an agent and funds its budget without a mouse, and the focus is never lost', async () => {
  const payer = await createPayer(site.service)
  await payer.land(payer.openCollector())
  const agent = await register(payer.call, { name: 'Tern', feeModel: 'flat', feeAmount: 2 * ONE })
  const { keypair } = await createStaker(site.service, 100 * ONE)
  const wallet = createPageWallet({ keypair, connection: connectionOf(site.service) })
  const { page, connect } = await site.visit({ view: `agents/${agent.id}`, wallets: [wallet] })
  await connect(wallet)
  await tabTo(page, 'Spending limit per period, in CRED')
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('20')
  await tabTo(page, 'Hire')
  await page.keyboard.press('Enter')
  await page.getByText('Hired until').waitFor()
  await expect.poll(() => focused(page)).toBe('Hire this agent')
  await tabTo(page, 'Manage hire')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Hire of Tern' }).waitFor()
  await expect.poll(() => focused(page)).toBe('content')
  await page.getByLabel('Amount in CRED').waitFor()
  await tabTo(page, 'Amount in CRED')
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('15')
  await tabTo(page, 'Fund')
  await page.keyboard.press('Enter')
  await untilLanded(site.service, page.getByText('15 CRED added.'))
  await page.getByRole('button', { name: 'Add funds' }).waitFor()
  expect(await focused(page)).toBe('Add funds')
})

it('focuses the view when a wallet connects on the start page, and disconnects', async () => {
  const wallet = createPageWallet()
  const { page } = await site.visit({ wallets: [wallet] })
  await page.getByRole('heading', { level: 1, name: 'Hire software agents with your wallet' }).waitFor()
  await tabTo(page, 'Connect wallet')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: wallet.name }).press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Market' }).waitFor()
  await expect.poll(() => focused(page)).toBe('content')
  await page.getByRole('banner').getByTitle(wallet.address).click()
  await page.getByRole('button', { name: 'Disconnect' }).press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Hire software agents with your wallet' }).waitFor()
  await expect.poll(() => focused(page)).toBe('content')
})

it('a view that is chosen has the focus, and its title', async () => {
  const { page } = await site.visit({ view: 'market' })
  await page.getByRole('heading', { level: 1, name: 'Market' }).waitFor()
  await page.getByRole('navigation').getByRole('link', { name: 'Staking' }).press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Staking' }).waitFor()
  await expect.poll(() => focused(page)).toBe('content')
  expect(await page.title()).toBe('Staking · AgentCred')
})
