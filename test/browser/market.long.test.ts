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

it('finds agents by words, layer, type and uptime; keeps the filters in the address', async () => {
  const { call } = await site.service.signIn()
  const endpoint = { apiEndpoint: 'https://heron.example.com/', apiProtocol: 'http' }
  await register(call, { name: 'Heron scout', agentType: 'oracle', supportedLayers: [3], ...endpoint })
  await register(call, { name: 'Heron rider', agentType: 'autonomous', supportedLayers: [4] })
  const { page } = await site.visit({ view: 'market' })
  await page.getByRole('searchbox', { name: 'Search' }).fill('heron')
  await expect.poll(() => shown(page)).toEqual(expect.arrayContaining(['Heron rider', 'Heron scout']))
  await page.getByText('More filters').click()
  await page.getByLabel('Endpoint').selectOption('unknown')
  await expect.poll(() => shown(page)).toEqual(['Heron scout'])
  await page.getByLabel('Agent card').selectOption('verified')
  await page.getByText('No agents match your search.').waitFor()
  await page.getByLabel('Agent card').selectOption('none')
  await expect.poll(() => shown(page)).toEqual(['Heron scout'])
  await page.getByLabel('Agent card').selectOption('')
  await page.getByLabel('Endpoint').selectOption('')
  await expect.poll(() => shown(page)).toEqual(expect.arrayContaining(['Heron rider', 'Heron scout']))
  await page.getByRole('combobox', { name: 'Category' }).selectOption('3')
  await expect.poll(() => shown(page)).toEqual(['Heron scout'])
  expect(new URL(page.url()).search).toBe('?q=heron&layer=3')
  await page.reload()
  await expect.poll(() => shown(page)).toEqual(['Heron scout'])
  await page.getByText('More filters').click()
  await page.getByLabel('Type').selectOption('autonomous')
  await page.getByText('No agents match your search.').waitFor()
})

it('finds agents that sell requests, by the highest price, and shows what they cost', async () => {
  const { call } = await site.service.signIn()
  const sell = async (name: string, ...amounts: number[]) => {
    const { id } = await register(call, { name })
    const prices = amounts.map((amount, n) => ({ name: `GET /${n}`, amount }))
    expect((await call('PUT', `/x402/agents/${id}/prices`, { body: { prices } })).status).toBe(200)
    return id
  }
  const id = await sell('Plover cheap', 250_000_000, 900_000_000)
  await sell('Plover dear', 2_000_000_000)
  await register(call, { name: 'Plover hireling' })
  const { page, violations } = await site.visit({ view: 'market?q=plover' })
  await page.getByText('More filters').click()
  await page.getByLabel('Paid requests').selectOption('Sells requests')
  await expect.poll(() => shown(page)).toEqual(['Plover dear', 'Plover cheap'])
  await page.getByRole('listitem').filter({ hasText: 'Plover dear' }).getByText('2 CRED each').waitFor()
  const highest = page.getByLabel('Highest price per request, in CRED')
  await highest.fill('0.25')
  await expect.poll(() => shown(page)).toEqual(['Plover cheap'])
  expect(new URL(page.url()).search).toBe('?q=plover&priced=true&maxRequestPrice=250000000')
  await page.reload()
  expect(await highest.inputValue()).toBe('0.25')
  const card = page.getByRole('listitem').filter({ hasText: 'Plover cheap' })
  await card.getByText('from 0.25 CRED each').waitFor()
  await card.getByText('not on sale yet').waitFor()
  expect(await violations()).toEqual([])
  await highest.fill('')
  await expect.poll(() => shown(page)).toEqual(['Plover dear', 'Plover cheap'])
  await highest.fill('0.')
  expect(await highest.inputValue()).toBe('0.')
  await highest.fill('1.000')
  await page.getByRole('button', { name: '1 CRED', exact: true }).click()
  await expect.poll(() => shown(page)).toEqual(['Plover cheap'])
  // A link to the view without filters empties the fields.
  await page.getByRole('navigation').getByRole('link', { name: 'Market' }).click()
  await expect.poll(() => highest.inputValue()).toBe('')
  await card.click()
  await page.getByRole('heading', { level: 1, name: 'Plover cheap' }).waitFor()
  const terms = page.getByRole('link', { name: 'Prices and payment terms' })
  expect(await terms.getAttribute('href')).toBe(`/v1/x402/agents/${id}`)
  await page.getByRole('definition').getByText('from 0.25 CRED each').waitFor()
  expect(await violations()).toEqual([])
})

