import { describe, expect, it } from 'vitest'
import { useConsole } from '../support/console.ts'
import { createPageWallet, type PageWallet } from '../support/page-wallet.ts'

const site = useConsole()

type Options = Parameters<typeof createPageWallet>[0]

/** Opens the hires, which need a login, with a wallet. */
async function visit(options: Options, prepare: (wallet: PageWallet) => void = () => {}) {
  const wallet = createPageWallet(options)
  prepare(wallet)
  const visit = await site.visit({ view: 'hires', wallets: [wallet] })
  await visit.connect(wallet)
  const alert = visit.page.getByRole('alert')
  return {
    ...visit,
    wallet,
    alert,
    hires: () => visit.page.getByText('You have not hired an agent yet.').waitFor(),
    press: (name: string) => alert.getByRole('button', { name, exact: true }).click(),
  }
}

const refuse = (wallet: PageWallet) => {
  // In words that say nothing, as Solflare does with a hardware wallet.
  wallet.errors.set('signOffchainMessage', 'Something went wrong [4001]')
}
const fail = (wallet: PageWallet) => {
  wallet.errors.set('signIn', 'Unknown device error: 0x6a81')
  wallet.errors.set('signOffchainMessage', 'Unknown device error: 0x6a81')
}

describe('a visitor logs in', () => {
  it.each<[string, Options, string[], ((wallet: PageWallet) => void)?]>([
    ['signs in', { features: ['signMessage', 'signOffchainMessage', 'signIn'] }, ['signIn']],
    ['signs in, with a hardware account', { features: ['signIn'] }, ['signIn']],
    ['signs off-chain messages only', { features: ['signOffchainMessage'] }, ['signOffchainMessage']],
    [
      'prefers off-chain messages to plain ones',
      { features: ['signMessage', 'signOffchainMessage'] },
      ['signOffchainMessage'],
    ],
    ['signs plain messages only', { features: ['signMessage'] }, ['signMessage']],
    [
      'puts plain messages into off-chain messages',
      { features: ['signMessage'], isHardware: true },
      ['signMessage'],
    ],
    [
      'fails on features that it declares',
      { features: ['signIn', 'signOffchainMessage', 'signMessage'], isHardware: true },
      ['signIn', 'signOffchainMessage', 'signMessage'],
      fail,
    ],
  ])('with a wallet that %s', async (_, options, asked, prepare) => {
    const { wallet, hires, alert } = await visit(options, prepare)
    await hires()
    expect(wallet.asked).toEqual(asked)
    expect(await alert.count()).toBe(0)
  })

  it('another way by a button after a refusal, and not before', async () => {
    const features = ['signOffchainMessage', 'signMessage'] as const
    const { wallet, page, alert, hires, press, violations } = await visit({ features }, refuse)
    await alert.getByText('The wallet did not sign the message: Something went wrong').waitFor()
    await alert.getByText('Phantom reportedly can’t with a Ledger').waitFor()
    expect(await violations()).toEqual([])
    await page.waitForLoadState('networkidle')
    expect(wallet.asked).toEqual(['signOffchainMessage'])
    await press('Sign a plain message')
    await hires()
    expect(wallet.asked).toEqual(['signOffchainMessage', 'signMessage'])
  })

  it('after two refusals, with the method that was refused first', async () => {
    const features = ['signOffchainMessage', 'signMessage'] as const
    const { wallet, alert, hires, press } = await visit({ features }, refuse)
    await alert.getByRole('button', { name: 'Sign a plain message' }).waitFor()
    wallet.refused.add('signMessage')
    await press('Sign a plain message')
    await alert.getByText('The wallet did not sign the message: User rejected the request.').waitFor()
    wallet.errors.clear()
    await press('Sign an off-chain message')
    await hires()
    expect(wallet.asked).toEqual(['signOffchainMessage', 'signMessage', 'signOffchainMessage'])
  })

  it('in the form where the login was refused, and repeats the action', async () => {
    const features = ['signOffchainMessage', 'signMessage'] as const
    const wallet = createPageWallet({ features })
    refuse(wallet)
    const { page, connect } = await site.visit({ view: 'agents/register', wallets: [wallet] })
    await connect(wallet)
    await page.getByLabel('Name').fill('Able')
    await page.getByRole('checkbox', { name: 'Network' }).check()
    await page.getByRole('button', { name: 'Register agent' }).click()
    await page.getByRole('alert').getByRole('button', { name: 'Sign a plain message' }).click()
    await page.getByRole('status').getByText('You are logged in.').waitFor()
    await page.getByRole('button', { name: 'Register agent' }).click()
    await page.getByText('Able is registered.').waitFor()
    expect(wallet.asked).toEqual(['signOffchainMessage', 'signMessage'])
  })

  it('not at all when the host passes on the login of another service', async () => {
    const features = ['signIn', 'signOffchainMessage', 'signMessage'] as const
    const wallet = createPageWallet({ features })
    const { page, connect } = await site.visit({ view: 'hires', wallets: [wallet] })
    await page.route('**/v1/auth/handshake?*', async (route) => {
      const response = await route.fetch()
      const body = (await response.text()).replaceAll(`${site.service.origin}/v1`, 'https://other.example/v1')
      await route.fulfill({ response, body })
    })
    await connect(wallet)
    const alert = page.getByRole('alert')
    await alert.getByText('it has "- https://other.example/v1". Nothing was signed.').waitFor()
    await alert.getByText('Open the console at the address of this service.').waitFor()
    expect(wallet.asked).toEqual([])
  })

  it('not at all with a wallet that signs no messages, which is said in words', async () => {
    const { alert, wallet } = await visit({ features: ['signTransaction'] })
    await alert.getByText('The wallet cannot sign a message').waitFor()
    await alert.getByText('Connect another wallet or account that supports this.').waitFor()
    expect(wallet.asked).toEqual([])
  })
})
