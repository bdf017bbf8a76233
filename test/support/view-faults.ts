import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Visit } from './console.ts'

export const PHONE = { width: 390, height: 844 }
export const DESK = { width: 1280, height: 900 }

/** Every view that the header or the footer leads to, each when what it shows has come. */
async function* views(page: Page): AsyncGenerator<string> {
  const links = page
    .getByRole('navigation')
    .and(page.getByLabel(/^(Main|More)$/))
    .locator('a[href^="/console/"]')
  for (const link of await links.all()) {
    await link.click()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expect.poll(() => page.getByRole('status', { name: 'Loading' }).count()).toBe(0)
    yield await link.innerText()
  }
}

/** Returns by how many pixels a page is too wide, once charts and the like have followed the window. */
export async function overflow(page: Page): Promise<number> {
  const pixels = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
  // Not by waitForFunction, which evaluates text in the page: its policy forbids that.
  for (let checks = 0; checks < 300; checks++) {
    if ((await page.evaluate<number>(pixels)) <= 0) return 0
    await page.waitForTimeout(100)
  }
  return page.evaluate<number>(pixels)
}

/** Returns the errors of all views, in light and dark, wide and narrow. */
export async function faults({ page, violations }: Visit): Promise<string[]> {
  const found: string[] = []
  for await (const view of views(page)) {
    for (const violation of await violations()) found.push(`${view}: ${violation}`)
    // Colours alone differ in the dark.
    await page.emulateMedia({ colorScheme: 'dark' })
    for (const violation of await violations('color-contrast')) found.push(`${view}, dark: ${violation}`)
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize(PHONE)
    const pixels = await overflow(page)
    if (pixels > 0) found.push(`${view} is ${pixels} pixels wider than a phone`)
    await page.setViewportSize(DESK)
  }
  return found
}
