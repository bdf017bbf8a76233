import { Keypair } from '@solana/web3.js'
import { devices, type Request } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { walletFromSecretKey } from '../../lib/cli/wallet.ts'
import { useConsole, type Visit } from '../support/console.ts'
import { untilLanded } from '../support/open-vault.ts'
import { createPageWallet, type PageWallet } from '../support/page-wallet.ts'
import { connectionOf, createStaker, type Staker } from '../support/staker.ts'
import { createWalletApp } from '../support/wallet-app.ts'
import { PHANTOM } from '../support/wallets.ts'

const site = useConsole()

type Options = Parameters<typeof createPageWallet>[0]

/** A wallet with funds, which has chosen to stake 250 CRED for a week. */
async function aboutToStake(options: Options = {}): Promise<Visit & { wallet: PageWallet; staker: Staker }> {
  const staker = await createStaker(site.service)
  const wallet = createPageWallet({
    keypair: staker.keypair,
    connection: connectionOf(site.service),
    ...options,
  })
  const visit = await site.visit({ view: 'vault', wallets: [wallet] })
  await visit.connect(wallet)
  await visit.page.getByLabel('Amount in CRED').fill('250')
  await visit.page.getByLabel('Lock period').selectOption('7')
  return { ...visit, wallet, staker }
}

const stake = ({ page }: Pick<Visit, 'page'>) =>
  page.getByRole('button', { name: 'Stake', exact: true }).click()

describe('a stake', () => {
  it.each<[string, Options]>([
    ['by a wallet that signs what it is given', {}],
    ['by a wallet that signs in with Solana', { features: ['signIn', 'signMessage', 'signTransaction'] }],
    ['by a wallet that puts guards around the instructions', { habits: PHANTOM }],
    ['by a wallet that signs and sends in one', { features: ['signMessage', 'signAndSendTransaction'] }],
  ])('%s lands, and shows each step', async (_, options) => {
    const visit = await aboutToStake(options)
    await stake(visit)
    await untilLanded(site.service, visit.page.getByText('Transaction confirmed.'))
    await visit.page.getByRole('heading', { name: '250 CRED for 7 days' }).waitFor()
    expect((await visit.staker.vault()).body.balances).toMatchObject({ cred: 250_000_000_000 })
    const features = options?.features ?? ['signMessage', 'signTransaction']
    expect(new Set(visit.wallet.asked)).toEqual(new Set([features[0], features.at(-1)]))
  })

  it('says that nothing has happened when the wallet refuses to sign; can begin again', async () => {
    const visit = await aboutToStake()
    visit.wallet.refused.add('signTransaction')
    await stake(visit)
    const alert = visit.page.getByRole('alert')
    await alert.getByText('The wallet did not sign the transaction: User rejected the request.').waitFor()
    await visit.page.getByText('The transaction was not signed, so nothing was sent.').waitFor()
    visit.wallet.refused.clear()
    await stake(visit)
    await untilLanded(site.service, visit.page.getByText('Transaction confirmed.'))
    await expect.poll(() => alert.count()).toBe(0)
  })

  it('says so when the wallet does not log in, and stakes nothing', async () => {
    const visit = await aboutToStake()
    visit.wallet.refused.add('signMessage')
    await stake(visit)
    await visit.page.getByText('The wallet did not sign the message: User rejected the request.').waitFor()
    expect(visit.wallet.asked).toEqual(['signMessage'])
    expect(await visit.staker.cred()).toBe(1000_000_000_000n)
  })

  it('says that the wallet has too little before the wallet is asked', async () => {
    const visit = await aboutToStake()
    await visit.page.getByLabel('Amount in CRED').fill('5000')
    await stake(visit)
    await visit.page.locator('.failure').getByText('not_funded').waitFor({ state: 'attached' })
    expect(visit.wallet.asked).toEqual(['signMessage'])
  })

  it('by a wallet that signs no transactions is refused in words', async () => {
    const visit = await aboutToStake({ features: ['signMessage'] })
    await stake(visit)
    await visit.page.getByText('The wallet cannot sign legacy transactions').waitFor()
  })
})

