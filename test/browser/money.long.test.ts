import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { useConsole } from '../support/console.ts'
import { openVault } from '../support/open-vault.ts'
import { createPageWallet } from '../support/page-wallet.ts'
import { createAgent, createHirer } from '../support/payer.ts'
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
  await tile('To collect').getByText('from hirers with a hire budget').waitFor()
  await page.getByRole('banner').getByRole('link', { name: 'Money , 2 CRED to collect' }).waitFor()
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
  await spending.page.locator('.tile').filter({ hasText: 'In hire budgets' }).getByText('5 CRED').waitFor()
  await spending.page.getByRole('table', { name: 'Spent by agent' }).getByText('5 CRED').first().waitFor()
  expect(await spending.violations()).toEqual([])
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
