import { describe, expect, it } from 'vitest'
import type { RequestPayment } from '../../../lib/client/generated/types.ts'
import { type Facts, requestsLeft, salesOf, stepsOf } from '../../../lib/console/views/selling/steps.ts'
import { AGENT_ID, HIRE_ID, MINT, OTHER_WALLET, SIGNATURE, WALLET } from '../../../schema/examples.ts'

const CREATED_AT = '2026-11-21T10:00:00.000Z'

const paid = (changes: Partial<RequestPayment> = {}): RequestPayment => ({
  id: HIRE_ID,
  agentId: AGENT_ID,
  agentName: 'Yield Scout',
  owner: OTHER_WALLET,
  payer: WALLET,
  amount: 250_000n,
  asset: MINT,
  status: 'settled',
  signature: SIGNATURE,
  debit: 10_001_000n,
  createdAt: CREATED_AT,
  ...changes,
})

const NOTHING: Facts = {
  terms: undefined,
  missing: ['key', 'credit', 'endpoint'],
  cred: 0n,
  credit: 0n,
  fee: undefined,
  sales: salesOf({ payments: [] }, AGENT_ID),
  routes: [],
  keyMadeAt: undefined,
}

const selling: Facts = {
  terms: { missing: [] },
  missing: [],
  cred: 1n,
  credit: 10_001_000n,
  fee: 10_001_000n,
  sales: salesOf({ payments: [paid()] }, AGENT_ID),
  routes: [{ state: 'rejected' }, { state: 'listed' }],
  keyMadeAt: undefined,
}

describe('the steps to paid requests', () => {
  it('are open or unknown for a new agent, and nothing is guessed', () => {
    expect(stepsOf(NOTHING)).toEqual({
      address: 'todo',
      price: 'todo',
      account: 'unknown',
      key: 'todo',
      credit: 'todo',
      server: 'unknown',
      payment: 'todo',
      listed: 'todo',
    })
  })

  it('are done for an agent that has been paid and is listed', () => {
    expect(new Set(Object.values(stepsOf(selling)))).toEqual(new Set(['done']))
  })

  it('show the account’s state once there is a price, before that the wallet’s CRED', () => {
    const missing = [{ asset: MINT, address: WALLET }]
    expect(stepsOf({ ...NOTHING, cred: 1n }).account).toBe('done')
    expect(stepsOf({ ...NOTHING, cred: 1n, terms: { missing } }).account).toBe('todo')
    expect(stepsOf({ ...NOTHING, terms: { missing: [] } }).account).toBe('done')
  })

  it('ask for credit below what a payment uses', () => {
    expect(stepsOf({ ...selling, credit: 10_000_999n }).credit).toBe('todo')
    expect(stepsOf({ ...selling, missing: ['credit'] }).credit).toBe('todo')
    expect(stepsOf({ ...NOTHING, missing: ['key'], credit: 1n }).credit).toBe('done')
  })

  it('do not know whether a server has a key that was made after its last payment', () => {
    const at = Date.parse(CREATED_AT)
    expect(stepsOf({ ...selling, keyMadeAt: at - 1 }).server).toBe('done')
    expect(stepsOf({ ...selling, keyMadeAt: at }).server).toBe('unknown')
    expect(stepsOf({ ...selling, keyMadeAt: at }).payment).toBe('done')
    expect(stepsOf({ ...NOTHING, keyMadeAt: at })).toMatchObject({ key: 'done', server: 'unknown' })
  })

  it('show a sale only for a payment that was settled', () => {
    const sales = salesOf({ payments: [paid({ status: 'failed' })] }, AGENT_ID)
    expect(stepsOf({ ...NOTHING, sales })).toMatchObject({ server: 'unknown', payment: 'todo' })
  })

  it('do not know of a sale that is older than the payments that were read', () => {
    const payments = [paid({ agentId: HIRE_ID })]
    const step = (page: { nextCursor?: string }) =>
      stepsOf({ ...NOTHING, sales: salesOf({ payments, ...page }, AGENT_ID) }).payment
    expect(step({ nextCursor: 'further' })).toBe('unknown')
    expect(step({})).toBe('todo')
  })
})

it('counts whole requests left by the cost of the wallet’s newest payment', () => {
  const { debit = 0n } = salesOf({ payments: [paid({ agentId: HIRE_ID, debit: 3n }), paid()] }, AGENT_ID)
  expect(debit).toBe(3n)
  expect(requestsLeft(11n, debit)).toBe(3n)
  expect(requestsLeft(9_007_199_254_740_993n * 3n, debit)).toBe(9_007_199_254_740_993n)
})