it('shows on a card the picture, the layers by name, and the price as largest figure', async () => {
  const { call } = await site.service.signIn()
  const terms = { feeModel: 'flat', feeAmount: 1_500_000_000 } as const
  await register(call, { name: 'Avocet', supportedLayers: [1, 9, 15, 17], ...terms })
  await register(call, { name: 'Avocet two', supportedLayers: [20] })
  const { page } = await site.visit({ view: 'market?q=avocet' })
  const card = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: 'Avocet', exact: true }) })
  await card.waitFor()
  const layers = card.getByRole('list', { name: 'Categories' }).getByRole('listitem')
  expect(await layers.allInnerTexts()).toEqual([
    'Shopping',
    'DePIN',
    'Knowledge API',
    expect.stringContaining('1 more'),
  ])
  expect(await layers.last().innerText()).toContain('Liquidity')
  await card.getByText('1.5 CRED').first().waitFor()
  const largest = await card.evaluate((element) => {
    const sizeOf = (one: Element) => Number.parseFloat(getComputedStyle(one).fontSize)
    const all = [...element.querySelectorAll('*')].sort((a, b) => sizeOf(b) - sizeOf(a))
    return all[0]?.textContent
  })
  expect(largest).toContain('1.5')
  const pictures = async () =>
    Promise.all((await page.locator('.card img').all()).map((one) => one.getAttribute('src')))
  const before = await pictures()
  expect(new Set(before).size).toBe(2)
  expect(before.every((src) => src?.startsWith('data:image/svg+xml,'))).toBe(true)
  await page.reload()
  await page.getByRole('link', { name: 'Avocet', exact: true }).waitFor()
  expect(await pictures()).toEqual(before)
  // The card as a whole leads to the agent.
  await card.click()
  await page.getByRole('heading', { level: 1, name: 'Avocet' }).waitFor()
})

it('shows the newest agents first when it is asked to, and keeps that in the address', async () => {
  const { call } = await site.service.signIn()
  for (const name of ['Godwit one', 'Godwit two', 'Godwit three']) await register(call, { name })
  const { page } = await site.visit({ view: 'market?q=godwit' })
  await page.getByLabel('Sort by').selectOption('newest')
  await expect.poll(() => new URL(page.url()).search).toBe('?q=godwit&sort=newest')
  await page.reload()
  await expect.poll(() => shown(page)).toEqual(['Godwit three', 'Godwit two', 'Godwit one'])
  expect(await page.getByLabel('Sort by').inputValue()).toBe('newest')
})

