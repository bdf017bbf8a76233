import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContext, Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { walletFromSecretKey } from '../../lib/cli/wallet.ts'
import { useConsole } from '../support/console.ts'
import { type Program, registerProgram } from '../support/oauth-program.ts'
import { createPageWallet, type PageWallet } from '../support/page-wallet.ts'
import { overflow, PHONE } from '../support/view-faults.ts'

const site = useConsole()

const SITE = 'https://assistant.example.com'
const CALLBACK = `${SITE}/callback`

const START = 'Start again in the program that wants to connect.'

type Options = Parameters<typeof createPageWallet>[0]

/** Answers for a web client: no test reaches another host. */
const serveSite = (context: BrowserContext) =>
  context.route(`${SITE}/**`, (route) => route.fulfill({ contentType: 'text/html', body: '<p>The site</p>' }))

/** Opens the consent page for a program, with a connected wallet. */
async function visit(
  program: Program,
  {
    changes,
    wallet = createPageWallet(),
  }: { changes?: Record<string, string | undefined>; wallet?: PageWallet } = {},
) {
  const view = program.viewOf(changes)
  const visit = await site.visit({ view, wallets: [wallet], others: [SITE] })
  await serveSite(visit.context)
  await visit.connect(wallet)
  return { ...visit, wallet, ...controls(visit.page) }
}

const controls = (page: Page) => ({
  allow: page.getByRole('button', { name: 'Allow' }),
  refuse: page.getByRole('link', { name: /^Refuse and go back to / }),
  /** Returns the query with which the program was called. */
  async answer(): Promise<Record<string, string>> {
    await page.waitForURL((url) => url.origin === SITE)
    return Object.fromEntries(new URL(page.url()).searchParams)
  },
})

const registerSite = () => registerProgram(site.service, CALLBACK)

