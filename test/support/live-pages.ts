import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { walletFromSecretKey } from '../../lib/cli/wallet.ts'
import { register } from './agents.ts'
import type { useConsole, Visit } from './console.ts'
import { createPageWallet } from './page-wallet.ts'

/** An owner with an agent and a page on it, which has logged in and follows the owner's log. */
export async function createOwner(
  site: ReturnType<typeof useConsole>,
  { wraps = async (_visit: Visit): Promise<unknown> => undefined } = {},
) {
  const wallet = createPageWallet()
  const key = walletFromSecretKey(wallet.keypair.secretKey)
  const { call } = await site.service.signIn(key)
  const agent = await register(call, { name: 'Crane', feeModel: 'flat', feeAmount: 2_000_000_000 })
  // Older than what a page asks for once more when it has read the log: the last half minute's.
  await site.service.clock.travelTo(site.service.clock.now() + 31_000)
  const visit = await site.visit({ wallets: [wallet] })
  await wraps(visit)
  await visit.open(`agents/${agent.id}`)
  const sockets = socketsOf(visit.page)
  await visit.connect(wallet)
  await visit.page.getByText('No hires yet.').waitFor()
  // Events before the page's first read of the log are not unread.
  await expect.poll(() => visit.page.evaluate(`localStorage.getItem('agentcred:seen')`)).not.toBeNull()
  return { ...visit, ...{ call, agent, wallet, key, sockets } }
}

/** Returns the page's sockets on the log, also closed ones. */
function socketsOf(page: Page) {
  const sockets: { isOpen: boolean }[] = []
  page.on('websocket', (socket) => {
    const state = { isOpen: true }
    sockets.push(state)
    socket.on('close', () => {
      state.isOpen = false
    })
  })
  return { all: sockets, open: () => sockets.filter(({ isOpen }) => isOpen).length }
}

/** The header's bell. */
export const bell = (page: Page) => page.getByRole('banner').locator('.bell summary')

/** What the bell's list says, newest first. */
export const latest = (page: Page) =>
  page.getByRole('list').and(page.locator('.latest')).getByRole('link').allInnerTexts()

/** Hides a page, or shows it again, as another tab in front of it does. */
export const setHidden = (page: Page, isHidden: boolean) =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { value: hidden, configurable: true })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  }, isHidden)
