import { afterEach, describe, expect, it, vi } from 'vitest'
import { post } from '../../lib/events/sending/attempt.ts'
import type { DeliverDeps } from '../../lib/events/sending/deps.ts'
import { ask } from '../../lib/liveness/ask.ts'
import { alertBy } from '../../lib/runtime/alert.ts'
import type { Address } from '../../lib/solana/address.ts'
import { postRpc } from '../../lib/solana/json-rpc.ts'
import { createRpc, type Rpc } from '../../lib/solana/rpc.ts'
import { productSources } from '../support/modules.ts'

afterEach(() => vi.restoreAllMocks())

/* Strangers name accounts, URLs, cards, key sets and documents: each read of one has a bound. */

/** Programs beside the product, which read what their user names, and what runs in browsers. */
const BESIDE = [
  'lib/cli/',
  'lib/local/',
  'lib/migrations/',
  'lib/tools/',
  'lib/console/',
  'lib/client/',
  'lib/react/',
]
/** A call of the global function, not of a binding, and no handler's head. */
const ASKS = /(?<=(?:await|return|=|=>|\() *)fetch\(/

const URL_ASKED = 'https://stranger.example.com/'
const NOW = new Date('2026-11-20T12:00:00Z')
const CHUNK = 16 * 1024
/** By then a read without a bound has been seen: the body ends, so that the test's process lives on. */
const ENOUGH = 32 * 1024 * 1024

/** Answers any request with a body that never ends, and counts the bytes read. */
function endless() {
  const read = { bytes: 0, limits: [] as number[], cancelled: false }
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    read.limits.push(ms)
    return new AbortController().signal
  })
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (_url, init) => {
    expect(init?.signal, 'a limit of time').toBeInstanceOf(AbortSignal)
    return new Response(
      new ReadableStream({
        pull(controller) {
          read.bytes += CHUNK
          if (read.bytes > ENOUGH) return controller.close()
          controller.enqueue(new Uint8Array(CHUNK).fill(32))
        },
        cancel() {
          read.cancelled = true
        },
      }),
    )
  })
  return read
}

const deliverDeps = {
  clock: () => NOW,
  elapsed: () => 0,
  apiHost: 'api.agentcred.example',
  signingKeys: async () => [],
} as unknown as DeliverDeps
const endpoint = { id: 'id', kind: 'agent', wallet: 'wallet', url: URL_ASKED, secrets: [] } as never
const askDeps = {
  clock: () => NOW,
  apiHost: 'api.agentcred.example',
  until: new Date(NOW.getTime() + 15_000),
}
const background: Promise<unknown>[] = []

/** Every file of a Worker that asks another host, with the most that it reads of an answer, and its time. */
const READERS: Record<string, { maxBytes: number; maxMs: number; run: () => Promise<unknown> }> = {
  'lib/runtime/alert.ts': {
    maxBytes: 0,
    maxMs: 10_000,
    run: () => {
      alertBy(URL_ASKED, (work) => background.push(work))('line', NOW)
      return Promise.all(background)
    },
  },
  'lib/events/sending/attempt.ts': {
    maxBytes: 64,
    maxMs: 15_000,
    run: () => post(deliverDeps, endpoint, { id: 'id', body: new Uint8Array(), answerLength: 64 }),
  },
  'lib/liveness/ask.ts': {
    maxBytes: 64 * 1024,
    maxMs: 10_000,
    run: () => ask(askDeps, URL_ASKED, { read: { maxBytes: 64 * 1024 } }),
  },
  'lib/solana/json-rpc.ts': {
    maxBytes: 2 * 1024 * 1024,
    maxMs: 5_000,
    run: () => postRpc(URL_ASKED, 'getHealth', []),
  },
}

/** Asks the database alone, whose answers are as long as our statements ask for. */
const OWN_DATABASE = 'lib/db/connect.ts'

describe('a read of what a stranger names', () => {
  it('is in one of the listed files when a Worker asks another host', () => {
    const asking = productSources()
      .filter(({ path }) => !BESIDE.some((folder) => path.startsWith(folder)))
      .filter(({ text }) => ASKS.test(text))
    expect(asking.map(({ path }) => path).sort()).toEqual([...Object.keys(READERS), OWN_DATABASE].sort())
  })

  it.each(Object.entries(READERS))('ends when the answer to %s does not', async (_path, reader) => {
    const read = endless()
    await reader.run().catch(() => {})
    expect(read.limits).toEqual([reader.maxMs])
    // A stream holds two chunks ready beyond what is read of it.
    expect(read.bytes).toBeLessThanOrEqual(reader.maxBytes + 2 * CHUNK)
  })
})

describe('every call of a node', () => {
  const address = '11111111111111111111111111111111' as Address
  const calls: { [Name in keyof Rpc]: (rpc: Rpc) => Promise<unknown> } = {
    latestBlockhash: (rpc) => rpc.latestBlockhash(),
    accounts: (rpc) => rpc.accounts([address]),
    history: (rpc) => rpc.history(address, 0n),
    statuses: (rpc) => rpc.statuses(['signature']),
    transaction: (rpc) => rpc.transaction('signature'),
    firstSlot: (rpc) => rpc.firstSlot(),
    firstTime: (rpc) => rpc.firstTime(),
    finalizedBlock: (rpc) => rpc.finalizedBlock(),
    isBlockhashValid: (rpc) => rpc.isBlockhashValid(address),
    blockHeight: (rpc) => rpc.blockHeight(0n),
    simulate: (rpc) => rpc.simulate(''),
    send: (rpc) => rpc.send(''),
    answers: async (rpc) => {
      if (!(await rpc.answers())) throw new Error('not well')
    },
  }

  it.each(Object.entries(calls))('ends when the answer to %s does not', async (name, call) => {
    const read = endless()
    await expect(call(createRpc(URL_ASKED))).rejects.toThrow()
    expect(read.bytes).toBeLessThanOrEqual((name === 'history' ? 8 : 2) * 1024 * 1024 + 2 * CHUNK)
    expect(read.cancelled).toBe(true)
  })

  it.each([
    [undefined, 356],
    [8_192, 8_192],
  ])('reads of an account no more than it needs when its caller names %s bytes', async (maxBytes, length) => {
    const asked: string[] = []
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (_url, init) => {
      asked.push(String(init?.body))
      return new Response()
    })
    const options = maxBytes === undefined ? {} : { maxBytes }
    await createRpc(URL_ASKED)
      .accounts([address], options)
      .catch(() => {})
    expect(JSON.parse(asked[0] ?? '').params[1].dataSlice).toEqual({ offset: 0, length })
  })
})
