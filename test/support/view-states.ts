import type { Page, Route } from 'playwright-core'

/** Every view that asks for something when it is opened, but the views of one agent. */
export const ASKING = [
  ...['market', 'hires', 'apps', 'earnings', 'vault', 'reputation', 'pioneer', 'statistics'],
  ...['agents', 'agents/selling', 'developer/registry'],
  ...['developer/webhooks', 'developer/deliveries'],
]

const API = '**/v1/**'

/** As the service says it; to wait longer than a client does, so that no test waits. */
export const FAILURE = {
  status: 503,
  headers: { 'retry-after': '3600' },
  contentType: 'application/problem+json',
  body: JSON.stringify({
    type: 'about:blank',
    title: 'Dependency unavailable',
    status: 503,
    detail: 'The database does not answer.',
    code: 'dependency_unavailable',
  }),
}

/**
 * Opens a view and brings it into all states without new data, one after the other. First it loads; then the
 * network fails; then, after an answer, the service fails. At the end everything answers again.
 */
export async function* statesOf(page: Page, url: string): AsyncGenerator<'loading' | 'offline' | 'failed'> {
  const context = page.context()
  const alert = page.getByRole('alert')
  const loading = page.getByRole('status', { name: 'Loading' })
  const held: Route[] = []
  let answer: (route: Route) => unknown = (route) => held.push(route)
  await context.route(API, (route) => answer(route))
  await page.goto(url)
  // Before it, the view's own code is loaded.
  await page.getByRole('heading', { level: 1 }).waitFor()
  await loading.first().waitFor()
  yield 'loading'

  answer = (route) => route.continue()
  await context.setOffline(true)
  await Promise.all(held.map((route) => route.continue()))
  await alert.getByText('You are offline.').first().waitFor()
  yield 'offline'

  await context.setOffline(false)
  await alert.first().waitFor({ state: 'detached' })
  await loading.first().waitFor({ state: 'detached' })
  answer = (route) => route.fulfill(FAILURE)
  // As if the network had been away once more: each view asks again.
  await page.evaluate(`dispatchEvent(new Event('online'))`)
  await alert.getByText('The database does not answer.').first().waitFor()
  yield 'failed'
  await context.unroute(API)
}
