import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { useConsole } from '../support/console.ts'
import { createPageWallet } from '../support/page-wallet.ts'
import { DESK, overflow, PHONE } from '../support/view-faults.ts'

const site = useConsole()

const ID = '0197a9f0-0000-7000-8000-000000000001'
const DUE = '2026-12-01T08:00:00.000Z'
const AT = '2026-11-28T10:00:00.000Z'

/** A job as the API shows it, with the longest texts that it takes. */
const JOB = {
  ...{ id: ID, agentId: ID, agentName: 'Glossary', role: 'hirer', reference: 'x'.repeat(128) },
  ...{ hirer: createPageWallet().address, owner: createPageWallet().address, judge: 'deployment' },
  ...{ title: 'W'.repeat(80), brief: `${'Liegeplätze '.repeat(50)}${'m'.repeat(400)}` },
  ...{ price: 5_000_000_001, feeBps: 100, acceptMinutes: 4_320, workMinutes: 1_440, reviewMinutes: 4_320 },
  ...{ termsHash: 'ab'.repeat(32), status: 'open', dueAt: DUE, createdAt: AT, strays: [] },
}
const FUNDED = { ...JOB, status: 'funded', acceptedAt: AT, fundedAt: AT }
const DELIVERED = { ...FUNDED, status: 'delivered', deliveredAt: AT, deliveryHash: 'cd'.repeat(32) }
const DISPUTED = { ...DELIVERED, status: 'disputed', disputedAt: AT }
const END = { dueAt: undefined, endedAt: AT }

/** Jobs in every state: what the wallet may do, the buttons for it, and what the page says. */
const STATES: readonly [object, acts: string[], buttons: string[], words: string][] = [
  [JOB, ['end'], ['Withdraw order…'], 'Otherwise the order is cancelled.'],
  [{ ...JOB, role: 'agent' }, ['accept', 'end'], ['Accept job…', 'Decline order…'], 'Accept or decline by'],
  [
    { ...FUNDED, role: 'agent' },
    ['deliver', 'propose', 'end'],
    ['Deliver', 'Give up…'],
    'Otherwise the hirer gets back 5.000000001 CRED.',
  ],
  [
    DELIVERED,
    ['approve', 'object', 'propose'],
    ['Approve delivery…'],
    'Otherwise the agent gets 4.95 CRED (5.000000001 less 1% fee).',
  ],
  [
    { ...DISPUTED, role: 'agent', hirerProposal: 1_000_000_000 },
    ['concede', 'propose'],
    ['Agree to this split', 'Give the price back…'],
    'The hirer proposes: you get 0.99 CRED (1 less 1% fee), the hirer gets back 4.000000001 CRED.',
  ],
  [
    { ...DISPUTED, role: 'judge', agentProposal: 3_000_000_000 },
    ['judge'],
    ['Decide…'],
    'The agent’s owner proposes: the agent gets 2.97 CRED (3 less 1% fee)',
  ],
  [
    {
      ...DISPUTED,
      ...END,
      status: 'completed',
      endReason: 'agreed',
      agentAmount: 1,
      hirerAmount: 5_000_000_000,
    },
    [],
    [],
    'Both sides agreed on a split.',
  ],
  [
    { ...JOB, ...END, status: 'cancelled', endReason: 'queue_full' },
    [],
    [],
    'The agent had too many orders.',
  ],
]

it('shows each state of a job with its acts, on a desk and on a phone', async () => {
  const wallet = createPageWallet()
  const visit = await site.visit({ view: 'start', wallets: [wallet], context: { viewport: DESK } })
  const { page, open, violations } = visit
  let shown: object = {}
  await page.route('**/v1/jobs/**', (route) => {
    const isTexts = route.request().url().endsWith('/texts')
    return route.fulfill({ json: isTexts ? { delivery: { text: 'm'.repeat(8_192), createdAt: AT } } : shown })
  })
  await visit.connect(wallet)
  for (const [job, acts, buttons, words] of STATES) {
    shown = { ...job, actions: acts.map((act) => ({ act, until: DUE })) }
    await open(`jobs/${ID}`)
    await page.getByText(words).first().waitFor()
    await page.getByText('m'.repeat(8_192)).waitFor()
    const main = page.getByRole('main')
    const found = await main.getByRole('region', { name: 'What you can do' }).getByRole('button').all()
    expect(await Promise.all(found.map((button) => button.innerText()))).toEqual(buttons)
    expect([words, await violations()]).toEqual([words, []])
    await page.setViewportSize(PHONE)
    expect([words, await overflow(page)]).toEqual([words, 0])
    await page.setViewportSize(DESK)
  }
})

