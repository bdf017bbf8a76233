import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { register } from '../support/agents.ts'
import { useConsole } from '../support/console.ts'
import { DAY, travel } from '../support/staker.ts'

const site = useConsole()

/** Has a page keep the texts that each drawing of a canvas puts there, since a picture can't be read. */
const RECORD_DRAWING = `
  globalThis.drawn = []
  const { fillText, clearRect } = CanvasRenderingContext2D.prototype
  Object.assign(CanvasRenderingContext2D.prototype, {
    clearRect(...box) {
      drawn.push([])
      clearRect.apply(this, box)
    },
    fillText(...text) {
      drawn.at(-1)?.push(text[0])
      fillText.apply(this, text)
    },
  })`

/** The names of the agents that the market shows. */
const shown = (page: Page) => page.getByRole('list', { name: 'Agents' }).getByRole('heading').allInnerTexts()

it('finds agents by words, layer, type and what was seen of their endpoint; the address keeps the filters', async () => {
  const { call } = await site.service.signIn()
  const endpoint = { apiEndpoint: 'https://heron.example.com/', apiProtocol: 'http' }
  await register(call, { name: 'Heron scout', agentType: 'oracle', supportedLayers: [3], ...endpoint })
  await register(call, { name: 'Heron rider', agentType: 'autonomous', supportedLayers: [4] })
  const { page } = await site.visit({ view: 'market' })
  await page.getByRole('searchbox', { name: 'Search' }).fill('heron')
  await expect.poll(() => shown(page)).toEqual(expect.arrayContaining(['Heron rider', 'Heron scout']))
  await page.getByLabel('Endpoint').selectOption('unknown')
  await expect.poll(() => shown(page)).toEqual(['Heron scout'])
  await page.getByLabel('Agent card').selectOption('verified')
  await page.getByText('No agent is like that.').waitFor()
  await page.getByLabel('Agent card').selectOption('none')
  await expect.poll(() => shown(page)).toEqual(['Heron scout'])
  await page.getByLabel('Agent card').selectOption('')
  await page.getByLabel('Endpoint').selectOption('')
  await expect.poll(() => shown(page)).toEqual(expect.arrayContaining(['Heron rider', 'Heron scout']))
  await page.getByLabel('Layer').selectOption('3')
  await expect.poll(() => shown(page)).toEqual(['Heron scout'])
  expect(new URL(page.url()).search).toBe('?q=heron&layer=3')
  await page.reload()
  await expect.poll(() => shown(page)).toEqual(['Heron scout'])
  await page.getByLabel('Type').selectOption('autonomous')
  await page.getByText('No agent is like that.').waitFor()
})

it('shows more agents when it is asked to, each once', async () => {
  const { call } = await site.service.signIn()
  // A page is fifty.
  for (let agents = 0; agents < 55; agents += 1) await register(call, { name: `Kingfisher ${agents}` })
  const { page } = await site.visit({ view: 'market?q=kingfisher' })
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect.poll(async () => (await shown(page)).length).toBe(55)
  expect(new Set(await shown(page)).size).toBe(55)
  await expect.poll(() => page.getByRole('button', { name: 'Show more' }).count()).toBe(0)
})

it('says that it is offline beside what it has shown, and asks again when the network is back', async () => {
  const { call } = await site.service.signIn()
  await register(call, { name: 'Ouzel' })
  const { page, context } = await site.visit({ view: 'market?q=ouzel' })
  await expect.poll(() => shown(page)).toEqual(['Ouzel'])
  await context.setOffline(true)
  await page.getByRole('searchbox', { name: 'Search' }).fill('ouze')
  await page.getByRole('alert').getByText('You are offline.').waitFor()
  await context.setOffline(false)
  await expect.poll(() => shown(page)).toEqual(['Ouzel'])
  await expect.poll(() => page.getByRole('alert').count()).toBe(0)
})

it('shows what the service says when it fails, and tries again on request', async () => {
  const { page } = await site.visit({ view: 'market?q=nobody' })
  await page.getByText('No agent is like that.').waitFor()
  const broken = () => new Response('down', { status: 503 })
  await site.service.withFault(broken, async () => {
    await page.reload()
    await page.getByRole('alert').getByText('dependency_unavailable').waitFor()
  })
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('No agent is like that.').waitFor()
})

it('its figures are drawn day by day at the service’s time, counts as whole numbers', async () => {
  for (const name of ['Day one', 'Day two', 'Day three']) {
    await register((await site.service.signIn()).call, { name })
    await travel(site.service, DAY)
    await site.service.runRounds('jobs')
  }
  const { page, context } = await site.visit({ view: 'market' })
  await context.addInitScript(RECORD_DRAWING)
  // The visitor's clock is three days behind.
  await page.goto(`${site.service.origin}/console/statistics`)
  await page.getByText('Agents: ').waitFor()
  await expect.poll(() => page.evaluate<number>('drawn.at(-1)?.length ?? 0')).toBeGreaterThan(0)
  const labels = await page.evaluate<string[]>('drawn.at(-1)')
  const counts = labels.filter((label) => /^[\d,.]+$/.test(label))
  expect(counts.length).toBeGreaterThan(1)
  expect(counts.filter((count) => count.includes('.'))).toEqual([])
  const days = labels.filter((label) => /\d [A-Z][a-z]+$/.test(label))
  expect(days.length).toBeGreaterThan(1)
  expect(labels.filter((label, index) => label !== '' && label === labels[index - 1])).toEqual([])

  await page.getByText('The same as a table').click()
  const rows = page.getByRole('rowheader').getByRole('time')
  await rows.first().waitFor()
  const times = await rows.all()
  const read = await Promise.all(times.map((time) => time.getAttribute('datetime')))
  expect(read.length).toBeGreaterThan(3)
  expect(read).toEqual(read.toSorted().toReversed())
})

it('that can not be shown, for a fault of its own, says so beside the navigation', async () => {
  const { page, faults } = await site.visit({ view: 'statistics' })
  await page.getByRole('heading', { level: 1, name: 'Statistics' }).waitFor()
  await page.route(/\/v1\/agents/, (route) => route.fulfill({ json: { agents: [null], count: 1 } }))
  await page.getByRole('navigation').getByRole('link', { name: 'Market' }).click()
  await page.getByRole('alert').getByText('This view could not be shown.').waitFor()
  expect(faults.splice(0)).not.toEqual([])
  await page.getByRole('navigation').getByRole('link', { name: 'Statistics' }).click()
  await page.getByRole('heading', { level: 1, name: 'Statistics' }).waitFor()
})

it('is what the root of the origin leads people to', async () => {
  const { page } = await site.visit()
  await page.goto(`${site.service.origin}/`)
  await page.getByRole('heading', { level: 1, name: 'Market' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/console/')
})
