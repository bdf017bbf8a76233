import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { useConsole } from '../support/console.ts'
import { openVault } from '../support/open-vault.ts'
import { createPageWallet } from '../support/page-wallet.ts'
import { createAgent, createHirer, createPayer } from '../support/payer.ts'
import { createStaker, ONE } from '../support/staker.ts'

const site = useConsole()

it('shows both sides of the money, each line with its links, and exports it', async () => {
  const { owner, agentId } = await createAgent(site.service)
  const { hirer, hireId } = await createHirer(site.service, agentId, 10 * ONE)
  const paid = await owner.charge(hireId, 3 * ONE)
  await owner.land(owner.collect())
  await owner.charge(hireId, 2 * ONE)
  const wallet = createPageWallet({ keypair: owner.keypair })
  const { page, connect, violations } = await site.visit({ view: 'earnings', wallets: [wallet] })
  await connect(wallet)
  const main = page.getByRole('main')
  const tile = (name: string) => main.locator('.tile').filter({ hasText: name })
  await tile('Earned').getByText('2.97 CRED').waitFor()
  await tile('Earned').getByText('after 0.03 CRED of fees').waitFor()
  await tile('To collect').getByText('1.98 CRED').waitFor()
  await tile('To collect').getByText('after the fee').waitFor()
  const due = 'Money , 2 CRED to get, before the fee'
  await page.getByRole('banner').getByRole('link', { name: due }).waitFor()
  const line = main.getByRole('row').filter({ hasText: String(paid.reference) })
  await line.getByText('2.97 CRED after a fee of 0.03 CRED').waitFor()
  expect(await line.getByRole('link', { name: String(paid.reference) }).getAttribute('href')).toContain(
    `charges/${paid.id}`,
  )
  expect(await line.getByRole('link', { name: 'Hire' }).getAttribute('href')).toContain(`hires/${hireId}`)
  await line.getByRole('button', { name: /^Copy transaction signature/ }).waitFor()
  expect(await violations()).toEqual([])

  await main.getByLabel('Status').selectOption('collected')
  await expect.poll(() => new URL(page.url()).search).toBe('?side=owner&kind=charge&status=collected')
  await expect.poll(() => main.getByRole('row').filter({ hasText: 'Hire' }).count()).toBe(1)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    main.getByRole('button', { name: 'Export as CSV' }).click(),
  ])
  await main.getByText('1 line saved.').waitFor()
  const [names, values, end] = readFileSync(await download.path(), 'utf8').split('\r\n')
  expect(names).toMatch(/^\uFEFFkind,id,/)
  expect(values).toContain(`charge,${paid.id},`)
  expect(values).toContain(',CRED,3.000000000,0.030000000,2.970000000,')
  expect(end).toBe('')

  const accounts = main.getByRole('list', { name: 'Hire budgets' })
  await accounts.getByRole('button', { name: 'Collect' }).click()
  await accounts.getByText('1.98 CRED collected').waitFor()
  await tile('Earned').getByText('4.95 CRED').waitFor()

  const payer = createPageWallet({ keypair: hirer.keypair })
  const spending = await site.visit({ view: 'earnings', wallets: [payer] })
  await spending.connect(payer)
  await spending.page.getByRole('heading', { name: 'Expenses' }).waitFor()
  await spending.page
    .locator('.tile')
    .filter({ hasText: 'In your hire budgets' })
    .getByText('5 CRED')
    .waitFor()
  await spending.page.getByRole('table', { name: 'Spent by agent' }).getByText('5 CRED').first().waitFor()
  expect(await spending.violations()).toEqual([])
})

/** A job of 5 CRED that its hirer has paid, by the API. */
async function createFundedJob() {
  const { owner, agentId } = await createAgent(site.service)
  const hirer = await createPayer(site.service)
  const body = { minPrice: ONE, workMinutes: 60, judges: ['none'] }
  await owner.call('PUT', `/agents/${agentId}/job-terms`, { body })
  const order = { agentId, title: 'Translate the harbour rules', brief: 'Into German.', price: 5 * ONE }
  const job = (await hirer.call('POST', '/jobs', { body: { ...order, reference: 'order-1' } })).body
  await owner.call('POST', `/jobs/${job.id}/accept`, { body: { termsHash: job.termsHash } })
  await hirer.land(hirer.post('jobs/refund-account'))
  await hirer.land(hirer.post('jobs/fund', { jobId: job.id }))
  return { owner, hirer, path: `/jobs/${job.id}`, view: `jobs/${job.id}` }
}

