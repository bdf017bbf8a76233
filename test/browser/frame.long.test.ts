import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { register } from '../support/agents.ts'
import { useConsole } from '../support/console.ts'

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
