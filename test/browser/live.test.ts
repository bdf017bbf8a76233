import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { walletFromSecretKey } from '../../lib/cli/wallet.ts'
import { register } from '../support/agents.ts'
import { useConsole, type Visit } from '../support/console.ts'
import { eventsOf } from '../support/events.ts'
import { createPageWallet } from '../support/page-wallet.ts'
import { overflow, PHONE } from '../support/view-faults.ts'

const site = useConsole()
const DAY_MS = 86_400_000

/** An owner with an agent and a page on it, which has logged in and follows the owner's log. */
async function createOwner({ wraps = async (_visit: Visit): Promise<unknown> => undefined } = {}) {
  const wallet = createPageWallet()
  const key = walletFromSecretKey(wallet.keypair.secretKey)
  const { call } = await site.service.signIn(key)
  const agent = await register(call, { name: 'Crane', feeModel: 'flat', feeAmount: 2_000_000_000 })
  const visit = await site.visit({ wallets: [wallet] })
  await wraps(visit)
  await visit.open(`agents/${agent.id}`)
  const sockets = socketsOf(visit.page)
  await visit.connect(wallet)
  await visit.page.getByText('Nobody has hired it yet.').waitFor()
  return { ...visit, ...{ call, agent, wallet, key, sockets } }
}

/** The page's sockets on the log, those that were closed among them. */
function socketsOf(page: Page) {
  const sockets: { isOpen: boolean }[] = []
  page.on('websocket', (socket) => {
    const state = { isOpen: true }
    sockets.push(state)
    socket.on('close', () => {
      state.isOpen = false
    })
  })
  return { all: sockets, open: () => sockets.filter(({ isOpen }) => isOpen).length }
}

const bell = (page: Page) => page.getByRole('banner').locator('.bell summary')

/** What the bell's list says, newest first. */
const latest = (page: Page) =>
  page.getByRole('list').and(page.locator('.latest')).getByRole('link').allInnerTexts()

const setHidden = (page: Page, isHidden: boolean) =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { value: hidden, configurable: true })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  }, isHidden)

it('two browsers: one hires and the other’s page shows it, then is charged and sees that, without reloading', async () => {
  const owning = await createOwner()
  const hirer = createPageWallet()
  const hiring = await site.visit({ view: `agents/${owning.agent.id}`, wallets: [hirer] })
  await hiring.connect(hirer)
  await hiring.page.getByLabel('Budget of each period, in CRED').fill('5')
  await hiring.page.getByRole('button', { name: 'Hire', exact: true }).click()
  const card = owning.page.getByRole('listitem').filter({ has: owning.page.getByTitle(hirer.address) })
  await card.getByText('0 CRED charged of 5 CRED').waitFor()
  await expect.poll(() => bell(owning.page).getAttribute('aria-label')).toBe('Latest events, 1 unread')
  await owning.page.getByText('1 hire began').waitFor()

  await hiring.page.getByRole('link', { name: 'Go to your hires' }).click()
  await hiring.page.getByText('0 CRED charged of 5 CRED').waitFor()
  await card.getByText('Charge for work').click()
  await card.getByLabel('Your reference').fill('job-1')
  await card.getByLabel('Units').fill('2')
  await card.getByRole('button', { name: 'Charge', exact: true }).click()
  await hiring.page.getByText('4 CRED charged of 5 CRED').waitFor()
  await owning.page.getByText('1 charge for its work').waitFor()
  // Sockets of both, one each.
  expect(owning.sockets.all).toHaveLength(1)

  await bell(hiring.page).click()
  await expect
    .poll(() => latest(hiring.page))
    .toEqual([
      expect.stringMatching(/^Four fifths of your budget are spent: 1 CRED remain/),
      'You were charged 4 CRED for job-1.',
      'You have hired an agent.',
    ])
})

it('what an event is about is read once for all that happened together, and nothing else is', async () => {
  const { page, agent, sockets } = await createOwner()
  await expect.poll(sockets.open).toBe(1)
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname.replace('/v1', '')))
  await Promise.all(
    Array.from({ length: 6 }, async () => {
      const { call } = await site.service.signIn()
      await call('POST', '/agents/hire', { body: { agentId: agent.id } })
    }),
  )
  await expect.poll(() => page.getByRole('listitem').filter({ hasText: 'charged' }).count()).toBe(6)
  await page.getByText('6 hires began').waitFor()
  const own = [`/agents/${agent.id}`, `/agents/${agent.id}/history`, `/agents/${agent.id}/hires`]
  expect(new Set(asked)).toEqual(new Set(own))
  for (const path of own) expect(asked.filter((one) => one === path).length).toBeLessThan(6)
})

it('sockets that are killed at each event lose none, double none and keep the order of GET /events', async () => {
  let killed = 0
  let opened = 0
  const { page, call } = await createOwner({
    wraps: ({ context }) =>
      context.routeWebSocket(/\/v1\/events\/live/, (socket) => {
        const server = socket.connectToServer()
        server.onMessage((message) => {
          if (message === 'pong') opened += 1
          if (!String(message).includes('"events":[{')) return socket.send(message)
          // Every second one dies before the page has the event.
          if (killed++ % 2 === 1) socket.send(message)
          void socket.close({ code: 4000 })
          void server.close({ code: 4000 })
        })
      }),
  })
  await bell(page).click()
  await expect.poll(() => latest(page)).toHaveLength(1)
  for (let i = 0; i < 10; i++) {
    await expect.poll(() => opened).toBeGreaterThan(i)
    await register(call, { name: `Number ${i}` })
    await expect.poll(() => killed).toBeGreaterThan(i)
  }
  const log = (await eventsOf(call)).map(({ data }) => `Your agent ${data.name} is registered.`)
  expect(log).toHaveLength(11)
  await expect.poll(() => latest(page)).toEqual(log.toReversed())
})

