import { decodeJwt } from 'jose'
import type { Page } from 'playwright-core'
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

/** The section in which a token is created. */
const tokenSection = (page: Page) => page.getByRole('region', { name: 'Use a token instead' })

/** Reads the token that is shown. */
const tokenOf = async (page: Page): Promise<string> =>
  (await tokenSection(page).getByRole('status').locator('pre').innerText()).trim()

/** Calls a tool with a token by the unmodified client, and returns the answer. */
async function readEvents(token: string) {
  const client = await connectClient(site.service, 'modern', token)
  try {
    return await client.callTool({ name: 'list_events', arguments: {} })
  } finally {
    await client.close()
  }
}

/** What the client reads: the wallet has created a token by this name, and nothing else happened. */
const granted = (name: string) => ({
  structuredContent: { events: [{ type: 'access.granted', data: { kind: 'token', name } }] },
})

const CREATE = 'Create a token for an AI client'

it('creates a token that can do what was ticked, and keeps it nowhere', async () => {
  const wallet = createPageWallet()
  const { page, connect, open, violations } = await site.visit({
    view: 'developer/connect',
    wallets: [wallet],
  })
  await connect(wallet)
  const section = tokenSection(page)
  await section.getByLabel('Name').fill('Desk assistant')
  await section.getByRole('checkbox', { name: 'Hire agents and end hires' }).check()
  await section.getByLabel('Spending limit in total, in CRED').fill('12.5')
  await section.getByLabel('For how long').selectOption('7 days')
  await section.getByRole('button', { name: 'Create token' }).click()
  const token = await tokenOf(page)
  expect(decodeJwt(token)).toMatchObject({ sub: wallet.address, permissions: ['agents:hire'] })
  await section.locator('pre', { hasText: `--header "Authorization: Bearer ${token}"` }).waitFor()
  await page.setViewportSize(PHONE)
  expect(await violations()).toEqual([])
  expect(await overflow(page)).toBe(0)

  expect(await readEvents(token)).toMatchObject(granted('Desk assistant'))
  // It works at the MCP server alone.
  const refused = await site.service.call('GET', '/events', { token })
  expect([refused.status, refused.body.code]).toEqual([401, 'token_invalid'])

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
  await page.getByText(CREATE).waitFor()
  expect(await page.content()).not.toContain(token)
  await open('developer/connect')
  await page.getByText(CREATE).waitFor()
  expect(await page.content()).not.toContain(token)
})

/** A name that is written from right to left. */
const HEBREW = 'הסוכן שלי'

it('lists a token under Connected apps, and refuses it when it was ended there', async () => {
  const wallet = createPageWallet()
  const { page, connect, violations } = await site.visit({ view: 'developer/connect', wallets: [wallet] })
  await connect(wallet)
  const section = tokenSection(page)
  await section.getByLabel('Name').fill(HEBREW)
  await section.getByRole('button', { name: 'Create token' }).click()
  const token = await tokenOf(page)
  expect(decodeJwt(token)).toMatchObject({ permissions: [] })
  expect(await readEvents(token)).toMatchObject(granted(HEBREW))
  await section.getByRole('status').getByRole('link', { name: 'Connected apps' }).click()
  const item = page.getByRole('list', { name: 'Connected apps' }).getByRole('listitem')
  // Its direction does not turn the quotes around it.
  await item.locator('bdi').getByText(HEBREW, { exact: true }).waitFor()
  await item.getByText('A token that you created').waitFor()
  expect(await item.getByText('Spending limit').count()).toBe(0)
  expect(await violations()).toEqual([])
  await item.getByRole('button', { name: 'End connection…' }).click()
  await item.getByRole('button', { name: 'End connection', exact: true }).click()
  await page.getByText('Nothing is connected.').waitFor()
  await expect(readEvents(token)).rejects.toThrow('session_revoked')
})

it('shows a new token under Connected apps in another tab, without a reload', async () => {
  const wallet = createPageWallet()
  const { page, context, url, connect } = await site.visit({ view: 'apps', wallets: [wallet] })
  await connect(wallet)
  await page.getByText('Nothing is connected.').waitFor()
  const other = await context.newPage()
  await other.goto(url('developer/connect'))
  await tokenSection(other).getByRole('button', { name: 'Create token' }).click()
  await tokenOf(other)
  await page.getByText('“My AI client”').waitFor()
})

it('shows no token of another account, and ends it when the wallet signs out everywhere', async () => {
  const wallet = createPageWallet({ others: [{ label: 'Savings' }] })
  const { page } = await site.visit({ view: 'developer/connect', wallets: [wallet] })
  await page.getByRole('banner').getByRole('button', { name: 'Connect wallet' }).click()
  await page.getByRole('dialog').getByRole('button', { name: wallet.name, exact: true }).click()
  await page.getByRole('dialog').getByTitle(wallet.address).click()
  await page.getByRole('button', { name: 'Create token' }).click()
  const token = await tokenOf(page)
  expect(await readEvents(token)).toMatchObject(granted('My AI client'))
  await page.getByRole('banner').getByTitle(wallet.address).click()
  await page.getByRole('button', { name: 'Switch account' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Savings' }).click()
  await page.getByRole('banner').getByText('Savings').waitFor()
  await page.getByText(CREATE).waitFor()
  expect(await page.content()).not.toContain(token)
  await page.getByRole('banner').getByText('Savings').click()
  await page.getByRole('button', { name: 'Switch account' }).click()
  await page.getByRole('dialog').getByTitle(wallet.address).click()
  await page.getByRole('banner').getByTitle(wallet.address).click()
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.getByRole('banner').getByRole('button', { name: 'Connect wallet' }).waitFor()
  await expect(readEvents(token)).rejects.toThrow('session_revoked')
  expect(await page.content()).not.toContain(token)
})

it('creates a token in the way that the visitor chose after a refusal', async () => {
  const wallet = createPageWallet({ features: ['signOffchainMessage', 'signMessage'] })
  wallet.errors.set('signOffchainMessage', 'Something went wrong [4001]')
  const { page, connect } = await site.visit({ view: 'developer/connect', wallets: [wallet] })
  await connect(wallet)
  await page.getByRole('button', { name: 'Create token' }).click()
  await page.getByRole('alert').getByRole('button', { name: 'Sign a plain message' }).click()
  expect(decodeJwt(await tokenOf(page))).toMatchObject({ sub: wallet.address })
  expect(wallet.asked).toEqual(['signOffchainMessage', 'signMessage'])
})

it('shows a text to copy by hand when the browser has no clipboard, as over http', async () => {
  const { page } = await site.visit({ view: 'developer/connect' })
  await page.evaluate(`Object.defineProperty(navigator, 'clipboard', { value: undefined })`)
  await page.getByRole('button', { name: 'Copy settings' }).click()
  const shown = page.getByRole('alert').filter({ hasText: 'Select and copy it here' })
  await shown.getByText('claude mcp add').waitFor()
})
