import { expect, it } from 'vitest'
import { register } from '../support/agents.ts'
import { useConsole } from '../support/console.ts'
import { untilLanded } from '../support/open-vault.ts'
import { createPageWallet } from '../support/page-wallet.ts'
import { createStaker } from '../support/staker.ts'

const site = useConsole()

/** Visits a view of a console that is set to devnet, on the embedded chain. */
async function visitOnDevnet(view: string, ...options: Parameters<typeof site.visit>) {
  const visit = await site.visit(...options)
  await visit.context.route(/\/console\/[^.]*$/, async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replace('solana:localnet', 'solana:devnet')
    await route.fulfill({ response, body })
  })
  await visit.open(view)
  return visit
}

it('links an address to the explorer of devnet when the deployment is on devnet', async () => {
  const { wallet: owner, call } = await site.service.signIn()
  const { id } = await register(call)
  const { page, violations } = await visitOnDevnet(`agents/${id}`)
  const link = page.getByRole('link').filter({ has: page.getByTitle(owner.publicKey) })
  expect(await link.getAttribute('href')).toBe(
    `https://explorer.solana.com/address/${owner.publicKey}?cluster=devnet`,
  )
  expect(await violations()).toEqual([])
})

it('links a confirmed transaction to the explorer when the deployment is on devnet', async () => {
  const { keypair } = await createStaker(site.service)
  const wallet = createPageWallet({ others: [{ label: 'Devnet', keypair, chains: ['solana:devnet'] }] })
  const [, address = ''] = wallet.addresses
  const { page } = await visitOnDevnet('vault', { wallets: [wallet] })
  await page.getByRole('banner').getByRole('button', { name: 'Connect wallet' }).click()
  await page.getByRole('dialog').getByRole('button', { name: wallet.name }).click()
  await page.getByRole('dialog').getByTitle(address).click()
  await page.getByLabel('Amount in CRED').fill('25')
  await page.getByRole('button', { name: 'Stake', exact: true }).click()
  await untilLanded(site.service, page.getByText('Transaction confirmed.'))
  const href = await page.getByRole('link', { name: 'View on Solana Explorer' }).getAttribute('href')
  expect(href).toMatch(/^https:\/\/explorer\.solana\.com\/tx\/[1-9A-HJ-NP-Za-km-z]{86,88}\?cluster=devnet$/)
})

it('links nothing to an explorer when the chain is local', async () => {
  const { wallet: owner, call } = await site.service.signIn()
  const { id } = await register(call)
  const { page } = await site.visit({ view: `agents/${id}` })
  await page.getByTitle(owner.publicKey).waitFor()
  expect(
    await page
      .getByRole('link')
      .filter({ has: page.getByTitle(owner.publicKey) })
      .count(),
  ).toBe(0)
})
