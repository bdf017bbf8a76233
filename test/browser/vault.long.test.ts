import { expect, it } from 'vitest'
import { useConsole } from '../support/console.ts'
import { openVault } from '../support/open-vault.ts'
import { createPageWallet } from '../support/page-wallet.ts'
import { createStaker, DAY, travel } from '../support/staker.ts'

const site = useConsole()

it('claims yield and withdraws the stake after the term; renews an ended session', async () => {
  const staker = await createStaker(site.service)
  const { page, wallet, open } = await openVault(site, staker)
  expect(await page.getByRole('button', { name: 'Withdraw' }).isDisabled()).toBe(true)
  const before = await staker.cred()
  await travel(site.service, 10 * DAY)
  await page.getByRole('button', { name: 'Claim yield' }).click()
  await page.getByRole('listitem').getByText('Transaction confirmed.').waitFor()
  const claimed = await staker.cred()
  expect(claimed).toBeGreaterThan(before)
  expect(wallet.asked).toEqual(['signMessage', 'signTransaction'])

  await travel(site.service, 21 * DAY)
  await open('vault')
  await page.getByText('unlocked').waitFor()
  await page.getByRole('button', { name: 'Withdraw' }).click()
  await page
    .getByText('You have not staked yet.')
    .or(page.getByText('Transaction confirmed.'))
    .first()
    .waitFor()
  await expect.poll(() => staker.cred()).toBeGreaterThan(claimed + 100_000_000_000n)
  // The page's session had ended meanwhile: the wallet signed the login once more, and nothing twice.
  expect(wallet.asked).toEqual(['signMessage', 'signTransaction', 'signMessage', 'signTransaction'])
})

it('a browser that keeps nothing is served all the same', async () => {
  const wallet = createPageWallet()
  const { page, context, connect } = await site.visit({ view: 'vault', wallets: [wallet] })
  await context.addInitScript(`Storage.prototype.getItem = Storage.prototype.setItem = (key) => {
    if (/account|session/.test(key)) throw new DOMException('blocked', 'SecurityError')
    return null
  }`)
  await page.reload()
  await connect(wallet)
  await page.getByText('You have not staked yet.').waitFor()
})

it('the quote follows what is typed, and what is no amount can not be staked', async () => {
  const wallet = createPageWallet()
  const { page, connect } = await site.visit({ view: 'vault', wallets: [wallet] })
  await connect(wallet)
  const amount = page.getByLabel('Amount in CRED')
  await amount.fill('2000')
  await page.getByLabel('Lock period').selectOption('365')
  const { body } = await site.service.call('GET', '/vault/quote?amount=2000000000000&lockDays=365')
  const grown = `${(Number(body.yield) / 1e9).toLocaleString('en')} CRED`
  await page.getByText(`Yield grows evenly to ${grown} by the end of the lock period`).waitFor()
  for (const [text, words] of [
    ['1e9', 'This can’t be read as an amount. Enter a number such as 1500.25'],
    ['-5', 'This can’t be read as an amount.'],
    ['0.0000000001', 'Too many decimals. Enter a number such as 1500.25'],
    ['9,007,200', 'Too much. Enter at most 9,007,199.254740991 CRED.'],
  ] as const) {
    await amount.fill(text)
    await page.getByText(words).waitFor()
    expect(await amount.getAttribute('aria-invalid')).toBe('true')
    const described = `${await amount.getAttribute('aria-describedby')}`.split(' ')
    const texts = await Promise.all(described.map((id) => page.locator(`[id="${id}"]`).innerText()))
    expect(texts.join()).toContain(words)
    await page.getByRole('button', { name: 'Stake', exact: true }).click()
    await page.locator('[name=amount]:focus').waitFor()
  }
  expect(wallet.asked).toEqual([])
})
