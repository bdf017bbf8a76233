import { expect } from 'vitest'
import type { useConsole } from './console.ts'
import { createPageWallet } from './page-wallet.ts'
import type { Staker } from './staker.ts'

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