it('finds agents by need, shows what comes close and counts them by category', async () => {
  const { call } = await site.service.signIn()
  const translator = { name: 'Dunlin', description: 'Translates manuals into German', supportedLayers: [5] }
  await register(call, translator)
  await register(call, { name: 'Curlew', description: 'Translates letters', supportedLayers: [5, 6] })
  const { page, violations } = await site.visit({ view: 'market' })
  const search = page.getByRole('searchbox', { name: 'Search' })
  await search.fill('translation of manuals')
  await expect.poll(() => shown(page)).toEqual(['Dunlin'])
  await page.getByText('1 agent', { exact: true }).waitFor()
  await search.fill('translation of poems')
  await page.getByText('Close to your search:').waitFor()
  await expect.poll(() => shown(page)).toEqual(['Curlew', 'Dunlin'])
  await expect.poll(() => page.getByText(/^\d+ agents?$/).count()).toBe(0)
  expect(await violations()).toEqual([])
  await search.fill('translations')
  await page.getByText('2 agents', { exact: true }).waitFor()
  await expect.poll(() => page.getByText('Close to your search:').count()).toBe(0)
  const category = page.getByRole('combobox', { name: 'Category' })
  const options = await category.getByRole('option').allInnerTexts()
  expect(options.filter((option) => /\([1-9]/.test(option)).length).toBe(2)
  await category.selectOption('6')
  await expect.poll(() => shown(page)).toEqual(['Curlew'])
  await page.getByText('1 agent', { exact: true }).waitFor()
  await page.getByLabel('Sort by').selectOption('Most hires')
  await expect.poll(() => new URL(page.url()).search).toBe('?q=translations&layer=6&sort=hires')
})

it('draws an agent’s hires and its endpoint’s days, each with its figures as text', async () => {
  const { call } = await site.service.signIn()
  const { id } = await register(call, { name: 'Turnstone' })
  const days = Array.from({ length: 30 }, (_, index) => ({
    day: `2026-11-${String(index + 1).padStart(2, '0')}`,
    hires: index === 29 ? 3 : index === 28 ? 2 : 0,
    looks: index < 28 ? 0 : 4,
    live: index === 28 ? 1 : index === 29 ? 4 : 0,
  }))
  const { page, violations } = await site.visit({ view: 'market' })
  await page.route(/\/history$/, (route) => route.fulfill({ json: { days } }))
  await page.goto(`${site.service.origin}/console/agents/${id}`)
  await page.getByText('5 new hires, up to 3 a day.').waitFor()
  await page.getByText('Up in 5 of 8 checks').waitFor()
  expect(await page.locator('.bar-first').count()).toBe(2)
  expect([await page.locator('.bar-good').count(), await page.locator('.bar-bad').count()]).toEqual([1, 1])
  expect(await violations()).toEqual([])
  await page.getByText('Show as table').click()
  await page.getByRole('row').filter({ hasText: '2026-11-29' }).getByText('1 of 4 checks').waitFor()
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

it('says that it is offline next to the data shown, and asks again when online', async () => {
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

it('shows what the service says when it fails, and asks again by itself', async () => {
  const { page } = await site.visit({ view: 'market?q=nobody' })
  await page.getByText('No agents match your search.').waitFor()
  const broken = () => new Response('down', { status: 503 })
  await site.service.withFault(broken, async () => {
    await page.reload()
    await page.locator('.failure').getByText('dependency_unavailable').waitFor({ state: 'attached' })
  })
  await page.getByText('No agents match your search.').waitFor()
})

it('its figures are drawn day by day at the service’s time, counts as whole numbers', async () => {
  for (const name of ['Day one', 'Day two', 'Day three']) {
    await register((await site.service.signIn()).call, { name })
    await travel(site.service, DAY)
    await site.service.runJob('daily')
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

  await page.getByText('Show as table').click()
  const rows = page.getByRole('rowheader').getByRole('time')
  await rows.first().waitFor()
  const times = await rows.all()
  const read = await Promise.all(times.map((time) => time.getAttribute('datetime')))
  expect(read.length).toBeGreaterThan(3)
  expect(read).toEqual(read.toSorted().toReversed())
})

it('shows an error next to the navigation when a view fails', async () => {
  const { page, faults } = await site.visit({ view: 'statistics' })
  await page.getByRole('heading', { level: 1, name: 'Statistics' }).waitFor()
  await page.route(/\/v1\/agents/, (route) => route.fulfill({ json: { agents: [null], count: 1 } }))
  await page.getByRole('navigation').getByRole('link', { name: 'Market' }).click()
  await page.getByRole('alert').getByText('Something went wrong on this page.').waitFor()
  expect(faults.splice(0)).not.toEqual([])
  await page.unroute(/\/v1\/agents/)
  await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { level: 1, name: 'Market' }).waitFor()
  await page.getByRole('navigation').getByRole('link', { name: 'Statistics' }).click()
  await page.getByRole('heading', { level: 1, name: 'Statistics' }).waitFor()
})

it('opens the console from the root of the origin', async () => {
  const { page } = await site.visit()
  await page.goto(`${site.service.origin}/`)
  await page.getByRole('heading', { level: 1, name: 'Hire software agents with your wallet' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/console/')
})
