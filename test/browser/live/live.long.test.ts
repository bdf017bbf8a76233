import { expect, it } from 'vitest'
import { walletFromSecretKey } from '../../../lib/cli/wallet.ts'
import { connectThrough, serveNeon } from '../../../lib/local/neon/server.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import { register } from '../../support/agents.ts'
import { useConsole } from '../../support/console.ts'
import { eventsOf } from '../../support/events.ts'
import { bell, createOwner, latest } from '../../support/live-pages.ts'
import { openVault } from '../../support/open-vault.ts'
import { createPageWallet } from '../../support/page-wallet.ts'
import { ONE_CRED, type Payment, recordPayments } from '../../support/paid.ts'
import { createStaker, travel } from '../../support/staker.ts'

const site = useConsole()

it('shows a hire and a charge on the other side’s page without reloading', async () => {
  const owning = await createOwner(site)
  const hirer = createPageWallet()
  const hiring = await site.visit({ view: `agents/${owning.agent.id}`, wallets: [hirer] })
  await hiring.connect(hirer)
  await hiring.page.getByLabel('Spending limit per period, in CRED').fill('5')
  await hiring.page.getByRole('button', { name: 'Hire', exact: true }).click()
  const row = owning.page.getByRole('row').filter({ has: owning.page.getByTitle(hirer.address) })
  await row.getByText('0 CRED charged of 5 CRED').waitFor()
  await expect.poll(() => bell(owning.page).getAttribute('aria-label')).toBe('Notifications, 1 unread')
  await owning.page.getByText('1 new hire').waitFor()

  await hiring.page.getByRole('link', { name: 'Manage hire' }).click()
  await hiring.page.getByText('0 CRED charged of 5 CRED').waitFor()
  await row.getByRole('link').click()
  await owning.page.getByLabel('Reference').fill('job-1')
  await owning.page.getByLabel('Units').fill('2')
  await owning.page.getByRole('button', { name: 'Charge', exact: true }).click()
  await hiring.page.getByText('4 CRED charged of 5 CRED').waitFor()
  await hiring.page.getByText('4 CRED to fund').waitFor()
  await owning.page.goBack()
  await owning.page.getByText('1 charge', { exact: true }).waitFor()
  // Not all that there ever were: a page in a hurry replaces a socket that was quiet for 37 seconds.
  await expect.poll(owning.sockets.open).toBe(1)

  await bell(hiring.page).click()
  await expect
    .poll(() => latest(hiring.page))
    .toEqual([
      'You have used 80% of your spending limit for Crane. 1 CRED is left this period.',
      'Crane charged you 4 CRED for job-1.',
      'You hired Crane.',
    ])
  // Each leads to what it is about.
  await hiring.page.getByRole('link', { name: 'Crane charged you' }).click()
  await hiring.page.getByRole('heading', { level: 1, name: 'Charge job-1' }).waitFor()
  expect(await hiring.violations()).toEqual([])
})

it('reads each changed resource once for events that happened together', async () => {
  // The page has all six at once, however long the machine takes for them.
  const held: string[] = []
  const { page, agent, sockets } = await createOwner(site, {
    wraps: ({ context }) =>
      context.routeWebSocket(/\/v1\/events\/live/, (socket) => {
        socket.connectToServer().onMessage((message) => {
          if (!String(message).includes('hire.created')) return socket.send(message)
          held.push(String(message))
          const events = held.join().split('"hire.created"').length - 1
          if (events >= 6) for (const each of held.splice(0)) socket.send(each)
        })
      }),
  })
  const hirers = await Promise.all(Array.from({ length: 6 }, () => site.service.signIn()))
  await expect.poll(sockets.open).toBe(1)
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname.replace('/v1', '')))
  await Promise.all(hirers.map(({ call }) => call('POST', '/agents/hire', { body: { agentId: agent.id } })))
  await expect.poll(() => page.getByRole('row').filter({ hasText: 'no spending limit' }).count()).toBe(6)
  await page.getByText('6 new hires').waitFor()
  const own = [`/agents/${agent.id}`, `/agents/${agent.id}/history`, `/agents/${agent.id}/hires`]
  // The parts of the page ask each for itself.
  await expect.poll(() => new Set(asked)).toEqual(new Set(own))
  for (const path of own) expect(asked.filter((one) => one === path).length).toBeLessThan(6)
})

