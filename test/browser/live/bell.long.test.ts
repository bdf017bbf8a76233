import { expect, it } from 'vitest'
import { register } from '../../support/agents.ts'
import { useConsole } from '../../support/console.ts'
import { bell, createOwner, latest, setHidden } from '../../support/live-pages.ts'
import { overflow, PHONE } from '../../support/view-faults.ts'

const site = useConsole()
const DAY_MS = 86_400_000

it('shows with the next event that a session has ended; catches up after a new login', async () => {
  const { page, call, key, wallet, sockets } = await createOwner(site)
  await expect.poll(sockets.open).toBe(1)
  await call('POST', '/auth/revoke')
  const again = await site.service.signIn(key)
  await register(again.call, { name: 'Unheard' })
  const alert = page.getByRole('alert').filter({ hasText: 'Your session has ended' })
  await alert.waitFor()
  await expect.poll(sockets.open).toBe(0)
  const signed = wallet.asked.length
  await alert.getByRole('button', { name: 'Log in' }).click()
  await expect.poll(() => alert.count()).toBe(0)
  expect(wallet.asked.length).toBe(signed + 1)
  await expect.poll(() => bell(page).getAttribute('aria-label')).toBe('Notifications, 1 unread')
  await expect.poll(sockets.open).toBe(1)
})

it('closes the socket of a hidden tab, and catches up when it is visible again', async () => {
  const { page, call, agent, sockets } = await createOwner(site)
  await expect.poll(sockets.open).toBe(1)
  await setHidden(page, true)
  await expect.poll(sockets.open).toBe(0)
  let asked = 0
  page.on('request', () => {
    asked += 1
  })
  // A page in a hurry may have replaced one that was quiet.
  const before = sockets.all.length
  const { call: hirer } = await site.service.signIn()
  await hirer('POST', '/agents/hire', { body: { agentId: agent.id } })
  await register(call)
  await page.waitForTimeout(3_000)
  expect([asked, sockets.all.length]).toEqual([0, before])
  await setHidden(page, false)
  await page.getByText('1 new hire').waitFor()
  await expect.poll(() => bell(page).getAttribute('aria-label')).toBe('Notifications, 2 unread')
  await expect.poll(sockets.open).toBe(1)
})

it('shows the bell by keyboard and screen reader, on a phone and in the dark', async () => {
  const { page, call, violations } = await createOwner(site)
  await bell(page).focus()
  await expect.poll(() => bell(page).getAttribute('aria-label')).toBe('Notifications')
  const header = page.getByRole('banner')
  const before = await header.boundingBox()
  await register(call, { name: 'News' })
  await page.getByRole('status').getByText('1 unread notification', { exact: true }).waitFor()
  expect(await header.boundingBox()).toEqual(before)
  expect(await bell(page).getAttribute('aria-label')).toBe('Notifications, 1 unread')
  await page.keyboard.press('Enter')
  const list = page.getByRole('region', { name: 'Notifications' })
  await list.getByText('Your agent News is registered.').waitFor()
  await list.getByText('New.').waitFor()
  await expect.poll(() => bell(page).getAttribute('aria-label')).toBe('Notifications')
  // Closed and opened again before the browser reports it, as on a busy machine: it then reports one toggle.
  await bell(page).evaluate((summary) => {
    summary.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
    ;(summary as HTMLElement).click()
  })
  await expect.poll(() => list.getByText('New.').count()).toBe(0)
  await list.getByText('Your agent News is registered.').waitFor()
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
  expect(await page.evaluate(focused)).toBe('Notifications')

  await page.keyboard.press('Enter')
  await list.getByText('Your agent News is registered.').waitFor()
  expect(await list.getByText('New.').count()).toBe(0)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'News' }).waitFor()
  await expect.poll(() => list.count()).toBe(0)
  // Read events stay read.
  await page.reload()
  await expect.poll(() => bell(page).getAttribute('aria-label')).toBe('Notifications')
})

it('where nobody can listen the log is read without a socket, when the page is seen', async () => {
  const { page, call, agent, sockets } = await createOwner(site, {
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
  const { page, wallet, sockets } = await createOwner(site)
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
