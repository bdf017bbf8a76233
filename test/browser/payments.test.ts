import { expect, it } from 'vitest'
import { register } from '../support/agents.ts'
import { useConsole } from '../support/console.ts'
import { createPageWallet } from '../support/page-wallet.ts'
import { createStaker } from '../support/staker.ts'
import { PHANTOM } from '../support/wallets.ts'

const site = useConsole()

it('a hire is funded, its agent collects what it charged, and the rest is withdrawn', async () => {
  const [owner, hirer] = [await createStaker(site.service, 0), await createStaker(site.service)]
  const agent = await register(owner.call, { name: 'Dredger', feeModel: 'flat', feeAmount: 1_000_000_000 })
  const hire = await hirer.call('POST', '/agents/hire', { body: { agentId: agent.id } })
  const body = { hireId: hire.body.id, reference: 'channel', units: 3 }
  expect((await owner.call('POST', '/payments/charges', { body })).status).toBe(201)

  const ownerWallet = createPageWallet({ keypair: owner.keypair, habits: PHANTOM })
  const earning = await site.visit({ view: 'earnings', wallets: [ownerWallet] })
  await earning.connect(ownerWallet)
  await earning.page.getByText('Make it').click()
  await earning.page.getByRole('button', { name: 'Make my collector' }).click()
  await earning.page.getByText('It has landed.').waitFor()

  const hirerWallet = createPageWallet({ keypair: hirer.keypair, habits: PHANTOM })
  const paying = await site.visit({ view: 'hires', wallets: [hirerWallet] })
  await paying.connect(hirerWallet)
  const card = paying.page.getByRole('list', { name: 'Hires' }).getByRole('listitem').first()
  await card.getByText('Budget account').click()
  await card.getByLabel('Amount in CRED').fill('10')
  await card.getByRole('button', { name: 'Fund it' }).click()
  await card.getByText('It has landed.').waitFor()
  await card.getByRole('button', { name: 'Top up' }).waitFor()

  await earning.page.reload()
  const accounts = earning.page.getByRole('list', { name: 'Budget accounts' })
  await accounts.getByText('covered', { exact: true }).waitFor()
  await accounts.getByRole('button', { name: 'Collect' }).click()
  await earning.page.getByText('It has landed.').waitFor()
  await earning.page.getByRole('row').filter({ hasText: 'channel' }).getByText('paid').waitFor()
  const collected = await owner.cred()
  expect(collected).toBeGreaterThan(2_900_000_000n)
  expect(collected).toBeLessThanOrEqual(3_000_000_000n)

  await paying.page.reload()
  await card.getByText('Budget account').click()
  await card.getByRole('button', { name: 'Withdraw all of it' }).click()
  await card.getByText('It has landed.').waitFor()
  await card.getByRole('button', { name: 'Fund it' }).waitFor()
  expect(await hirer.cred()).toBe(997_000_000_000n)
})

it('a hire can not be funded before its agent’s owner can collect, which is said', async () => {
  const [owner, hirer] = [await createStaker(site.service, 0), await createStaker(site.service)]
  const agent = await register(owner.call)
  await hirer.call('POST', '/agents/hire', { body: { agentId: agent.id } })
  const wallet = createPageWallet({ keypair: hirer.keypair })
  const { page, connect } = await site.visit({ view: 'hires', wallets: [wallet] })
  await connect(wallet)
  await page.getByText('Budget account').click()
  await page.getByRole('button', { name: 'Fund it' }).click()
  await page.getByRole('alert').getByText('collector').first().waitFor()
  expect(wallet.asked).toEqual(['signMessage'])
})
