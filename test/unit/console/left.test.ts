import { describe, expect, it } from 'vitest'
import type { Progress, TransactionStep } from '../../../lib/client/index.ts'
import { leftBy } from '../../../lib/console/kit/left.ts'

const at = (step: TransactionStep, transaction: object = { signing: 'wallet_first' }) =>
  ({ step, transaction }) as unknown as Progress

const isOpen = (code: string, progress: Progress) => leftBy(code, progress).isOpen

describe('the effect of a failed transaction', () => {
  it('is nothing where none was built', () => {
    expect(isOpen('unreachable', { step: 'build' })).toBe(false)
  })

  it('is nothing when the wallet did not sign, unless it sends by itself', () => {
    expect(isOpen('wallet_refused', at('sign'))).toBe(false)
    expect(isOpen('wallet_refused', at('sign', { kind: 'fund_budget' }))).toBe(false)
    expect(isOpen('wallet_refused', at('sign', { signing: 'service_first' }))).toBe(true)
  })

  it.each(['not_cosigned', 'stacking_paused', 'yield_limit', 'transaction_not_ours', 'agent_suspended'])(
    'is nothing where the service refused to send it: %s',
    (code) => expect(isOpen(code, at('send'))).toBe(false),
  )

  // The answer about the first attempt may be lost: a second attempt gets these errors.
  it.each([
    'unreachable',
    'unexpected_answer',
    'dependency_unavailable',
    'internal_error',
    'rate_limited',
    'already_cosigned',
    'transaction_expired',
    'transaction_failed',
    'newer_than_this',
  ])('is not known where it may have been sent: %s', (code) => {
    expect(leftBy(code, at('send'))).toEqual({
      isOpen: true,
      words: expect.stringContaining('may still go through'),
    })
  })

  it('is not known as long as it is waited for, and then is', () => {
    for (const code of ['unreachable', 'outcome_unknown', 'rate_limited'])
      expect([code, isOpen(code, at('wait'))]).toEqual([code, true])
    for (const code of ['transaction_expired', 'transaction_failed', 'not_sent'])
      expect([code, isOpen(code, at('wait'))]).toEqual([code, false])
  })
})
