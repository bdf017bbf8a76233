import * as esbuild from 'esbuild'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBrowser } from '../support/browser.ts'
import { challengeAt, problem, type Reply } from '../support/fake-service.ts'
import { openHookPage } from '../support/react-page.ts'

let browser: Browser
beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(async () => {
  await browser?.close()
  await esbuild.stop()
})

const agents = (...ids: string[]) => ({ agents: ids.map((id) => ({ id })), count: ids.length })
const hires = (...ids: string[]) => ({ hires: ids.map((id) => ({ id })), count: ids.length })
const jobs = (...ids: string[]) => ({ jobs: ids.map((id) => ({ id })), count: ids.length })
const eventPage = (...ids: string[]) => ({
  events: ids.map((id) => ({ id, type: 'hire.created' })),
  count: ids.length,
  hasMore: false,
})
const entries = (...ids: string[]) => ids.map((id) => ({ id }))

/** An answer that comes when the test says so. */
function held(reply: Reply) {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const answer: Reply = async (sent) => {
    await released
    return typeof reply === 'function' ? reply(sent) : reply
  }
  return { answer, release }
}

/** Answers one after the other, the last one for ever. */
const inTurn =
  (...replies: (object | Response)[]): Reply =>
  () =>
    (replies.length > 1 ? replies.shift() : replies[0]) ?? {}

const FIRST = 'GET /agents?limit=2'
const SECOND = 'GET /agents?limit=2&cursor=c2'

