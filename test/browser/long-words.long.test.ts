import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { register } from '../support/agents.ts'
import { useConsole } from '../support/console.ts'
import { createPageWallet } from '../support/page-wallet.ts'
import { createStaker, type Staker } from '../support/staker.ts'
import { overflow } from '../support/view-faults.ts'

const site = useConsole()

/** A word of the widest letter, as long as a text may be. */
const word = (length: number): string => 'W'.repeat(length)

const WIDTHS = [360, 1280]

/** A wallet that owns, hires, charges and registers what has the longest words. */
async function createWordy() {
  const staker = await createStaker(site.service)
  const other = await createStaker(site.service, 0)
  const terms = {
    name: word(32),
    description: word(500),
    feeModel: 'hybrid',
    feeAmount: 9_007_199_254_740_991,
    supportedLayers: [1, 15],
  }
  const own = await register(staker.call, terms)
  const hired = await register(other.call, { ...terms, feeAmount: 1 })
  const hire = async (hirer: Staker, agentId: string) =>
    (await hirer.call('POST', '/agents/hire', { body: { agentId } })).body.id
  const charge = async (owner: Staker, hireId: unknown) => {
    const body = { hireId, reference: word(64), units: 1 }
    expect((await owner.call('POST', '/payments/charges', { body })).status).toBe(201)
  }
  await charge(staker, await hire(other, own.id))
  const hireId = await hire(staker, hired.id)
  await charge(other, hireId)
  const endpoint = { url: `https://hooks.agentcred.example/${word(400)}`, description: word(100) }
  expect((await staker.call('POST', '/events/endpoints', { body: endpoint })).status).toBe(201)
  const credential = { credentialType: 'certification', credentialId: word(100), issuer: word(100) }
  await staker.call('POST', '/reputation/attest/skill', { body: credential })
  const prices = [{ name: `GET /${word(100)}`, amount: 9_007_199_254_740_991 }]
  await staker.call('PUT', `/x402/agents/${own.id}/prices`, { body: { prices } })
  return { own: own.id, hired: hired.id, hire: hireId, keypair: staker.keypair }
}

/** Opens every folded part of a view, since texts of strangers are in them too. */
const unfold = (page: Page) =>
  page.evaluate(`for (const folded of document.querySelectorAll('main details')) folded.open = true`)

it('no view scrolls sideways when its texts are the longest words', async () => {
  const { own, hired, hire, keypair } = await createWordy()
  const wallet = createPageWallet({ keypair })
  const { page, connect, open } = await site.visit({ view: 'hires', wallets: [wallet] })
  await connect(wallet)
  const wide: string[] = []
  for (const view of [
    ...['market', `hires/${hire}`, `agents/${own}`, `agents/${hired}`, 'hires', 'earnings', `selling/${own}`],
    ...['reputation', 'agents', 'agents/selling', 'developer/webhooks'],
    ...['developer/deliveries', 'developer/connect', 'apps', 'vault'],
  ]) {
    await open(view)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expect.poll(() => page.getByRole('status', { name: 'Loading' }).count()).toBe(0)
    await unfold(page)
    await expect.poll(() => page.getByRole('status', { name: 'Loading' }).count()).toBe(0)
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 })
      const pixels = await overflow(page)
      if (pixels > 0) wide.push(`${view} at ${width}: ${pixels} too wide`)
      const cards = await page.evaluate<string[]>(WIDER_THAN_CARDS)
      for (const text of cards) wide.push(`${view} at ${width}: ${text} leaves its card`)
    }
  }
  expect(wide).toEqual([])
})

/** The texts that are wider than the card they are in. */
const WIDER_THAN_CARDS = `[...document.querySelectorAll('.card, .figures, .notice')].flatMap((card) =>
  [...card.querySelectorAll('.amount, h2, h3, p, dd, code')]
    .filter((part) => !part.closest('.table, .visually-hidden'))
    .filter((part) => part.getBoundingClientRect().right > card.getBoundingClientRect().right + 1)
    .map((part) => part.tagName + ' ' + part.textContent.slice(0, 30)))`
