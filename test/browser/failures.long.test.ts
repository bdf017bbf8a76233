import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { useConsole } from '../support/console.ts'
import { createPageWallet } from '../support/page-wallet.ts'

const site = useConsole()

/** Collects what a page logs as an error itself. */
function errorsOf(page: Page): string[] {
  const errors: string[] = []
  page.on('console', (line) => {
    if (line.type() === 'error' && !line.text().startsWith('Failed to load resource'))
      errors.push(line.text())
  })
  return errors
}

it('logs why a view could not be loaded, and shows it when it is tried again', async () => {
  const { page } = await site.visit({ view: 'market' })
  await page.getByRole('heading', { level: 1, name: 'Market' }).waitFor()
  const errors = errorsOf(page)
  await page.route('**/assets/statistics-*.js', (route) => route.abort())
  await page.getByRole('navigation').getByRole('link', { name: 'Statistics' }).click()
  const alert = page.getByRole('alert')
  await alert.getByText('This page could not be loaded.').waitFor()
  await alert.getByText('Check your connection, then reload.').waitFor()
  expect(errors).toEqual([expect.stringMatching(/view statistics could not be loaded: .*statistics-/)])
  await page.unroute('**/assets/statistics-*.js')
  await alert.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { level: 1, name: 'Statistics' }).waitFor()
})

it('logs why the list of events could not be loaded, and loads it on retry', async () => {
  const wallet = createPageWallet()
  const { page, connect } = await site.visit({ view: 'hires', wallets: [wallet] })
  await connect(wallet)
  await page.getByText('You have not hired an agent yet.').waitFor()
  const errors = errorsOf(page)
  await page.route('**/assets/latest-*.js', (route) => route.abort())
  await page.getByRole('banner').getByLabel('Notifications').click()
  await page.getByText('Notifications could not be loaded.').waitFor()
  expect(errors).toEqual([expect.stringMatching(/Notifications could not be loaded: .*latest-/)])
  await page.unroute('**/assets/latest-*.js')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('You have not hired an agent yet.').waitFor()
  await page.getByRole('banner').getByLabel('Notifications').click()
  await page.getByText('No notifications yet.').waitFor()
})

it('shows the address to copy by hand when the browser does not copy', async () => {
  const wallet = createPageWallet()
  const { page, connect } = await site.visit({ view: 'market', wallets: [wallet] })
  await connect(wallet)
  const errors = errorsOf(page)
  await page.evaluate(`navigator.clipboard.writeText = () => Promise.reject(new Error('denied'))`)
  await page.getByRole('banner').getByTitle(wallet.address).click()
  await page.getByRole('button', { name: 'Copy address' }).click()
  await page.getByRole('alert').getByText(wallet.address).waitFor()
  expect(errors).toEqual([expect.stringContaining('Copying failed')])
})

it.each([
  ['nope', 'This page does not exist.'],
  ['constructor', 'This page does not exist.'],
  ['hires/nope/nope', 'This page does not exist.'],
  ['agents/register/nope', 'This page does not exist.'],
  ['developer/nope', 'This page does not exist.'],
  ['developer/toString', 'This page does not exist.'],
  ['reputation/nope', 'This is not a valid wallet address.'],
  ['agents/nope', 'This agent does not exist.'],
  ['agents/00000000-0000-7000-8000-000000000000', 'This agent does not exist.'],
])('says what is not there when the address is %s', async (view, words) => {
  const { page } = await site.visit({ view })
  await page.getByRole('main').getByText(words).waitFor()
  await page.getByRole('main').getByRole('link', { name: 'go to the market' }).click()
  await page.getByRole('heading', { level: 1, name: 'Market' }).waitFor()
})
