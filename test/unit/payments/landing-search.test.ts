import { base64 } from '@scure/base'
import { describe, expect, it } from 'vitest'
import type { Intent } from '../../../lib/payments/intent-queries.ts'
import { hasLanded } from '../../../lib/payments/landing-search.ts'
import type { Address } from '../../../lib/solana/address.ts'
import type { Rpc } from '../../../lib/solana/rpc.ts'
import { encodeTransaction, SIGNATURE_BYTES } from '../../../lib/solana/transaction.ts'

const ID = crypto.randomUUID()
const BUILT_SLOT = 100n
const FINALIZED = 9_000n
const PAGE = 1_000

const transactionOf = (message: Uint8Array<ArrayBuffer>) =>
  encodeTransaction({ signatures: [new Uint8Array(SIGNATURE_BYTES)], message })
const OURS = new Uint8Array([1, 0, 1, 7])
const ANOTHER = new Uint8Array([1, 0, 1, 8])

/** What the search reads of a collection: its id, its message, its accounts. */
const collectionFrom = (...addresses: string[]) =>
  ({
    id: ID,
    builtSlot: BUILT_SLOT,
    cosignedMessage: base64.encode(OURS),
    legs: addresses.map((address) => ({ address: address as Address })),
  }) as Intent

type Listed = Awaited<ReturnType<Rpc['history']>>[number]

const listed = (index: number, slot: bigint, memo?: string): Listed => ({
  signature: String(index),
  slot,
  hasFailed: false,
  memo,
})

/** A node with so many transactions since the collection was built; `ours` landed at that place. */
function nodeOf({ after, memo, ours }: { after: number; memo?: string; ours?: number }) {
  const all = Array.from({ length: after }, (_, index) => listed(index, FINALIZED, memo))
  if (ours !== undefined) all.splice(ours, 1, listed(ours, FINALIZED, `[36] ${ID}`))
  all.push(listed(after, BUILT_SLOT - 1n))
  const asked = { history: 0, transaction: 0 }
  const rpc = {
    async history(_address: Address, _minSlot: bigint, before?: string) {
      asked.history += 1
      const from = before === undefined ? 0 : Number(before) + 1
      return all.slice(from, from + PAGE)
    },
    async transaction(signature: string) {
      asked.transaction += 1
      return transactionOf(signature === String(ours) ? OURS : ANOTHER)
    },
  } as Partial<Rpc> as Rpc
  return { rpc, asked }
}

describe('the search for a collection under another signature', () => {
  it('proves that it is not there by one call, where the list reaches back', async () => {
    const { rpc, asked } = nodeOf({ after: 3 })
    expect(await hasLanded(rpc, collectionFrom('a'), FINALIZED, { left: 300 })).toBe(false)
    expect(asked).toEqual({ history: 1, transaction: 0 })
  })

  it('finds it among transactions that only carry its id', async () => {
    const { rpc } = nodeOf({ after: 12, memo: ID, ours: 9 })
    expect(await hasLanded(rpc, collectionFrom('a'), FINALIZED, { left: 300 })).toBe(true)
  })

  it('makes at most twenty calls for an account, however many carry its id or stand before it', async () => {
    for (const flood of [
      { after: 5_000, memo: ID },
      { after: 30_000, memo: 'anything' },
    ]) {
      const { rpc, asked } = nodeOf(flood)
      const calls = { left: 300 }
      expect(await hasLanded(rpc, collectionFrom('a', 'b'), FINALIZED, calls)).toBeUndefined()
      expect(asked.history + asked.transaction).toBe(40)
      expect(calls.left).toBe(260)
    }
  })

  it('ends when all searches together have made their calls', async () => {
    const { rpc, asked } = nodeOf({ after: 5_000, memo: ID })
    const calls = { left: 25 }
    expect(await hasLanded(rpc, collectionFrom('a', 'b', 'c'), FINALIZED, calls)).toBeUndefined()
    expect(asked.history + asked.transaction).toBe(25)
    expect(calls.left).toBe(0)
  })

  it('goes through any flood for an operator', async () => {
    const { rpc, asked } = nodeOf({ after: 25_000, memo: ID, ours: 24_000 })
    expect(await hasLanded(rpc, collectionFrom('a'), FINALIZED)).toBe(true)
    expect(asked).toEqual({ history: 25, transaction: 24_001 })
  })
})
