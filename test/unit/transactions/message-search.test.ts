import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Address } from '../../../lib/solana/address.ts'
import { HISTORY_PAGE, type LandedSignature, type Rpc } from '../../../lib/solana/rpc.ts'
import { encodeTransaction, SIGNATURE_BYTES } from '../../../lib/solana/transaction.ts'
import { type ScanTarget, searchMessage } from '../../../lib/transactions/confirmation/message-search.ts'

const ID = crypto.randomUUID()
const BUILT_SLOT = 100n
const FINALIZED = 9_000n
const UNLIMITED = Number.POSITIVE_INFINITY

const transactionOf = (message: Uint8Array<ArrayBuffer>) =>
  encodeTransaction({ signatures: [new Uint8Array(SIGNATURE_BYTES)], message })
const OURS = new Uint8Array([1, 0, 1, 7])
const ANOTHER = new Uint8Array([1, 0, 1, 8])

const targetIn = (addresses: string[], isNewAccount = false): ScanTarget => ({
  id: ID,
  message: OURS,
  builtSlot: BUILT_SLOT,
  addresses: addresses as Address[],
  isNewAccount,
})

const listed = (index: number, slot: bigint, memo?: string): LandedSignature => ({
  signature: String(index),
  slot,
  hasFailed: false,
  memo,
})

type Node = {
  /** The number of transactions that name each account since the message was built. */
  after: number
  memo?: string
  /** The index of the searched transaction; the newest is 0. */
  target?: number
  /** Whether the node's list goes on to before the message was built. */
  isKept?: boolean
}

/** A node that lists the same of every account, a page at a time, as a validator does. */
function nodeOf({ after, memo, target, isKept = true }: Node) {
  const all = Array.from({ length: after }, (_, index) => listed(index, FINALIZED, memo))
  if (target !== undefined) all.splice(target, 1, listed(target, FINALIZED, `[36] ${ID}`))
  if (isKept) all.push(listed(after, BUILT_SLOT - 1n))
  const asked = { history: 0, transaction: 0 }
  const rpc = {
    async history(_address: Address, _minSlot: bigint, before?: string) {
      asked.history += 1
      const index = all.findIndex(({ signature }) => signature === before)
      // One that it does not know leaves nothing to list.
      if (before !== undefined && index === -1) return []
      return all.slice(index + 1, index + 1 + HISTORY_PAGE)
    },
    async transaction(signature: string) {
      asked.transaction += 1
      return transactionOf(signature === String(target) ? OURS : ANOTHER)
    },
  } as Partial<Rpc> as Rpc
  return { rpc, asked, all }
}

const search = (
  rpc: Rpc,
  target: ScanTarget,
  options: { searchedTo?: string | null; left?: number; maxCalls?: number } = {},
) => {
  const calls = { left: options.left ?? 300 }
  const { searchedTo = null, maxCalls } = options
  const limit = maxCalls === undefined ? {} : { maxCalls }
  return searchMessage(rpc, target, { finalizedSlot: FINALIZED, searchedTo, calls, ...limit })
}

/** Searches until something is proven, each time from where it ended. @returns what, and after how many */
async function searchOn(rpc: Rpc, target: ScanTarget, most: number, maxCalls?: number) {
  let searchedTo: string | null = null
  for (let times = 1; times <= most; times += 1) {
    const limit = maxCalls === undefined ? {} : { maxCalls }
    const found = await search(rpc, target, { searchedTo, ...limit })
    if ('landed' in found) return { ...found, times }
    searchedTo = found.inconclusive
  }
  return undefined
}

