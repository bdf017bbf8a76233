import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { register } from '../support/agents.ts'
import { mintOf } from '../support/chain.ts'
import { useConsole } from '../support/console.ts'
import { temporaryFolder } from '../support/key-files.ts'
import { untilLanded } from '../support/open-vault.ts'
import { createPageWallet } from '../support/page-wallet.ts'
import { createPayer } from '../support/payer.ts'
import { travel } from '../support/staker.ts'
import { overflow, PHONE } from '../support/view-faults.ts'
import { FAILURE } from '../support/view-states.ts'

const site = useConsole()

/** How far each step of the checklist is, in the order of the list. */
const states = (page: Page) => page.locator('.checklist .badge').allInnerTexts()

const DONE = 'Done'
const TO_DO = 'To do'
const UNKNOWN = 'Not confirmed'

/**
 * Creates or replaces a key, and takes its URL from the page as a reader does, then dismisses it. The button
 * asks first if a key may end.
 */
async function createKey(page: Page, label: string, asksFirst = true): Promise<string> {
  if (asksFirst) await page.getByRole('button', { name: `${label}…` }).click()
  await page.getByRole('button', { name: label, exact: true }).click()
  const shown = page.getByRole('status').filter({ hasText: 'it won’t be shown again' })
  const url = await shown.locator('code').first().innerText()
  await page.getByRole('button', { name: 'I’ve saved it' }).click()
  await shown.waitFor({ state: 'detached' })
  // The button that had the focus is gone.
  await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('SECTION')
  return url
}

/**
 * Saves a copied program in a folder with the packages and the file .env, and starts it by Node as the page
 * says to.
 * @param command what follows `node`
 */
