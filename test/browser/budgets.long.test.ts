import { expect, it } from 'vitest'
import { register } from '../support/agents.ts'
import { useConsole } from '../support/console.ts'
import { createPageWallet } from '../support/page-wallet.ts'
import { connectionOf, createStaker, ONE } from '../support/staker.ts'
import { PHANTOM } from '../support/wallets.ts'

const site = useConsole()

/** An agent that takes 2 CRED a unit, hired by a wallet with 100 CRED. */
async function createHire() {
  const [owner, hirer] = [await createStaker(site.service, 0), await createStaker(site.service, 100 * ONE)]
  const fee = { feeModel: 'flat', feeAmount: 2 * ONE }
  const agent = await register(owner.call, { name: 'Crane', supportedLayers: [3], ...fee })
  const { body: hire } = await hirer.call('POST', '/agents/hire', { body: { agentId: agent.id } })
  return { owner, hirer, agentId: agent.id, hireId: hire.id }
}

it('funds, collects from, rates and empties a budget account by clicks of both sides', async () => {
  const { owner, hirer, agentId, hireId } = await createHire()
  const wallets = {
    owner: createPageWallet({ keypair: owner.keypair }),
    hirer: createPageWallet({ keypair: hirer.keypair, habits: PHANTOM }),
  }
  const owning = await site.visit({ view: 'earnings', wallets: [wallets.owner] })
  await owning.connect(wallets.owner)
  const hiring = await site.visit({ view: `hires/${hireId}`, wallets: [wallets.hirer] })
  await hiring.connect(wallets.hirer)

  const card = hiring.page.getByRole('main')
  await card.getByText('The hire budget is empty.').waitFor()
  await card.getByLabel('Amount in CRED').fill('20000')
  await card.getByText('your wallet has no more.').waitFor()
  await card.getByRole('button', { name: 'Fund', exact: true }).click()
  await card.getByLabel('Amount in CRED').fill('30')
  await card.getByRole('button', { name: 'Fund', exact: true }).click()
  // Its owner has no collector yet: nothing was signed.
  await card.locator('.failure').getByText('collector_missing').waitFor({ state: 'attached' })
  expect(wallets.hirer.asked).toEqual(['signMessage'])

  const setUpPayouts = owning.page.getByRole('button', { name: 'Set up payouts' })
  await setUpPayouts.click()
  await owning.page.getByText('Transaction confirmed.').waitFor()
  await owning.page.getByText('Payouts are set up:').waitFor()
  await owning.open('earnings')
  await owning.page.getByText('Payouts are set up:').waitFor()
  expect(await setUpPayouts.count()).toBe(0)

  await card.getByRole('button', { name: 'Fund', exact: true }).click()
  await card.getByText('30 CRED added.').waitFor()
  await card.getByRole('button', { name: 'Add funds' }).waitFor()
  // Nothing is left that a second press would send.
  expect(await card.getByLabel('Amount in CRED').inputValue()).toBe('')
  expect(await card.getByText('Approve in your wallet').count()).toBe(0)
  await card.getByText('30 CRED', { exact: true }).first().waitFor()

  await owner.call('POST', '/payments/charges', { body: { hireId, reference: 'job-1', units: 5 } })
  await owning.open('earnings')
  await card.getByText('has been collected for this hire (0 CRED so far).').waitFor()
  const accounts = owning.page.getByRole('list', { name: 'Hire budgets' })
  await accounts.getByText('10 CRED', { exact: true }).waitFor()
  expect(await owning.violations()).toEqual([])
  await accounts.getByRole('button', { name: 'Collect' }).click()
  await owning.page.getByRole('row').filter({ hasText: 'job-1' }).getByText('paid').waitFor()
  expect(await owner.cred()).toBeGreaterThan(9n * BigInt(ONE))

  await card.getByLabel('Comment').fill('Lifts what it promised.')
  const publish = card.getByRole('button', { name: 'Publish rating' })
  // No mark is chosen for the visitor.
  expect(await publish.getAttribute('aria-disabled')).toBe('true')
  await card.getByLabel('4: good').check()
  await publish.click()
  await card.getByText('Published on').waitFor()
  await hiring.page.getByRole('link', { name: 'job-1' }).click()
  await card.getByText('paid', { exact: true }).waitFor()
  await card.getByRole('button', { name: /^Copy transaction signature/ }).waitFor()
  expect(await hiring.violations()).toEqual([])
  await card.getByRole('link', { name: 'Hire of Crane' }).click()
  // One flow ends the hire and returns the rest.
  await card.getByRole('button', { name: 'End hire and take back 20 CRED…' }).click()
  await card.getByText('approve the return of 20 CRED').waitFor()
  expect(await hiring.violations()).toEqual([])
  await card.getByRole('button', { name: 'End hire and take back 20 CRED', exact: true }).click()
  await card.getByText('20 CRED returned.').waitFor()
  await card.getByText('The hire budget is empty.').waitFor()
  await card.getByText('ended early').waitFor()
  expect(await hirer.cred()).toBe(90n * BigInt(ONE))
  expect(await hiring.violations()).toEqual([])

  await owning.open(`agents/${agentId}`)
  await owning.page.getByText('Reply').click()
  await owning.page.getByLabel('Your reply').fill('Thank you.')
  await owning.page.getByRole('button', { name: 'Publish reply' }).click()
  await owning.page.getByRole('blockquote').getByText('Thank you.').waitFor()
  expect(await owning.violations()).toEqual([])
})

it('funds with a wallet that only signs and sends; says what it can not sign', async () => {
  const { owner, hirer, hireId } = await createHire()
  const collector = await owner.call('POST', '/payments/collectors')
  const body = { id: collector.body.id, transaction: owner.signFirst(collector) }
  await owner.call('POST', '/payments/transactions', { body })
  const wallet = createPageWallet({
    keypair: hirer.keypair,
    features: ['signMessage', 'signAndSendTransaction'],
    connection: connectionOf(site.service),
  })
  const { page, connect } = await site.visit({ view: `hires/${hireId}`, wallets: [wallet] })
  await connect(wallet)
  await page.getByLabel('Amount in CRED').fill('30')
  await page.getByRole('button', { name: 'Fund', exact: true }).click()
  await page.getByText('30 CRED added.').waitFor()
  await page.getByText('30 CRED', { exact: true }).first().waitFor()
  const { body: seen } = await owner.call('GET', `/payments/budgets?role=owner&hireId=${hireId}`)
  expect(seen.budgets).toMatchObject([{ status: 'open', balance: 30 * ONE }])
  // The hire ends, though the wallet can't sign the withdrawal: the rest stays in sight.
  await page.getByRole('button', { name: 'End hire and take back 30 CRED…' }).click()
  await page.getByRole('button', { name: 'End hire and take back 30 CRED', exact: true }).click()
  await page.locator('.failure').getByText('wallet_incapable').waitFor({ state: 'attached' })
  await page.reload()
  await page.getByText('30 CRED left.').waitFor()
  await page.getByRole('button', { name: 'Take back 30 CRED' }).waitFor()
  expect(new Set(wallet.asked)).toEqual(new Set(['signMessage', 'signAndSendTransaction']))
})
