import { describe, expect, it } from 'vitest'
import { walletFromSecretKey } from '../../lib/cli/wallet.ts'
import { register } from '../support/agents.ts'
import { useConsole } from '../support/console.ts'
import { createPageWallet } from '../support/page-wallet.ts'

const site = useConsole()

/** A wallet at one of the pages for owners and developers. */
async function visit(section: string) {
  const wallet = createPageWallet()
  const visit = await site.visit({ view: section, wallets: [wallet] })
  await visit.connect(wallet)
  return { ...visit, wallet }
}

it('lists a wallet’s agents of any status, or leads to registration without any', async () => {
  const { page, wallet, violations } = await visit('agents')
  await page.getByText('You have no agents yet.').waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Register an agent' }).last().click()
  await page.getByRole('button', { name: 'Register agent' }).waitFor()

  const { call } = await site.service.signIn(walletFromSecretKey(wallet.keypair.secretKey))
  const { id } = await register(call, { name: 'Shelved' })
  await call('PATCH', `/agents/${id}`, { body: { status: 'inactive' } })
  await register(call, { name: 'Offered' })
  await register((await site.service.signIn()).call, { name: 'Of another' })
  await page.getByRole('link', { name: 'Your agents' }).click()
  const cards = page.getByRole('list', { name: 'Your agents' }).locator('.card')
  await cards.first().waitFor()
  await expect.poll(() => cards.getByRole('heading').allInnerTexts()).toEqual(['Offered', 'Shelved'])
  await expect.poll(() => cards.locator('.badge').allInnerTexts()).toEqual(['active', 'inactive'])
  expect(await violations()).toEqual([])
  await cards.last().getByRole('link', { name: 'Manage' }).click()
  await page.getByRole('button', { name: 'Activate' }).waitFor()
})

it('leads from Agents and Money to selling requests, or to registration first', async () => {
  const { page, wallet, open, violations } = await visit('agents')
  const main = page.getByRole('main')
  await main.getByRole('link', { name: 'Sell requests' }).click()
  await main.getByText('Register an agent for your API first.').waitFor()
  await main.getByRole('link', { name: 'Register an agent' }).last().click()
  await page.getByRole('button', { name: 'Register agent' }).waitFor()

  const { call } = await site.service.signIn(walletFromSecretKey(wallet.keypair.secretKey))
  const priced = await register(call, { name: 'Priced' })
  const prices = [{ name: 'GET /tides', amount: 250_000_000 }]
  await call('PUT', `/x402/agents/${priced.id}/prices`, { body: { prices } })
  await register(call, { name: 'Unpriced' })
  await open('earnings')
  await main.getByRole('link', { name: 'Sell requests' }).click()
  const cards = main.getByRole('list', { name: 'Your agents' }).locator('.card')
  await expect.poll(() => cards.getByRole('heading').allInnerTexts()).toEqual(['Unpriced', 'Priced'])
  await cards.first().getByText('no request price yet').waitFor()
  await cards.last().getByText('0.25 CRED each').waitFor()
  expect(await violations()).toEqual([])
  await cards.last().getByRole('link', { name: 'Sell requests to Priced' }).click()
  await page.getByRole('heading', { level: 1, name: 'Sell requests' }).waitFor()
  await main.getByRole('link', { name: 'Priced' }).waitFor()
})

