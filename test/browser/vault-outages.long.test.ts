import { expect, it } from 'vitest'
import { useConsole } from '../support/console.ts'
import { openVault } from '../support/open-vault.ts'
import { createStaker, DAY, travel } from '../support/staker.ts'

const site = useConsole()

it('sends when the network is back, after an outage while the wallet was asked', async () => {
  const staker = await createStaker(site.service)
  let lose: () => Promise<unknown> = async () => {}
  const { page, context, wallet } = await openVault(site, staker, { beforeSigning: () => lose() })
  await travel(site.service, 10 * DAY)
  lose = async () => {
    if (wallet.asked.at(-1) !== 'signTransaction') return
    await context.setOffline(true)
    page.on('requestfailed', (request) => request.method() === 'POST' && context.setOffline(false))
  }
  await page.getByRole('button', { name: 'Claim yield' }).click()
  await page.getByText('Transaction confirmed.').waitFor()
  expect(wallet.asked).toEqual(['signMessage', 'signTransaction'])
})

it('names the step that failed and what to do when the network stays away', async () => {
  const staker = await createStaker(site.service)
  let lose: () => Promise<unknown> = async () => {}
  const { page, context, wallet } = await openVault(site, staker, { beforeSigning: () => lose() })
  await travel(site.service, 10 * DAY)
  lose = async () => wallet.asked.at(-1) === 'signTransaction' && context.setOffline(true)
  await page.getByRole('button', { name: 'Claim yield' }).click()
  await page.getByRole('alert').getByText('You are offline.').waitFor()
  await page.getByText('This transaction may still go through.').waitFor()
  const claim = page.getByRole('button', { name: 'Claim yield' })
  expect(await claim.isDisabled()).toBe(true)
  await context.setOffline(false)
  lose = async () => {}
  await page.getByRole('button', { name: 'Check status' }).click()
  await page.getByText('Nothing was sent.').waitFor()
  await claim.click()
  await page.getByText('Transaction confirmed.').waitFor()
})

it('looks for a stake whose answer was lost, and does not make a second one', async () => {
  const staker = await createStaker(site.service)
  const { page } = await openVault(site, staker)
  const relay = '**/v1/vault/transactions'
  await page.route(relay, async (route) => {
    await route.fetch()
    await route.abort('connectionreset')
  })
  await page.getByLabel('Amount in CRED').fill('250')
  await page.getByLabel('Lock period', { exact: true }).selectOption('7')
  const stake = page.getByRole('button', { name: 'Stake', exact: true })
  await stake.click()
  await page.getByText('This transaction may still go through.').waitFor()
  expect(await stake.isDisabled()).toBe(true)
  await page.unroute(relay)
  await page.getByRole('button', { name: 'Check status' }).click()
  await page.getByText('Transaction confirmed.').waitFor()
  await page.getByRole('heading', { name: '250 CRED for 7 days' }).waitFor()
  expect((await staker.vault()).body).toMatchObject({ balances: { cred: 350_000_000_000 } })
  expect((await staker.vault()).body.positions).toHaveLength(2)
})

it('gives up on a wallet that never answers; goes on with a stake in another view', async () => {
  const staker = await createStaker(site.service)
  let answer: () => void = () => {}
  const silence = async () => {
    if (wallet.asked.at(-1) === 'signTransaction') await new Promise<void>((resolve) => (answer = resolve))
  }
  const { page, wallet } = await openVault(site, staker, { beforeSigning: () => silence() })
  const view = (name: string) => page.getByRole('navigation').getByRole('link', { name }).click()
  const stake = page.getByRole('button', { name: 'Stake', exact: true })
  const isAsked = (times: number) =>
    expect.poll(() => wallet.asked.filter((feature) => feature === 'signTransaction').length).toBe(times)
  await page.getByLabel('Amount in CRED').fill('50')
  await stake.click()
  await isAsked(1)
  await view('Market')
  await page.getByRole('heading', { level: 1, name: 'Market' }).waitFor()
  await view('Staking')
  await page.getByRole('button', { name: 'Cancel' }).waitFor()
  expect(await stake.isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('Cancelled. Nothing was sent.').waitFor()
  answer()

  await page.getByLabel('Amount in CRED').fill('40')
  await stake.click()
  await isAsked(2)
  await view('Market')
  await page.getByRole('heading', { level: 1, name: 'Market' }).waitFor()
  answer()
  await view('Staking')
  await page.getByText('Transaction confirmed.').waitFor()
  await page.getByRole('heading', { name: '40 CRED for 30 days' }).waitFor()
  expect((await staker.vault()).body.positions).toHaveLength(2)
})

it('keeps typed text while the page asks again after an outage', async () => {
  const { page, context } = await openVault(site, await createStaker(site.service))
  const amount = page.getByLabel('Amount in CRED')
  await amount.fill('777')
  await context.setOffline(true)
  await page.evaluate(`dispatchEvent(new Event('online'))`)
  await page.getByText('You are offline.').first().waitFor()
  await context.setOffline(false)
  await expect.poll(() => page.getByRole('alert').count()).toBe(0)
  expect(await amount.inputValue()).toBe('777')
})

it('a login that the wallet answers after Disconnect leaves no session', async () => {
  let answer: () => void = () => {}
  const { page, wallet } = await openVault(site, await createStaker(site.service), {
    beforeSigning: () => new Promise<void>((resolve) => (answer = resolve)),
  })
  await page.getByRole('button', { name: 'Claim yield' }).click()
  await expect.poll(() => wallet.asked).toEqual(['signMessage'])
  await page.getByRole('banner').getByTitle(wallet.address).click()
  await page.getByRole('button', { name: 'Disconnect' }).click()
  await page.getByText('Connect a wallet to see your stakes.').waitFor()
  const loggedIn = page.waitForResponse((response) => response.request().method() === 'POST')
  answer()
  expect((await loggedIn).status()).toBe(200)
  await page.waitForTimeout(100)
  expect(await page.evaluate(`sessionStorage.getItem('agentcred:session')`)).toBeNull()
})
