import { describe, expect, it } from 'vitest'
import { costAwake, costOfMillion, hoursAwake, type Usage } from '../../bench/cost.ts'
import { type Price, prices } from '../../bench/prices.ts'

const NOTHING: Usage = { requests: 0, cpuMs: 0, kvReads: 0, kvWrites: 0, queueMessages: 0, postgresCpuMs: 0 }

describe('the cost of a million requests', () => {
  it('equals the cost of the requests alone when they use nothing', () => {
    expect(costOfMillion({ ...NOTHING, requests: 1 })).toEqual({
      requests: 0.3,
      cpu: 0,
      kv: 0,
      queue: 0,
      postgres: 0,
      total: 0.3,
    })
  })

  it('counts each million of milliseconds, of keys and of operations once', () => {
    const usage = { requests: 1, cpuMs: 1.5, kvReads: 1, kvWrites: 1, queueMessages: 2, postgresCpuMs: 3.6 }
    const cost = costOfMillion(usage)
    expect(cost.cpu).toBeCloseTo(0.03, 10)
    expect(cost.kv).toBeCloseTo(5.5, 10)
    // Two messages are six operations.
    expect(cost.queue).toBeCloseTo(2.4, 10)
    // A million times 3.6 ms is an hour.
    expect(cost.postgres).toBeCloseTo(0.106, 10)
    expect(cost.total).toBeCloseTo(0.3 + 0.03 + 5.5 + 2.4 + 0.106, 10)
  })

  it('grows with each thing that is used, by its own price alone', () => {
    for (const key of Object.keys(NOTHING) as (keyof Usage)[]) {
      const [one, two] = [costOfMillion({ ...NOTHING, [key]: 1 }), costOfMillion({ ...NOTHING, [key]: 2 })]
      expect(one.total, key).toBeGreaterThan(0)
      expect(two.total, key).toBeCloseTo(2 * one.total, 10)
    }
  })
})

describe('prices', () => {
  it.each(Object.entries<Price>(prices))('%s says what it buys, its source and its date', (_name, price) => {
    expect(price.usd).toBeGreaterThan(0)
    expect(price.per).not.toBe('')
    expect(new URL(price.source).protocol).toBe('https:')
    expect(new Date(price.date).toISOString().slice(0, 10)).toBe(price.date)
  })
})

describe('a database that sleeps after five minutes', () => {
  const MINUTE_MS = 60_000

  it('is awake for five minutes after each statement, which several share', () => {
    expect(hoursAwake([])).toBe(0)
    expect(hoursAwake([0])).toBeCloseTo(5 / 60)
    expect(hoursAwake([3 * MINUTE_MS, 0, 60 * MINUTE_MS])).toBeCloseTo(13 / 60)
  })

  it('never sleeps when it is asked every five minutes, which costs $19 in a month', () => {
    const times = Array.from({ length: 12 * 730 }, (_, index) => index * 5 * MINUTE_MS)
    expect(hoursAwake(times)).toBeCloseTo(730)
    expect(costAwake(730)).toBeCloseTo(19.35, 1)
  })
})