describe.each([18, 19] as const)('the hooks in React %i', (react) => {
  const open = (replies: Record<string, Reply | Reply[]>, sign?: (method: string) => Promise<number[]>) =>
    openHookPage({ browser, react, replies, ...(sign ? { sign } : {}) })
  const ofAgents = { name: 'useAgents', options: { limit: 2 } } as const

  it('list agents page by page, each page once', async () => {
    const page = await open({ [FIRST]: { ...agents('a', 'b'), nextCursor: 'c2' }, [SECOND]: agents('c') })
    await page.render(ofAgents)
    await expect.poll(page.seen).toMatchObject({ agents: entries('a', 'b'), isLoading: false, hasMore: true })
    await page.invokeTwice('loadMore')
    await expect.poll(page.seen).toMatchObject({ agents: entries('a', 'b', 'c'), hasMore: false })
    const asked = page.operations().length
    await page.invoke('loadMore')
    await page.invoke('reload')
    await expect.poll(page.seen).toMatchObject({ agents: entries('a', 'b'), isLoading: false })
    expect(page.operations().slice(asked)).toEqual([FIRST])
    expect(page.errors).toEqual([])
  })

  it('show nothing of the query before when the query changes, and cancel its request', async () => {
    const slow = held(agents('late'))
    const page = await open({
      'GET /agents?q=a': agents('a'),
      'GET /agents?q=b': slow.answer,
      'GET /agents?q=c': agents('c'),
    })
    await page.render({ name: 'useAgents', options: { q: 'a' } })
    await expect.poll(page.seen).toMatchObject({ agents: entries('a') })
    const cancelled = page.cancelled()
    await page.render({ name: 'useAgents', options: { q: 'b' } })
    await expect.poll(page.seen).toMatchObject({ agents: [], isLoading: true })
    await expect.poll(page.operations).toContain('GET /agents?q=b')
    await page.render({ name: 'useAgents', options: { q: 'c' } })
    await expect.poll(page.seen).toMatchObject({ agents: entries('c') })
    expect(page.cancelled()).toBe(cancelled + 1)
    slow.release()
  })

  it('load once when an equal query is passed at each render', async () => {
    const page = await open({ [FIRST]: agents('a') })
    await page.render(ofAgents)
    await expect.poll(page.seen).toMatchObject({ agents: entries('a') })
    const asked = page.operations().length
    await page.render(ofAgents)
    await page.render(ofAgents)
    expect(page.operations()).toHaveLength(asked)
  })

  it('keep the pages before an error, return its code, and reload', async () => {
    const page = await open({
      [FIRST]: { ...agents('a', 'b'), nextCursor: 'c2' },
      [SECOND]: inTurn(problem(400, 'invalid_request'), agents('c')),
    })
    await page.render(ofAgents)
    await expect.poll(page.seen).toMatchObject({ hasMore: true })
    await page.invoke('loadMore')
    const error = { code: 'invalid_request' }
    await expect.poll(page.seen).toMatchObject({ error, agents: entries('a', 'b'), isLoading: false })
    await page.invoke('loadMore')
    await expect.poll(page.seen).toMatchObject({ agents: entries('a', 'b', 'c') })
    expect(await page.seen()).not.toHaveProperty('error')
  })

  it('cancel the request under way when they are unmounted', async () => {
    const slow = held(agents())
    const page = await open({ [FIRST]: slow.answer })
    await page.render(ofAgents)
    await expect.poll(page.operations).toContain(FIRST)
    const cancelled = page.cancelled()
    await page.unmount()
    await expect.poll(page.cancelled).toBe(cancelled + 1)
    slow.release()
    expect(page.errors).toEqual([])
  })

  it('list hires while the wallet is logged in, and ask the wallet for nothing before', async () => {
    const page = await open({ 'GET /agents/hire': hires('h') })
    await page.render({ name: 'useHires', wallet: 'wallet' })
    await expect.poll(page.seen).toMatchObject({ hires: [], isLoading: false })
    expect(page.operations()).toEqual([])
    await page.invoke('login')
    await expect.poll(page.seen).toMatchObject({ hires: entries('h'), sessions: ['token-1'] })
    await page.invoke('logout')
    await expect.poll(page.seen).toMatchObject({ hires: [], account: { isPending: false } })
  })

  it.each([
    ['useHire', 'h', 'GET /agents/hire/h', 'hire'],
    ['useJob', 'j', 'GET /jobs/j', 'job'],
    ['useCharge', 'c', 'GET /payments/charges/c', 'charge'],
    ['useTotals', 'owner', 'GET /payments/totals?role=owner', 'totals'],
  ] as const)(
    '%s reads one answer after a login, and again on reload',
    async (name, options, operation, field) => {
      const page = await open({ [operation]: [{ id: 'first' }, problem(404, 'gone'), { id: 'last' }] })
      await page.render({ name, options, wallet: 'wallet' })
      expect(await page.seen()).toMatchObject({ isLoading: false })
      expect(page.operations()).toEqual([])
      await page.invoke('login')
      await expect.poll(page.seen).toMatchObject({ [field]: { id: 'first' }, isLoading: false })
      await page.invoke('reload')
      await expect.poll(page.seen).toMatchObject({ [field]: { id: 'first' }, error: { code: 'gone' } })
      await page.invoke('reload')
      await expect.poll(page.seen).toMatchObject({ [field]: { id: 'last' }, isLoading: false })
      expect(await page.seen()).not.toHaveProperty('error')
      expect(page.errors).toEqual([])
    },
  )

  it('list jobs of a side page by page', async () => {
    const page = await open({
      'GET /jobs?role=agent': { ...jobs('a'), nextCursor: 'c2' },
      'GET /jobs?role=agent&cursor=c2': jobs('b'),
    })
    await page.render({ name: 'useJobs', options: { role: 'agent' }, wallet: 'wallet' })
    await page.invoke('login')
    await expect.poll(page.seen).toMatchObject({ jobs: entries('a'), hasMore: true })
    await page.invoke('loadMore')
    await expect.poll(page.seen).toMatchObject({ jobs: entries('a', 'b'), hasMore: false })
  })

  it('show nothing of the wallet before when the wallet changes', async () => {
    const page = await open({ 'GET /agents/hire': hires('h') })
    await page.render({ name: 'useHires', wallet: 'wallet' })
    await page.invoke('login')
    await expect.poll(page.seen).toMatchObject({ hires: entries('h') })
    await page.render({ name: 'useHires', wallet: 'other' })
    await expect.poll(page.seen).toMatchObject({ hires: [], isLoading: false })
  })

  it('log in once when two clicks ask for it, and show that the wallet is asked', async () => {
    let answer = (_signature: number[]) => {}
    let asked = 0
    const page = await open({}, () => {
      asked += 1
      return new Promise((resolve) => {
        answer = resolve
      })
    })
    await page.render({ name: 'useLogin', wallet: 'wallet' })
    await page.invokeTwice('login')
    await expect.poll(page.seen).toMatchObject({ isPending: true })
    await expect.poll(() => asked).toBe(1)
    answer(Array(64).fill(1))
    await expect.poll(page.seen).toMatchObject({ isPending: false, session: { sessionToken: 'token-1' } })
    expect(asked).toBe(1)
  })

  it('say why a login failed, and log in at the next click', async () => {
    const answers = [
      () => Promise.reject(new Error('User rejected the request.')),
      async () => Array(64).fill(1),
    ]
    const page = await open({}, () => (answers.shift() ?? (async () => []))())
    await page.render({ name: 'useLogin', wallet: 'wallet' })
    expect(await page.invoke('login')).toBeUndefined()
    await expect.poll(page.seen).toMatchObject({ isPending: false, error: { code: 'wallet_refused' } })
    await page.invoke('login')
    await expect.poll(page.seen).toMatchObject({ session: { sessionToken: 'token-1' } })
    expect(await page.seen()).not.toHaveProperty('error')
  })

  it('log in another way when the user chooses one after a refusal', async () => {
    const asked: string[] = []
    const page = await open({}, async (method) => {
      asked.push(method)
      if (method === 'signOffchainMessage') throw new Error('User rejected the request.')
      return Array<number>(64).fill(1)
    })
    await page.render({ name: 'useLogin', wallet: 'hardware' })
    await page.invoke('login')
    const error = { code: 'wallet_refused', loginMethods: ['signMessage'] }
    await expect.poll(page.seen).toMatchObject({ isPending: false, error })
    expect(asked).toEqual(['signOffchainMessage'])
    await page.invoke('loginWith', 'signMessage')
    await expect.poll(page.seen).toMatchObject({ session: { sessionToken: 'token-1' } })
    expect(asked).toEqual(['signOffchainMessage', 'signMessage'])
  })

  it('sign nothing when the host passes on the login of another service', async () => {
    let asked = 0
    const relayed: Reply = ({ origin }) =>
      challengeAt(Date.now(), 'wallet', origin, 'https://other.example.com')
    const page = await open({ 'GET /auth/handshake': relayed }, async () => {
      asked += 1
      return Array<number>(64).fill(1)
    })
    await page.render({ name: 'useLogin', wallet: 'wallet' })
    await page.invoke('login')
    await expect.poll(page.seen).toMatchObject({ error: { code: 'challenge_unexpected' } })
    expect(asked).toBe(0)
  })

  it('say that there is no wallet when a login is asked for without one', async () => {
    const page = await open({})
    await page.render({ name: 'useLogin' })
    await page.invoke('login')
    await expect.poll(page.seen).toMatchObject({ error: { code: 'wallet_missing' } })
  })

  it.each([
    ['take a saved session', 3_600_000, 'wallet', ['GET /agents/hire']],
    ['ignore a saved session when it is about to end', 200_000, 'wallet', []],
    ['ignore a saved session of another wallet', 3_600_000, 'other', []],
  ])('%s', async (_title, leftMs, publicKey, operations) => {
    const page = await open({ 'GET /agents/hire': hires('h') })
    const session = { sessionToken: 'saved', expiresAt: Date.now() + leftMs, publicKey }
    await page.render({ name: 'useHires', wallet: 'wallet', provider: { session } })
    await expect.poll(page.seen).toMatchObject({ isLoading: false })
    await expect.poll(() => [...new Set(page.operations())]).toEqual(operations)
  })

  it('show the newest events, then each further one, and publish that once', async () => {
    const newest = 'GET /events?sort=newest&limit=3'
    const page = await open({
      [newest]: eventPage('e2', 'e1'),
      'GET /events?after=e2&limit=100': [eventPage('e3', 'e4'), eventPage('e3', 'e4')],
      'GET /events?after=e4&limit=100': eventPage(),
    })
    await page.render({ name: 'useEvents', wallet: 'wallet', options: { limit: 3 } })
    expect(await page.seen()).toMatchObject({ events: [], isLoading: false })
    await page.invoke('login')
    await expect.poll(page.seen).toMatchObject({ published: ['e3', 'e4'], isLoading: false })
    expect((await page.seen()).events).toMatchObject(entries('e4', 'e3', 'e2'))
    await page.unmount()
    // Every question of the page is answered by now, and no further one follows.
    await expect
      .poll(async () => {
        const before = page.operations().length
        await page.seen()
        return page.operations().length - before
      })
      .toBe(0)
    expect(page.errors).toEqual([])
  })

  it('say why no events arrive, and follow again on demand', async () => {
    const page = await open({
      'GET /events?sort=newest&limit=50': inTurn(problem(403, 'forbidden'), eventPage('e1')),
      'GET /events': eventPage(),
    })
    await page.render({ name: 'useEvents', wallet: 'wallet' })
    await page.invoke('login')
    await expect.poll(page.seen).toMatchObject({ error: { code: 'forbidden' }, isLoading: false })
    await page.invoke('reload')
    await expect.poll(page.seen).toMatchObject({ events: entries('e1') })
    expect(await page.seen()).not.toHaveProperty('error')
  })

  it('throw outside of a provider', async () => {
    const page = await open({})
    await page.render({ ...ofAgents, isBare: true })
    await expect.poll(() => page.errors).not.toHaveLength(0)
    expect(page.errors[0]).toContain('need an <AgentCredProvider>')
  })
})