it('a session that was ended elsewhere is said with the next event; after a new login all is told', async () => {
  const { page, call, key, wallet, sockets } = await createOwner()
  await expect.poll(sockets.open).toBe(1)
  await call('POST', '/auth/revoke')
  const again = await site.service.signIn(key)
  await register(again.call, { name: 'Unheard' })
  const alert = page.getByRole('alert').filter({ hasText: 'Your session has ended' })
  await alert.waitFor()
  expect(sockets.open()).toBe(0)
  const signed = wallet.asked.length
  await alert.getByRole('button', { name: 'Log in' }).click()
  await expect.poll(() => alert.count()).toBe(0)
  expect(wallet.asked.length).toBe(signed + 1)
  await expect.poll(() => bell(page).getAttribute('aria-label')).toBe('Latest events, 1 unread')
  await expect.poll(sockets.open).toBe(1)
})

it('a hidden tab has no socket and asks nothing; seen again it knows what has happened', async () => {
  const { page, call, agent, sockets } = await createOwner()
  await expect.poll(sockets.open).toBe(1)
  await setHidden(page, true)
  await expect.poll(sockets.open).toBe(0)
  let asked = 0
  page.on('request', () => {
    asked += 1
  })
  const { call: hirer } = await site.service.signIn()
  await hirer('POST', '/agents/hire', { body: { agentId: agent.id } })
  await register(call)
  await page.waitForTimeout(3_000)
  expect([asked, sockets.all.length]).toEqual([0, 1])
  await setHidden(page, false)
  await page.getByText('1 hire began').waitFor()
  await expect.poll(() => bell(page).getAttribute('aria-label')).toBe('Latest events, 2 unread')
  await expect.poll(sockets.open).toBe(1)
})

it('the bell: by keyboard and screen reader, read when opened, on a phone, in the dark', async () => {
  const { page, call, violations } = await createOwner()
  await bell(page).focus()
  await expect.poll(() => bell(page).getAttribute('aria-label')).toBe('Latest events')
  await register(call, { name: 'News' })
  await page.getByRole('status').getByText('1 unread event', { exact: true }).waitFor()
  expect(await bell(page).getAttribute('aria-label')).toBe('Latest events, 1 unread')
  await page.keyboard.press('Enter')
  const list = page.getByRole('region', { name: 'Latest events' })
  await list.getByText('Your agent News is registered.').waitFor()
  await list.getByText('New.').waitFor()
  await expect.poll(() => bell(page).getAttribute('aria-label')).toBe('Latest events')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await violations()).toEqual([])
  }
  await page.setViewportSize(PHONE)
  expect(await violations()).toEqual([])
  expect(await overflow(page)).toBe(0)
  const box = await list.boundingBox()
  expect([box && box.x >= 0, box && box.x + box.width <= PHONE.width]).toEqual([true, true])
  await page.keyboard.press('Escape')
  await expect.poll(() => list.count()).toBe(0)
  const focused = 'document.activeElement.getAttribute("aria-label")'
  expect(await page.evaluate(focused)).toBe('Latest events')

  await page.keyboard.press('Enter')
  await list.getByText('Your agent News is registered.').waitFor()
  expect(await list.getByText('New.').count()).toBe(0)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'News' }).waitFor()
  await expect.poll(() => list.count()).toBe(0)
  // What was seen stays seen.
  await page.reload()
  await expect.poll(() => bell(page).getAttribute('aria-label')).toBe('Latest events')
})

it('where nobody can listen the log is read without a socket, when the page is seen', async () => {
  const { page, call, agent, sockets } = await createOwner({
    wraps: ({ context }) =>
      context.route(/\/console\/agents/, async (route) => {
        const answer = await route.fetch()
        const left = '<meta name="left-out" content="live">'
        await route.fulfill({
          response: answer,
          body: (await answer.text()).replace('<head>', `<head>${left}`),
        })
      }),
  })
  await bell(page).click()
  await expect.poll(() => latest(page)).toHaveLength(1)
  await register(call, { name: 'Later' })
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.waitForTimeout(2_000)
  expect([asked, sockets.all]).toEqual([[], []])
  await setHidden(page, true)
  await setHidden(page, false)
  await expect
    .poll(() => latest(page))
    .toEqual(['Your agent Later is registered.', 'Your agent Crane is registered.'])
  expect(sockets.all).toEqual([])
  expect(agent.id).toBeDefined()
})

it('the end of a token is said, with the way to log in again', async () => {
  const { page, wallet, sockets } = await createOwner()
  await expect.poll(sockets.open).toBe(1)
  await site.service.clock.travelTo(site.service.clock.now() + DAY_MS + 1_000)
  await expect
    .poll(async () => {
      await site.service.reachLiveAlarm(wallet.address)
      return sockets.open()
    })
    .toBe(0)
  const alert = page.getByRole('alert').filter({ hasText: 'Your session has ended' })
  await alert.getByRole('button', { name: 'Log in' }).click()
  await expect.poll(() => alert.count()).toBe(0)
  await expect.poll(sockets.open).toBe(1)
})
