import { expect, it } from 'vitest'
import { register } from '../support/agents.ts'
import { useConsole } from '../support/console.ts'
import { createPageWallet } from '../support/page-wallet.ts'
import { createStaker } from '../support/staker.ts'
import { DESK, faults } from '../support/view-faults.ts'
import { ASKING, statesOf } from '../support/view-states.ts'

const site = useConsole()

it('every view is accessible and fits a phone while nobody is connected', async () => {
  const visit = await site.visit({ context: { viewport: DESK } })
  expect(await faults(visit)).toEqual([])
})

it('every view is accessible and fits a phone for a wallet that has nothing yet', async () => {
  const wallet = createPageWallet()
  const visit = await site.visit({ wallets: [wallet], context: { viewport: DESK } })
  await visit.connect(wallet)
  expect(await faults(visit)).toEqual([])
})

it('shows in every view loading, offline and failures, next to the data before', async () => {
  const { keypair, call } = await createStaker(site.service)
  const { id } = await register(call, { name: 'Dunlin' })
  const wallet = createPageWallet({ keypair })
  const walk = async (paths: string[]) => {
    const visit = await site.visit({ wallets: [wallet], view: 'hires', context: { viewport: DESK } })
    await visit.connect(wallet)
    await visit.page.getByText('You have not hired an agent yet.').waitFor()
    for (const path of paths) {
      for await (const state of statesOf(visit.page, visit.url(path))) {
        expect([path, state, await visit.violations()]).toEqual([path, state, []])
        const old = async () => [path, state, (await visit.page.locator('.stale').count()) > 0]
        await expect.poll(old).toEqual([path, state, state === 'failed'])
      }
    }
  }
  const paths = [...ASKING, `agents/${id}`, `selling/${id}`]
  // Three readers at once: most of the time is waiting.
  await Promise.all([0, 1, 2].map((reader) => walk(paths.filter((_, index) => index % 3 === reader))))
})
