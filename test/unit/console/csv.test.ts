import { describe, expect, it } from 'vitest'
import type { Job } from '../../../lib/client/generated/types.ts'
import { csvOf } from '../../../lib/console/views/money/csv.ts'
import { monthsUntil, timesOf } from '../../../lib/console/views/money/months.ts'
import {
  AGENT_ID,
  CHARGE_ID,
  HIRE_ID,
  JOB_ID,
  MINT,
  OTHER_WALLET,
  REQUEST_PAYMENT_ID,
  SIGNATURE,
  WALLET,
} from '../../../schema/examples.ts'

const charge = (changes: object = {}) => ({
  kind: 'charge' as const,
  entry: {
    ...{ id: CHARGE_ID, hireId: HIRE_ID, agentId: AGENT_ID, agentName: 'Scout' },
    ...{
      owner: OTHER_WALLET,
      hirer: WALLET,
      reference: 'job-1',
      amount: 3_000_000_001n,
      status: 'collected' as const,
    },
    ...{ periodStart: '2026-11-01T00:00:00.000Z', createdAt: '2026-11-20T10:00:00.000Z' },
    ...{ collectedAt: '2026-11-21T10:00:00.000Z', fee: 30_000_001n, signature: SIGNATURE },
    ...changes,
  },
})
const request = (changes: object = {}) => ({
  kind: 'request' as const,
  entry: {
    ...{ id: REQUEST_PAYMENT_ID, agentId: AGENT_ID, agentName: 'Scout', owner: OTHER_WALLET, payer: WALLET },
    ...{
      amount: 250_000n,
      asset: MINT,
      priceName: 'GET /x',
      status: 'settled' as const,
      signature: SIGNATURE,
    },
    ...{ createdAt: '2026-11-20T10:00:00.000Z', resolvedAt: '2026-11-20T10:00:01.000Z' },
    ...changes,
  },
})

const JOB: Job = {
  ...{ id: JOB_ID, agentId: AGENT_ID, agentName: 'Scout', owner: OTHER_WALLET, hirer: WALLET, role: 'agent' },
  ...{
    reference: 'order-7',
    title: 'Translate a product page',
    brief: 'Into German.',
    price: 5_000_000_000n,
  },
  ...{ feeBps: 100, judge: 'none', acceptMinutes: 60, workMinutes: 60, reviewMinutes: 60, termsHash: '' },
  ...{ status: 'completed', createdAt: '2026-11-20T10:00:00.000Z', strays: [], actions: [] },
}
const job = (changes: object = {}) => ({
  kind: 'job' as const,
  entry: {
    ...JOB,
    ...{ agentAmount: 5_000_000_000n, hirerAmount: 0n },
    ...changes,
  },
})

/** Reads CSV as RFC 4180 defines it. */
function parse(text: string): string[][] {
  const rows: string[][] = [[]]
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end === '\r\n') rows.push([])
  }
  return rows.slice(0, -1)
}
const read = (entries: Parameters<typeof csvOf>[0]) => {
  const [names = [], ...rows] = parse(csvOf(entries, MINT))
  return rows.map((cells) => {
    expect(cells).toHaveLength(names.length)
    return Object.fromEntries(cells.map((cell, index) => [names[index], cell]))
  })
}

describe('an export', () => {
  it('has a line for each entry, with exact amounts and its transaction', () => {
    const [paid, unpaid, settled, foreign] = read([
      charge(),
      charge({ status: 'recorded', collectedAt: undefined, fee: undefined, signature: undefined }),
      request(),
      request({ asset: WALLET, status: 'expired' }),
    ])
    expect(paid).toMatchObject({
      ...{ kind: 'charge', recorded_at: '2026-11-20T10:00:00.000Z', paid_at: '2026-11-21T10:00:00.000Z' },
      ...{ currency: 'CRED', amount: '3.000000001', fee: '0.030000001', net: '2.970000000' },
      ...{ agent: 'Scout', owner: OTHER_WALLET, payer: WALLET, transaction: SIGNATURE },
    })
    expect(unpaid).toMatchObject({ paid_at: '', fee: '', net: '', transaction: '' })
    expect(settled).toMatchObject({ amount: '0.000250000', net: '0.000250000', reference: 'GET /x' })
    expect(foreign).toMatchObject({ currency: WALLET, amount: '250000', paid_at: '', net: '' })
  })

  it('has a job’s part for the agent, with its fee before it is collected, too', () => {
    const paidAt = '2026-11-22T10:00:00.000Z'
    const [waiting, paid] = read([job(), job({ paidAt, fee: 50_000_000n })])
    const sums = { kind: 'job', amount: '5.000000000', fee: '0.050000000', net: '4.950000000' }
    const words = { description: 'Translate a product page', reference: 'order-7', payer: WALLET }
    expect(waiting).toMatchObject({ ...sums, ...words, status: 'in escrow', paid_at: '' })
    expect(paid).toMatchObject({ ...sums, status: 'paid', paid_at: paidAt })
  })

  it('says the state of an entry as the screen does, and what a charge’s work produced', () => {
    const states = [charge({ result: 'https://example.com/7' }), charge({ status: 'lapsed' }), request()]
    expect(read(states)).toMatchObject([
      { status: 'paid', result: 'https://example.com/7' },
      { status: 'expired', result: '' },
      { status: 'paid', result: '' },
    ])
  })

  it('keeps texts with separators, quotes, line breaks and spaces at their ends', () => {
    for (const description of ['a,b', 'say "hi"', 'two\nlines', 'two\r\nlines', ' spaces ', '', '…ä漢'])
      expect(read([charge({ description })])[0]?.description).toBe(description)
  })

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '＝1', '\u0000=1', '\n@x'])(
    'begins the text %j with an apostrophe',
    (text) => {
      for (const field of ['description', 'reference', 'agentName'])
        expect(Object.values(read([charge({ [field]: text })])[0] ?? {})).toContain(`'${text}`)
    },
  )

  it('has its names alone without entries', () => {
    expect(csvOf([], MINT)).toMatch(/^kind,id,[a-z_,]+\r\n$/)
  })
})

it('counts months in UTC, over the turn of a year', () => {
  expect(monthsUntil(Date.parse('2027-01-01T00:30:00Z'), 3)).toEqual(['2026-11', '2026-12', '2027-01'])
  expect(timesOf('2026-12')).toEqual({ since: '2026-12-01T00:00:00.000Z', until: '2027-01-01T00:00:00.000Z' })
})
