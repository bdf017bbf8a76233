import { expect, it } from 'vitest'
import { useConsole } from '../support/console.ts'
import { createPageWallet } from '../support/page-wallet.ts'
import { createStaker, DAY, type Staker, travel } from '../support/staker.ts'

const site = useConsole()

/** The vault of a wallet that has staked 100 CRED for 30 days. */
async function openVault(staker: Staker, options: Parameters<typeof createPageWallet>[0] = {}) {
  for (const _ of ['the vault', 'the stake']) {
    const built = await staker.stack(100_000_000_000)
    await staker.relay(built)
    await expect.poll(() => staker.status(built)).toMatchObject({ status: 'landed' })
    if (built.body.step !== 'open_vault') break
  }
  const wallet = createPageWallet({ keypair: staker.keypair, ...options })
  const visit = await site.visit({ view: 'vault', wallets: [wallet] })
  await visit.connect(wallet)
  await visit.page.getByRole('heading', { name: '100 CRED for 30 days' }).waitFor()
  return { ...visit, wallet }
}

it('yield is claimed and the stake withdrawn when the term is over; a session that ended is renewed', async () => {
  const staker = await createStaker(site.service)
  const { page, wallet, open } = await openVault(staker)
  expect(await page.getByRole('button', { name: 'Withdraw' }).isDisabled()).toBe(true)
  const before = await staker.cred()
  await travel(site.service, 10 * DAY)
  await page.getByRole('button', { name: 'Claim yield' }).click()
  await page.getByText('It has landed.').waitFor()
  const claimed = await staker.cred()
  expect(claimed).toBeGreaterThan(before)
  expect(wallet.asked).toEqual(['signMessage', 'signTransaction'])

  await travel(site.service, 21 * DAY)
  await open('vault')
  await page.getByText('term over').waitFor()
  await page.getByRole('button', { name: 'Withdraw' }).click()
  await page.getByText('You have not staked yet.').or(page.getByText('It has landed.')).first().waitFor()
  await expect.poll(() => staker.cred()).toBeGreaterThan(claimed + 100_000_000_000n)
  // The page kept a session that had ended on the way: the wallet signed the login once more, and nothing
  // twice.
  expect(wallet.asked).toEqual(['signMessage', 'signTransaction', 'signMessage', 'signTransaction'])
})

it('a network that is lost while the wallet asks costs nothing: the page sends when it is back', async () => {
  const staker = await createStaker(site.service)
  let lose: () => Promise<unknown> = async () => {}
  const { page, context, wallet } = await openVault(staker, { beforeSigning: () => lose() })
  await travel(site.service, 10 * DAY)
  lose = async () => {
    if (wallet.asked.at(-1) !== 'signTransaction') return
    await context.setOffline(true)
    page.on('requestfailed', (request) => request.method() === 'POST' && context.setOffline(false))
  }
  await page.getByRole('button', { name: 'Claim yield' }).click()
  await page.getByText('It has landed.').waitFor()
  expect(wallet.asked).toEqual(['signMessage', 'signTransaction'])
})

it('a network that stays away is told with the step that it broke, and what to do', async () => {
  const staker = await createStaker(site.service)
  let lose: () => Promise<unknown> = async () => {}
  const { page, context, wallet } = await openVault(staker, { beforeSigning: () => lose() })
  await travel(site.service, 10 * DAY)
  lose = async () => wallet.asked.at(-1) === 'signTransaction' && context.setOffline(true)
  await page.getByRole('button', { name: 'Claim yield' }).click()
  await page.getByRole('alert').getByText('You are offline.').waitFor()
  await page.getByText('It may not have reached the network. Begin again').waitFor()
  await context.setOffline(false)
  lose = async () => {}
  await page.getByRole('button', { name: 'Claim yield' }).click()
  await page.getByText('It has landed.').waitFor()
})

it('the quote follows what is typed, and what is no amount can not be staked', async () => {
  const wallet = createPageWallet()
  const { page, connect } = await site.visit({ view: 'vault', wallets: [wallet] })
  await connect(wallet)
  const amount = page.getByLabel('Amount in CRED')
  await amount.fill('2,000')
  await page.getByLabel('Term').selectOption('365')
  const { body } = await site.service.call('GET', '/vault/quote?amount=2000000000000&lockDays=365')
  const grown = `${(Number(body.yield) / 1e9).toLocaleString('en')} CRED`
  await page.getByText(`The yield grows evenly to ${grown} when the term ends`).waitFor()
  for (const text of ['-5', '1e9', '0.0000000001', 'all of it', '']) {
    await amount.fill(text)
    await page.getByText('A number, with at most nine decimals').waitFor()
    expect(await amount.getAttribute('aria-invalid')).toBe('true')
    expect(await page.getByRole('button', { name: 'Stake', exact: true }).isDisabled()).toBe(true)
  }
  expect(wallet.asked).toEqual([])
})
