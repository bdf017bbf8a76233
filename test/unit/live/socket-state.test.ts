import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  acknowledgementOf,
  isFull,
  MAX_UNACKNOWLEDGED,
  type SocketState,
  withAcknowledged,
  withSent,
} from '../../../lib/live/socket-state.ts'
import type { Wallet } from '../../../schema/wallet.ts'

const opened: SocketState = {
  wallet: 'a wallet' as Wallet,
  epoch: 0,
  expiresAt: 0,
  isNew: true,
  isBehind: false,
  sent: [],
}

it('acknowledges all events up to its id, and ignores unknown ids', () => {
  const state = ['a', 'b', 'c'].reduce((before, id) => withSent(before, id, 10), opened)
  expect(state.last).toBe('c')
  expect(withAcknowledged(state, 'b')).toMatchObject({ acknowledged: 'b', sent: [['c', 10]], last: 'c' })
  expect(withAcknowledged(state, 'x')).toBe(state)
  expect(withAcknowledged(withAcknowledged(state, 'b'), 'a')).toMatchObject({ acknowledged: 'b' })
})

it('a socket is full from a megabyte on', () => {
  expect(isFull(withSent(opened, 'a', MAX_UNACKNOWLEDGED - 1))).toBe(false)
  expect(isFull(withSent(withSent(opened, 'a', MAX_UNACKNOWLEDGED - 1), 'b', 1))).toBe(true)
})

it.each(['', 'ping', '7', 'null', '[]', '{}', '{"ack":7}', '{"ack":null}', '{"ack'])(
  '%j is no acknowledgement',
  (message) => expect(acknowledgementOf(message)).toBeUndefined(),
)

it('an acknowledgement names an event', () => expect(acknowledgementOf('{"ack":"an id"}')).toBe('an id'))

it('counts only acknowledged messages as such, and keeps the state small', () => {
  const step = fc.oneof(
    fc.record({ sent: fc.integer({ min: 1, max: 300_000 }) }),
    fc.record({ acknowledged: fc.nat(40) }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let state = opened
      const lengths: number[] = []
      let acknowledged = 0
      for (const one of steps) {
        if ('sent' in one) state = withSent(state, `${lengths.push(one.sent)}`.padStart(36, '0'), one.sent)
        else {
          const upTo = Math.min(one.acknowledged, lengths.length)
          state = withAcknowledged(state, String(upTo).padStart(36, '0'))
          acknowledged = Math.max(acknowledged, upTo)
        }
        const open = lengths.slice(acknowledged).reduce((sum, length) => sum + length, 0)
        const counted = state.sent.reduce((sum, [, length]) => sum + length, 0)
        expect(counted).toBeGreaterThanOrEqual(open)
        expect(JSON.stringify(state).length).toBeLessThan(2_048)
      }
      // The last message's acknowledgement always counts.
      if (lengths.length > 0)
        expect(withAcknowledged(state, String(lengths.length).padStart(36, '0')).sent).toEqual([])
    }),
  )
})
