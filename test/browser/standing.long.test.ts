import { expect, it } from 'vitest'
import { useConsole } from '../support/console.ts'
import { openInvites } from '../support/invites.ts'
import { createPageWallet } from '../support/page-wallet.ts'

const site = useConsole()

async function visit(view: string) {
  const wallet = createPageWallet()
  const visit = await site.visit({ view, wallets: [wallet] })
  await visit.connect(wallet)
  return { ...visit, wallet }
}

it('a credential is recorded, gives its points, and its verification is asked for', async () => {
  const { page, wallet } = await visit('reputation')
  await page.getByText('No credentials yet.').waitFor()
  await page.getByLabel('Type').fill('certification')
  await page.getByLabel('Credential ID').fill('pilot-7')
  await page.getByRole('button', { name: 'Add credential' }).click()
  const card = page.getByRole('listitem').filter({ hasText: 'certification' })
  await card.getByText('self-reported').waitFor()
  await card.getByText('Verification').click()
  await card.getByRole('button', { name: 'Request verification' }).click()
  await card.getByText('An oracle is reviewing it.').waitFor()
  const { body } = await site.service.call('GET', `/reputation?user_id=${wallet.address}`)
  expect(body.attestations).toMatchObject([{ credentialType: 'certification' }])
})

it('shows the reputation of any wallet, without the forms of its owner', async () => {
  const { page } = await site.visit({ view: 'reputation' })
  const other = createPageWallet().address
  await page.getByLabel('Wallet address').fill(other)
  await page.getByRole('button', { name: 'Show reputation' }).click()
  await page.getByRole('main').getByTitle(other).waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Add credential' }).count()).toBe(0)
})

it('an invite code makes a pioneer, once', async () => {
  const invites = await openInvites(site.service)
  const code = await invites.issueOne()
  await invites.close()
  const first = await visit('pioneer')
  const redeem = async ({ page }: typeof first, text: string) => {
    await page.getByRole('textbox', { name: 'Invite code' }).fill(text)
    await page.getByRole('button', { name: 'Join' }).click()
  }
  await redeem(first, code.toLowerCase())
  await first.page.getByRole('heading', { name: 'You are a pioneer' }).waitFor()
  const second = await visit(`pioneer?by=${first.wallet.address}`)
  await redeem(second, code)
  await second.page.getByRole('alert').waitFor()
  expect(await second.page.getByLabel('Referred by (optional)').inputValue()).toBe(first.wallet.address)
})