describe('the connection', () => {
  it('is chosen among the wallets that are there, and given up', async () => {
    const [one, two] = [createPageWallet({ name: 'One' }), createPageWallet({ name: 'Two' })]
    const { page, connect } = await site.visit({ view: 'vault', wallets: [one, two] })
    await page.getByText('Connect a wallet to see your stakes.').waitFor()
    await connect(two)
    await page.getByText('You have not staked yet.').waitFor()
    await page.getByTitle(two.address).click()
    await page.getByText('Connected with Two').waitFor()
    await page.getByRole('button', { name: 'Disconnect' }).click()
    await page.getByText('Connect a wallet to see your stakes.').waitFor()
    expect([...one.asked, ...two.asked]).toEqual([])
  })

  it('ends with every session of the wallet when it signs out everywhere', async () => {
    const keypair = Keypair.generate()
    const wallet = createPageWallet({ keypair })
    const { page, connect } = await site.visit({ view: 'hires', wallets: [wallet] })
    const elsewhere = await site.service.signIn(walletFromSecretKey(keypair.secretKey))
    const listHires = async () => (await elsewhere.call('GET', '/agents/hire')).status
    await connect(wallet)
    expect(await listHires()).toBe(200)
    await page.getByTitle(wallet.address).click()
    await page.getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.getByRole('banner').getByRole('button', { name: 'Connect wallet' }).waitFor()
    expect(await listHires()).toBe(401)
  })

  it('is there again on the next visit, without a question', async () => {
    const wallet = createPageWallet()
    const { page, connect } = await site.visit({ view: 'vault', wallets: [wallet] })
    await connect(wallet)
    await page.reload()
    await page.getByTitle(wallet.address).waitFor()
    expect(wallet.asked).toEqual([])
  })

  it('uses the account that was chosen among several, also on the next visit', async () => {
    const wallet = createPageWallet({
      label: 'Everyday',
      others: [
        { label: 'Savings', features: ['signMessage'] },
        { label: 'Elsewhere', chains: ['solana:mainnet'] },
      ],
    })
    const [, savings = ''] = wallet.addresses
    const { page, violations } = await site.visit({ view: 'vault', wallets: [wallet] })
    await page.getByRole('banner').getByRole('button', { name: 'Connect wallet' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Test wallet' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Choose a Test wallet account' })
    await dialog.getByText('is not on Solana localnet.').waitFor()
    await expect
      .poll(() => dialog.getByRole('button').allInnerTexts())
      .toEqual([expect.stringMatching(/^Everyday/), expect.stringMatching(/^Savings/), 'Cancel'])
    expect(await violations()).toEqual([])
    for (const key of ['Tab', 'Tab', 'Enter']) await page.keyboard.press(key)
    await page.getByRole('banner').getByTitle(savings).waitFor()
    await page.reload()
    await page.getByRole('banner').getByTitle(savings).waitFor()
    await page.getByLabel('Amount in CRED').fill('250')
    await stake({ page })
    await page.getByText('The wallet cannot sign legacy transactions').waitFor()
    await page.getByRole('banner').getByText('Savings').click()
    await page.getByRole('button', { name: 'Switch account' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Everyday' }).click()
    await page.getByRole('banner').getByTitle(wallet.address).waitFor()
  })

  it('ends in words when the wallet takes its account away, and goes on with another', async () => {
    const wallet = createPageWallet({ others: [{ label: 'Savings' }] })
    const [, savings = ''] = wallet.addresses
    const { page, violations } = await site.visit({ view: 'hires', wallets: [wallet] })
    await page.getByRole('banner').getByRole('button', { name: 'Connect wallet' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Test wallet' }).click()
    await page.getByRole('dialog').getByTitle(wallet.address).click()
    await page.getByText('You have not hired an agent yet.').waitFor()
    await wallet.show(page, [savings])
    const alert = page.getByRole('alert')
    await alert.getByText('You are signed out: Test wallet no longer shares the account').waitFor()
    await page.getByRole('banner').getByRole('button', { name: 'Connect wallet' }).waitFor()
    await expect.poll(() => page.evaluate(`localStorage.getItem('agentcred:account')`)).toBeNull()
    expect(await violations()).toEqual([])
    await alert.getByRole('button', { name: 'Savings' }).click()
    await page.getByRole('banner').getByTitle(savings).waitFor()
    await expect.poll(() => alert.count()).toBe(0)
    await wallet.show(page, [])
    await alert.getByText('Share an account with this page in the wallet').waitFor()
    await alert.getByRole('button', { name: 'Close' }).click()
    await expect.poll(() => alert.count()).toBe(0)
  })

  it('names what is missing where no account is one of the deployment’s chain', async () => {
    const wallet = createPageWallet({ others: [{ chains: ['solana:devnet'] }] })
    const { page } = await site.visit({ view: 'market', wallets: [wallet] })
    await wallet.show(page, wallet.addresses.slice(1))
    await page.getByRole('banner').getByRole('button', { name: 'Connect wallet' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Test wallet' }).click()
    await page.getByRole('alert').getByText('has not shared an account on Solana localnet').waitFor()
  })

  it('names what is missing where there is no wallet', async () => {
    const { page } = await site.visit({ view: 'vault' })
    await page.getByRole('main').getByRole('button', { name: 'Connect wallet' }).click()
    // The development wallet is always there on the local platform.
    await page.getByRole('dialog').getByRole('button', { name: 'Development wallet' }).waitFor()
  })
})

describe('a wallet app of an Android phone', () => {
  const ADAPTER = /mobile-wallet/
  const NAME = 'Wallet app on this phone'
  const onPhone = () =>
    // The adapter gives the app little time to open.
    site.visit({ view: 'vault', context: devices['Pixel 7'] ?? {}, isHurried: false })

  const choose = async ({ page }: Visit) => {
    await page.getByRole('banner').getByRole('button', { name: 'Connect wallet' }).tap()
    await page.getByRole('dialog').getByRole('button', { name: NAME }).tap()
  }

  it('logs in and stakes, each in a session of its own, until it is disconnected', async () => {
    const staker = await createStaker(site.service)
    const app = createWalletApp({ keypair: staker.keypair })
    const visit = await onPhone()
    const { page } = visit
    await app.installFor(page)
    await choose(visit)
    await page.getByRole('banner').getByTitle(app.address).waitFor()
    await page.getByLabel('Amount in CRED').fill('250')
    await page.getByLabel('Lock period').selectOption('7')
    // The click before the app was opened no longer counts as a user's activation.
    await page.evaluate(`Object.defineProperty(navigator, 'userActivation', { value: { isActive: false } })`)
    await stake(visit)
    for (const _ of ['the login', 'the vault', 'the stake'])
      await page.getByRole('dialog').getByRole('button', { name: 'Open wallet app' }).tap()
    await untilLanded(site.service, page.getByRole('heading', { name: '250 CRED for 7 days' }))
    expect(app.asked).toEqual([
      'get_capabilities',
      'authorize',
      ...['authorize', 'sign_messages'],
      ...['authorize', 'sign_transactions'],
      ...['authorize', 'sign_transactions'],
    ])
    await page.reload()
    await page.getByRole('banner').getByTitle(app.address).waitFor()
    app.revoke()
    await page.getByLabel('Amount in CRED').fill('100')
    await stake(visit)
    await page.getByText(`You are signed out: ${NAME} no longer shares the account`).waitFor()
  })

  it('explains that the wallet app is not installed', async () => {
    const visit = await onPhone()
    await choose(visit)
    await visit.page.getByText(`Approve the request in ${NAME}`).waitFor()
    await visit.page.getByRole('alert').getByText('No wallet app responded.').waitFor()
    expect(await visit.violations()).toEqual([])
  })

  it('takes nothing from visitors of other devices', async () => {
    const loaded: Request[] = []
    const { page, context } = await site.visit()
    context.on('request', (request) => loaded.push(request))
    await page.reload({ waitUntil: 'networkidle' })
    expect(loaded.length).toBeGreaterThan(2)
    expect(loaded.map((request) => request.url()).filter((url) => ADAPTER.test(url))).toEqual([])
  })
})