it('refuses another input than the ordered one at its field, and pays nothing', async () => {
  const wallet = createPageWallet()
  const visit = await site.visit({ view: 'start', wallets: [wallet] })
  const { page, open } = visit
  const inputHash = createHash('sha256').update('The ordered text.').digest('hex')
  await page.route('**/v1/jobs/**', (route) =>
    route.fulfill({
      json: route.request().url().endsWith('/texts')
        ? {}
        : { ...JOB, status: 'accepted', acceptedAt: AT, inputHash, actions: [{ act: 'fund', until: DUE }] },
    }),
  )
  await visit.connect(wallet)
  await open(`jobs/${ID}`)
  const input = page.getByLabel('Input')
  await input.fill('Another text.')
  await page.getByRole('button', { name: /^Pay/ }).click()
  await page.getByText('Enter exactly the text that you ordered with.').waitFor()
  expect(await input.getAttribute('aria-invalid')).toBe('true')
  expect(await input.evaluate((field) => field === field.ownerDocument.activeElement)).toBe(true)
  const begun = page.getByText('Prepare the transaction')
  expect(await begun.count()).toBe(0)
  await input.fill('The ordered text.')
  await page.getByRole('button', { name: /^Pay/ }).click()
  await begun.waitFor()
})

it('opens the list in which a job waits, and says what to do there by when', async () => {
  const wallet = createPageWallet()
  const visit = await site.visit({ view: 'start', wallets: [wallet], context: { viewport: DESK } })
  const { page, open, violations } = visit
  const ended = { ...DISPUTED, ...END, status: 'rejected', endReason: 'judged', agentAmount: 0 }
  const lists: Record<string, object[]> = {
    hirer: [{ ...ended, title: 'Old', hirerAmount: 3_000_000_000, refundedAt: AT, actions: [] }],
    agent: [{ ...DELIVERED, role: 'agent', actions: [] }],
    judge: [],
  }
  await page.route('**/v1/jobs?**', (route) => {
    const role = new URL(route.request().url()).searchParams.get('role') ?? ''
    return route.fulfill({ json: { jobs: lists[role] } })
  })
  await visit.connect(wallet)
  // Nothing waits.
  await open('jobs')
  await page.getByRole('heading', { name: 'Jobs you ordered' }).waitFor()
  await page.getByText('You got back 3 CRED.').waitFor()
  lists.agent = [{ ...FUNDED, role: 'agent', title: 'Work', actions: [{ act: 'deliver', until: DUE }] }]
  await open('jobs')
  await page.getByRole('heading', { name: 'Jobs to do' }).waitFor()
  await page.getByText(', or the hirer gets back 5.000000001 CRED').waitFor()
  await page.getByRole('navigation', { name: 'Jobs' }).getByRole('link', { name: 'Jobs you ordered' }).click()
  await page.getByRole('heading', { name: 'Jobs you ordered' }).waitFor()
  lists.hirer = [
    { ...DELIVERED, title: 'Check', actions: [{ act: 'object', until: DUE }] },
    { ...ended, id: AT, title: 'Won', hirerAmount: 3_000_000_000, actions: [{ act: 'refund' }] },
  ]
  await open('jobs')
  await page.getByText('Get back 3 CRED').waitFor()
  await page.getByText(', or the agent gets 4.95 CRED').waitFor()
  expect(await page.title()).toBe('Jobs you ordered · AgentCred')
  expect(await violations()).toEqual([])
  await page.setViewportSize(PHONE)
  expect(await overflow(page)).toBe(0)
})
