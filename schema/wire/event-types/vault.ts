import * as v from 'valibot'
import { WALLET } from '../../examples.ts'
import { OwnText } from '../answer-text.ts'
import { Timestamp, WireAmount, WireUuid } from '../common.ts'
import { OWNER, row } from './row.ts'

const position = () => ({
  owner: WALLET,
  positionId: 0,
  address: 'BvzKvn6nUUAYtKu2pH3h5SbUkUNcRPQawg4bURBiojJx',
  amount: 100_000_000_000,
})

export const vaultEvents = {
  'vault.position_opened': row({
    data: v.strictObject({
      owner: OwnText,
      positionId: v.pipe(v.number(), v.integer()),
      address: OwnText,
      amount: WireAmount,
      lockDays: v.pipe(v.number(), v.integer()),
      apyBps: v.pipe(v.number(), v.integer()),
      stakedAt: Timestamp,
      unlocksAt: Timestamp,
    }),
    words: { meaning: 'A stake was confirmed on the chain.', log: OWNER, ofAgent: false },
    example: {
      timestamp: '2026-11-20T10:00:00.000Z',
      data: {
        ...position(),
        lockDays: 30,
        apyBps: 1000,
        stakedAt: '2026-11-20T10:00:00.000Z',
        unlocksAt: '2026-12-20T10:00:00.000Z',
      },
    },
  }),
  'vault.position_closed': row({
    data: v.strictObject({
      owner: OwnText,
      positionId: v.pipe(v.number(), v.integer()),
      address: OwnText,
      amount: WireAmount,
    }),
    words: {
      meaning: 'A position was withdrawn. `amount` is its principal.',
      log: OWNER,
      ofAgent: false,
    },
    example: { timestamp: '2026-12-21T10:00:00.000Z', data: position() },
  }),
  'vault.yield_claimed': row({
    data: v.strictObject({
      owner: OwnText,
      transactionId: WireUuid,
      amount: WireAmount,
      positions: v.array(v.strictObject({ positionId: v.pipe(v.number(), v.integer()), amount: WireAmount })),
    }),
    words: {
      meaning: 'A claim was paid. One event covers all positions that it was paid from.',
      log: OWNER,
      ofAgent: false,
    },
    example: {
      timestamp: '2026-12-05T10:00:00.000Z',
      data: {
        owner: WALLET,
        transactionId: '01938f44-5e6f-7a8b-9c0d-1e2f3a4b5c6d',
        amount: 410_958_904,
        positions: [{ positionId: 0, amount: 410_958_904 }],
      },
    },
  }),
}
