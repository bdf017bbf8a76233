import { expect, it } from 'vitest'
import { register } from '../support/agents.ts'
import { useConsole } from '../support/console.ts'
import { setHidden } from '../support/live-pages.ts'
import { createPageWallet } from '../support/page-wallet.ts'
import { createStaker } from '../support/staker.ts'
import { proofOf } from '../support/webhooks.ts'

const site = useConsole()

/** A wallet that has added an endpoint for some of its agents, and what the page showed of its secret. */
async function addEndpoint(
  url: string,
  {
    agents = [],
    chosen = [],
    isHurried = true,
  }: { agents?: string[]; chosen?: string[]; isHurried?: boolean } = {},
) {
  const { keypair, call } = await createStaker(site.service, 0)
  const [oldest, ...others] = agents
  if (oldest) await register(call, { name: oldest })
  await Promise.all(others.map((name) => register(call, { name })))
  const wallet = createPageWallet({ keypair })
  const visit = await site.visit({ view: 'developer/webhooks', wallets: [wallet], isHurried })
  await visit.connect(wallet)
  await visit.page.getByText('No endpoints yet.').waitFor()
  await visit.page.getByLabel('Endpoint URL').fill(url)
  for (const name of chosen) await visit.page.getByRole('checkbox', { name }).check()
  await visit.page.getByRole('button', { name: 'Add endpoint' }).click()
  await visit.page.getByText(`Signing secret for ${url}. Copy it now`).waitFor()
  const secret = await visit.page.getByRole('status').locator('code').first().innerText()
  return {
    ...visit,
    call,
    secret,
    card: visit.page.getByRole('list', { name: 'Endpoints' }).getByRole('listitem'),
  }
}

it('adds, tests, pauses and deletes an endpoint, and replaces its secret', async () => {
  const { page, card, secret } = await addEndpoint('https://hooks.agentcred.example/one')
  expect(secret).toMatch(/^whsec_/)
  await card.getByRole('button', { name: 'Send test event' }).click()
  await card.getByText('delivered').waitFor()
  await card.getByText('not confirmed: limited to').waitFor()
  await card.getByText('Attempts').click()
  await card.getByText('endpoint.test').first().waitFor()

  await card.getByRole('button', { name: 'Rotate secret…' }).click()
  await card.getByRole('button', { name: 'Rotate secret', exact: true }).click()
  await expect.poll(() => page.getByRole('status').locator('code').first().innerText()).not.toBe(secret)
  await page.getByText('The previous secret stays valid').waitFor()

  await card.getByRole('button', { name: 'Pause' }).click()
  await card.getByText('paused').waitFor()
  await card.getByRole('button', { name: 'Enable' }).click()
  await card.getByRole('button', { name: 'Delete…' }).click()
  await card.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('No endpoints yet.').waitFor()
})

it('limits an endpoint to the agents that were chosen, and edits it in the same form', async () => {
  const agents = [
    'Tide Table',
    ...Array.from({ length: 22 }, (_, n) => `Buoy ${n}`),
    'Rain Gauge',
    'Rain Gauge',
  ]
  const url = 'https://hooks.agentcred.example/chosen'
  const { page, card, call, violations } = await addEndpoint(url, { agents, chosen: ['Buoy 7'] })
  await card.getByText('Buoy 7', { exact: true }).waitFor()
  await expect.poll(() => page.getByRole('checkbox', { name: /Rain Gauge \(…[0-9a-f]{4}\)/ }).count()).toBe(2)

  await card.getByText('Edit', { exact: true }).click()
  expect(await card.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
  const address = card.getByLabel('Endpoint URL')
  await address.fill('https://localhost/hook')
  await card.getByText('The new URL must be confirmed first.').waitFor()
  await card.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => address.getAttribute('aria-invalid')).toBe('true')

  await address.fill(`${url}/moved`)
  await card.getByLabel('Name (optional)').fill('Harbour office')
  await card.getByLabel('hire.created').check()
  await card.getByLabel('Buoy 7', { exact: true }).uncheck()
  await card.getByRole('button', { name: 'Show more' }).click()
  await card.getByLabel('Tide Table').check()
  expect(await violations()).toEqual([])
  await card.getByRole('button', { name: 'Save' }).click()
  await card.getByText('Saved.').waitFor()
  await card.getByRole('heading', { name: 'Harbour office' }).waitFor()
  await expect
    .poll(() => card.locator('dd').allInnerTexts())
    .toEqual([expect.any(String), 'hire.created', 'Tide Table'])
  const { body } = await call('GET', '/events/endpoints')
  expect(body.endpoints).toMatchObject([{ url: `${url}/moved`, eventTypes: ['hire.created'] }])
})

