import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { register } from '../support/agents.ts'
import { useConsole, type Visit } from '../support/console.ts'
import { createPageWallet } from '../support/page-wallet.ts'
import { createStaker, ONE } from '../support/staker.ts'
import { overflow, PHONE } from '../support/view-faults.ts'

const site = useConsole()

/** Visits a view with a wallet that has 1,000 CRED, on a platform whose page knows its embedded chain. */
async function visitWithChain(view: string) {
  const staker = await createStaker(site.service, 1000 * ONE)
  const wallet = createPageWallet({ keypair: staker.keypair })
  const { url: rpcUrl, bindings } = site.service.solana
  const visit = await site.visit({ wallets: [wallet], others: [new URL(rpcUrl).origin] })
  const chain = { rpcUrl, mint: bindings.VAULT_MINT }
  await visit.context.route('**/development.json', (route) => route.fulfill({ json: { chain } }))
  await visit.open(view)
  await visit.connect(wallet)
  return { ...visit, wallet, staker }
}

const openMenu = (page: Page, address: string) => page.getByRole('banner').getByTitle(address).click()

/** Serves a page with another tag in its head. */
const withTag = ({ context }: Visit, tag: string) =>
  context.route(/\/console\/(market)?$/, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.text()).replace('<head>', `<head>${tag}`) })
  })

it('shows the CRED and SOL of the wallet, and more of both after "Get test funds"', async () => {
  const { page, wallet, staker, violations } = await visitWithChain('market')
  await openMenu(page, wallet.address)
  const amounts = page.locator('.menu-body dd')
  await expect.poll(() => amounts.first().innerText()).toBe('1,000')
  const sol = Number(await amounts.last().innerText())
  expect(sol).toBeGreaterThan(0)
  expect(await violations()).toEqual([])
  await page.getByRole('button', { name: 'Get test funds' }).click()
  await expect.poll(() => amounts.first().innerText()).toBe('11,000')
  await expect.poll(async () => Number(await amounts.last().innerText())).toBeCloseTo(sol + 10, 6)
  expect(await staker.cred()).toBe(11_000n * BigInt(ONE))
  await page.setViewportSize(PHONE)
  expect(await overflow(page)).toBe(0)
})

it('says that the chain does not answer when the balances can not be read', async () => {
  const { page, wallet } = await visitWithChain('market')
  await page.route(site.service.solana.url, (route) => route.abort())
  await openMenu(page, wallet.address)
  await page.locator('.menu-body').getByRole('button', { name: 'Try again' }).waitFor()
  await page.unroute(site.service.solana.url)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('button', { name: 'Get test funds' }).waitFor()
})

it('asks the API for balances after a login, when the page knows no chain', async () => {
  const { keypair } = await createStaker(site.service, 1000 * ONE)
  const wallet = createPageWallet({ keypair })
  const { page, connect, violations } = await site.visit({ view: 'market', wallets: [wallet] })
  await connect(wallet)
  await openMenu(page, wallet.address)
  const ask = page.getByRole('button', { name: 'Log in to see balances' })
  await ask.waitFor()
  expect(wallet.asked).toEqual([])
  await ask.click()
  const amounts = page.locator('.menu-body dd')
  await expect.poll(() => amounts.first().innerText()).toBe('1,000')
  expect(Number(await amounts.last().innerText())).toBeGreaterThan(0)
  expect(wallet.asked).toEqual(['signMessage'])
  expect(await violations()).toEqual([])
})

it('keeps the menu open when the view behind it arrives', async () => {
  const wallet = createPageWallet()
  const { page, connect } = await site.visit({ wallets: [wallet] })
  const released = Promise.withResolvers<void>()
  await page.route(/\/assets\/market-/, async (route) => {
    await released.promise
    await route.continue()
  })
  // With a wallet, the first page is the market.
  await connect(wallet)
  await openMenu(page, wallet.address)
  await page.getByText('Connected with').waitFor()
  released.resolve()
  await page.getByRole('heading', { level: 1, name: 'Market' }).waitFor()
  expect(await page.getByText('Connected with').isVisible()).toBe(true)
  await page.getByRole('heading', { level: 1 }).click()
  await page.getByText('Connected with').waitFor({ state: 'hidden' })
})

it('links to a page that sells CRED only when the deployment names one', async () => {
  const wallet = createPageWallet()
  const visit = await site.visit({ wallets: [wallet] })
  const { page, open, connect } = visit
  await connect(wallet)
  await openMenu(page, wallet.address)
  await page.getByText('Connected with').waitFor()
  expect(await page.getByRole('link', { name: 'Get CRED' }).count()).toBe(0)
  await withTag(visit, '<meta name="funding-url" content="https://cred.example.com/buy">')
  await open('market')
  await openMenu(page, wallet.address)
  const link = page.getByRole('link', { name: 'Get CRED' })
  expect(await link.getAttribute('href')).toBe('https://cred.example.com/buy')
  expect(await page.getByRole('button', { name: 'Get test funds' }).count()).toBe(0)
})

it('copies an address or an id when the button next to it is pressed', async () => {
  const { wallet: owner, call } = await site.service.signIn()
  const agent = await register(call, { name: 'Copied' })
  const { page, context, violations } = await site.visit({ view: `agents/${agent.id}` })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const short = `${owner.publicKey.slice(0, 4)}…${owner.publicKey.slice(-4)}`
  const read = () => page.evaluate<string>('navigator.clipboard.readText()')
  await page.getByRole('button', { name: `Copy address ${short}` }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await read()).toBe(owner.publicKey)
  await page.getByRole('button', { name: 'Copy agent ID' }).click()
  await expect.poll(read).toBe(agent.id)
  await page.getByRole('button', { name: `Copy address ${short}` }).waitFor()
  expect(await violations()).toEqual([])
  await page.setViewportSize(PHONE)
  expect(await overflow(page)).toBe(0)
})

it('keeps a table of charges within a phone when each hirer has a copy button', async () => {
  const staker = await createStaker(site.service, 0)
  const agent = await register(staker.call, { name: 'Crane', feeModel: 'flat', feeAmount: ONE })
  const hirer = await site.service.signIn()
  const { body: hire } = await hirer.call('POST', '/agents/hire', { body: { agentId: agent.id } })
  const charge = { hireId: hire.id, reference: 'job-1', units: 1 }
  await staker.call('POST', '/payments/charges', { body: charge })
  const wallet = createPageWallet({ keypair: staker.keypair })
  const { page, connect, violations } = await site.visit({
    view: 'earnings',
    wallets: [wallet],
    context: { viewport: PHONE },
  })
  await connect(wallet)
  await page
    .getByRole('row')
    .getByRole('button', { name: /^Copy address/ })
    .waitFor()
  expect(await overflow(page)).toBe(0)
  expect(await violations()).toEqual([])
})
