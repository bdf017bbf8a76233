import { describe, expect, it } from 'vitest'
import {
  hasHistorySince,
  outcomeBySignature,
  outcomeOfStatus,
} from '../../../lib/transactions/confirmation/signature-outcome.ts'

describe('the outcome by a recorded signature', () => {
  const tx = { lastValidBlockHeight: 150n }
  const finalized = { slot: 200n, height: 151n }
  const unknown = { status: undefined, slot: 200n, finalized }

  it.each([
    ['is landed when a confirmed block has it', { hasFailed: false, isFinal: false }, 'landed'],
    ['is landed when a final block has it', { hasFailed: false, isFinal: true }, 'landed'],
    ['is open when it failed in a block that may be dropped', { hasFailed: true, isFinal: false }, undefined],
    ['is failed when it failed in a final block', { hasFailed: true, isFinal: true }, 'failed'],
  ])('%s', (_, status, outcome) => {
    expect(outcomeOfStatus(status)).toBe(outcome)
    expect(outcomeBySignature(tx, { status, slot: 100n, finalized: undefined })).toBe(outcome)
    expect(outcomeBySignature(tx, { ...unknown, status })).toBe(outcome)
  })

  it('is not found when no block has it and the final block is past its last', () => {
    expect(outcomeOfStatus(undefined)).toBeUndefined()
    expect(outcomeBySignature(tx, unknown)).toBe('not_found')
    expect(outcomeBySignature(tx, { ...unknown, slot: 199n })).toBeUndefined()
    expect(outcomeBySignature(tx, { ...unknown, finalized: { slot: 200n, height: 150n } })).toBeUndefined()
    expect(outcomeBySignature(tx, { ...unknown, finalized: undefined })).toBeUndefined()
  })
})

describe('the history of a node', () => {
  const signedAt = new Date('2026-11-22T10:00:00Z')
  const later = (ms: number) => new Date(signedAt.getTime() + ms)
  const HOUR = 3_600_000
  /** A node whose first block is this one, and how often it was asked. */
  function nodeOf({ slot = 0n, time }: { slot?: bigint; time?: Date | undefined }) {
    const asked: string[] = []
    const rpc = {
      async firstSlot() {
        asked.push('slot')
        return slot
      },
      async firstTime() {
        asked.push('time')
        return time
      },
    }
    return { rpc, asked }
  }

  it('is whole for an hour, without asking', async () => {
    const { rpc, asked } = nodeOf({ slot: 900n })
    const calls = { left: 3 }
    expect(await hasHistorySince(rpc, later(HOUR - 1), { signedAt, builtSlot: 7n, calls })).toBe(true)
    expect([asked, calls.left]).toEqual([[], 3])
  })

  it('reaches back to the slot of building, for a call of the budget', async () => {
    for (const [slot, isWhole] of [
      [7n, true],
      [8n, false],
    ] as const) {
      const { rpc, asked } = nodeOf({ slot })
      const calls = { left: 3 }
      expect(await hasHistorySince(rpc, later(HOUR), { signedAt, builtSlot: 7n, calls })).toBe(isWhole)
      expect([asked, calls.left]).toEqual([['slot'], 2])
    }
  })

  it('reaches back to the time of signing where the slot is not known', async () => {
    const isWholeFrom = (time?: Date) => hasHistorySince(nodeOf({ time }).rpc, later(2 * HOUR), { signedAt })
    expect(await isWholeFrom(signedAt)).toBe(true)
    expect(await isWholeFrom(later(1))).toBe(false)
    expect(await isWholeFrom()).toBe(false)
  })
})
