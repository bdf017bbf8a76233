import { decodeJwt } from 'jose'
import { expect, it } from 'vitest'
import { useConsole } from '../support/console.ts'
import { connectClient } from '../support/mcp.ts'
import { createPageWallet } from '../support/page-wallet.ts'
import { overflow, PHONE } from '../support/view-faults.ts'

const site = useConsole()

it('shows the settings of each AI client that logs in, without a wallet', async () => {
  const { page, violations } = await site.visit({ view: 'developer/connect' })
  const settings = page.getByRole('main').locator('pre')
  const url = `${site.service.origin}/v1/mcp/wallet`
  await settings.getByText(`claude mcp add --transport http agentcred ${url}`, { exact: true }).waitFor()
  await page.getByLabel('AI client').selectOption('Claude')
  await settings.getByText(url, { exact: true }).waitFor()
  for (const client of ['Cursor', 'VS Code']) {
    await page.getByLabel('AI client').selectOption(client)
    const { mcpServers, servers } = JSON.parse(await settings.innerText())
    expect((mcpServers ?? servers).agentcred.url).toBe(url)
  }
  await page.getByText(`${site.service.origin}/v1/mcp`, { exact: true }).waitFor()
  expect(await violations()).toEqual([])
})

it('creates a token that can do what was ticked, and keeps it nowhere', async () => {
  const wallet = createPageWallet()
  const { page, connect, open, violations } = await site.visit({
    view: 'developer/connect',
    wallets: [wallet],
  })
  await connect(wallet)
  await page.getByRole('checkbox', { name: 'Hire agents and end hires' }).check()
  await page.getByRole('button', { name: 'Create token' }).click()
  const shown = page.getByRole('status').locator('pre')
  const token = (await shown.innerText()).trim()
  expect(decodeJwt(token)).toMatchObject({ sub: wallet.address, permissions: ['agents:hire'] })
  await page.locator('pre', { hasText: `--header "Authorization: Bearer ${token}"` }).waitFor()
  await page.setViewportSize(PHONE)
  expect(await violations()).toEqual([])
  expect(await overflow(page)).toBe(0)

  // An unmodified client reads with it; the API refuses what was not ticked.
  const client = await connectClient(site.service, 'modern', token)
  const hires = await client.callTool({ name: 'list_my_hires', arguments: {} })
  expect(hires).toMatchObject({ structuredContent: { count: 0 } })
  await client.close()
  const body = { name: 'Able', agentType: 'oracle', supportedLayers: [1] }
  const refused = await site.service.call('POST', '/agents/register', { token, body })
  expect(refused.body.code).toBe('permission_missing')

  const places = `JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, location.href])`
  expect(await page.evaluate(places)).not.toContain(token)
  const links = await page
    .getByRole('link')
    .evaluateAll((all) => all.map((link) => link.getAttribute('href')))
  expect(links.join()).not.toContain(token)
  // A view that needs a session asks the wallet once more: the console is not logged in by the token.
  await page.getByRole('link', { name: 'Webhooks' }).click()
  await page.getByText('No endpoints yet.').waitFor()
  expect(wallet.asked).toEqual(['signMessage', 'signMessage'])
  await page.getByRole('link', { name: 'Connect your AI' }).click()
  await page.getByText('Create a token for an AI client').waitFor()
  expect(await page.content()).not.toContain(token)
  await open('developer/connect')
  await page.getByText('Create a token for an AI client').waitFor()
  expect(await page.content()).not.toContain(token)
})

it('creates a token that only reads unless something is ticked; signing out everywhere ends it', async () => {
  const wallet = createPageWallet({ others: [{ label: 'Savings' }] })
  const { page } = await site.visit({ view: 'developer/connect', wallets: [wallet] })
  await page.getByRole('banner').getByRole('button', { name: 'Connect wallet' }).click()
  await page.getByRole('dialog').getByRole('button', { name: wallet.name, exact: true }).click()
  await page.getByRole('dialog').getByTitle(wallet.address).click()
  await page.getByRole('button', { name: 'Create token' }).click()
  const token = (await page.getByRole('status').locator('pre').innerText()).trim()
  expect(decodeJwt(token)).toMatchObject({ permissions: [] })
  const events = async () => (await site.service.call('GET', '/events', { token })).status
  expect(await events()).toBe(200)
  await page.getByTitle(wallet.address).first().click()
  await page.getByRole('button', { name: 'Switch account' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Savings' }).click()
  await page.getByText('Create a token for an AI client').waitFor()
  expect(await page.content()).not.toContain(token)
  await page.getByRole('banner').getByText('Savings').click()
  await page.getByRole('button', { name: 'Switch account' }).click()
  await page.getByRole('dialog').getByTitle(wallet.address).click()
  await page.getByRole('banner').getByTitle(wallet.address).click()
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.getByRole('banner').getByRole('button', { name: 'Connect wallet' }).waitFor()
  expect(await events()).toBe(401)
  expect(await page.content()).not.toContain(token)
})

it('creates a token in the way that the visitor chose after a refusal', async () => {
  const wallet = createPageWallet({ features: ['signOffchainMessage', 'signMessage'] })
  wallet.errors.set('signOffchainMessage', 'Something went wrong [4001]')
  const { page, connect } = await site.visit({ view: 'developer/connect', wallets: [wallet] })
  await connect(wallet)
  const create = () => page.getByRole('button', { name: 'Create token' }).click()
  await create()
  await page.getByRole('alert').getByRole('button', { name: 'Sign a plain message' }).click()
  await page.getByText('You are logged in.').waitFor()
  await create()
  await page.getByText('Your token.').waitFor()
  expect(wallet.asked).toEqual(['signOffchainMessage', 'signMessage', 'signMessage'])
})

it('shows a text to copy by hand when the browser has no clipboard, as over http', async () => {
  const { page } = await site.visit({ view: 'developer/connect' })
  await page.evaluate(`Object.defineProperty(navigator, 'clipboard', { value: undefined })`)
  await page.getByRole('button', { name: 'Copy settings' }).click()
  const shown = page.getByRole('alert').filter({ hasText: 'Select and copy it here' })
  await shown.getByText('claude mcp add').waitFor()
})
