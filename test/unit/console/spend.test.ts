import { describe, expect, it } from 'vitest'
import type { Charge } from '../../../lib/client/generated/types.ts'
import { spendOf } from '../../../lib/console/views/hires/spend.ts'

const start = '2026-11-20T00:00:00.000Z'
const period = { start, end: '2026-12-20T00:00:00.000Z' }
const at = (day: number) => Date.parse(start) + day * 86_400_000
const seconds = (day: number) => at(day) / 1000

const charge = (day: number, cred: number, changes: Partial<Charge> = {}): Charge => ({
  id: `charge-${day}`,
  hireId: 'hire',
  agentId: 'agent',
  agentName: 'Agent',
  owner: 'owner',
  hirer: 'hirer',
  reference: `job-${day}`,
  amount: BigInt(cred) * 1_000_000_000n,
  periodStart: start,
  status: 'recorded',
  createdAt: new Date(at(day)).toISOString(),
  ...changes,
})
const cred = (amount: number) => BigInt(amount) * 1_000_000_000n

describe('the spending of a period', () => {
  it('grows by each charge, oldest first, and goes on until now', () => {
    expect(spendOf({ period, spent: cred(7) }, [charge(4, 5), charge(2, 2)], at(6))).toEqual({
      xs: [0, 2, 4, 6].map(seconds),
      spent: [0, 2, 7, 7],
    })
  })

  it('ends with the period', () => {
    expect(spendOf({ period, spent: 0n }, [], at(90)).xs).toEqual([seconds(0), seconds(30)])
  })

  it('leaves out what was voided, and what another period paid for', () => {
    const charges = [
      charge(1, 1),
      charge(2, 2, { status: 'voided' }),
      charge(3, 4, { periodStart: '2026-10-21T00:00:00.000Z' }),
    ]
    expect(spendOf({ period, spent: cred(1) }, charges, at(5))).toEqual({
      xs: [0, 1, 5].map(seconds),
      spent: [0, 1, 1],
    })
  })

  it('begins with what charges that are not given came to', () => {
    expect(spendOf({ period, spent: cred(10) }, [charge(9, 4)], at(10))).toEqual({
      xs: [0, 9, 10].map(seconds),
      spent: [6, 10, 10],
    })
  })
})
