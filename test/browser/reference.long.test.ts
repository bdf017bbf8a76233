import { expect, it } from 'vitest'
import { useConsole } from '../support/console.ts'

const site = useConsole()

/** The reference, as a new visitor opens it. */
async function visit(context = {}) {
  const found = await site.visit({ context })
  await found.page.goto(`${site.service.origin}/v1/docs`)
  return found
}

it('shows every operation in each language, and no dead controls, without scripts', async () => {
  const { page } = await visit({ javaScriptEnabled: false })
  await page.getByRole('heading', { name: 'POST /agents/hire' }).waitFor()
  const samples = page.locator('#hireAgent pre')
  await samples.getByText('curl "$API/agents/hire"').waitFor()
  await samples.getByText('await client.hire(').waitFor()
  await samples.getByText('call("POST", "/agents/hire"').waitFor()
  expect(await page.getByRole('searchbox').count()).toBe(0)
  expect(await page.getByRole('button').count()).toBe(0)
})

it('shows the chosen language everywhere, also when the page is opened again', async () => {
  const { page, violations } = await visit()
  const operation = page.locator('#hireAgent')
  const other = page.locator('#getVault')
  await operation.getByText('curl "$API/agents/hire"').waitFor()
  await operation.getByRole('tab', { name: 'Python' }).click()
  await operation.getByText('call("POST", "/agents/hire"').waitFor()
  await other.getByText('call("GET", "/vault').waitFor()
  expect(await operation.getByText('curl "$API').isVisible()).toBe(false)
  await page.keyboard.press('ArrowLeft')
  await operation.getByText('await client.hire(').waitFor()
  await page.reload()
  await operation.getByText('await client.hire(').waitFor()
  expect(await violations()).toEqual([])
})

it('copies the sample that is shown, and an answer', async () => {
  const { page, context } = await visit()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  const operation = page.locator('#getVaultTerms')
  await operation.getByRole('button', { name: 'Copy' }).first().click()
  await operation.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await copied()).toBe('curl "$API/vault/terms"')
  await operation.getByRole('tab', { name: 'TypeScript' }).click()
  await operation.getByRole('button', { name: 'Copy' }).first().click()
  await expect.poll(copied).toBe("await client.call('GET /vault/terms')")
  await operation.getByRole('button', { name: 'Copy' }).last().click()
  await expect.poll(copied).toContain('"mint"')
})

it('shows what has all words of a search, and follows links to what it does not show', async () => {
  const { page, violations } = await visit()
  const contents = page.getByRole('navigation').getByRole('listitem')
  const count = await contents.count()
  await page.getByRole('searchbox', { name: 'Search by words' }).fill('hire end')
  await page.getByRole('status').getByText(`of ${count}`).waitFor()
  await contents.filter({ hasText: 'DELETE /agents/hire' }).waitFor()
  expect(await contents.filter({ visible: true }).count()).toBeLessThan(count / 2)
  await page.getByRole('heading', { name: 'DELETE /agents/hire' }).waitFor()
  expect(await page.getByRole('heading', { name: 'POST /vault/stack' }).isVisible()).toBe(false)
  // A filtered operation is shown again by its address.
  await page.evaluate(() => {
    location.hash = 'stack'
  })
  await page.getByRole('heading', { name: 'POST /vault/stack' }).waitFor()
  await page.getByRole('searchbox').fill('')
  expect(await violations()).toEqual([])
})

it('ranks titles above summaries, and these above text, when it searches', async () => {
  const { page } = await visit()
  const contents = page.getByRole('navigation').getByRole('listitem').filter({ visible: true })
  await page.getByRole('searchbox').fill('quote')
  await expect.poll(() => contents.count()).toBeGreaterThan(1)
  expect(await contents.first().textContent()).toContain('GET /vault/quote')
  await page.getByRole('searchbox').fill('Check the service')
  expect(await contents.first().textContent()).toContain('GET /health')
})

it('has the schemas on a separate page, with the same box', async () => {
  const { page, violations } = await visit()
  await page.locator('#hireAgent').getByRole('link', { name: 'HireRequest' }).click()
  await page.getByRole('heading', { name: 'HireRequest' }).waitFor()
  await page.getByRole('searchbox').fill('position')
  expect(await page.getByRole('heading', { name: 'HireRequest' }).isVisible()).toBe(false)
  await page.getByRole('searchbox').fill('')
  expect(await violations()).toEqual([])
})
