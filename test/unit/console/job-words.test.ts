import { describe, expect, it } from 'vitest'
import type { Job } from '../../../lib/client/generated/types.ts'
import { afterFee, durationWords, judgeWords, nextOf } from '../../../lib/console/views/jobs/words.ts'
import { deadlines, nextJob, type Job as RulesJob } from '../../../lib/work/rules.ts'

const ONE = 10n ** 9n
const dueAt = '2026-11-30T12:00:00.000Z'

const job = (status: Job['status'], more: Partial<Job> = {}) =>
  ({ status, role: 'hirer', judge: 'deployment', price: 5n * ONE + 1n, dueAt, ...more }) as Job

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
      const { otherwise = '', until } = nextOf(job(status)) ?? {}
      expect(until).toBe(dueAt)
      const parts = {
        'the order is cancelled': after?.status === 'cancelled',
        'the hirer gets back 5.000000001 CRED': after?.hirerAmount === price,
        'the agent gets 5.000000001 CRED': after?.agentAmount === price,
        'the agent gets 2.5 CRED and the hirer 2.500000001 CRED':
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

  it('says who acts, by the role of the reader', () => {
    const words = (status: Job['status'], role: Job['role'], judge = 'deployment') =>
      nextOf(job(status, { role, judge }))?.words
    expect(words('open', 'agent')).toBe('Accept or decline')
    expect(words('delivered', 'hirer')).toBe('Approve or object')
    expect(words('delivered', 'agent')).toBe('The hirer can approve or object')
    expect(words('disputed', 'judge')).toBe('Decide')
    expect(words('disputed', 'hirer', 'none')).toBe('Both sides can agree on a split')
  })

  it('names the half that each side gets when nobody judges', () => {
    for (const judge of ['none', 'deployment', 'So11111111111111111111111111111111111111112'])
      expect(judgeWords(judge)).toContain('each gets half')
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
  })
})
