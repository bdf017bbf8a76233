import { expect, it } from 'vitest'
import { register } from '../support/agents.ts'
import { useConsole } from '../support/console.ts'
import { createPageWallet } from '../support/page-wallet.ts'

const site = useConsole()

/** Opens a view with a connected wallet. */
async function visit(view: string) {
  const wallet = createPageWallet()
  const opened = await site.visit({ view, wallets: [wallet] })
  await opened.connect(wallet)
  const focused = () =>
    opened.page.evaluate<string>('document.activeElement.name || document.activeElement.type')
  return { ...opened, focused }
}

it('says once, at the field, what to choose, and scrolls there', async () => {
  const { page, focused, violations } = await visit('agents/register')
  await page.getByLabel('Name', { exact: true }).fill('Tide Table')
  await page.getByRole('button', { name: 'Register agent' }).click()
  const problem = page.getByText('Choose at least one category.')
  await problem.waitFor()
  expect(await problem.count()).toBe(1)
  expect(await page.getByRole('alert').count()).toBe(0)
  await expect.poll(focused).toBe('checkbox')
  const box = await page.getByRole('checkbox').first().boundingBox()
  expect(box?.y).toBeGreaterThan(0)
  expect(await violations()).toEqual([])
  await page.keyboard.press('Space')
  await problem.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Register agent' }).click()
  await page.getByText('Tide Table is registered.').waitFor()
})

it('puts the service’s message at its field, by the label that the visitor sees', async () => {
  const owner = await site.service.signIn()
  const terms = { feeModel: 'flat', feeAmount: 250_000_000 }
  const { id } = await register(owner.call, { name: 'Quay Master', ...terms })
  const { page, focused } = await visit(`agents/${id}`)
  const hire = page.getByRole('button', { name: 'Hire', exact: true })
  await page.getByLabel('Period in days').fill('400')
  await hire.click()
  await page.getByText('Enter a whole number of days from 1 to 365.').waitFor()
  await expect.poll(focused).toBe('expiresInDays')
  await page.getByLabel('Period in days').fill('30')
  const limit = page.getByLabel('Spending limit per period, in CRED')
  await limit.fill('0.2')
  await page.getByText('Too low for any work: one unit costs 0.25 CRED.').waitFor()
  await limit.fill('0')
  await page.getByText('Enter an amount above 0, or leave the field empty for no limit.').waitFor()
  await limit.fill('5')

  const errors = [{ path: 'expiresInDays', message: 'must be at most 20' }]
  const refused = { code: 'invalid_request', detail: 'expiresInDays must be at most 20.', errors }
  await page.route('**/v1/agents/hire', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 400, json: refused }) : route.continue(),
  )
  await hire.click()
  await page.getByText('Period in days must be at most 20.').waitFor()
  await expect.poll(focused).toBe('expiresInDays')
  expect(await page.getByRole('main').innerText()).not.toContain('expiresInDays')
  expect(await page.getByRole('alert').count()).toBe(0)
  await page.getByLabel('Period in days').fill('20')
  await page.getByText('Period in days must be at most 20.').waitFor({ state: 'detached' })
})

it('says why a stake of nothing can’t be made', async () => {
  const { page, focused } = await visit('vault')
  const amount = page.getByLabel('Amount in CRED')
  await amount.fill('0')
  await page.getByText('Enter an amount above 0.').waitFor()
  await page.getByRole('button', { name: 'Stake', exact: true }).click()
  await expect.poll(focused).toBe('amount')
  await amount.fill('')
  await page.getByRole('button', { name: 'Stake', exact: true }).click()
  await page.getByText('Enter an amount.').waitFor()
})
