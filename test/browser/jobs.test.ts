import { expect, it } from 'vitest'
import { register } from '../support/agents.ts'
import { useConsole, type Visit } from '../support/console.ts'
import { createPageWallet } from '../support/page-wallet.ts'
import { createStaker } from '../support/staker.ts'

const site = useConsole()

const INPUT = '1. Berths are booked a day ahead.'

/** A reason of the most characters. */
const reasonOf = (text: string): string => text.padEnd(500, ' !')

/** An agent whose owner accepts jobs by the console, with a wallet that it names as judge. */
async function offer(judge: string) {
  const staker = await createStaker(site.service, 0)
  const agent = await register(staker.call, { name: 'Glossary', feeModel: 'flat', feeAmount: 1_000_000_000 })
  const wallet = createPageWallet({ keypair: staker.keypair })
  const owning = await site.visit({ view: `agents/${agent.id}`, wallets: [wallet] })
  const { page } = owning
  // Without terms the way leads to a hire.
  await page.locator('main a[href="#hire"]').waitFor({ state: 'attached' })
  await owning.connect(wallet)
  await owning.open('earnings?side=owner')
  await page.getByRole('button', { name: 'Set up payouts' }).click()
  await page.getByText('Payouts are set up:').waitFor()
  await owning.open(`agents/${agent.id}`)
  const terms = page.getByRole('region', { name: 'Accept jobs' })
  await terms.getByLabel('Lowest price, in CRED').fill('2')
  await terms.getByLabel('Time to deliver').selectOption('6 hours')
  await terms.getByRole('checkbox', { name: 'A wallet that you name' }).check()
  await terms.getByLabel('The judge’s wallet').fill(judge)
  await terms.getByRole('button', { name: 'Accept jobs' }).click()
  await terms.getByText('Hirers can order jobs of this agent.').waitFor()
  await owning.open(`agents/${agent.id}`)
  await terms.getByLabel('The judge’s wallet').waitFor()
  expect(await terms.getByLabel('The judge’s wallet').inputValue()).toBe(judge)
  return { agent, owning }
}

/** Orders a job from the agent's page. */
async function order({ page }: Visit, { title, judge }: { title: string; judge: string }): Promise<void> {
  await page.getByRole('link', { name: 'Order a job' }).first().click()
  await page.getByLabel('Title').fill(title)
  await page.getByLabel('Brief').fill('Into German. Keep the numbers.')
  await page.getByLabel('Input (optional)').fill(INPUT)
  await page.getByLabel('Price in CRED').fill('5')
  await page.getByLabel('Judge').selectOption(judge)
  await page.getByRole('button', { name: 'Order job' }).click()
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
}

