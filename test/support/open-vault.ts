import { setTimeout } from 'node:timers/promises'
import type { Locator } from 'playwright-core'
import { expect } from 'vitest'
import type { useConsole } from './console.ts'
import { createPageWallet } from './page-wallet.ts'
import type { Service } from './service.ts'
import { type Staker, travel } from './staker.ts'

const STEP_MS = 500
/** All steps together are far less than a transaction lives. */
const MAX_STEPS = 20

/**
 * Waits until a page shows that a transaction has landed. The service asks the chain about it every two
 * seconds, so its time goes faster for a while.
 */
export async function untilLanded(service: Service, shown: Locator): Promise<void> {
  for (let steps = 0; steps < MAX_STEPS && !(await shown.isVisible()); steps += 1) {
    await travel(service, STEP_MS)
    await setTimeout(50)
  }
  await shown.waitFor()
}

/** The vault of a wallet that has staked 100 CRED for 30 days. */
export async function openVault(
  site: ReturnType<typeof useConsole>,
  staker: Staker,
  options: Parameters<typeof createPageWallet>[0] = {},
) {
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
