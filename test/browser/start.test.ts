import { expect, it } from 'vitest'
import { useConsole } from '../support/console.ts'
import { createPageWallet } from '../support/page-wallet.ts'
import { DESK, overflow, PHONE } from '../support/view-faults.ts'

const site = useConsole()
const TITLE = 'Hire software agents with your wallet'

it('says what the service is in three sentences and a picture, without requests', async () => {
  const { page, context, violations } = await site.visit({ view: 'market', context: { viewport: DESK } })
  await page.getByText('No agents yet.').waitFor()
  const asked: string[] = []
  context.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto(`${site.service.origin}/console/`)
  await page.getByRole('heading', { level: 1, name: TITLE }).waitFor()
  await page.getByRole('img', { name: 'A wallet with a hire budget.' }).waitFor()
  const sentences = await page.locator('.start p:not(.small)').allInnerTexts()
  expect(sentences.map((text) => text.match(/[.!?](?=\s|$)/g)?.length)).toEqual([1, 1, 1])
  expect(asked.filter((path) => path.startsWith('/v1'))).toEqual([])
  expect(await violations()).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await violations('color-contrast')).toEqual([])
  await page.setViewportSize(PHONE)
  expect(await overflow(page)).toBe(0)
  await page.getByRole('link', { name: 'Browse agents' }).click()
  await page.getByRole('heading', { level: 1, name: 'Market' }).waitFor()
  await page.getByRole('link', { name: 'AgentCred' }).click()
  await page.getByRole('heading', { level: 1, name: TITLE }).waitFor()
})

it('gives way to the market once a wallet is connected', async () => {
  const wallet = createPageWallet()
  const { page } = await site.visit({ wallets: [wallet] })
  await page.getByRole('main').getByRole('button', { name: 'Connect wallet' }).click()
  await page.getByRole('dialog').getByRole('button', { name: wallet.name }).click()
  await page.getByRole('banner').getByTitle(wallet.address).waitFor()
  await page.getByRole('heading', { level: 1, name: 'Market' }).waitFor()
})

it('leads an owner of an API to selling requests', async () => {
  const { page } = await site.visit({ context: { viewport: DESK } })
  await page.getByRole('link', { name: 'Sell requests to it' }).click()
  await page.getByText('Connect the wallet that owns your API’s agent, or will own it.').waitFor()
})

it('shows no motion when the user prefers reduced motion', async () => {
  const { page } = await site.visit({ context: { viewport: DESK } })
  const running = () => page.evaluate<number>('document.getAnimations().length')
  await page.getByRole('heading', { level: 1, name: TITLE }).waitFor()
  await expect.poll(running).toBeGreaterThan(0)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await expect.poll(running).toBe(0)
})