describe('a program asks for access, and the page', () => {
  it('names its host, quotes its name, and leaves with a code when allowed', async () => {
    const program = await registerSite()
    const { page, allow, answer, violations, wallet } = await visit(program)
    await page
      .getByRole('heading', { level: 1, name: 'assistant.example.com wants to use AgentCred' })
      .waitFor()
    await page.getByText('It calls itself “Example Assistant”.').waitFor()
    expect(await page.getByRole('checkbox').allInnerTexts()).toHaveLength(2)
    expect(await page.getByRole('checkbox', { name: 'Hire agents' }).isChecked()).toBe(true)
    expect(await page.getByRole('navigation').count()).toBe(0)
    expect(await violations()).toEqual([])
    await page.setViewportSize(PHONE)
    expect(await overflow(page)).toBe(0)
    await page.getByLabel('Spending limit in total, in CRED').fill('12.5')
    await page.getByLabel('For how long').selectOption('90 days')
    await allow.click()
    const { code = '', ...rest } = await answer()
    expect(rest).toEqual({ state: 'a state', iss: site.service.origin })
    expect(wallet.asked).toEqual(['signMessage'])
    const tokens = await program.redeem(code)
    expect(tokens.body).toMatchObject({ token_type: 'Bearer', scope: 'read agents:hire' })
    const { call } = await site.service.signIn(keyOf(wallet))
    const { body } = await call('GET', '/oauth/grants')
    expect(body.connections).toMatchObject([
      { name: 'Example Assistant', host: 'assistant.example.com', spendLimit: 12_500_000_000 },
    ])
  })

  it('grants no permission that was unticked, and a limit only where one was chosen', async () => {
    const program = await registerSite()
    const scope = 'agents:hire vault:transact agents:charge registry:write'
    const { page, allow, answer, wallet } = await visit(program, { changes: { scope } })
    const boxes = page.getByRole('group', { name: 'It also asks to' }).getByRole('checkbox')
    expect(await boxes.count()).toBe(3)
    await page.getByRole('checkbox', { name: 'Hire agents' }).uncheck()
    expect(await page.getByLabel('Spending limit').count()).toBe(0)
    await page.getByRole('checkbox', { name: 'Hire agents' }).check()
    await page.getByRole('checkbox', { name: 'No spending limit' }).check()
    await page.getByRole('checkbox', { name: 'Charge' }).uncheck()
    await allow.click()
    const { code = '' } = await answer()
    expect((await program.redeem(code)).body.scope).toBe('read agents:hire vault:transact')
    const { call } = await site.service.signIn(keyOf(wallet))
    const { body } = await call('GET', '/oauth/grants')
    expect(body.connections).toMatchObject([{ committed: 0 }])
    expect(JSON.stringify(body)).not.toContain('spendLimit')
  })

  it('takes no amount that is missing or wrong for a limit', async () => {
    const { page, allow, wallet } = await visit(await registerSite())
    await expect.poll(() => allow.getAttribute('aria-disabled')).toBeNull()
    for (const text of ['', 'much']) {
      await page.getByLabel('Spending limit in total, in CRED').fill(text)
      await expect.poll(() => allow.getAttribute('aria-disabled')).toBe('true')
      await page.keyboard.press('Enter')
    }
    expect(wallet.asked).toEqual([])
  })

  it('neither uses nor makes a session', async () => {
    const { page, allow, answer } = await visit(await registerSite())
    const sent: string[] = []
    page.on('request', (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`))
    await allow.click()
    await answer()
    expect(sent.filter((request) => request.includes('/v1/'))).toEqual([
      'POST /v1/oauth/challenge',
      'POST /v1/oauth/consent',
    ])
  })

  it('leaves with an error when refused, without a wallet', async () => {
    const program = await registerSite()
    const { page, context } = await site.visit({ view: program.viewOf(), others: [SITE] })
    await serveSite(context)
    const { refuse, answer } = controls(page)
    expect(await refuse.innerText()).toBe('Refuse and go back to assistant.example.com')
    await refuse.click()
    expect(await answer()).toMatchObject({
      error: 'access_denied',
      state: 'a state',
      iss: site.service.origin,
    })
  })

  it('shows an error with a link that tells the program, and goes nowhere by itself', async () => {
    const program = await registerSite()
    const { page, answer, violations } = await visit(program, { changes: { code_challenge: undefined } })
    await page.getByRole('alert').getByText('PKCE is required').waitFor()
    await page.waitForLoadState('networkidle')
    expect(new URL(page.url()).origin).toBe(site.service.origin)
    expect(await violations()).toEqual([])
    expect(await page.getByRole('button', { name: 'Allow' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Report the error and go back to assistant.example.com' }).click()
    expect(await answer()).toMatchObject({ error: 'invalid_request', iss: site.service.origin })
  })

  it.each([
    ['an unknown client', { client_id: 'unknown' }, 'The client’s id is unknown.', 'Remove AgentCred in'],
    ['another redirect URI', { redirect_uri: 'https://evil.example/' }, 'redirect_uri is not one of', START],
    ['missing parameters', { client_id: undefined, redirect_uri: undefined }, 'client_id', START],
  ])('shows an error without any link for %s', async (_, changes, words, advice) => {
    const { page, violations } = await visit(await registerSite(), { changes })
    const alert = page.getByRole('alert')
    await alert.getByText(words).first().waitFor()
    await alert.getByText(advice).waitFor()
    expect(await page.getByRole('main').getByRole('link').count()).toBe(0)
    expect(await alert.getByRole('button', { name: 'Try again' }).count()).toBe(0)
    expect(await violations()).toEqual([])
  })

  it('shows that a request has expired when it is granted too late', async () => {
    const { page, allow, wallet } = await visit(await registerSite())
    await site.service.clock.travelTo(site.service.clock.now() + 11 * 60_000)
    await allow.click()
    await page.getByRole('alert').getByText('Reload this page, or start again').waitFor()
    expect(wallet.asked).toEqual([])
  })
})

describe('a program on the computer', () => {
  it('gets the code on its own port, after a question whether it was started', async () => {
    const called: string[] = []
    const server = createServer(({ url = '' }, answer) => {
      called.push(url)
      answer.end('Done')
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const program = await registerProgram(site.service, 'http://127.0.0.1/callback')
    const view = program.viewOf({ redirect_uri: `http://127.0.0.1:${port}/callback`, scope: undefined })
    const wallet = createPageWallet()
    const { page, connect, violations } = await site.visit({
      view,
      wallets: [wallet],
      others: [`http://127.0.0.1:${port}`],
    })
    await page.getByRole('heading', { level: 1, name: 'A program on this computer wants' }).waitFor()
    await page.getByText('Did you start this?').waitFor()
    expect(await page.getByRole('checkbox').count()).toBe(0)
    await connect(wallet)
    expect(await violations()).toEqual([])
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByText('Done').waitFor()
    expect(called.filter((url) => url.startsWith('/callback?code='))).toHaveLength(1)
  })
})

it('offers a link to an app, which may open nothing by itself', async () => {
  const program = await registerProgram(site.service, 'cursor://anysphere.cursor-retrieval/oauth/callback')
  const wallet = createPageWallet()
  const { page, connect, violations } = await site.visit({
    view: program.viewOf(),
    wallets: [wallet],
    others: ['null'],
  })
  await page.getByRole('heading', { level: 1, name: 'The app cursor wants to use AgentCred' }).waitFor()
  await connect(wallet)
  await page.getByRole('button', { name: 'Allow' }).click()
  const link = page.getByRole('link', { name: 'Open the app cursor' })
  expect(await link.getAttribute('href')).toMatch(
    /^cursor:\/\/anysphere\.cursor-retrieval\/oauth\/callback\?code=/,
  )
  await page.getByText('You can close this page.').waitFor()
  expect(await violations()).toEqual([])
})

describe('Allow', () => {
  it('does nothing until the page was in front for a second', async () => {
    const wallet = createPageWallet()
    const { page, context, connect, open } = await site.visit({
      view: 'market',
      wallets: [wallet],
      others: [SITE],
    })
    await serveSite(context)
    await connect(wallet)
    await context.addInitScript('document.hasFocus = () => globalThis.isInFront === true')
    await page.clock.install()
    await open((await registerSite()).viewOf())
    const { allow, answer } = controls(page)
    const setFront = (isInFront: boolean) =>
      page.evaluate(`isInFront = ${isInFront}; dispatchEvent(new Event('${isInFront ? 'focus' : 'blur'}'))`)
    await allow.waitFor()
    await page.clock.runFor(60_000)
    expect(await allow.getAttribute('aria-disabled')).toBe('true')
    await allow.click({ force: true })
    await setFront(true)
    await page.clock.runFor(1_000)
    await expect.poll(() => allow.getAttribute('aria-disabled')).toBeNull()
    await setFront(false)
    await expect.poll(() => allow.getAttribute('aria-disabled')).toBe('true')
    await allow.click({ force: true })
    await page.getByText('works once this page was in front for a second').waitFor()
    expect(wallet.asked).toEqual([])
    await setFront(true)
    await page.clock.runFor(1_000)
    await allow.click()
    expect((await answer()).code).toBeDefined()
  })

  const refuse = (wallet: PageWallet) => {
    wallet.errors.set('signOffchainMessage', 'Something went wrong [4001]')
  }
  const fail = (wallet: PageWallet) => {
    wallet.errors.set('signIn', 'Unknown device error: 0x6a81')
    wallet.errors.set('signOffchainMessage', 'Unknown device error: 0x6a81')
  }

  it.each<[string, Options, string[], ((wallet: PageWallet) => void)?]>([
    ['signs in', { features: ['signMessage', 'signOffchainMessage', 'signIn'] }, ['signIn']],
    ['signs in, with a hardware account', { features: ['signIn'] }, ['signIn']],
    ['signs off-chain messages only', { features: ['signOffchainMessage'] }, ['signOffchainMessage']],
    ['signs plain messages only', { features: ['signMessage'] }, ['signMessage']],
    [
      'puts plain messages into off-chain messages',
      { features: ['signMessage'], isHardware: true },
      ['signMessage'],
    ],
    [
      'fails on features that it declares',
      { features: ['signIn', 'signOffchainMessage', 'signMessage'] },
      ['signIn', 'signOffchainMessage', 'signMessage'],
      fail,
    ],
  ])('works with a wallet that %s', async (_, options, asked, prepare) => {
    const wallet = createPageWallet(options)
    prepare?.(wallet)
    const { allow, answer } = await visit(await registerSite(), { wallet })
    await allow.click()
    expect((await answer()).code).toBeDefined()
    expect(wallet.asked).toEqual(asked)
  })

  it('works another way by a button after a refusal', async () => {
    const wallet = createPageWallet({ features: ['signOffchainMessage', 'signMessage'] })
    refuse(wallet)
    const { page, allow, answer, violations } = await visit(await registerSite(), { wallet })
    await allow.click()
    await page.getByText('The wallet did not sign the message: Something went wrong').waitFor()
    expect(await violations()).toEqual([])
    await page.getByRole('alert').getByRole('button', { name: 'Sign a plain message' }).click()
    expect((await answer()).code).toBeDefined()
    expect(wallet.asked).toEqual(['signOffchainMessage', 'signMessage'])
  })

  it('says so when the wallet signs no messages', async () => {
    const wallet = createPageWallet({ features: ['signTransaction'] })
    const { page, allow } = await visit(await registerSite(), { wallet })
    await allow.click()
    await page.getByRole('alert').getByText('The wallet cannot sign a message').waitFor()
    expect(wallet.asked).toEqual([])
  })
})

it('keeps the opener of a popup, and other views of the console do not', async () => {
  const program = await registerSite()
  const wallet = createPageWallet()
  const { page, context } = await site.visit({ wallets: [wallet], others: [SITE] })
  await context.route(`${SITE}/**`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: '<script>addEventListener("message", ({ data }) => (document.title = data)); if (opener) opener.postMessage(location.search, "*")</script>',
    }),
  )
  await page.goto(`${SITE}/`)
  const popUp = async (path: string) => {
    const opened = page.waitForEvent('popup')
    await page.evaluate(
      `void open(${JSON.stringify(`${site.service.origin}/console/${path}`)}, 'a' + performance.now(), 'popup')`,
    )
    const popup = await opened
    await popup.getByRole('banner').getByRole('button', { name: 'Connect wallet' }).waitFor()
    return popup
  }
  const other = await popUp('market')
  expect(await other.evaluate('opener === null')).toBe(true)
  const popup = await popUp(program.viewOf())
  expect(await popup.evaluate('opener === null')).toBe(false)
  await popup.getByRole('banner').getByRole('button', { name: 'Connect wallet' }).click()
  await popup.getByRole('dialog').getByRole('button', { name: wallet.name, exact: true }).click()
  await popup.getByRole('button', { name: 'Allow' }).click()
  await expect.poll(() => page.title()).toMatch(/^\?code=.*&state=a\+state&iss=/)
})

