import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { register } from '../support/agents.ts'
import { amountForms, amountNames } from '../support/amount-fields.ts'
import { useConsole, type Visit } from '../support/console.ts'
import { confirmFunding } from '../support/jobs.ts'
import { registerProgram } from '../support/oauth-program.ts'
import { untilLanded } from '../support/open-vault.ts'
import { createPageWallet } from '../support/page-wallet.ts'
import { hireAgent } from '../support/payer.ts'
import { createStaker, ONE, type Staker } from '../support/staker.ts'
import { DESK, overflow, PHONE } from '../support/view-faults.ts'

const site = useConsole()

const QUESTION = 'Which amount do you mean?'

/** The choices below an amount's field. */
const meanings = (form: Page | Locator) => form.getByRole('group', { name: QUESTION })

/** Types over what a field has. */
async function retype(page: Page, field: Locator, text: string): Promise<void> {
  await field.focus()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type(text)
}

/** Returns how many elements of a locator have the focus. */
const focusedOf = (page: Page, control: Locator) => control.and(page.locator(':focus')).count()

it('asks which amount 1.000 is before a stake, by keyboard, and signs the chosen one', async () => {
  const { keypair } = await createStaker(site.service, 5000n * BigInt(ONE))
  const seen: string[] = []
  const wallet = createPageWallet({
    keypair,
    beforeSigning: async () => seen.push(...(await page.locator('form + .steps').allInnerTexts())),
  })
  const visit = await site.visit({ view: 'vault', wallets: [wallet], context: { viewport: DESK } })
  const { page, connect, violations } = visit
  await connect(wallet)
  await page.getByText('You have not staked yet.').waitFor()
  const amount = page.getByLabel('Amount in CRED')
  expect(await amount.inputValue()).toBe('1000')
  await page.getByText('= 1,000 CRED', { exact: true }).waitFor()

  await retype(page, amount, '1.000')
  await meanings(page).waitFor()
  expect(await meanings(page).getByRole('button').allInnerTexts()).toEqual(['1 CRED', '1,000 CRED'])
  expect(await page.getByRole('status').filter({ hasText: QUESTION }).count()).toBe(1)
  await page.keyboard.press('Enter')
  await expect.poll(() => amount.getAttribute('aria-invalid')).toBe('true')
  expect(await violations()).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await violations('color-contrast')).toEqual([])
  await page.setViewportSize(PHONE)
  expect(await overflow(page)).toBe(0)

  await page.keyboard.press('Tab')
  expect(await focusedOf(page, page.getByRole('button', { name: '1 CRED', exact: true }))).toBe(1)
  await page.keyboard.press('Enter')
  await page.getByText('= 1 CRED', { exact: true }).waitFor()
  expect(await amount.inputValue()).toBe('1')
  expect(await focusedOf(page, amount)).toBe(1)

  // A choice is for one text: the next one is asked for again.
  await retype(page, amount, '1.000')
  await meanings(page).waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  expect(await focusedOf(page, page.getByRole('button', { name: '1,000 CRED', exact: true }))).toBe(1)
  await page.keyboard.press('Space')
  await page.getByText('= 1,000 CRED', { exact: true }).waitFor()
  expect(await amount.inputValue()).toBe('1000')
  expect(await meanings(page).count()).toBe(0)
  expect(wallet.asked).toEqual([])

  await page.keyboard.press('Enter')
  await untilLanded(site.service, page.locator('form + .steps').getByText('Transaction confirmed.'))
  expect(seen.join()).toContain('Signing locks 1,000 CRED')
  await page.getByRole('heading', { name: '1,000 CRED for 30 days' }).waitFor()
})

/** A wallet that is on both sides of hires, sells requests, and is asked for access by a program. */
async function createBusyWallet() {
  const staker = await createStaker(site.service)
  const other = await createStaker(site.service, 0)
  const price = { feeModel: 'hybrid', feeAmount: 1_125_000_000 }
  const own = await register(staker.call, { name: 'Plover', ...price })
  const [free, hired] = [await register(other.call, { name: 'Tern' }), await register(other.call)]
  const hireId = await hireAgent(staker, hired.id)
  const soldId = await hireAgent(other, own.id, price)
  const prices = [{ name: 'GET /tides', amount: 1_234_125_000_000 }]
  await staker.call('PUT', `/x402/agents/${own.id}/prices`, { body: { prices } })
  const program = await registerProgram(site.service, 'https://assistant.example.com/callback')
  const jobIds = await createJobs(staker, free.id, other)
  const ids = { ownId: own.id, freeId: free.id, hireId, soldId, ...jobIds }
  return { keypair: staker.keypair, ...ids, consent: program.viewOf() }
}

/**
 * Makes jobs of an agent that takes jobs: one that the wallet ordered and paid, and one of another hirer that
 * the wallet judges.
 */
