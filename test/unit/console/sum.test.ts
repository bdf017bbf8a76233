import { expect, it } from 'vitest'
import { byAgent } from '../../../lib/console/views/money/sum.ts'

const sum = (agentId: string, kind: 'charge' | 'request' | 'job', amount: bigint, others: object = {}) => ({
  ...{ agentId, agentName: `Agent ${agentId}`, kind, payments: 1, amount, thisMonth: amount },
  ...others,
})

it('adds up what an agent was paid for, in each coin, in the order of the largest', () => {
  const rows = byAgent([
    sum('a', 'job', 5n, { fee: 2n }),
    sum('b', 'charge', 4n, { fee: 1n, payments: 2 }),
    sum('a', 'charge', 3n, { fee: 1n }),
    sum('a', 'request', 1n, { debit: 7n }),
    sum('a', 'request', 9n, { asset: 'USDC', debit: 1n }),
  ])
  expect(rows).toMatchObject([
    { agentId: 'a', words: '1 job, 1 charge, 1 request', amount: 9n, thisMonth: 9n, fee: 3n, debit: 7n },
    { agentId: 'b', words: '2 charges', amount: 4n, fee: 1n, debit: undefined },
    { agentId: 'a', asset: 'USDC', words: '1 request', amount: 9n, fee: undefined, debit: 1n },
  ])
  expect(new Set(rows.map(({ key }) => key)).size).toBe(3)
})
