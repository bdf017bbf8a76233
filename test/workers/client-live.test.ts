import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createWallet, signerOf } from '../../lib/cli/wallet.ts'
import { type Client, type ClientOptions, createClient } from '../../lib/client/index.ts'
import { ISSUER } from '../support/oauth.ts'
import { type Service, startService } from '../support/service.ts'
import { eventually } from '../support/webhooks.ts'

/* The client's live events, against the Workers. */

let service: Service
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'agents', 'events', 'live'] })
})
afterAll(() => service.stop())

/** A wallet with an agent, a client that listens, and its sockets. */
async function listening(options: Partial<ClientOptions> = {}) {
  const sockets: WebSocket[] = []
  class Watched extends WebSocket {
    constructor(...args: ConstructorParameters<typeof WebSocket>) {
      super(...args)
      sockets.push(this)
    }
  }
  const slept: number[] = []
  const wallet = signerOf(createWallet())
  const clientOf = (more: Partial<ClientOptions> = {}): Client =>
    createClient({
      baseUrl: `${service.origin}/v1`,
      origin: ISSUER,
      wallet,
      now: () => service.clock.now(),
      ...more,
    })
  const owner = clientOf()
  const agent = await owner.call('POST /agents/register', {
    body: { name: 'Live agent', agentType: 'autonomous', supportedLayers: [1] },
  })
  const client = clientOf({
    WebSocket: Watched,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted()
      slept.push(ms)
      await new Promise((resolve) => setTimeout(resolve, 20))
    },
    ...options,
  })
  const ids: string[] = []
  const stop = new AbortController()
  const reading = (async () => {
    for await (const event of client.events({ live: true, signal: stop.signal })) ids.push(event.id)
  })()
  const ended = reading.catch((error: Error) => error)
  onTestFinished(async () => {
    stop.abort()
    await ended
  })
  let isActive = true
  return {
    ...{ client, owner, sockets, slept, ids, stop, ended },
    change: () => {
      isActive = !isActive
      return owner.call('PATCH /agents/{id}', {
        path: { id: agent.id },
        body: { status: isActive ? 'active' : 'inactive' },
      })
    },
    log: async () => {
      const all = []
      for await (const { id } of owner.events()) all.push(id)
      return all
    },
    until: (count: number) => eventually(`${count} events`, () => ids.length >= count),
  }
}

describe('events({ live: true })', () => {
  it('yields the log and then what happens, by one socket and without asking again', async () => {
    const { sockets, slept, ids, change, log, until, stop, ended } = await listening()
    await until(1)
    for (let i = 0; i < 5; i++) await change()
    await until(6)
    expect(ids).toEqual(await log())
    expect({ sockets: sockets.length, slept }).toEqual({ sockets: 1, slept: [] })
    stop.abort(new Error('enough'))
    expect(await ended).toMatchObject({ message: 'enough' })
    await eventually('the socket is closed', () => sockets[0]?.readyState === WebSocket.CLOSED)
  })

  it('returns each event once, in order, after any failure of sockets', async () => {
    const { sockets, ids, change, log, until } = await listening()
    for (let i = 0; i < 25; i++) {
      await change()
      const opened = sockets.length
      sockets.at(-1)?.close()
      // Some break before they are open, others after.
      if (i % 5 === 0) await eventually('another is opened', () => sockets.length > opened)
    }
    await until(26)
    expect(ids).toEqual(await log())
    expect(sockets.length).toBeGreaterThan(5)
  })

  it('waits longer after each idle socket, up to an hour, or until its page is visible', async () => {
    class Broken extends WebSocket {
      constructor() {
        super('ws://127.0.0.1:9')
      }
    }
    const page = Object.assign(new EventTarget(), { visibilityState: 'visible' })
    vi.stubGlobal('document', page)
    onTestFinished(() => void vi.unstubAllGlobals())
    const slept: number[] = []
    const { change, until } = await listening({
      WebSocket: Broken as unknown as typeof WebSocket,
      random: () => 1,
      async sleep(ms, signal) {
        slept.push(ms)
        if (slept.length <= 14) return
        await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
      },
    })
    await eventually('it has tried often', () => slept.length === 15)
    const seconds = [...Array.from({ length: 12 }, (_, index) => 2 ** index), 3_600, 3_600, 3_600]
    expect(slept).toEqual(seconds.map((each) => each * 1_000))
    await change()
    page.dispatchEvent(new Event('visibilitychange'))
    await until(2)
  })

  it('asks for the log where there is no WebSocket', async () => {
    const { slept, ids, change, log, until } = await listening({ WebSocket: undefined })
    await change()
    await until(2)
    expect(ids).toEqual(await log())
    expect(new Set(slept)).toEqual(new Set([30_000]))
  })

  it('a session that is revoked is replaced by a new one', async () => {
    const { owner, sockets, ids, change, log, until } = await listening()
    await until(1)
    await eventually('it listens', () => sockets[0]?.readyState === WebSocket.OPEN)
    await owner.revoke()
    await change()
    await change()
    await until(3)
    expect(ids).toEqual(await log())
    expect(sockets.length).toBeGreaterThan(1)
  })

  it('finds missed events when its page is visible again', async () => {
    const page = Object.assign(new EventTarget(), { visibilityState: 'visible' })
    vi.stubGlobal('document', page)
    onTestFinished(() => void vi.unstubAllGlobals())
    const { sockets, ids, log, change, until } = await listening()
    await until(1)
    await eventually('it listens', () => sockets[0]?.readyState === WebSocket.OPEN)
    // No notification reaches it: the database does not know that the wallet listens.
    await service.database.engine.run([{ query: 'update wallets set listens_until = null', params: [] }])
    await change()
    expect(ids).toHaveLength(1)
    page.dispatchEvent(new Event('visibilitychange'))
    await until(2)
    expect(ids).toEqual(await log())
  })

  it('rejects with what is wrong: an event that the log does not have', async () => {
    const { client } = await listening()
    const lost = client.events({ live: true, after: crypto.randomUUID() }).next()
    await expect(lost).rejects.toMatchObject({ code: 'cursor_lost' })
    const onLost = vi.fn()
    const events = client.events({ live: true, after: crypto.randomUUID(), onLost })
    expect((await events.next()).value?.type).toBe('agent.registered')
    expect(onLost).toHaveBeenCalledTimes(1)
    await events.return()
  })
})