it('shows a secret once: on no later page, and not in the browser’s storage', async () => {
  const { page, secret } = await addEndpoint('https://hooks.agentcred.example/two')
  await page.reload()
  await page.getByRole('list', { name: 'Endpoints' }).waitFor()
  expect(await page.content()).not.toContain(secret)
  expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage])')).not.toContain(secret)
})

it('shows an agent’s secret once, where its webhook is set, and asks before rotation', async () => {
  const { keypair, call } = await createStaker(site.service, 0)
  const wallet = createPageWallet({ keypair })
  const { page, connect, violations } = await site.visit({ view: 'agents/register', wallets: [wallet] })
  await connect(wallet)
  await page.getByLabel('Name').fill('Bell Ringer')
  await page.getByRole('checkbox', { name: 'Network' }).check()
  const url = 'https://hooks.agentcred.example/agent'
  await page.getByLabel('Webhook URL (optional)').fill(url)
  await page.getByRole('button', { name: 'Register agent' }).click()
  await page.getByText(`Signing secret for ${url}. Copy it now`).waitFor()
  const shown = () => page.getByRole('status').locator('code').first().innerText()
  const first = await shown()
  expect(first).toMatch(/^whsec_/)
  expect(await violations()).toEqual([])

  await page.goto(page.url().replace(/agents.*/, 'developer/webhooks'))
  await page.getByRole('button', { name: 'Rotate secret…' }).click()
  await page.getByText('The current secret, if there is one, stays valid for 24 hours.').waitFor()
  expect(await page.content()).not.toContain(first)
  await page.getByRole('button', { name: 'Rotate secret', exact: true }).click()
  await page.getByText('The previous secret stays valid').waitFor()
  const second = await shown()
  expect(second).not.toBe(first)

  const { id } = await register(call, { name: 'Late Riser' })
  await page.goto(page.url().replace(/developer.*/, `agents/${id}`))
  await page.getByLabel('New webhook URL').fill(`${url}/late`)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText(`Signing secret for ${url}/late. Copy it now`).waitFor()
  const third = await shown()
  await page.reload()
  await page.getByLabel('New webhook URL').waitFor()
  const stored = await page.evaluate('JSON.stringify([localStorage, sessionStorage])')
  const kept = [await page.content(), page.url(), stored].join()
  for (const secret of [first, second, third]) expect(kept).not.toContain(secret)
})

it('an address that is not public is refused at its field', async () => {
  const wallet = createPageWallet()
  const { page, connect } = await site.visit({ view: 'developer/webhooks', wallets: [wallet] })
  await connect(wallet)
  const address = page.getByLabel('Endpoint URL')
  await address.fill('https://localhost/hook')
  await page.getByRole('button', { name: 'Add endpoint' }).click()
  await expect.poll(() => address.getAttribute('aria-invalid')).toBe('true')
})

it('lists deliveries with their answers, and sends one again on request', async () => {
  const { call, page } = await addEndpoint('https://hooks.agentcred.example/three')
  let received = 0
  site.service.onWebhook(async (request) => {
    const { type, data } = (await request.json()) as { type: string; data: { challenge: string } }
    if (type === 'endpoint.verification') return new Response(proofOf(data.challenge))
    received += 1
    return new Response(null, { status: 204 })
  })
  await register(call)
  await page.getByRole('link', { name: 'Deliveries' }).click()
  const row = page.getByRole('row').filter({ hasText: 'agent.registered' })
  await expect
    .poll(async () => {
      await page.getByRole('button', { name: 'Refresh' }).click()
      return row.getByText('delivered').count()
    })
    .toBe(1)
  const before = received
  await row.getByRole('button', { name: 'Resend agent.registered' }).click()
  await expect.poll(() => received).toBe(before + 1)
})