describe('an agent', () => {
  it('is registered, and has its page, with the card by which other software finds it', async () => {
    const { page, violations } = await visit('agents/register')
    await page.getByLabel('Name').fill('Lock Keeper')
    await page.getByRole('checkbox', { name: 'Network' }).check()
    await page.getByRole('checkbox', { name: 'Collateral' }).check()
    await page.getByLabel('Pricing').selectOption('flat')
    expect(await page.getByLabel('Price per unit, in CRED').inputValue()).toBe('')
    await page.getByLabel('Price per unit, in CRED').fill('1.25')
    await page.getByLabel('Endpoint URL (optional)').fill('https://locks.example.com/mcp')
    await page.getByLabel('Endpoint protocol').selectOption('mcp')
    await page.getByRole('button', { name: 'Register agent' }).click()
    await page.getByText('Lock Keeper is registered.').waitFor()
    await page.getByRole('link', { name: 'View agent' }).click()
    await page.getByRole('heading', { level: 1, name: 'Lock Keeper' }).waitFor()
    await page.getByText('1.25 CRED per unit').first().waitFor()
    await page.getByText('Autonomous: acts on its own').waitFor()
    await page.getByText('Published agent card').click()
    await page.locator('pre').getByText('https://locks.example.com/mcp').waitFor()
    const address = await page.getByRole('link', { name: /mcp-server-card$/ }).getAttribute('href')
    expect((await fetch(`${site.service.origin}${address}`)).status).toBe(200)
    expect(await violations()).toEqual([])
    const { body } = await site.service.call('GET', '/agents?q=lock%20keeper')
    expect(body.agents).toMatchObject([
      { name: 'Lock Keeper', supportedLayers: [7, 21], feeModel: 'flat', feeAmount: 1_250_000_000 },
    ])
  })

  it('shows an error at each field when it is refused, and can be corrected', async () => {
    const { page } = await visit('agents/register')
    const name = page.getByLabel('Name')
    await name.fill('ab')
    await page.getByLabel('Endpoint URL (optional)').fill('not a URL')
    await page.getByRole('button', { name: 'Register agent' }).click()
    await expect.poll(() => name.getAttribute('aria-invalid')).toBe('true')
    expect(await name.inputValue()).toBe('ab')
    await name.fill('Able')
    await page.getByRole('checkbox', { name: 'Network' }).check()
    await page.getByRole('button', { name: 'Register agent' }).click()
    const endpoint = page.getByLabel('Endpoint URL (optional)')
    await expect.poll(() => endpoint.getAttribute('aria-invalid')).toBe('true')
    await endpoint.fill('')
    await page.getByRole('button', { name: 'Register agent' }).click()
    const done = page.getByText('Able is registered.')
    await done.waitFor()
    // The button is at the end of a long form, and the message at its top.
    const top = async () => (await done.boundingBox())?.y
    const header = await page.getByRole('banner').boundingBox()
    await expect.poll(top).toBeGreaterThan(header?.height ?? 0)
    expect(await top()).toBeLessThan(page.viewportSize()?.height ?? 0)
    expect(await page.evaluate('document.activeElement.innerText')).toContain('Able is registered.')
    expect(await page.getByLabel('Name').count()).toBe(0)
    await page.getByRole('button', { name: 'Register another agent' }).waitFor()
    const steps = page.getByRole('region', { name: 'Get paid' })
    await steps.getByRole('link', { name: 'Sell requests' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sell requests' }).waitFor()
  })
})

it('signs a registration with the agent’s own key after showing the whole message', async () => {
  const { page, wallet } = await visit('developer/registry')
  await page.getByLabel('Name').fill('Tide Table')
  await page.locator('fieldset').getByRole('checkbox').first().check()
  await page.getByLabel('Description (optional)').fill('Tells when the water comes.')
  await page.getByRole('button', { name: 'Review message' }).click()
  await page.getByText('By signing this message, I certify').waitFor()
  expect(wallet.asked).toEqual([])
  wallet.refused.add('signMessage')
  await page.getByRole('button', { name: 'Sign and register' }).click()
  await page.getByRole('alert').getByText('The wallet did not sign the message').waitFor()
  wallet.refused.clear()
  await page.getByRole('button', { name: 'Sign and register' }).click()
  await page.getByText('Registering this key again replaces').waitFor()
  await page.getByRole('heading', { name: 'Tide Table active' }).waitFor()
  await page.getByText('Endpoint: none').waitFor()
  const { body } = await site.service.call('GET', `/registry/agents/${wallet.address}`)
  expect(body).toMatchObject({ name: 'Tide Table', status: 'active' })
})