it('lists a connected app, and ends it after a question', async () => {
  const program = await registerSite()
  const { page, allow, answer, wallet, open, violations } = await visit(program)
  await allow.click()
  const { code = '' } = await answer()
  const tokens = await program.redeem(code)
  expect(tokens.status).toBe(200)
  await open('market')
  await page.getByRole('banner').getByTitle(wallet.address).click()
  await page.getByRole('banner').getByRole('link', { name: 'Connected apps' }).click()
  const app = page.getByRole('list', { name: 'Connected apps' }).getByRole('listitem')
  await app.getByText('“Example Assistant”').waitFor()
  await app.getByText('assistant.example.com').waitFor()
  await app.getByText('Hire agents and end hires').waitFor()
  await app.getByText('100 CRED. 0 CRED is committed').waitFor()
  expect(await violations()).toEqual([])
  await app.getByRole('button', { name: 'End connection…' }).click()
  await app.getByText('Agents that it hired stay hired.').waitFor()
  await app.getByRole('button', { name: 'End connection', exact: true }).click()
  await page.getByText('Nothing is connected.').waitFor()
  expect(await violations()).toEqual([])
})

/** The key with which a wallet logs in without a browser. */
const keyOf = (wallet: PageWallet) => walletFromSecretKey(wallet.keypair.secretKey)
