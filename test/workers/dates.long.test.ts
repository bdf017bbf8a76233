import * as v from 'valibot'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createWallet } from '../../lib/cli/wallet.ts'
import { AttestationRequest } from '../../schema/wire/reputation.ts'
import { type Answer, type Call, type Service, startService } from '../support/service.ts'
import { travelToNoon } from '../support/staker.ts'

const oracleWallet = createWallet()
let service: Service
beforeAll(async () => {
  service = await startService({
    groups: ['auth', 'agents', 'reputation', 'registry', 'events'],
    bindings: { ORACLE_WALLETS: oracleWallet.publicKey },
  })
})
afterAll(() => service.stop())

/** Pseudo-random numbers, the same in each run. */
function randomNumbers(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state % below
  }
}

const text = (year: number, month: number, day: number) => {
  const digits = (value: number, length: number) => String(value).padStart(length, '0')
  return `${digits(year, 4)}-${digits(month, 2)}-${digits(day, 2)}`
}

/** The edges of months, those days beside them that do not exist, and times beyond what four digits hold. */
const edges = [0, 1, 4, 1582, 1900, 2000, 2026, 2028, 9999].flatMap((year) =>
  [1, 2, 11, 12].flatMap((month) => [1, 28, 29, 30, 31].map((day) => text(year, month, day))),
)
const beyond = [
  ...['10000-01-01', '12000-12-31', '99999-01-01', '275760-09-13', '275760-09-14', '+010000-01-01'],
  ...[
    '-0001-01-01',
    '-000001-12-31',
    '-271821-04-20',
    '0000-00-00',
    '2026-13-01',
    '2026-00-10',
    '2026-11-00',
  ],
  ...['4713-11-24 BC', 'infinity', '-infinity', 'now', 'today', 'epoch', 'Infinity', 'NaN', '1e9'],
]
const random = randomNumbers(7)
/**
 * Days from the year 0 to 12000, a few in twenty of them not in the calendar. test/unit/schema/times.test.ts
 * tests the schema's rule with edges and 10,000 random dates.
 */
const randomDate = () => text(random(12_001), 1 + random(12), 1 + random(31))
const dates = [...new Set([...edges, ...beyond, ...Array.from({ length: 30 }, randomDate)])]

/** Calls with each value, twenty at once, and returns the answers with an internal error. */
async function internalErrors(values: readonly string[], call: (value: string) => Promise<Answer>) {
  const found: string[] = []
  for (let i = 0; i < values.length; i += 20) {
    await Promise.all(
      values.slice(i, i + 20).map(async (value) => {
        const { status } = await call(value)
        if (status >= 500) found.push(`${value}: ${status}`)
      }),
    )
  }
  return found
}

it('stores every date that the schema accepts as the same date in Postgres', async () => {
  const { issuedDate } = AttestationRequest.entries
  const many = [...edges, ...beyond, ...Array.from({ length: 10_000 }, randomDate)]
  const taken = many.filter((date) => v.is(issuedDate.wrapped, date))
  expect(taken.length).toBeGreaterThan(7_000)
  const query = `select to_char(date::date, 'YYYY-MM-DD') from unnest($1::text[]) as date`
  const [result] = await service.database.engine.run([{ query, params: [`{${taken.join()}}`] }])
  expect(result?.rows.map(([date]) => date)).toEqual(taken)
})

it('accepts or refuses any credential date; valid ones reach the database', async () => {
  let calls: Call[] = []
  let used = 0
  await travelToNoon(service)
  const today = new Date(service.clock.now()).toISOString().slice(0, 10)
  // As many for each wallet as a day's quota allows.
  for (let i = 0; i < dates.length; i += 80) calls.push((await service.signIn()).call)
  const attest = (date: string) => {
    const call = calls[Math.floor(used++ / 80)] as Call
    const field = date < today ? 'issuedDate' : 'expiryDate'
    const body = { credentialType: 'degree', credentialId: crypto.randomUUID(), [field]: date }
    return call('POST', '/reputation/attest/skill', { body })
  }
  const statuses = new Map<number, number>()
  const counted = async (date: string) => {
    const answer = await attest(date)
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    return answer
  }
  expect(await internalErrors(dates, counted)).toEqual([])
  expect([...statuses.keys()].sort()).toEqual([201, 400])
  expect(statuses.get(201)).toBeGreaterThan(100)
  // The same dates where it is the other field that they are in.
  calls = [(await service.signIn()).call]
  used = 0
  const other = dates.filter((_, i) => i % 8 === 0)
  const swapped = (date: string) => {
    const field = date < today ? 'expiryDate' : 'issuedDate'
    const body = { credentialType: 'degree', credentialId: crypto.randomUUID(), [field]: date }
    return (calls[0] as Call)('POST', '/reputation/attest/skill', { body })
  }
  expect(await internalErrors(other, swapped)).toEqual([])
})

const cursor = (...values: unknown[]) => Buffer.from(JSON.stringify(values)).toString('base64url')
const times = [
  ...dates.map((date) => `${date}T00:00:00.000Z`),
  ...['2026-11-20T24:00:00.000Z', '2026-11-20T23:59:60.000Z', '2026-11-20T23:59:59.9999Z', '2026-11-20'],
  ...['2026-11-20T00:00:00.000+99:99', '2026-11-20 00:00', ''],
]

it('reads any date in a cursor of the oracles’ queue as a position, or refuses it', async () => {
  const { call } = await service.signIn(oracleWallet)
  const id = crypto.randomUUID()
  const read = (time: string) =>
    call('GET', `/reputation/oracle/queue?cursor=${cursor('0', 'normal', time, id)}`)
  expect(await internalErrors(times, read)).toEqual([])
})

it('accepts or refuses any number in cursors and signed timestamps', async () => {
  const { call, wallet } = await service.signIn()
  const numbers = [
    ...dates.filter((_, i) => i % 4 === 0).map((date) => Date.parse(date)),
    ...[-1, 0, 1.5, 1e308, -1e308, 2 ** 53, 253_402_300_799_999, 253_402_300_800_000, 8.64e15, 8.64e15 + 1],
  ].map((number) => JSON.stringify(number))
  const id = crypto.randomUUID()
  const lists = [
    (number: string) => `/registry/agents?cursor=${cursor(Number(number), wallet.publicKey)}`,
    (number: string) => `/agents?cursor=${cursor(Number(number), id)}`,
    (number: string) => `/events/deliveries?cursor=${cursor(number)}`,
    (number: string) => `/events?after=${number}`,
  ]
  for (const list of lists)
    expect(await internalErrors(numbers, (number) => call('GET', list(number)))).toEqual([])
  const body = {
    name: 'Keeper',
    pubkey: wallet.publicKey,
    agentType: 'personal',
    capabilities: ['shopping'],
    feeModel: 'free',
  }
  const post = (path: string, more: object) => (number: string) =>
    call('POST', path, { body: { ...body, ...more, timestamp: JSON.parse(number) } })
  const signature = wallet.sign('something else')
  expect(await internalErrors(numbers, post('/registry/message', {}))).toEqual([])
  expect(await internalErrors(numbers, post('/registry/agents', { signature }))).toEqual([])
})