it('shows what jobs hold and owe to each side, gets it out, and lists it with its fee', async () => {
  const { owner, hirer, path, view } = await createFundedJob()
  const payer = createPageWallet({ keypair: hirer.keypair })
  const spending = await site.visit({ view: 'earnings', wallets: [payer] })
  await spending.connect(payer)
  const tiles = ({ page }: typeof spending, name: string) => page.locator('.tile').filter({ hasText: name })
  await tiles(spending, 'In job escrow').getByText('5 CRED').waitFor()
  // Nothing is due, so nothing asks for it.
  expect(await tiles(spending, 'To get back').count()).toBe(0)
  await spending.page.getByRole('heading', { name: 'Spent so far' }).waitFor()

  for (const { call } of [hirer, owner])
    await call('POST', `${path}/split`, { body: { agentAmount: 2 * ONE } })
  await spending.page.getByRole('link', { name: 'Money , 3 CRED to get, before the fee' }).waitFor()
  await tiles(spending, 'To get back').getByText('3 CRED').waitFor()
  await tiles(spending, 'In job escrow').getByText('0 CRED').waitFor()
  const back = spending.page.getByRole('region', { name: 'To get back from jobs' })
  expect(
    await back.getByRole('link', { name: 'Translate the harbour rules' }).getAttribute('href'),
  ).toContain(view)
  expect(await spending.violations()).toEqual([])
  await back.getByRole('button', { name: 'Get back 3 CRED' }).click()
  await back.getByText('3 CRED returned.').waitFor()
  await back.getByText('Nothing is left in the escrows of ended jobs.').waitFor()
  await tiles(spending, 'To get back').waitFor({ state: 'detached' })

  const wallet = createPageWallet({ keypair: owner.keypair })
  const earning = await site.visit({ view: 'earnings', wallets: [wallet] })
  await earning.connect(wallet)
  await earning.page.getByRole('link', { name: 'Money , 2 CRED to get, before the fee' }).waitFor()
  await tiles(earning, 'To collect').getByText('1.98 CRED').waitFor()
  const toCollect = earning.page.getByRole('region', { name: 'To collect from jobs' })
  await toCollect.getByRole('button', { name: 'Collect 1.98 CRED' }).click()
  await toCollect.getByText('1.98 CRED collected.').waitFor()
  await tiles(earning, 'Earned').getByText('1.98 CRED').waitFor()
  await earning.page.getByLabel('Kind').selectOption('Jobs')
  const line = earning.page.getByRole('table', { name: 'Jobs' }).getByRole('row').nth(1)
  await line.getByText('1.98 CRED after a fee of 0.02 CRED').waitFor()
  await line.getByText('paid', { exact: true }).waitFor()
  expect(await earning.violations()).toEqual([])
  const [download] = await Promise.all([
    earning.page.waitForEvent('download'),
    earning.page.getByRole('button', { name: 'Export all kinds' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('agentcred-owner-all-all.csv')
  const [, values] = readFileSync(await download.path(), 'utf8').split('\r\n')
  expect(values).toMatch(/^job,.*,paid,.*,CRED,2\.000000000,0\.020000000,1\.980000000,$/)
})

it('shows a stake on its own page, and when it unlocks', async () => {
  const { page, open, violations } = await openVault(site, await createStaker(site.service))
  await page.getByText(/^Unlocks /).waitFor()
  await page.getByRole('link', { name: '100 CRED for 30 days' }).click()
  const stake = page.getByRole('article', { name: '100 CRED for 30 days' })
  await stake.getByText('0.8219 CRED').waitFor()
  await stake.getByText(/^Unlocks .*\d{4}/).waitFor()
  expect(await violations()).toEqual([])
  await open('vault/7')
  await page.getByText('You have no such stake.').waitFor()
})