describe('the search for a message under another signature', () => {
  it('proves that it is not there by one call, where the list reaches back', async () => {
    const { rpc, asked } = nodeOf({ after: 3 })
    expect(await search(rpc, targetIn(['a']))).toEqual({ landed: false })
    expect(asked).toEqual({ history: 1, transaction: 0 })
  })

  it('proves it by an empty list only of an account that nothing named before', async () => {
    const { rpc } = nodeOf({ after: 0, isKept: false })
    expect(await search(rpc, targetIn(['a'], true))).toEqual({ landed: false })
    expect(await search(rpc, targetIn(['a']))).toMatchObject({ inconclusive: null })
  })

  it('finds it among transactions that only carry its id', async () => {
    const { rpc } = nodeOf({ after: 12, memo: ID, target: 9 })
    expect(await search(rpc, targetIn(['a']))).toEqual({ landed: true })
  })

  it('takes no other transaction for it, also when many carry its id', async () => {
    const { rpc } = nodeOf({ after: 11, memo: ID })
    expect(await search(rpc, targetIn(['a']))).toEqual({ landed: false })
  })

  it('makes at most twenty calls, and proves nothing by being cut short', async () => {
    for (const flood of [
      { after: 5_000, memo: ID },
      { after: 30_000, memo: 'anything' },
    ]) {
      const { rpc, asked } = nodeOf(flood)
      const calls = { left: 300 }
      const found = await searchMessage(rpc, targetIn(['a', 'b']), {
        finalizedSlot: FINALIZED,
        searchedTo: null,
        calls,
      })
      expect(found).toEqual({ inconclusive: expect.stringMatching(/^a:\d+:\d+$/), isCutShort: true })
      expect(asked.history + asked.transaction).toBe(20)
      expect(calls.left).toBe(280)
    }
  })

  it('ends when all searches together have made their calls', async () => {
    const { rpc, asked } = nodeOf({ after: 5_000, memo: ID })
    expect(await search(rpc, targetIn(['a', 'b', 'c']), { left: 5 })).toHaveProperty('inconclusive')
    expect(asked.history + asked.transaction).toBe(5)
  })

  it('goes on where it ended, and so through any flood', async () => {
    for (const target of [25_300, undefined]) {
      const { rpc, asked } = nodeOf({ after: 25_400, memo: 'anything', ...(target ? { target } : {}) })
      expect(await searchOn(rpc, targetIn(['a']), 3)).toMatchObject({
        landed: target !== undefined,
        times: 2,
      })
      expect(asked.history).toBeLessThan(30)
    }
  })

  it('starts again when the node does not know its cursor, and proves nothing by that', async () => {
    const flood = nodeOf({ after: 25_400, memo: 'anything', target: 25_300 })
    const found = await search(flood.rpc, targetIn(['a'], true))
    const other = nodeOf({ after: 0, isKept: false })
    const searchedTo = 'inconclusive' in found ? found.inconclusive : null
    expect(searchedTo).not.toBeNull()
    expect(await search(other.rpc, targetIn(['a'], true), { searchedTo })).toMatchObject({
      inconclusive: null,
    })
  })

  it('starts again when it was cut short after one transaction, which is no cursor', async () => {
    const { rpc } = nodeOf({ after: 12, memo: ID, target: 9 })
    expect(await search(rpc, targetIn(['a']), { left: 2 })).toMatchObject({ inconclusive: null })
    expect(await search(rpc, targetIn(['a']), { left: 3 })).toEqual({
      inconclusive: 'a:0:1',
      isCutShort: true,
    })
  })

  it('retries a transaction that the node lists and does not have', async () => {
    const { rpc } = nodeOf({ after: 12, memo: ID, target: 9 })
    const forgetful = { ...rpc, transaction: async () => undefined }
    const found = await search(forgetful, targetIn(['a'], true))
    expect(found).toEqual({ inconclusive: null, isCutShort: false })
    expect(await search(rpc, targetIn(['a'], true), { searchedTo: null })).toEqual({ landed: true })
  })

  it('reads another account’s list when one is too short', async () => {
    const short = nodeOf({ after: 2, isKept: false })
    const whole = nodeOf({ after: 2, target: 1 })
    const history: Rpc['history'] = (address, ...rest) =>
      (address === 'a' ? short : whole).rpc.history(address, ...rest)
    const rpc = { ...whole.rpc, history }
    expect(await search(rpc, targetIn(['a', 'b']))).toEqual({ landed: true })
    expect(await search(short.rpc, targetIn(['a', 'b']))).toMatchObject({ inconclusive: null })
  })

  it('goes through any flood at once for an operator', async () => {
    const { rpc, asked } = nodeOf({ after: 25_000, memo: ID, target: 24_000 })
    expect(await search(rpc, targetIn(['a']), { left: UNLIMITED, maxCalls: UNLIMITED })).toEqual({
      landed: true,
    })
    expect(asked).toEqual({ history: 25, transaction: 24_001 })
  })

  it('ends with the right answer for any transactions and any number of calls', async () => {
    const some = fc.record({
      after: fc.nat({ max: 3 * HISTORY_PAGE }),
      isNamed: fc.boolean(),
      target: fc.option(fc.nat({ max: 3 * HISTORY_PAGE }), { nil: undefined }),
      maxCalls: fc.integer({ min: 3, max: 20 }),
      isNewAccount: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(some, async ({ after, isNamed, target, maxCalls, isNewAccount }) => {
        const landed = target !== undefined && target < after
        const { rpc, all } = nodeOf({
          after,
          memo: isNamed && after < 60 ? ID : 'anything',
          ...(landed ? { target } : {}),
          isKept: !isNewAccount,
        })
        const found = await searchOn(rpc, targetIn(['a'], isNewAccount), all.length + 2, maxCalls)
        expect(found).toMatchObject({ landed })
      }),
      { numRuns: 200 },
    )
  })
})
