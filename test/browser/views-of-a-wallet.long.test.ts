import { expect, it } from 'vitest'
import { register } from '../support/agents.ts'
import { useConsole } from '../support/console.ts'
import { createPageWallet } from '../support/page-wallet.ts'
import { createStaker } from '../support/staker.ts'
import { DESK, faults, overflow, PHONE } from '../support/view-faults.ts'
import { statesOf } from '../support/view-states.ts'

// Views without a wallet, of an empty one, and every view in every state are in views.long.test.ts.

const site = useConsole()

it('shows every view accessibly, also on a phone, for a wallet with data', async () => {
  const staker = await createStaker(site.service)
  const { id } = await register(staker.call, { name: 'A'.repeat(32) })
  const { body: hire } = await staker.call('POST', '/agents/hire', {
    body: { agentId: id, layers: [1], expiresInDays: 30, budgetLimit: 5_000_000_000 },
  })
  const work = { hireId: hire.id, reference: 'R'.repeat(128), capturedValue: 1_234_567_890 }
  const { body: charge } = await staker.call('POST', '/payments/charges', { body: work })
  for (const _ of ['the vault', 'the stake']) await staker.relay(await staker.stack(123_456_789_012))
  const wallet = createPageWallet({ keypair: staker.keypair })
  const visit = await site.visit({ wallets: [wallet], context: { viewport: DESK } })
  await visit.connect(wallet)
  expect(await faults(visit)).toEqual([])
  await visit.page.setViewportSize(PHONE)
  for (const path of [
    `agents/${id}`,
    `selling/${id}`,
    'agents/register',
    'developer/registry',
    'developer/webhooks',
    'developer/connect',
  ]) {
    await visit.open(path)
    await visit.page.getByRole('main').getByRole('textbox').first().waitFor()
    await expect.poll(() => visit.page.getByRole('status', { name: 'Loading' }).count()).toBe(0)
    expect([path, await visit.violations()]).toEqual([path, []])
    expect([path, await overflow(visit.page)]).toEqual([path, 0])
  }
  for (const [path, shown] of [
    ['hires', 'To fund'],
    [`hires/${hire.id}`, 'to fund.'],
    [`charges/${charge.id}`, 'Charge ID'],
  ] as const) {
    await visit.open(path)
    await visit.page.getByRole('main').getByText(shown).first().waitFor()
    await expect.poll(() => visit.page.getByRole('status', { name: 'Loading' }).count()).toBe(0)
    expect([path, await visit.violations()]).toEqual([path, []])
    expect([path, await overflow(visit.page)]).toEqual([path, 0])
  }
})

it.each(['banner', 'main'] as const)('the dialog is accessible and centred from the %s', async (from) => {
  const { page, violations } = await site.visit({ view: 'hires', context: { viewport: DESK } })
  await page.getByRole(from).getByRole('button', { name: 'Connect wallet' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  expect(await violations()).toEqual([])
  const { y = 0, height = 0 } = (await dialog.boundingBox()) ?? {}
  expect(Math.abs(y + height / 2 - DESK.height / 2)).toBeLessThan(1)
})

it('shows in a view loading, offline and failures, next to the data before', async () => {
  const wallet = createPageWallet()
  const { page, url, connect } = await site.visit({ wallets: [wallet], context: { viewport: DESK } })
  await connect(wallet)
  const states: string[] = []
  for await (const state of statesOf(page, url('market'))) {
    states.push(state)
    await expect.poll(async () => (await page.locator('.stale').count()) > 0).toBe(state === 'failed')
  }
  expect(states).toEqual(['loading', 'offline', 'failed'])
})