it('keeps a list with further pages as it is, and offers new entries', async () => {
  const { page, agent } = await createOwner(site, {
    // Pages of two.
    wraps: ({ context }) =>
      context.route(/\/v1\/agents\/[^/]+\/hires/, (route) => {
        const url = new URL(route.request().url())
        url.searchParams.set('limit', '2')
        return route.continue({ url: url.href })
      }),
  })
  const hire = async () => {
    const { call, wallet } = await site.service.signIn()
    await call('POST', '/agents/hire', { body: { agentId: agent.id } })
    return wallet.publicKey
  }
  for (let i = 0; i < 3; i++) await hire()
  const hires = page.getByRole('region', { name: 'Hires' }).locator('tbody tr')
  const notice = page.getByText('There is new activity.')
  // A list without further pages is loaded again at once.
  await page.getByTitle(await hire()).waitFor()
  expect(await notice.count()).toBe(0)
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect.poll(() => hires.count()).toBe(4)
  const newcomer = page.getByTitle(await hire())
  await notice.waitFor()
  expect([await hires.count(), await newcomer.count()]).toEqual([4, 0])
  await page.getByRole('button', { name: 'Refresh list' }).click()
  await newcomer.waitFor()
  await expect.poll(() => notice.count()).toBe(0)
  expect(await hires.count()).toBe(4)
})

it('loses and doubles no event, in the order of GET /events, when sockets are killed', async () => {
  let killed = 0
  let opened = 0
  const { page, call } = await createOwner(site, {
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

it('shows a rating on the owner’s page, and its answer on the rater’s page', async () => {
  const { page, agent, wallet } = await createOwner(site)
  const hirer = createPageWallet()
  const { call } = await site.service.signIn(walletFromSecretKey(hirer.keypair.secretKey))
  const { body: hire } = await call('POST', '/agents/hire', { body: { agentId: agent.id } })
  const hireId = String(hire.id)
  await pay({ hireId, agentId: agent.id, owner: wallet.address as Wallet, payer: hirer.address as Wallet })
  await call('POST', '/reputation/ratings', { body: { hireId, rating: 4, comment: 'Lifts well.' } })
  const rating = page.getByRole('listitem').filter({ hasText: 'Lifts well.' })
  await rating.waitFor()

  const hirers = await site.visit({ view: `agents/${agent.id}`, wallets: [hirer] })
  await hirers.connect(hirer)
  await bell(hirers.page).click()
  await hirers.page.getByRole('banner').getByRole('button', { name: 'Log in' }).click()
  await expect.poll(() => latest(hirers.page)).toHaveLength(2)
  await rating.getByText('Reply').click()
  await rating.getByLabel('Your reply').fill('Thank you.')
  await rating.getByRole('button', { name: 'Publish reply' }).click()
  await hirers.page.getByRole('main').getByText('Thank you.').waitFor()
  await expect.poll(() => latest(hirers.page)).toHaveLength(3)
})

it('shows a stake of another program in the vault when it is confirmed', async () => {
  const staker = await createStaker(site.service)
  const { page } = await openVault(site, staker)
  await bell(page).click()
  await page.getByRole('banner').getByRole('button', { name: 'Log in' }).click()
  await expect.poll(() => latest(page)).toEqual([expect.stringMatching(/^Your stake of 100 CRED/)])
  await staker.relay(await staker.stack(25_000_000_000))
  const position = page.getByRole('heading', { name: '25 CRED for 30 days' })
  // Nobody asks for the transaction: the service finds it by itself.
  await expect
    .poll(async () => {
      await travel(site.service, 500)
      await site.service.runJobs('settlement')
      return position.isVisible()
    })
    .toBe(true)
  await expect.poll(() => latest(page)).toHaveLength(2)
})

/** Counts a payment for a hire, as one that was collected. */
async function pay(hire: Pick<Payment, 'hireId' | 'agentId' | 'owner' | 'payer'>): Promise<void> {
  const server = await serveNeon(site.service.database.handler, 0)
  const amount = 40n * ONE_CRED
  await recordPayments(connectThrough(server.url), [{ ...hire, layer: 10, amount, fee: amount / 100n }])
  await server.close()
}