async function createJobs(wallet: Staker, agentId: string, owner: Staker) {
  const terms = { minPrice: ONE, workMinutes: 60, judges: [wallet.owner, 'none'] }
  const set = await owner.call('PUT', `/agents/${agentId}/job-terms`, { body: terms })
  expect(set.status).toBe(200)
  const order = { agentId, title: 'Tides', brief: 'Of a week', price: 5_000 * ONE }
  const funded = async ({ call }: Pick<Staker, 'call'>, judge: string): Promise<string> => {
    const body = { ...order, judge, reference: crypto.randomUUID() }
    const { body: job } = await call('POST', '/jobs', { body })
    await owner.call('POST', `/jobs/${job.id}/accept`, { body: { termsHash: job.termsHash } })
    await confirmFunding(site.service, job.id)
    return String(job.id)
  }
  const hirer = await site.service.signIn()
  const [fundedId, judgedId] = [await funded(wallet, 'none'), await funded(hirer, wallet.owner)]
  await owner.call('POST', `/jobs/${judgedId}/delivery`, { body: { text: 'High at noon' } })
  const objected = await hirer.call('POST', `/jobs/${judgedId}/object`, { body: { reason: 'One day only' } })
  expect(objected.status).toBe(200)
  return { fundedId, judgedId }
}

type Busy = Awaited<ReturnType<typeof createBusyWallet>>

type AmountForm = {
  view: string | ((wallet: Busy) => string)
  /** What makes the fields appear. */
  open?: (page: Page) => Promise<unknown>
  /** The button that sends the form; a filter has none. */
  button?: string
  fields: Partial<Record<string, 'CRED' | 'percent' | 'whole'>>
}

const summary = (text: string) => (page: Page) => page.locator('summary').getByText(text).first().click()
const MAY_HIRE = 'Hire agents and end hires'

/** Every form with an amount, by the component that keeps its text. */
const FORMS: Record<string, AmountForm> = {
  'lib/console/views/market.tsx PriceFilter': {
    view: 'market',
    open: summary('More filters'),
    fields: { maxRequestPrice: 'CRED' },
  },
  'lib/console/views/agents/hire.tsx HireForm': {
    view: ({ freeId }) => `agents/${freeId}`,
    button: 'Hire',
    fields: { budgetLimit: 'CRED' },
  },
  'lib/console/views/agents/price.tsx PriceForm': {
    view: ({ ownId }) => `agents/${ownId}`,
    button: 'Change price',
    fields: { feeAmount: 'CRED' },
  },
  'lib/console/views/connect/consent.tsx Consent': {
    view: ({ consent }) => consent,
    button: 'Allow',
    fields: { spendLimit: 'CRED' },
  },
  'lib/console/views/developer/new-connection.tsx NewConnection': {
    view: 'developer/connect',
    open: (page) => page.getByRole('checkbox', { name: MAY_HIRE }).first().check(),
    button: 'Create token',
    fields: { spendLimit: 'CRED' },
  },
  'lib/console/views/agents/register-agent.tsx RegisterAgent': {
    view: 'agents/register',
    open: async (page) => {
      await page.getByLabel('Name', { exact: true }).fill('Dipper')
      await page.getByRole('checkbox').first().check()
    },
    button: 'Register agent',
    fields: { feeAmount: 'percent' },
  },
  'lib/console/views/agents/job-terms.tsx AcceptJobs': {
    view: ({ ownId }) => `agents/${ownId}`,
    button: 'Accept jobs',
    fields: { minPrice: 'CRED' },
  },
  'lib/console/views/jobs/new-job.tsx OrderForm': {
    view: ({ freeId }) => `jobs/new?agent=${freeId}`,
    open: async (page) => {
      await page.getByLabel('Title').fill('Tides')
      await page.getByLabel('Brief').fill('Of a week')
    },
    button: 'Order job',
    fields: { price: 'CRED' },
  },
  'lib/console/views/jobs/acts.tsx Propose': {
    view: ({ fundedId }) => `jobs/${fundedId}`,
    open: summary('split'),
    button: 'Propose split',
    fields: { agentAmount: 'CRED' },
  },
  'lib/console/views/jobs/acts.tsx Judge': {
    view: ({ judgedId }) => `jobs/${judgedId}`,
    open: (page) => page.getByLabel('Reason').fill('A day of seven'),
    button: 'Decide…',
    fields: { agentAmount: 'CRED' },
  },
  'lib/console/views/developer/registration-form.tsx RegistrationForm': {
    view: 'developer/registry',
    open: (page) => page.getByLabel('Pricing').selectOption('flat'),
    button: 'Review message',
    fields: { feeAmount: 'whole' },
  },
  'lib/console/views/hires/budget.tsx HireBudget': {
    view: ({ hireId }) => `hires/${hireId}`,
    button: 'Fund',
    fields: { amount: 'CRED' },
  },
  'lib/console/views/hires/charge-form.tsx ChargeForm': {
    view: ({ soldId }) => `hires/${soldId}`,
    open: (page) => page.getByLabel('Reference').fill('job-1'),
    button: 'Charge',
    fields: { units: 'whole', capturedValue: 'CRED', share: 'CRED' },
  },
  'lib/console/views/selling/credit.tsx Credit': {
    view: ({ ownId }) => `selling/${ownId}`,
    button: 'Buy credit',
    fields: { amount: 'CRED' },
  },
  'lib/console/views/selling/prices.tsx AddForm': {
    view: ({ ownId }) => `selling/${ownId}`,
    open: (page) => page.getByLabel('Route').fill('GET /moon'),
    button: 'Add price',
    fields: { amount: 'CRED' },
  },
  'lib/console/views/selling/prices.tsx ChangeForm': {
    view: ({ ownId }) => `selling/${ownId}`,
    open: summary('Change price'),
    button: 'Save',
    fields: { amount: 'CRED' },
  },
  'lib/console/views/vault/stake.tsx StakeForm': {
    view: 'vault',
    button: 'Stake',
    fields: { amount: 'CRED' },
  },
}