it('shows a late receiver’s delivery on its own page, and why it waits', async () => {
  let isUp = false
  site.service.onWebhook(async (request) => {
    const { data } = (await request.json()) as { data: { challenge: string } }
    return isUp ? new Response(proofOf(data.challenge)) : new Response(null, { status: 521 })
  })
  const { page, card, violations } = await addEndpoint('https://hooks.agentcred.example/late')
  await card.getByRole('button', { name: 'Send test event' }).click()
  await card.getByText('could not connect').first().waitFor()
  await card.getByText('“Send test event” tries again at once.').waitFor()
  await card.getByRole('link', { name: 'View delivery' }).click()
  await page.getByRole('heading', { name: 'endpoint.test pending' }).waitFor()
  await page.getByText('Next attempt').waitFor()
  expect(await violations()).toEqual([])
  isUp = true
  await page.getByRole('link', { name: 'Back to the endpoint' }).click()
  await page.getByRole('table').getByRole('link', { name: 'endpoint.test' }).waitFor()
  await site.service.clock.travelTo(site.service.clock.now() + 11_000)
  await page.getByRole('button', { name: 'Send test event' }).click()
  await page.getByText('confirmed', { exact: true }).waitFor()
  await page.getByLabel('Status').selectOption('delivered')
  await page.getByRole('table').getByText('delivered').first().waitFor()
  expect(new URL(page.url()).search).toBe('?status=delivered')
  expect(await violations()).toEqual([])
})

it('says why a test event has no result, and looks for it on request', async () => {
  const { page, card } = await addEndpoint('https://hooks.agentcred.example/four')
  const deliveries = /\/v1\/events\/deliveries/
  await page.route(deliveries, (route) =>
    route.fulfill({ status: 403, json: { code: 'permission_missing', detail: 'This session may not.' } }),
  )
  await card.getByRole('button', { name: 'Send test event' }).click()
  await card.getByRole('alert').getByText('This session may not.').waitFor()
  await page.unroute(deliveries)
  await card.getByRole('button', { name: 'Try again' }).click()
  await card.getByText('delivered').waitFor()
})

it('a receiver that answers no challenge is confirmed by what it was sent', async () => {
  let challenge = ''
  site.service.onWebhook(async (request) => {
    const { data } = (await request.json()) as { data: { challenge?: string } }
    challenge ||= data.challenge ?? ''
    return new Response(null, { status: 204 })
  })
  const { card } = await addEndpoint('https://hooks.agentcred.example/five')
  await card.getByRole('button', { name: 'Send test event' }).click()
  await card.getByText('delivered').waitFor()
  await card.getByText('Confirm this endpoint').click()
  const field = card.getByLabel('Challenge')
  await field.fill('something else')
  await card.getByRole('button', { name: 'Confirm' }).click()
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
  await field.fill(challenge)
  await card.getByRole('button', { name: 'Confirm' }).click()
  await card.getByText('confirmed', { exact: true }).waitFor()
})

it('stops asking from a tab that is idle or hidden', async () => {
  const { page, card } = await addEndpoint('https://hooks.agentcred.example/down', { isHurried: false })
  site.service.onWebhook(() => new Response(null, { status: 500 }))
  let asked = 0
  const unanswered = new Set<object>()
  page.on('request', (request) => {
    asked += 1
    unanswered.add(request)
  })
  for (const event of ['requestfinished', 'requestfailed'] as const)
    page.on(event as 'requestfinished', (request) => void unanswered.delete(request))
  const areAllAnswered = () => unanswered.size === 0
  /** In steps of a second, so that no request is out of time. */
  const askedIn = async (seconds: number) => {
    const before = asked
    for (let second = 0; second < seconds; second++) {
      await page.clock.runFor(1_000)
      await expect.poll(areAllAnswered, { interval: 1 }).toBe(true)
    }
    return asked - before
  }
  await page.clock.install()
  await card.getByRole('button', { name: 'Send test event' }).click()
  await card.getByText('pending').first().waitFor()
  // Later than a busy machine comes to it.
  await page.clock.pauseAt(Date.now() + 60_000)
  await expect.poll(areAllAnswered).toBe(true)
  // Every two seconds for five minutes, and then no more, though it is still on its way.
  expect(await askedIn(5 * 60)).toBeGreaterThan(110)
  expect(await askedIn(10)).toBeLessThan(10)
  const before = asked
  await page.clock.runFor('10:00:00')
  // The requests that make up for events missed by its socket: after 5, 10, 20 … minutes.
  expect(asked - before).toBeLessThanOrEqual(8)

  // A user who comes back sees the current state.
  await page.mouse.move(10, 10)
  // Each time for the delivery and for its endpoint.
  expect(await askedIn(1)).toBe(2)
  expect(await askedIn(4)).toBe(4)

  await setHidden(page, true)
  expect(await askedIn(10)).toBe(0)
  await setHidden(page, false)
  expect(await askedIn(1)).toBeGreaterThan(0)
})
