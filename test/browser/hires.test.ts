import { expect, it } from 'vitest'
import { register } from '../support/agents.ts'
import { useConsole } from '../support/console.ts'
import { createPageWallet } from '../support/page-wallet.ts'
import { createStaker } from '../support/staker.ts'
import { DESK, PHONE } from '../support/view-faults.ts'

const site = useConsole()

/** What a charge's work produced: a link, which the page may show and never opens. */
const RESULT = 'https://files.example.com/page-1'

/** An agent that takes 2 CRED a unit on layers 3 and 4, and its owner and a hirer with their wallets. */
async function createParties() {
  const owner = await createStaker(site.service, 0)
  const agent = await register(owner.call, {
    name: 'Crane',
    supportedLayers: [3, 4],
    feeModel: 'flat',
    feeAmount: 2_000_000_000,
  })
  return {
    agent,
    owner: createPageWallet({ keypair: owner.keypair }),
    hirer: createPageWallet(),
    asOwner: owner.call,
  }
}

it('an agent is hired, charges for its work within the budget, and the hire is ended', async () => {
  const { agent, owner, hirer } = await createParties()
  const hiring = await site.visit({ view: `agents/${agent.id}`, wallets: [hirer] })
  await hiring.connect(hirer)
  await hiring.page.getByRole('checkbox', { name: 'Data licensing' }).uncheck()
  await hiring.page.getByLabel('Spending limit per period, in CRED').fill('5')
  await hiring.page.getByRole('button', { name: 'Hire', exact: true }).click()
  await hiring.page.getByText('Hired until').waitFor()
  expect(hirer.asked).toEqual(['signMessage'])
  await hiring.page.reload()
  await hiring.page.getByText('Hired until').waitFor()
  await hiring.page.getByText('0 CRED charged of 5 CRED').waitFor()
  expect(await hiring.page.getByRole('button', { name: 'Hire', exact: true }).count()).toBe(0)
  // It is seen by the session that there is.
  expect(hirer.asked).toEqual(['signMessage'])
  // On a phone the first screen has the way to the hire, and no button to hire again.
  await hiring.page.setViewportSize(PHONE)
  await hiring.page.getByRole('link', { name: 'Hired · Manage' }).waitFor()
  expect(await hiring.page.getByRole('link', { name: 'Hire', exact: true }).count()).toBe(0)
  await hiring.page.setViewportSize(DESK)

  const owning = await site.visit({ view: `agents/${agent.id}`, wallets: [owner] })
  await owning.connect(owner)
  await owning.page.getByRole('region', { name: 'Hires' }).getByRole('link', { name: 'Hire by' }).click()
  await owning.page.getByText('Hired by').waitFor()
  const charge = async (reference: string, units: string) => {
    await owning.page.getByLabel('Reference').fill(reference)
    await owning.page.getByLabel('Units').fill(units)
    await owning.page.getByLabel('Result (optional)').fill(RESULT)
    await owning.page.getByRole('button', { name: 'Charge', exact: true }).click()
  }
  await owning.page.getByLabel('Reference').fill('')
  await owning.page.getByRole('button', { name: 'Charge', exact: true }).click()
  await owning.page.getByText('Enter a reference,').waitFor()
  await charge('job-1', '2')
  const charged = owning.page.getByText('Charged 4 CRED for job-1.')
  await charged.waitFor()
  await owning.page.getByText('The hire budget lacks 4 CRED to pay what is due.').waitFor()
  await charge('job-2', '1')
  // It was about the charge before.
  expect(await charged.count()).toBe(0)
  await owning.page.locator('.failure').getByText('budget_exhausted').waitFor({ state: 'attached' })

  await hiring.page.getByRole('link', { name: 'Manage hire' }).click()
  const { page } = hiring
  await page.getByRole('heading', { level: 1, name: 'Hire of Crane' }).waitFor()
  await page.getByText('4 CRED charged of 5 CRED').waitFor()
  expect(await page.getByRole('meter').getAttribute('value')).toBe('0.8')
  await page.getByText('4 CRED to fund').waitFor()
  await expect.poll(() => page.getByLabel('Amount in CRED').inputValue()).toBe('4')
  await page.getByText('Your wallet has 0 CRED.').waitFor()
  await page
    .getByText('You can rate this agent after 1 CRED has been collected for this hire (0 CRED so far).')
    .waitFor()
  expect(await page.getByRole('button', { name: 'Publish rating' }).count()).toBe(0)
  // A charge has a page of its own.
  await page.getByRole('rowheader', { name: 'job-1' }).getByRole('link').click()
  await page.getByRole('heading', { level: 1, name: 'Charge job-1' }).waitFor()
  const result = page.getByRole('region', { name: 'Result' }).getByRole('link', { name: RESULT })
  expect(await result.getAttribute('rel')).toBe('noopener noreferrer nofollow ugc')
  await page.getByRole('link', { name: 'Hire of Crane' }).click()
  await page.getByRole('button', { name: 'End hire…' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('active').waitFor()
  await page.getByRole('button', { name: 'End hire…' }).click()
  await page.getByRole('button', { name: 'End hire', exact: true }).click()
  await page.getByText('ended early').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'End hire…' }).count()).toBe(0)
  // The list says what is still due, and leads to the hire.
  await page.getByRole('navigation').getByRole('link', { name: 'Hires' }).click()
  const row = page.getByRole('row').filter({ hasText: 'ended early' })
  await row.getByRole('cell', { name: '4 CRED Fund' }).waitFor()
  await page.getByLabel('Status').selectOption('Active')
  await page.getByText('You have no hires with this status.').waitFor()
  expect(page.url()).toContain('hires?status=active')
  await page.reload()
  await page.getByText('You have no hires with this status.').waitFor()
  await page.getByLabel('Status').selectOption('Ended early')
  await row.getByRole('cell', { name: '4 CRED Fund' }).waitFor()
  await row.getByRole('link', { name: 'Crane', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Hire of Crane' }).waitFor()
})

it('a charge is voided by the owner, which the hirer sees', async () => {
  const { agent, owner, asOwner } = await createParties()
  const { call } = await site.service.signIn()
  const hire = await call('POST', '/agents/hire', { body: { agentId: agent.id } })
  const body = { hireId: hire.body.id, reference: 'mistaken' }
  await asOwner('POST', '/payments/charges', { body })
  const { page, connect } = await site.visit({ view: 'earnings', wallets: [owner] })
  await connect(owner)
  const row = page.getByRole('row').filter({ hasText: 'mistaken' })
  await row.getByRole('button', { name: 'Void charge…' }).click()
  await row.getByRole('button', { name: 'Void charge', exact: true }).click()
  await row.getByText('voided').waitFor()
  const charges = await call('GET', '/payments/charges?role=hirer')
  expect(charges.body.charges).toMatchObject([{ reference: 'mistaken', status: 'voided' }])
})

it('shows an error of a hire at the field that it names', async () => {
  const { agent, hirer } = await createParties()
  const { page, connect } = await site.visit({ view: `agents/${agent.id}`, wallets: [hirer] })
  await connect(hirer)
  const days = page.getByLabel('Period in days')
  await days.fill('0')
  await page.getByRole('button', { name: 'Hire', exact: true }).click()
  await expect.poll(() => days.getAttribute('aria-invalid')).toBe('true')
  const described = await days.getAttribute('aria-describedby')
  expect(await page.locator(`[id="${described}"]`).innerText()).toBe(
    'Enter a whole number of days from 1 to 365.',
  )
})

it('an owner withdraws its agent from the market and says what it is', async () => {
  const { agent, owner } = await createParties()
  const { page, connect, open } = await site.visit({ view: `agents/${agent.id}`, wallets: [owner] })
  await connect(owner)
  await page.getByLabel('Description').fill('Lifts what is heavy.')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  await page.getByRole('button', { name: 'Deactivate' }).click()
  await page.getByText('This agent is inactive and can’t be hired.').waitFor()
  await page.getByRole('banner').getByTitle(owner.address).click()
  await page.getByRole('button', { name: 'Disconnect' }).click()
  await open(`agents/${agent.id}`)
  await page.getByText('This agent is inactive and can’t be hired.').waitFor()
  await page.getByText('Lifts what is heavy.').waitFor()
})

it('offers the form again when a hire ends, and shows a hire made on another page', async () => {
  const { agent } = await createParties()
  const hirer = await createStaker(site.service, 0)
  const wallet = createPageWallet({ keypair: hirer.keypair })
  const { body: hire } = await hirer.call('POST', '/agents/hire', { body: { agentId: agent.id } })
  const { page, connect, open } = await site.visit({ view: 'hires', wallets: [wallet] })
  await connect(wallet)
  await page.getByRole('table', { name: 'Hires' }).waitFor()
  await open(`agents/${agent.id}`)
  await page.getByText('Hired until').waitFor()
  await hirer.call('DELETE', `/agents/hire?id=${hire.id}`)
  await page.getByRole('button', { name: 'Hire', exact: true }).waitFor()
  await hirer.call('POST', '/agents/hire', { body: { agentId: agent.id } })
  await page.getByText('Hired until').waitFor()
})
