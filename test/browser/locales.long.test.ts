import { expect, it } from 'vitest'
import { walletFromSecretKey } from '../../lib/cli/wallet.ts'
import { register } from '../support/agents.ts'
import { useConsole, type Visit } from '../support/console.ts'
import { registerProgram } from '../support/oauth-program.ts'
import { createPageWallet } from '../support/page-wallet.ts'
import { createStaker } from '../support/staker.ts'

const site = useConsole()

/** Arabic-Indic digits and the extended ones. */
const OTHER_DIGITS = /[\u0660-\u0669\u06f0-\u06f9]/
/** A time, as a reader without an English locale sees it. */
const TIME = /^\d{1,2} [A-Z][a-z]+ \d{4}, \d\d:\d\d$/

/** The browser logs these as missing: a wallet's entry of the registry, the local platform's file. */
const MAY_BE_MISSING = /\/v1\/registry\/|\/development\.json$/

/** Makes a wallet with an agent, a hire that was charged, and a stake. */
async function createBusyWallet() {
  const staker = await createStaker(site.service, 9_000_000_000_000n)
  const own = await register(staker.call, { name: 'Plover', feeModel: 'flat', feeAmount: 1_234_500_000_000 })
  const owner = await createStaker(site.service, 0)
  const hired = await register(owner.call, { feeModel: 'flat', feeAmount: 1_234_500_000_000 })
  const order = { agentId: hired.id, budgetLimit: 5_000_000_000_000 }
  const { body: hire } = await staker.call('POST', '/agents/hire', { body: order })
  await owner.call('POST', '/payments/charges', { body: { hireId: hire.id, reference: 'job-1', units: 1 } })
  for (const _ of [1, 2]) await staker.relay(await staker.stack(2_345_600_000_000))
  const program = await registerProgram(site.service, 'https://assistant.example.com/callback')
  const choices = { permissions: ['agents:hire'], spendLimit: 6_789_100_000_000, days: 30 }
  await program.connect(walletFromSecretKey(staker.keypair.secretKey), choices)
  // The chain is read at most every two seconds for a wallet: without this, a page may show one stake.
  expect((await staker.vault()).body.positions).toHaveLength(2)
  return { staker, own, hired, program }
}

/** Opens a view and waits until it shows what it has loaded. */
async function textOf({ page, open }: Visit, path: string): Promise<string> {
  await open(path)
  await page.getByRole('heading', { level: 1 }).or(page.getByRole('alert')).first().waitFor()
  await expect.poll(() => page.getByRole('status', { name: 'Loading' }).count()).toBe(0)
  expect([path, await page.getByRole('alert').allInnerTexts()]).toEqual([path, []])
  return page.getByRole('main').innerText()
}

it('shows the same numbers and times when the locale is missing, Arabic or German', async () => {
  const { staker, own, hired, program } = await createBusyWallet()
  const wallet = createPageWallet({ keypair: staker.keypair })
  const languages: string[] = []
  for (const locale of [undefined, 'ar-EG', 'de-DE']) {
    const visit = await site.visit({
      wallets: [wallet],
      view: 'market',
      context: { ...(locale && { locale }) },
    })
    const { page, connect } = visit
    languages.push(await page.evaluate<string>('navigator.language'))
    await connect(wallet)
    const logged: string[] = []
    page.on('console', (line) => {
      if (line.type() === 'error' && !MAY_BE_MISSING.test(line.location().url)) logged.push(line.text())
    })
    const texts: Record<string, string> = {}
    const paths = [
      ...['start', 'market', 'hires', 'earnings', 'vault', 'reputation', 'pioneer', 'statistics'],
      ...['apps', program.viewOf(), 'agents', 'agents/register', 'developer/registry'],
      ...['developer/webhooks', 'developer/deliveries', `agents/${own.id}`, `agents/${hired.id}`],
    ]
    for (const path of paths) {
      const text = await textOf(visit, path)
      expect([locale, path, OTHER_DIGITS.exec(text)]).toEqual([locale, path, null])
      const times = await page.getByRole('main').getByRole('time').allInnerTexts()
      expect([locale, path, times.filter((time) => !TIME.test(time))]).toEqual([locale, path, []])
      texts[path] = text
    }
    expect(texts).toMatchObject({
      market: expect.stringContaining('1,234.5 CRED'),
      hires: expect.stringContaining('1,234.5 CRED charged of 5,000 CRED limit'),
      apps: expect.stringContaining('6,789.1 CRED'),
      vault: expect.stringContaining('2,345.6 CRED for 30 days'),
      statistics: expect.stringContaining('4,691.2 CRED'),
    })
    expect([locale, logged]).toEqual([locale, []])
    await page.close()
  }
  expect(languages).toEqual(['en-US@posix', 'ar-EG', 'de-DE'])
}, 240_000)
