import { execFile } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client, PrivateKeyJwtProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { decodeJwt } from 'jose'
import type { Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { useConsole } from '../support/console.ts'
import { temporaryFolder } from '../support/key-files.ts'
import { createPageWallet } from '../support/page-wallet.ts'
import { overflow, PHONE } from '../support/view-faults.ts'

/* An agent logs in with its own key, which the wallet allows in the console. */

const site = useConsole()

/** Opens the section in which a wallet allows a key. */
async function visit(wallet = createPageWallet()) {
  const visit = await site.visit({ view: 'developer/connect', wallets: [wallet] })
  await visit.connect(wallet)
  const section = visit.page.getByRole('region', { name: 'Let your agent log in with its own key' })
  return {
    ...visit,
    wallet,
    section,
    keyField: section.getByLabel('Public key of the agent'),
    allow: section.getByRole('button', { name: 'Allow this key' }),
  }
}

type Section = Awaited<ReturnType<typeof visit>>['section']

/** Reads the private key that the page shows. */
const privateKeyOf = async (section: Section): Promise<string> =>
  (await section.getByRole('status').filter({ hasText: 'private key' }).locator('pre').innerText()).trim()

/** Reads the client id in the program that the page shows. */
async function clientIdOf(section: Section): Promise<string> {
  const text = await section.locator('pre', { hasText: 'PrivateKeyJwtProvider' }).innerText()
  return String(/clientId: '([^']+)'/.exec(text)?.[1])
}

/** Logs an agent in by the unmodified client. */
async function logIn(clientId: string, privateKey: string): Promise<Client> {
  const authProvider = new PrivateKeyJwtProvider({
    clientId,
    privateKey: JSON.parse(privateKey),
    algorithm: 'EdDSA',
    expectedIssuer: site.service.origin,
  })
  const url = new URL(`${site.service.origin}/v1/mcp/wallet`)
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(url, { authProvider }))
  onTestFinished(() => client.close())
  return client
}

/** What the agent reads: the wallet has allowed a key by this name, and nothing else happened. */
const granted = (name: string) => ({
  structuredContent: { events: [{ type: 'access.granted', data: { kind: 'key', name } }] },
})

/** Ends the only connection of the wallet. */
async function endConnection(page: Page): Promise<void> {
  const item = page.getByRole('list', { name: 'Connected apps' }).getByRole('listitem')
  await item.getByRole('button', { name: 'End connection…' }).click()
  await item.getByRole('button', { name: 'End connection', exact: true }).click()
  await page.getByText('Nothing is connected.').waitFor()
}

it('creates a key with which the stock client logs in, until it is ended', async () => {
  const { page, section, keyField, allow, wallet, open, violations } = await visit()
  const sent: string[] = []
  page.on('request', (request) => sent.push(request.postData() ?? ''))
  expect(await allow.getAttribute('aria-disabled')).toBe('true')
  await section.getByRole('button', { name: 'Create a key' }).click()
  const privateKey = await privateKeyOf(section)
  const key = await keyField.inputValue()
  await section.getByLabel('Name').fill('Night desk')
  await section.getByLabel('For how long').selectOption('90 days')
  await allow.click()
  const clientId = await clientIdOf(section)
  expect(decodeJwt(clientId)).toMatchObject({ sub: wallet.address, key })
  expect(await privateKeyOf(section)).toBe(privateKey)
  expect(await violations()).toEqual([])
  await page.setViewportSize(PHONE)
  expect(await overflow(page)).toBe(0)
  expect(sent.join()).not.toContain(JSON.parse(privateKey).d)

  const agent = await logIn(clientId, privateKey)
  const readEvents = () => agent.callTool({ name: 'list_events', arguments: {} })
  expect(await readEvents()).toMatchObject(granted('Night desk'))

  await section.getByRole('link', { name: 'Connected apps' }).click()
  const item = page.getByRole('list', { name: 'Connected apps' }).getByRole('listitem')
  await item.getByText('“Night desk”').waitFor()
  await item.getByText(`An agent with the key ${key.slice(0, 4)}…${key.slice(-4)}`).waitFor()
  expect(await violations()).toEqual([])
  await endConnection(page)
  await expect(readEvents()).rejects.toThrow('key’s access has ended')
  await expect(logIn(clientId, privateKey)).rejects.toThrow('key’s access has ended')
  await open('developer/connect')
  await section.getByRole('heading').waitFor()
  expect(await page.content()).not.toContain(JSON.parse(privateKey).d)
})

it('shows a program that logs in as it is, next to the private key in a file', async () => {
  const { section, allow } = await visit()
  await section.getByRole('button', { name: 'Create a key' }).click()
  const privateKey = await privateKeyOf(section)
  await allow.click()
  const program = section.locator('pre', { hasText: 'PrivateKeyJwtProvider' })
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'agent.mjs'), await program.innerText())
  writeFileSync(join(folder, 'agent-key.json'), privateKey)
  symlinkSync(join(import.meta.dirname, '../../node_modules'), join(folder, 'node_modules'))
  const { stdout } = await promisify(execFile)(process.execPath, ['agent.mjs'], { cwd: folder })
  expect({ structuredContent: JSON.parse(stdout) }).toMatchObject(granted('My agent'))
  await section.getByLabel('Language of the agent').selectOption('Python')
  await section.locator('pre', { hasText: 'PrivateKeyJWTOAuthProvider' }).waitFor()
})

it('takes a public key that was pasted as a JWK, and no private key', async () => {
  const { section, keyField, allow, wallet, violations } = await visit()
  const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  await keyField.fill(JSON.stringify(jwk))
  await section.getByText('paste it here without its member “d”').waitFor()
  expect(await keyField.getAttribute('aria-invalid')).toBe('true')
  expect(await allow.getAttribute('aria-disabled')).toBe('true')
  expect(await violations()).toEqual([])
  await keyField.press('Enter')
  await keyField.fill(JSON.stringify({ ...jwk, d: undefined }))
  await allow.click()
  const clientId = await clientIdOf(section)
  expect(wallet.asked).toEqual(['signMessage'])
  const agent = await logIn(clientId, JSON.stringify(jwk))
  expect(await agent.callTool({ name: 'list_events', arguments: {} })).toMatchObject(granted('My agent'))
})

it('shows at the field that the key of the wallet can not be the key of its agent', async () => {
  const { section, keyField, allow, wallet } = await visit()
  await keyField.fill(wallet.address)
  await allow.click()
  await section
    .getByText('must not be the wallet’s own key')
    .or(section.getByText("the wallet's own key"))
    .first()
    .waitFor()
  expect(await keyField.getAttribute('aria-invalid')).toBe('true')
  expect(wallet.asked).toEqual([])
})

it('keeps the private key on display while the field has its public key', async () => {
  const { section, keyField } = await visit()
  await section.getByRole('button', { name: 'Create a key' }).click()
  const privateKey = await privateKeyOf(section)
  const key = await keyField.inputValue()
  await keyField.fill('')
  await expect.poll(() => section.getByText(privateKey).count()).toBe(0)
  await keyField.fill(key)
  expect(await privateKeyOf(section)).toBe(privateKey)
})

it('says so when the browser can not create a key, as over http', async () => {
  const { page, section, keyField } = await visit()
  await page.evaluate(`Object.defineProperty(crypto, 'subtle', { value: undefined })`)
  await section.getByRole('button', { name: 'Create a key' }).click()
  await section.getByRole('alert').getByText('This browser can’t create Ed25519 keys.').waitFor()
  expect(await keyField.inputValue()).toBe('')
})
