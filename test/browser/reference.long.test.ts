import { expect, it } from 'vitest'
import { useConsole } from '../support/console.ts'

const site = useConsole()

/** The reference, as a new visitor opens it. */
async function visit(context = {}) {
  const found = await site.visit({ context })
  await found.page.goto(`${site.service.origin}/v1/docs`)
  return found
}

it('is read without script: every operation, and no box that does nothing', async () => {
  const { page } = await visit({ javaScriptEnabled: false })
  await page.getByRole('heading', { name: 'POST /agents/hire' }).waitFor()
  expect(await page.getByRole('searchbox').count()).toBe(0)
})

it('is filtered by words, of paths and of what operations are for, and links lead where they say', async () => {
  const { page, violations } = await visit()
  const contents = page.getByRole('navigation').getByRole('listitem')
  const count = await contents.count()
  await page.getByRole('searchbox', { name: 'Filter by words' }).fill('hire end')
  await page.getByRole('status').getByText(`of ${count}`).waitFor()
  await contents.filter({ hasText: 'DELETE /agents/hire' }).waitFor()
  expect(await contents.filter({ visible: true }).count()).toBeLessThan(count / 2)
  await page.getByRole('heading', { name: 'DELETE /agents/hire' }).waitFor()
  expect(await page.getByRole('heading', { name: 'POST /vault/stack' }).isVisible()).toBe(false)
  // What is filtered out is shown again by its address.
  await page.evaluate(() => {
    location.hash = 'stack'
  })
  await page.getByRole('heading', { name: 'POST /vault/stack' }).waitFor()
  await page.getByRole('searchbox').fill('')
  expect(await violations()).toEqual([])
})

it('has the schemas on a page beside it, with the same box', async () => {
  const { page, violations } = await visit()
  await page.locator('#hireAgent').getByRole('link', { name: 'HireRequest' }).click()
  await page.getByRole('heading', { name: 'HireRequest' }).waitFor()
  await page.getByRole('searchbox').fill('position')
  expect(await page.getByRole('heading', { name: 'HireRequest' }).isVisible()).toBe(false)
  await page.getByRole('searchbox').fill('')
  expect(await violations()).toEqual([])
})
