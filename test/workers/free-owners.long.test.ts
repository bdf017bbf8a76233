import { afterAll, beforeAll, expect, it } from 'vitest'
import { createWallet } from '../../lib/cli/wallet.ts'
import { codes } from '../support/answers.ts'
import { hiring } from '../support/hiring.ts'
import { expectUsedUp, oneAddress } from '../support/one-address.ts'
import { type Service, startService } from '../support/service.ts'

/* The limits of one client address for agent owners who were never paid, with the limits of wrangler.toml. */

let service: Service
let address: ReturnType<typeof oneAddress>
beforeAll(async () => {
  service = await startService({
    groups: ['auth', 'agents', 'payments', 'events', 'jobs'],
    bindings: { CHARGES_PER_ADDRESS: '600', WEBHOOKS_PER_ADDRESS: '300' },
  })
  address = oneAddress(service)
})
afterAll(() => service.stop())

const range = (length: number) => Array.from({ length }, (_, i) => i)

it('records 600 charges an hour; what is refused leaves nothing', async () => {
  const { headers } = address
  const owners = await Promise.all(range(40).map(() => hiring(service, {}, { budgetLimit: 1_000 })))
  const charge = ({ asOwner, hireId }: (typeof owners)[number], body = {}) =>
    asOwner('POST', '/payments/charges', { body: { hireId, reference: 'job', ...body }, headers })
  const [first, ...others] = owners
  if (!first) throw new Error('no owner')
  expect((await charge(first)).status).toBe(201)
  // Neither the same charge again nor one that the budget does not allow is counted.
  expect((await charge(first)).status).toBe(201)
  const tooMuch = await charge(first, { reference: 'too much', units: 100 })
  expect(tooMuch.body.code).toBe('budget_exhausted')
  expect(await address.used('charges', 589)).toBe(590)
  const answers = await Promise.all(others.map((owner) => charge(owner)))
  expect(codes(answers)).toEqual({ 201: 10, rate_limited: 29 })
  const at = answers.findIndex(({ status }) => status === 429)
  expectUsedUp(answers[at], '"address-charges";q=600')
  const refused = others[at]
  if (!refused) throw new Error('none was refused')
  expect(await refused.read()).toMatchObject({ spent: 0, remaining: 1_000 })
  const own = refused.owner.publicKey
  expect(await address.query('select from charges where owner = $1', own)).toEqual([])
  expect(await address.query(`select from events where wallet = $1 and type like 'charge.%'`, own)).toEqual(
    [],
  )
  expect(await address.query('select charges from wallet_quotas where wallet = $1', own)).toEqual([['0']])
  await address.payFor(own)
  expect((await charge(refused)).status).toBe(201)
  expect(await address.used('charges')).toBe(600)
})

it('makes 300 webhook endpoints and test events an hour', async () => {
  const { headers } = address
  const make = async (wallet = createWallet()) => {
    const { call } = await service.signIn(wallet)
    const body = { url: 'https://hooks.example.com/events' }
    const answer = await call('POST', '/events/endpoints', { body, headers })
    const test = () => call('POST', `/events/endpoints/${answer.body.id}/test`, { headers })
    return { ...answer, wallet, test }
  }
  const first = await make()
  expect([first.status, (await first.test()).status]).toEqual([201, 202])
  // A test too soon after another is not counted.
  expect((await first.test()).headers.get('ratelimit-policy')).toBe('"endpoint-test";q=1;w=10')
  expect(await address.used('webhooks', 278)).toBe(280)
  const made = await Promise.all(range(30).map(() => make()))
  expect(codes(made)).toEqual({ 201: 20, rate_limited: 10 })
  const refused = made.find(({ status }) => status === 429)
  expectUsedUp(refused, '"address-webhooks";q=300')
  const tested = await Promise.all(made.filter(({ status }) => status === 201).map(({ test }) => test()))
  expect(codes(tested)).toEqual({ rate_limited: 20 })
  expectUsedUp(tested[0], '"address-webhooks";q=300')
  const own = refused?.wallet.publicKey ?? expect.fail()
  for (const table of ['endpoints', 'wallet_quotas'])
    expect(await address.query(`select from ${table} where wallet = $1`, own)).toEqual([])
  await address.payFor(own)
  const paid = await make(refused?.wallet)
  expect([paid.status, (await paid.test()).status]).toEqual([201, 202])
  expect(await address.used('webhooks')).toBe(300)
})

it('makes 600 changes of webhook endpoints an hour; a refused one changes nothing', async () => {
  const { headers } = address
  const wallet = createWallet()
  const { call } = await service.signIn(wallet)
  const url = 'https://hooks.example.com/changed'
  const { body } = await call('POST', '/events/endpoints', { body: { url } })
  const change = (patch: object) => call('PATCH', `/events/endpoints/${body.id}`, { body: patch, headers })
  expect((await change({ enabled: false })).status).toBe(200)
  expect(await address.used('webhook changes', 598)).toBe(599)
  const changes = await Promise.all(range(10).map((i) => change({ description: `at ${i}` })))
  expect(codes(changes)).toEqual({ 200: 1, rate_limited: 9 })
  expectUsedUp(
    changes.find(({ status }) => status === 429),
    '"address-webhook-changes";q=600',
  )
  expect((await change({ enabled: true })).status).toBe(429)
  expect((await call('GET', `/events/endpoints/${body.id}`)).body.enabled).toBe(false)
  await address.payFor(wallet.publicKey)
  expect((await change({ enabled: true })).status).toBe(200)
})

it('allows fifty owners of agents with charges and events without rate limits', async () => {
  const headers = { 'cf-connecting-ip': '192.0.2.50' }
  const work = async (i: number) => {
    const { asOwner, hireId } = await hiring(service)
    const body = { url: `https://hooks-${i}.example.com/events` }
    const made = await asOwner('POST', '/events/endpoints', { body, headers })
    const charges = range(10).map((n) =>
      asOwner('POST', '/payments/charges', { body: { hireId, reference: `job-${n}` }, headers }),
    )
    const tested = await asOwner('POST', `/events/endpoints/${made.body.id}/test`, { headers })
    return [made, tested, ...(await Promise.all(charges))]
  }
  // Ten at a time: more at once wait for the database for too long where the machine is slow.
  const answers = []
  for (const group of range(5))
    answers.push(...(await Promise.all(range(10).map((i) => work(10 * group + i)))).flat())
  expect(codes(answers)).toEqual({ 201: 50 * 11, 202: 50 })
})
