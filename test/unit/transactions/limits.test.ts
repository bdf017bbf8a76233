import { expect, it } from 'vitest'
import { deadlineOf } from '../../../lib/transactions/relay/limits.ts'

it('a wallet has five minutes to sign what it signs first', () => {
  expect(deadlineOf(new Date(1_000))).toEqual(new Date(301_000))
})