function start(file: string, command: string[], text: string, env = '') {
  const folder = temporaryFolder()
  writeFileSync(join(folder, file), text)
  writeFileSync(join(folder, '.env'), env)
  symlinkSync(join(import.meta.dirname, '../../node_modules'), join(folder, 'node_modules'))
  return spawn(process.execPath, command, {
    cwd: folder,
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

/** Starts a copied server. */
async function startServer(text: string, facilitatorUrl: string): Promise<string> {
  const env = `FACILITATOR_URL=${facilitatorUrl}\n`
  const server = start('server.mjs', ['--env-file=.env', 'server.mjs'], text, env)
  onTestFinished(async () => {
    const ended = once(server, 'close')
    if (server.kill()) await ended
  })
  const [line] = await Promise.race([once(server.stdout, 'data'), once(server, 'close').then(() => [''])])
  const [url] = /http:\S+/.exec(String(line)) ?? []
  if (url === undefined) throw new Error(`the server did not start: ${line}`)
  return url
}

/** Runs a copied customer to its end, and returns what it has written. */
async function runCustomer(text: string, url: string): Promise<string> {
  const customer = start('pay.mjs', ['pay.mjs', url], text)
  let written = ''
  customer.stdout.on('data', (chunk) => {
    written += chunk
  })
  await once(customer, 'close')
  return written
}

it('sells a first request by clicks alone, with the server that the page shows', async () => {
  const wallet = createPageWallet()
  const { url: rpcUrl, bindings } = site.service.solana
  const visit = await site.visit({ wallets: [wallet], others: [new URL(rpcUrl).origin] })
  const { page, context, connect, open, violations } = visit
  const chain = { rpcUrl, mint: bindings.VAULT_MINT }
  await context.route('**/development.json', (route) => route.fulfill({ json: { chain } }))
  await open('agents/register')
  await connect(wallet)
  await page.getByLabel('Name').fill('Forecast')
  await page.getByRole('checkbox', { name: 'Network' }).check()
  await page.getByRole('button', { name: 'Register agent' }).click()
  const steps = page.getByRole('region', { name: 'Get paid' })
  await steps.getByRole('link', { name: 'Sell requests' }).click()
  await page.getByRole('heading', { level: 1, name: 'Sell requests' }).waitFor()
  await expect.poll(() => states(page)).toEqual([TO_DO, TO_DO, UNKNOWN, TO_DO, TO_DO, UNKNOWN, TO_DO, TO_DO])
  expect(await violations()).toEqual([])

  await page.getByRole('link', { name: 'Set the address' }).click()
  expect(await page.getByLabel('Endpoint URL').inputValue()).toBe('http://localhost:3000')
  await page.getByLabel('Endpoint URL').fill('http://localhost:4021')
  await page.getByRole('button', { name: 'Save address' }).click()
  await page.locator('.checklist').getByText('http://localhost:4021').waitFor()
  await expect.poll(() => states(page)).toEqual([DONE, TO_DO, UNKNOWN, TO_DO, TO_DO, UNKNOWN, TO_DO, TO_DO])

  await page.getByRole('link', { name: 'Add a price' }).first().click()
  await page.getByLabel('Route').fill('weather')
  await page.getByText('This isn’t a route').waitFor()
  await page.getByLabel('Route').fill('GET /forecast')
  await page.getByText('This isn’t a route').waitFor({ state: 'detached' })
  const price = page.getByLabel('Price per request, in CRED')
  await price.fill('0')
  await page.getByText('Enter a price above 0.').waitFor()
  await price.fill('0.01')
  await page
    .getByText('You pay about 0.010001 CRED for each request. At this price you lose money.')
    .waitFor()
  await price.fill('0.25')
  await page.getByText('At this price you lose money.').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Add price' }).click()
  await page.getByText('Price for GET /forecast added.').waitFor()
  await expect.poll(() => states(page)).toEqual([DONE, DONE, TO_DO, TO_DO, TO_DO, UNKNOWN, TO_DO, TO_DO])

  await page.getByRole('banner').getByTitle(wallet.address).click()
  await page.getByRole('button', { name: 'Get test funds' }).click()
  await page.locator('.menu-body').getByText('10,000').waitFor()
  await page.getByRole('banner').getByTitle(wallet.address).click()
  // The service remembers for ten seconds that the account was missing.
  await travel(site.service, 10_001)
  await page.getByRole('button', { name: 'Check again' }).click()
  await expect.poll(() => states(page)).toEqual([DONE, DONE, DONE, TO_DO, TO_DO, UNKNOWN, TO_DO, TO_DO])

  const key = await createKey(page, 'Create key', false)
  const kept = 'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, location.href])'
  expect(await page.content()).not.toContain(key)
  expect(await page.evaluate<string>(kept)).not.toContain(new URL(key).pathname)
  await expect.poll(() => states(page)).toEqual([DONE, DONE, DONE, DONE, TO_DO, UNKNOWN, TO_DO, TO_DO])

  await page.getByLabel('Amount in CRED').fill('0.001')
  await page.getByText('This doesn’t pay for a request').waitFor()
  await page.getByLabel('Amount in CRED').fill('5')
  await page.getByText('5 CRED is about 499 requests.').waitFor()
  await page.getByRole('button', { name: 'Buy credit' }).click()
  await untilLanded(site.service, page.getByText('Transaction confirmed.'))
  await expect.poll(() => states(page)).toEqual([DONE, DONE, DONE, DONE, DONE, UNKNOWN, TO_DO, TO_DO])

  await page.getByText('It listens on port 4021').waitFor()
  const copied = async (section: string) =>
    (await page.getByRole('region', { name: section }).locator('pre').textContent()) ?? ''
  const server = await startServer(await copied('Server'), key)
  expect((await fetch(server)).status).toBe(402)
  await page.getByRole('link', { name: 'Pay for one yourself' }).click()
  const written = await runCustomer(await copied('First customer'), server)
  expect(written).toContain('200 {"answer":"Your paid work goes here."}')
  expect(written).toContain('Paid 0.25 CRED by the transaction')
  const [, payer = ''] = /The customer is (\w+)/.exec(written) ?? []

  const row = page.getByRole('row').filter({ hasText: 'paid' })
  await row.getByText('0.25 CRED').waitFor()
  await row.getByText('GET /forecast').waitFor()
  await row.getByTitle(payer).waitFor()
  await expect.poll(() => states(page)).toEqual([DONE, DONE, DONE, DONE, DONE, DONE, DONE, TO_DO])
  // 5 CRED less 0.010001 CRED, at 0.010001 CRED each.
  await page.locator('.figures').getByText('498').waitFor()
  expect(await violations()).toEqual([])
  await page.setViewportSize(PHONE)
  expect(await overflow(page)).toBe(0)
})

/** An owner of an agent at 0.25 CRED a request, as the page's wallet and over HTTP. */
async function createSeller() {
  const payer = await createPayer(site.service, 10_000_000_000)
  const { id } = await register(payer.call, { name: 'Tern' })
  const prices = [{ name: 'GET /tides', amount: 250_000_000 }]
  await payer.call('PUT', `/x402/agents/${id}/prices`, { body: { prices } })
  return { id: String(id), payer, wallet: createPageWallet({ keypair: payer.keypair }) }
}

it('changes and ends prices, keeps one set elsewhere, and marks refused fields', async () => {
  const { id, payer, wallet } = await createSeller()
  const { page, connect, violations } = await site.visit({ view: `selling/${id}`, wallets: [wallet] })
  await connect(wallet)
  const prices = page.getByRole('list', { name: 'Prices' }).locator('.card')
  const tides = prices.filter({ hasText: 'GET /tides' })
  await tides.getByText('0.25 CRED per request').waitFor()
  const set = async () => (await site.service.call('GET', `/x402/agents/${id}`)).body.prices
  const asset = mintOf(site.service)

  const other = { name: 'GET /moon', amount: 1, asset }
  const before = [{ name: 'GET /tides', amount: 250_000_000 }, other]
  await payer.call('PUT', `/x402/agents/${id}/prices`, { body: { prices: before } })
  await tides.getByText('Change price').click()
  await tides.getByLabel('Price per request, in CRED').fill('0.3000000001')
  await tides.getByText('at most nine decimals').waitFor()
  await tides.getByLabel('Price per request, in CRED').fill('0.300000001')
  await tides.getByRole('button', { name: 'Save' }).click()
  await tides.getByText('0.300000001 CRED per request').waitFor()
  expect(await set()).toEqual([other, { name: 'GET /tides', amount: 300_000_001, asset }])

  const route = page.getByLabel('Route')
  await route.fill('GET /tides')
  await page.getByLabel('Price per request, in CRED').last().fill('1')
  await page.getByRole('button', { name: 'Add price' }).click()
  await expect.poll(() => route.getAttribute('aria-invalid')).toBe('true')
  expect(await violations()).toEqual([])
  await page.getByLabel('Paid in').selectOption('Another token')
  await route.fill('GET /sun')
  await page.getByLabel('smallest units').fill('5')
  const mint = page.getByLabel('Token’s mint address')
  await mint.fill(wallet.address)
  await page.getByRole('button', { name: 'Add price' }).click()
  await expect.poll(() => mint.getAttribute('aria-invalid')).toBe('true')

  await page.getByLabel('Price', { exact: true }).selectOption('GET /moon')
  await page.locator('pre').getByText('server.mjs sells GET /moon for 0.000000001 CRED').waitFor()
  await prices.filter({ hasText: 'GET /moon' }).getByRole('button', { name: 'End price…' }).click()
  await page.getByText('accepted for ten more minutes, then refused').waitFor()
  await page.getByRole('button', { name: 'End price', exact: true }).click()
  await expect.poll(() => prices.getByRole('heading').allInnerTexts()).toEqual(['GET /tides'])
  expect(await set()).toHaveLength(1)
})

it('asks before it replaces a key, also while the chain does not answer', async () => {
  const { id, wallet } = await createSeller()
  const { page, context, connect } = await site.visit({ view: `selling/${id}`, wallets: [wallet] })
  await connect(wallet)
  const first = await createKey(page, 'Create key', false)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await context.route(`**/v1/x402/agents/${id}`, (route) => route.fulfill(FAILURE))
  await page.reload()
  await page.locator('.failure').getByText('dependency_unavailable').first().waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Create key…' }).click()
  await page.getByText('If this agent already has a key, that key stops working at once').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  const second = await createKey(page, 'Create key')
  expect(second).not.toBe(first)
  await page.getByRole('button', { name: 'Replace key…' }).click()
  await page.getByText('The current key stops working at once').waitFor()
  await page.getByRole('button', { name: 'Replace key', exact: true }).click()
  await page.getByRole('button', { name: 'Copy URL' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  const third = await page.evaluate<string>('navigator.clipboard.readText()')
  expect(third).not.toBe(second)
  // A key goes with its view.
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Market' }).click()
  await page.getByRole('heading', { level: 1, name: 'Market' }).waitFor()
  await page.goBack()
  await page.getByRole('button', { name: 'Create key…' }).waitFor()
  expect(await page.content()).not.toContain(third)
})

it('shows why payments are refused, and what to do', async () => {
  const { id, payer, wallet } = await createSeller()
  const { body: key } = await payer.call('POST', `/x402/agents/${id}/key`)
  const kind = { scheme: 'exact', network: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1' }
  const body = {
    paymentPayload: { x402Version: 2, accepted: kind, payload: { transaction: 'AAAA' } },
    paymentRequirements: { ...kind, amount: '1', asset: wallet.address, payTo: wallet.address, extra: {} },
  }
  const refused = await site.service.call('POST', `/x402/k/${key.key}/verify`, { body })
  expect(refused.body).toMatchObject({ isValid: false })
  const { page, connect, violations } = await site.visit({ view: `selling/${id}`, wallets: [wallet] })
  await connect(wallet)
  const refusals = page.getByRole('list', { name: 'Refused payments' }).getByRole('listitem')
  await refusals.getByText('Your server asks for the wrong payment').waitFor()
  expect(await refusals.count()).toBe(1)
  await expect.poll(async () => (await states(page))[3]).toBe(DONE)
  expect(await violations()).toEqual([])
  await page.setViewportSize(PHONE)
  expect(await overflow(page)).toBe(0)
})

it('hides a route from the catalog, shows it again and has it checked', async () => {
  const { id, payer, wallet } = await createSeller()
  await payer.call('PATCH', `/agents/${id}`, { body: { apiEndpoint: 'https://tides.example.com/' } })
  await site.service.database.engine.execScript(
    `insert into request_resources (agent_id, price_name, state, url, document, checked_at, paid_at, changed_at)
    values ('${id}', 'GET /tides', 'listed', 'https://tides.example.com/tides', '{}', now(), now(), now())`,
  )
  const { page, connect, violations } = await site.visit({ view: `selling/${id}`, wallets: [wallet] })
  await connect(wallet)
  const route = page.getByRole('list', { name: 'Catalog' }).getByRole('listitem')
  await route.getByText('Listed').waitFor()
  await route.getByText('https://tides.example.com/tides').waitFor()
  expect((await states(page)).at(-1)).toBe(DONE)
  await route.getByRole('button', { name: 'Hide from catalog' }).click()
  await route.getByText('Hidden').waitFor()
  await expect.poll(async () => (await states(page)).at(-1)).toBe(TO_DO)
  await route.getByRole('button', { name: 'Show in catalog' }).click()
  await route.getByText('Being checked').waitFor()
  await route.getByRole('button', { name: 'Check now' }).click()
  await route.getByText('The service checks this route within five minutes.').waitFor()
  expect(await route.getByRole('button', { name: 'Check now' }).count()).toBe(0)
  // As the first check that fails for a listed route leaves it. The card follows without a reload.
  await site.service.database.engine.execScript(
    `update request_resources set state = 'listed', document = '{}', code = 'down', failures = 1,
      checked_at = now() + interval '1 day', next_probe_at = null where agent_id = '${id}'`,
  )
  await route.getByText('Last check failed').waitFor()
  await route.getByText('Your server didn’t answer.').waitFor()
  await route.getByText('A second failed check takes the route off the catalog.').waitFor()
  await route.getByRole('button', { name: 'Check now' }).waitFor()
  expect(await violations()).toEqual([])
  await page.setViewportSize(PHONE)
  expect(await overflow(page)).toBe(0)
})

it('hides sales from other wallets, and says when there is no agent', async () => {
  const { id, payer } = await createSeller()
  const stranger = createPageWallet()
  const { page, connect, open, violations } = await site.visit({ view: `selling/${id}`, wallets: [stranger] })
  await page.getByText('Connect the wallet that owns this agent.').waitFor()
  await connect(stranger)
  await page.getByText('Tern belongs to another wallet.').waitFor()
  await page.getByRole('main').getByTitle(payer.owner).waitFor()
  expect(await page.getByRole('heading', { level: 2 }).count()).toBe(0)
  expect(await violations()).toEqual([])
  for (const path of ['selling/nothing', `selling/${crypto.randomUUID()}`]) {
    await open(path)
    await page.getByText('This agent does not exist.').waitFor()
  }
})
