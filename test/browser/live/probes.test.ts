import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { nextDaily, nextScheduledRun } from '../../../lib/clock/jobs.ts'
import { register } from '../../support/agents.ts'
import { useConsole } from '../../support/console.ts'

const HOUR = 3_600_000
const site = useConsole()

/** Hosts that do not answer. */
const silent = new Set<string>()

beforeAll(async () => {
  site.service.onProbe(async ({ url }) => {
    const { host, pathname } = new URL(url)
    return new Response(null, { status: pathname === '/x' && !silent.has(host) ? 200 : 404 })
  })
  await site.service.clock.travelTo(nextDaily(site.service.clock.now()) + 12 * HOUR)
})

/** The page of an agent with an endpoint, seen by somebody without a wallet, whose clock the test moves. */
async function visit(host: string, prepare: () => Promise<void>) {
  const { call } = await site.service.signIn()
  const agent = await register(call, { apiEndpoint: `https://${host}/x`, apiProtocol: 'http' })
  await prepare()
  const visit = await site.visit({ isHurried: false })
  const { page } = visit
  await page.clock.install()
  const asked: string[] = []
  const underWay = new Set<unknown>()
  const end = (request: unknown) => underWay.delete(request)
  page.on('request', (request) => {
    underWay.add(request)
    asked.push(new URL(request.url()).pathname.replace('/v1', ''))
  })
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  /** Before the page's clock moves: the client asks again what has not been answered for so long. */
  const answered = () => expect.poll(() => underWay.size).toBe(0)
  await visit.open(`agents/${agent.id}`)
  const path = `/agents/${agent.id}`
  // All that the page asks for when it is opened.
  const first = [path, `${path}/history`, '/reputation/ratings']
  await expect.poll(() => asked).toEqual(expect.arrayContaining(first))
  await answered()
  return { ...visit, asked, answered, path }
}

const look = () => site.service.runJobs('probes')

/** Moves the service to the next regular look, and a page's clock as far. */
async function reachProbe(page?: Page) {
  const { clock } = site.service
  const before = clock.now()
  await clock.travelTo(nextScheduledRun(before + 5 * HOUR))
  await look()
  await page?.clock.fastForward(clock.now() - before)
}

const isSeen = (page: Page, words: string) => page.getByText(words, { exact: true }).first().waitFor()

it('shows that an endpoint is down a minute after the probe, without reloading', async () => {
  const { page, asked, path } = await visit('falls.example.com', async () => {
    await look()
    silent.add('falls.example.com')
    await reachProbe()
  })
  await isSeen(page, 'endpoint up')
  await page.getByText('Up in 1 of 2 checks').waitFor()
  await page.evaluate('globalThis.isTheSame = true')
  await reachProbe(page)
  await page.mouse.move(10, 10)
  asked.length = 0
  await page.clock.fastForward(61_000)
  await isSeen(page, 'endpoint down')
  await page.getByText('Up in 1 of 3 checks').waitFor()
  expect(asked).toEqual([path, `${path}/history`])
  expect(await page.evaluate('globalThis.isTheSame')).toBe(true)
})

it('asks nothing from an idle page after any number of probes, and once on return', async () => {
  const { page, asked, path } = await visit('left.example.com', look)
  await isSeen(page, 'endpoint up')
  silent.add('left.example.com')
  asked.length = 0
  for (let probes = 0; probes < 4; probes++) await reachProbe(page)
  expect(asked).toEqual([])
  await page.mouse.move(20, 20)
  await isSeen(page, 'endpoint down')
  expect(asked.filter((one) => one === path)).toHaveLength(1)
})

it('shows the result of the first probe of a new endpoint', async () => {
  const { page, asked, answered, path } = await visit('new.example.com', async () => undefined)
  await isSeen(page, 'uptime unknown')
  asked.length = 0
  // Each time twice as long after.
  for (const [minutes, times] of [1, 1, 2, 2].entries()) {
    await page.mouse.move(minutes, 30)
    await page.clock.fastForward(61_000)
    await expect.poll(() => asked.filter((one) => one === path).length).toBe(times)
    await answered()
  }
  await look()
  for (let minutes = 0; minutes < 3; minutes++) {
    await page.mouse.move(minutes, 40)
    await page.clock.fastForward(61_000)
  }
  await isSeen(page, 'endpoint up')
})
