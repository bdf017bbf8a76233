import { Keypair } from '@solana/web3.js'
import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openLocalChain } from '../../lib/cli/solana/local-chain.ts'
import { createWallet } from '../../lib/cli/wallet.ts'
import { startBrowser } from '../support/browser.ts'
import { visitConsole } from '../support/console.ts'
import { baseUrlOf, clientOf, platformVariables, startPlatform } from '../support/platform.ts'

const ONE = 10n ** 9n

type Environment = ReturnType<typeof platformVariables>

/** Returns the storage of a browser after a visit: a key of the development wallet, connected. */
function keptBy({ publicKey, secretKey }: Keypair, origin: string) {
  const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
  const key = {
    ...{ kty: 'OKP', crv: 'Ed25519' },
    x: base64url(publicKey.toBytes()),
    d: base64url(secretKey.slice(0, 32)),
  }
  const kept = {
    'agentcred:development-wallet': key,
    'agentcred:account': { wallet: 'Development wallet', address: publicKey.toBase58() },
  }
  const localStorage = Object.entries(kept).map(([name, value]) => ({ name, value: JSON.stringify(value) }))
  return { cookies: [], origins: [{ origin, localStorage }] }
}

async function stake(page: Page, amount: string) {
  await page.getByLabel('Amount in CRED').fill(amount)
  await page.getByRole('button', { name: 'Stake', exact: true }).click()
  await page.getByText('Transaction confirmed.').waitFor()
  await page.getByRole('heading', { name: `${amount} CRED for 30 days` }).waitFor()
}

/** An agent of somebody who can be paid. */
async function offerAgent(env: Environment) {
  const wallet = createWallet()
  const client = clientOf(env, wallet)
  const { mint } = await client.call('GET /vault/terms')
  await openLocalChain(`http://localhost:${env.SOLANA_RPC_PORT}`).fund(wallet.publicKey, mint, ONE)
  await client.openCollector()
  return client.call('POST /agents/register', {
    body: { name: 'Crane', agentType: 'autonomous', supportedLayers: [3], feeModel: 'flat', feeAmount: 1 },
  })
}

describe('a newcomer of npm run dev', () => {
  it('stakes, hires, pays and watches a webhook arrive, with nothing installed', async () => {
    const platform = await startPlatform(platformVariables())
    const { env } = platform
    expect(platform.output()).toContain(`console      http://localhost:${env.PORT}/\n`)
    const agent = await offerAgent(env)
    const browser = await startBrowser()
    onTestFinished(() => browser.close())
    const { origin } = new URL(baseUrlOf(env))
    const others = [env.SOLANA_RPC_PORT, env.INBOX_PORT].map((port) => `http://127.0.0.1:${port}`)

    const { page, open, violations } = await visitConsole(browser, origin, {
      view: 'developer/webhooks',
      others,
    })
    await page.getByRole('main').getByRole('button', { name: 'Connect wallet' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Development wallet' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Account 1' }).click()
    await page.getByRole('button', { name: 'Send my events here' }).click()
    await page.getByRole('button', { name: 'Receiving your events' }).waitFor()
    const arrivals = page.getByRole('list', { name: 'Received events' })
    await page.getByRole('button', { name: 'Send test event' }).click()
    await arrivals.getByText('endpoint.test').first().waitFor()

    await open('vault')
    await stake(page, '250')

    await open(`agents/${agent.id}`)
    await page.getByRole('button', { name: 'Hire', exact: true }).click()
    await page.getByRole('link', { name: 'Manage hire' }).click()
    await page.getByLabel('Amount in CRED').fill('30')
    await page.getByRole('button', { name: 'Fund', exact: true }).click()
    await page.getByText('30 CRED added.').waitFor()

    await open('developer/webhooks')
    for (const type of ['vault.position_opened', 'hire.created', 'budget.funded'])
      await arrivals.getByText(type).first().waitFor()
    const hired = arrivals.getByRole('listitem').filter({ hasText: '"type":"hire.created"' })
    await hired.locator('summary').click()
    await hired.locator('pre').getByText(agent.id).waitFor()
    expect(await violations()).toEqual([])

    // The other account offers an agent, and sees the steps left until it is paid.
    await page.getByRole('banner').getByText('Account 1').click()
    await page.getByRole('button', { name: 'Switch account' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Account 2' }).click()
    await open('earnings')
    await page.getByRole('button', { name: 'Set up payouts' }).click()
    await page.getByText('Payouts are set up:').waitFor()
    await page.getByRole('banner').getByText('Account 2').click()
    await page.getByRole('button', { name: 'Switch account' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Account 3 (judge)' }).click()
    await page.getByRole('banner').getByText('Account 3 (judge)').waitFor()

    // Connected silently, to a chain that has begun anew since.
    const earlier = Keypair.generate()
    const again = await visitConsole(browser, origin, {
      view: 'vault',
      others,
      context: { storageState: keptBy(earlier, origin) },
    })
    await again.page.getByRole('banner').getByTitle(earlier.publicKey.toBase58()).waitFor()
    await stake(again.page, '40')
  })
})