it('orders a job, accepts and delivers it, and pays half of it after an objection', async () => {
  const judge = createPageWallet()
  const { agent, owning } = await offer(judge.address)
  const { keypair } = await createStaker(site.service)
  const hirer = createPageWallet({ keypair })
  const hiring = await site.visit({ view: 'jobs', wallets: [hirer] })
  await hiring.connect(hirer)
  await hiring.page.getByText('You have not ordered a job yet.').waitFor()
  await hiring.open(`agents/${agent.id}`)
  await hiring.page.getByRole('link', { name: 'Order a job' }).first().click()
  await hiring.page.getByLabel('Price in CRED').fill('1')
  await hiring.page.getByText('Enter at least 2 CRED.').waitFor()
  await hiring.page.getByLabel('Judge').selectOption('A judge of this service')
  await hiring.page.getByText('Any judge of this service can decide if you object.').waitFor()
  await hiring.page.getByLabel('Input (optional)').fill('Berths\u200bare booked')
  await hiring.page.getByRole('button', { name: 'Order job' }).click()
  await hiring.page.getByText('Hidden character after “Berths”').waitFor()
  expect(await hiring.violations()).toEqual([])
  await hiring.page.goBack()
  const name = `${judge.address.slice(0, 4)}…${judge.address.slice(-4)}`
  await order(hiring, { title: 'Translate the harbour rules', judge: name })
  await hiring.page.getByText('The agent’s owner can accept by').first().waitFor()

  const waiting = ({ page }: Visit) => page.getByRole('link', { name: 'Jobs (1 waiting for you)' })
  await waiting(owning).waitFor()
  // It opens where a job waits for the wallet.
  await owning.open('jobs')
  await owning.page.getByRole('heading', { name: 'Jobs to do' }).waitFor()
  const row = owning.page.getByRole('row').filter({ hasText: 'Translate the harbour rules' })
  await row.getByText('Accept or decline').waitFor()
  expect(await owning.violations()).toEqual([])
  await row.getByRole('link').click()
  await owning.page.getByRole('button', { name: 'Accept job…' }).click()
  await owning.page.getByText('you can then collect 4.95 CRED (5 less 1% fee).').waitFor()
  await owning.page.getByRole('button', { name: 'Accept job', exact: true }).click()
  await owning.page.getByText('The hirer can pay by').first().waitFor()
  await waiting(owning).waitFor({ state: 'detached' })
  await waiting(hiring).waitFor()

  const { page } = hiring
  await page.getByRole('heading', { name: 'Input' }).waitFor()
  await page.getByText(INPUT).waitFor()
  await page.getByText('Your wallet has 1,000 CRED.').waitFor()
  await page.getByRole('button', { name: 'Pay 5 CRED' }).click()
  await page.getByText('5 CRED paid into the escrow.').waitFor()
  await page.getByText('The agent delivers by').first().waitFor()

  await owning.page.getByText(INPUT).waitFor()
  await owning.page.getByRole('button', { name: 'Deliver', exact: true }).click()
  await owning.page.getByText('Enter a text.').waitFor()
  await owning.page.getByLabel('Delivery').fill('Liegeplätze: <b>siehe</b> https://example.com/rules')
  await owning.page.getByRole('button', { name: 'Deliver', exact: true }).click()
  await owning.page.getByText('The hirer can approve or object by').first().waitFor()

  await page.getByText('Approve or object by').first().waitFor()
  // It is text of a stranger: nothing in it works.
  await page.getByText('<b>siehe</b> https://example.com/rules').waitFor()
  expect(await page.locator('main a[href*="example.com"]').count()).toBe(0)
  await page.getByText('Object to the delivery').click()
  await page.getByLabel('What is wrong with the delivery').fill(reasonOf('The numbers are missing.'))
  await page.getByRole('button', { name: 'Object', exact: true }).click()
  await page.getByText('The judge decides by').first().waitFor()
  await page.getByText('You objected to the delivery.').waitFor()
  expect(await page.getByText('5 CRED paid into the escrow.').count()).toBe(0)

  const judging = await site.visit({ view: 'jobs', wallets: [judge] })
  await judging.connect(judge)
  await judging.page.getByRole('link', { name: 'Translate the harbour rules' }).click()
  await judging.page.getByText('The numbers are missing.').waitFor()
  await judging.page.getByLabel('The agent gets, before the fee, in CRED').fill('2.5')
  await judging.page
    .getByText('The agent gets 2.475 CRED (2.5 less 1% fee), the hirer gets back 2.5 CRED.', { exact: true })
    .waitFor()
  await judging.page.getByLabel('Reason').fill(reasonOf('Half of the rules have their numbers.'))
  expect(await judging.violations()).toEqual([])
  await judging.page.getByRole('button', { name: 'Decide…' }).click()
  await judging.page.getByText('Your decision can’t be changed.').waitFor()
  await judging.page.getByRole('button', { name: 'Decide', exact: true }).click()
  await judging.page.getByText('The judge decided.').first().waitFor()
  await page.getByText('The judge decided.').first().waitFor()
  await page.getByText('Half of the rules have their numbers.').waitFor()
  await page.getByRole('button', { name: 'Get back 2.5 CRED' }).click()
  await page.getByText('2.5 CRED returned.').waitFor()
  await page.getByText('2.5 CRED returned to you').waitFor()
  await owning.page.getByRole('button', { name: 'Collect 2.475 CRED' }).click()
  await owning.page.getByText('2.475 CRED collected.').waitFor()
  await page.getByRole('button', { name: 'Get back 0.002 SOL' }).click()
  await page.getByText('The escrow is closed').waitFor()
  await waiting(hiring).waitFor({ state: 'detached' })
  await hiring.open('jobs')
  await page.getByText('You got back 2.5 CRED.').waitFor()
})