/** Types into each amount of an open form, and checks that it asks, refuses and says what it read. */
async function tryForm({ page, violations }: Visit, { button, fields }: AmountForm): Promise<void> {
  const send = page.getByRole('button', { name: `${button}`, exact: true })
  const form = button
    ? page.locator('form').filter({ visible: true, has: send }).first()
    : page.getByRole('search')
  const inputs = form.locator('input:not([type=checkbox]):visible')
  await inputs.first().waitFor()
  const sent: string[] = []
  page.on('request', (request) => request.method() !== 'GET' && sent.push(request.url()))
  const shown = await Promise.all((await inputs.all()).map((input) => input.getAttribute('name')))
  const lastParts = shown.map((name) => `${name?.split('.').at(-1)}`)
  expect(lastParts.filter((name) => amountNames().has(name))).toEqual(Object.keys(fields))
  for (const [name, unit] of Object.entries(fields)) {
    const field = page.locator(`input[name="${name}"], input[name$=".${name}"]`)
    const block = form.locator('.field').filter({ has: field })
    const input = block.locator('input')
    /** A press sends nothing: the button is disabled, or the field gets the focus. */
    const expectBlocked = async () => {
      if (!button || (await send.first().getAttribute('aria-disabled')) === 'true') return
      const before = sent.length
      await send.first().click()
      await expect.poll(() => focusedOf(page, input)).toBe(1)
      expect(sent.length).toBe(before)
    }
    expect(await input.inputValue()).toMatch(/^(\d+(\.\d+)?)?$/)
    await input.fill('1.000')
    if (unit === 'CRED') {
      await meanings(block).waitFor()
      await expectBlocked()
      expect(await violations('color-contrast', 'label', 'aria-valid-attr-value')).toEqual([])
      await meanings(block).getByRole('button', { name: '1,000 CRED' }).click()
      await block.getByText('= 1,000 CRED', { exact: true }).waitFor()
      expect(await input.inputValue()).toBe('1000')
    }
    if (unit === 'whole') await block.getByText(/^= 1,000 (units|lamports)$/).waitFor()
    if (unit === 'percent') await block.getByText('with at most two decimals').waitFor()
    await input.fill('1e3')
    await block.getByText('This can’t be read as an amount.').waitFor()
    await expectBlocked()
    await input.fill('2,5')
    if (unit === 'whole') await block.getByText('Too many decimals.').waitFor()
    else await block.getByText(`= 2.5 ${unit}`, { exact: true }).waitFor()
    await input.fill('3')
    await block.getByText(/^= 3 /).waitFor()
  }
  if (button) await expect.poll(() => send.first().getAttribute('aria-disabled')).toBeNull()
}

it('knows every form of the console that has an amount', () => {
  expect(amountForms().sort()).toEqual(Object.keys(FORMS).sort())
})

it('asks in every form with an amount, and fills in none with separators of thousands', async () => {
  const busy = await createBusyWallet()
  const wallet = createPageWallet({ keypair: busy.keypair })
  const visit = await site.visit({ view: 'market', wallets: [wallet], context: { viewport: DESK } })
  await visit.connect(wallet)
  for (const [name, form] of Object.entries(FORMS)) {
    await visit.open(typeof form.view === 'string' ? form.view : form.view(busy))
    await form.open?.(visit.page)
    await tryForm(visit, form).catch((cause) => {
      throw new Error(name, { cause })
    })
  }
  expect(wallet.asked).not.toContain('signTransaction')
})
