import { describe, expect, it } from 'vitest'
import type { Job } from '../../../lib/client/generated/types.ts'
import { waits } from '../../../lib/console/kit/due.ts'
import {
  afterFee,
  afterFeeWords,
  durationWords,
  endWords,
  gotWords,
  judgeWords,
  nextOf,
  payMinutes,
  payoutOf,
  splitWords,
} from '../../../lib/console/views/jobs/words.ts'
import { deadlines, nextJob, type Job as RulesJob } from '../../../lib/work/rules.ts'

const ONE = 10n ** 9n
const dueAt = '2026-11-30T12:00:00.000Z'

const job = (status: Job['status'], more: Partial<Job> = {}) =>
  ({
    ...{ status, role: 'judge', judge: 'deployment', price: 5n * ONE + 1n, feeBps: 0, dueAt },
    ...{ strays: [], actions: [], ...more },
  }) as Job

const acts = (...names: Job['actions'][number]['act'][]) => ({ actions: names.map((act) => ({ act })) })

describe('a job in words', () => {
  it.each(Object.keys(deadlines) as (keyof typeof deadlines)[])(
    'promises what the rules do when the deadline of %s passes',
    (status) => {
      const price = 5n * ONE + 1n
      const before: RulesJob = {
        ...{ status, price, dueAt: new Date(dueAt), hasJudge: true, isFunding: false },
        ...{ acceptMinutes: 60, workMinutes: 60, reviewMinutes: 60 },
        ...{ hirerProposal: null, ownerProposal: null, agentAmount: null, hirerAmount: null },
        ...{ endReason: null, endedAt: null },
      }
      const after = nextJob(before, { act: 'expire', by: 'service', amount: null, now: new Date(dueAt) })
      const { otherwise = '', by } = nextOf(job(status)) ?? { by: undefined }
      expect(by).toBe(dueAt)
      const parts = {
        'the order is cancelled': after?.status === 'cancelled',
        'the hirer gets back 5.000000001 CRED': after?.hirerAmount === price,
        'the agent gets 5.000000001 CRED': after?.agentAmount === price,
        'the agent gets 2.5 CRED, the hirer gets back 2.500000001 CRED':
          after?.agentAmount === (5n * ONE) / 2n && after.hirerAmount === (5n * ONE) / 2n + 1n,
      }
      expect(Object.entries(parts).map(([words, is]) => otherwise.includes(words) === is)).toEqual([
        true,
        true,
        true,
        true,
      ])
    },
  )

  it('waits for nothing when it has ended', () => {
    for (const status of ['completed', 'rejected', 'expired', 'cancelled'] as const)
      expect(nextOf(job(status))).toBeUndefined()
  })

  it('names the act of the reader, with its amount, and else who acts', () => {
    const next = (status: Job['status'], more: Partial<Job>) => {
      const { words, isOwn } = nextOf(job(status, more)) ?? {}
      return [words, isOwn]
    }
    expect(next('open', { role: 'agent', ...acts('accept', 'end') })).toEqual(['Accept or decline', true])
    expect(next('open', { role: 'hirer', ...acts('end') })).toEqual(['The agent’s owner can accept', false])
    expect(next('accepted', { role: 'hirer', ...acts('end', 'fund') })).toEqual([
      'Pay 5.000000001 CRED',
      true,
    ])
    expect(next('accepted', { role: 'hirer' })).toEqual(['Your payment is being confirmed', false])
    expect(next('funded', { role: 'agent', ...acts('propose', 'deliver') })).toEqual(['Deliver', true])
    expect(next('delivered', { role: 'hirer', ...acts('object') })).toEqual(['Approve or object', true])
    expect(next('delivered', { role: 'agent' })).toEqual(['The hirer can approve or object', false])
    expect(next('disputed', acts('judge'))).toEqual(['Decide', true])
    expect(next('disputed', { role: 'hirer', ...acts('approve', 'propose') })).toEqual([
      'The judge decides',
      false,
    ])
    expect(next('disputed', { judge: 'none' })).toEqual(['Both sides can agree on a split', false])
  })

  it('names the money that the reader can get out of an ended job, until it has it', () => {
    const split = { agentAmount: 5n * ONE, hirerAmount: 3n * ONE, feeBps: 100 }
    const hirers = job('completed', { ...split, role: 'hirer', ...acts('refund') })
    expect([payoutOf(hirers), gotWords(hirers)]).toEqual(['Get back 3 CRED', undefined])
    const owners = job('completed', { ...split, role: 'agent', ...acts('collect') })
    expect([payoutOf(owners), gotWords(owners)]).toEqual(['Collect 4.95 CRED', undefined])
    expect(payoutOf({ ...hirers, strays: ['escrow'] })).toBe('Get back 5.000000001 CRED')
    const after = { actions: [], refundedAt: dueAt, paidAt: dueAt }
    expect([payoutOf({ ...hirers, ...after }), gotWords({ ...hirers, ...after })]).toEqual([
      undefined,
      'You got back 3 CRED.',
    ])
    expect(gotWords({ ...owners, ...after })).toBe('You collected 4.95 CRED.')
  })

  it('waits for a reader with an act or money, not with an offer or an empty escrow', () => {
    for (const act of ['accept', 'fund', 'deliver', 'object', 'judge', 'refund', 'collect'] as const)
      expect([act, waits(job('open', acts(act)))]).toEqual([act, true])
    for (const act of ['end', 'approve', 'concede', 'propose', 'close'] as const)
      expect([act, waits(job('open', acts(act)))]).toEqual([act, false])
  })

  it('speaks to each side of itself, with the fee of what the agent gets', () => {
    const split = (role: Job['role'], amount: bigint) =>
      splitWords({ role, price: 3n * ONE, feeBps: 100 }, amount)
    const half = (3n * ONE) / 2n
    expect(split('hirer', half)).toBe('the agent gets 1.485 CRED (1.5 less 1% fee), you get back 1.5 CRED')
    expect(split('agent', half)).toBe('you get 1.485 CRED (1.5 less 1% fee), the hirer gets back 1.5 CRED')
    expect(split('agent', 3n * ONE)).toBe('you get 2.97 CRED (3 less 1% fee)')
    expect(split('hirer', 0n)).toBe('you get back 3 CRED')
    expect(endWords(job('rejected', { role: 'agent', endReason: 'conceded' }))).toBe(
      'You gave the price back.',
    )
    expect(endWords(job('rejected', { role: 'hirer', endReason: 'conceded' }))).toBe(
      'The agent’s owner gave the price back.',
    )
  })

  it('names the half that each side gets when nobody judges', () => {
    for (const judge of ['none', 'deployment', 'So11111111111111111111111111111111111111112'])
      expect(judgeWords(judge, 'hirer')).toContain('each gets half')
  })

  it('gives as long to pay as the rules', () => {
    for (const workMinutes of [60, 360, 4_320, 43_200])
      expect(payMinutes(workMinutes)).toBe(deadlines.accepted?.minutes({ workMinutes } as RulesJob))
  })

  it('writes times in their largest whole unit', () => {
    expect([1, 60, 90, 1_440, 4_320].map(durationWords)).toEqual([
      '1 minute',
      '1 hour',
      '90 minutes',
      '1 day',
      '3 days',
    ])
  })

  it('rounds the fee up when it takes it off', () => {
    expect(afterFee(101n, { feeBps: 100 })).toBe(99n)
    expect(afterFee(100n, { feeBps: 0 })).toBe(100n)
    expect(afterFeeWords(100n, { feeBps: 0 })).toBe('0.0000001 CRED')
  })
})
