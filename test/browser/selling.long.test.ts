import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import { register } from '../support/agents.ts'
import { useConsole } from '../support/console.ts'
import { createPageWallet } from '../support/page-wallet.ts'
import { createPayer } from '../support/payer.ts'
import { createStaker } from '../support/staker.ts'
import { DESK, overflow, PHONE } from '../support/view-faults.ts'

const site = useConsole()

/** An owner of an agent at 2 CRED a unit, as the page's wallet and over HTTP. */
async function createOwner() {
  const payer = await createPayer(site.service)
  const agent = await register(payer.call, { name: 'Tern', feeModel: 'flat', feeAmount: 2_000_000_000 })
  return { agent, payer, wallet: createPageWallet({ keypair: payer.keypair }) }
}

it('changes the price for new hires, and keeps it for the hires that exist', async () => {
  const { agent, wallet } = await createOwner()
  const hirer = await createStaker(site.service, 0)
  await hirer.call('POST', '/agents/hire', { body: { agentId: agent.id } })
  const { page, connect, violations } = await site.visit({ view: `agents/${agent.id}`, wallets: [wallet] })
  await connect(wallet)
  const button = page.getByRole('button', { name: 'Change price' })
  await expect.poll(() => button.isDisabled()).toBe(true)
  const price = page.getByLabel('Price per unit, in CRED')
  expect(await price.inputValue()).toBe('2')
  await price.fill('3.5')
  await button.click()
  await page.getByText('Price changed.').waitFor()
  await page.locator('.figures').getByText('3.5 CRED').waitFor()
  await page.getByLabel('Pricing').selectOption('percentage')
  await page.getByLabel('Percentage').fill('101')
  await expect.poll(() => button.isDisabled()).toBe(true)
  await page.getByText('Enter at most 100 percent.').waitFor()
  expect(await violations()).toEqual([])
  expect((await site.service.call('GET', `/agents/${agent.id}`)).body).toMatchObject({
    feeAmount: 3_500_000_000,
  })
  const { body } = await hirer.call('GET', '/agents/hire')
  expect(body.hires).toMatchObject([{ feeAmount: 2_000_000_000 }])
})

it('hires nobody at a price that the page does not show, and shows the new one', async () => {
  const { agent, payer } = await createOwner()
  const hirer = createPageWallet()
  const { page, connect } = await site.visit({ view: `agents/${agent.id}`, wallets: [hirer] })
  await connect(hirer)
  const hire = page.getByRole('button', { name: 'Hire', exact: true })
  await hire.waitFor()
  const body = { feeModel: 'flat', feeAmount: 9_000_000_000 }
  await payer.call('PATCH', `/agents/${agent.id}`, { body })
  await hire.click()
  await page.getByRole('alert').getByText('Check the new price, then hire again.').waitFor()
  await page.locator('.figures').getByText('9 CRED').waitFor()
  await hire.click()
  await page.getByText('Hired until').waitFor()
})

it('shows the steps left until an agent is paid, and checks off each when it is done', async () => {
  const { agent, payer, wallet } = await createOwner()
  const visitor = await site.visit({ view: `agents/${agent.id}` })
  await visitor.page.getByText('This agent can’t be paid yet.').waitFor()
  const { page, connect, open, violations } = await site.visit({
    view: `agents/${agent.id}`,
    wallets: [wallet],
  })
  await connect(wallet)
  const steps = page.getByRole('region', { name: 'Get paid' }).getByRole('listitem')
  const states = () => steps.locator('strong:first-child').allInnerTexts()
  await expect.poll(states).toEqual(['To do', 'Done', 'To do', 'To do'])
  expect(await violations()).toEqual([])
  await steps.getByRole('link', { name: 'Set up payouts' }).click()
  await page.getByRole('button', { name: 'Set up payouts' }).click()
  await page.getByText('Payouts are set up:').waitFor()
  await open(`agents/${agent.id}`)
  await expect.poll(states).toEqual(['Done', 'Done', 'To do', 'To do'])
  await visitor.page.reload()
  await visitor.page.getByRole('heading', { name: 'Hire this agent' }).waitFor()
  expect(await visitor.page.getByText('This agent can’t be paid yet.').count()).toBe(0)

  await payer.call('POST', '/events/endpoints', { body: { url: 'https://tern.example.com/hook' } })
  const hirer = await createStaker(site.service, 0)
  const { body: hire } = await hirer.call('POST', '/agents/hire', { body: { agentId: agent.id } })
  await payer.call('POST', '/payments/charges', { body: { hireId: hire.id, reference: 'job-1' } })
  // A charge is an event: the list goes without a reload.
  await expect.poll(() => steps.count()).toBe(0)
})

it('shows the price and the way to hire on the first screen of a phone', async () => {
  const { agent } = await createOwner()
  const { page, violations } = await site.visit({
    view: `agents/${agent.id}`,
    context: { viewport: PHONE },
  })
  const link = page.getByRole('link', { name: 'Hire', exact: true })
  const bottomOf = async (locator: Locator) => {
    const box = await locator.boundingBox()
    return box ? box.y + box.height : Number.POSITIVE_INFINITY
  }
  await link.waitFor()
  for (const seen of [link, page.locator('.figures').getByText('2 CRED')])
    expect(await bottomOf(seen)).toBeLessThan(PHONE.height)
  await link.click()
  await expect.poll(() => bottomOf(page.getByRole('heading', { name: 'Hire this agent' }))).toBeLessThan(200)
  expect(await overflow(page)).toBe(0)
  expect(await violations()).toEqual([])
  await page.setViewportSize(DESK)
  expect(await link.count()).toBe(0)
})
