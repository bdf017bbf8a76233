import { afterAll, beforeAll, expect, it } from 'vitest'
import { createWallet } from '../../lib/cli/wallet.ts'
import { register, registration } from '../support/agents.ts'
import { codes } from '../support/answers.ts'
import { expectUsedUp, oneAddress } from '../support/one-address.ts'
import { type Service, startService } from '../support/service.ts'
import { ONE } from '../support/staker.ts'

/* The limits of one client address for unpaid wallets, with the limits of wrangler.toml. */

const operator = createWallet()
let service: Service
let address: ReturnType<typeof oneAddress>
beforeAll(async () => {
  service = await startService({
    groups: ['auth', 'agents', 'reputation', 'payments', 'x402', 'work'],
    bindings: {
      AGENTS_PER_ADDRESS: '60',
      HIRES_PER_ADDRESS: '300',
      STATUS_CHANGES_PER_ADDRESS: '600',
      ATTESTATIONS_PER_ADDRESS: '300',
      OPERATOR_WALLETS: operator.publicKey,
      PRICE_CHANGES_PER_ADDRESS: '60',
      JOBS_PER_ADDRESS: '60',
    },
  })
  address = oneAddress(service)
})
afterAll(() => service.stop())

const range = (length: number) => Array.from({ length }, (_, i) => i)
it('allows fifty users with a wallet each without rate limits', async () => {
  const owner = await service.signIn()
  const { id: agentId } = await register(owner.call, {})
  const headers = { 'cf-connecting-ip': '192.0.2.50' }
  const workAll = async () => {
    const { call } = await service.signIn()
    const send = (method: string, path: string, body: unknown) => call(method, path, { body, headers })
    const offered = await send('POST', '/agents/register', registration())
    const own = `/agents/${offered.body.id}`
    return [
      offered,
      ...(await Promise.all([
        send('POST', '/agents/hire', { agentId }),
        send('POST', '/agents/hire', { agentId: offered.body.id }),
        ...range(5).map((n) =>
          send('POST', '/reputation/attest/skill', { credentialType: 'skill', credentialId: `c-${n}` }),
        ),
      ])),
      await send('PATCH', own, { status: 'inactive' }),
      await send('PATCH', own, { status: 'active' }),
    ]
  }
  const answers = (await Promise.all(range(50).map(workAll))).flat()
  expect(codes(answers)).toEqual({ 201: 50 * 8, 200: 50 * 2 })
  expect((await service.call('GET', `/agents/${agentId}`)).body).toMatchObject({ totalHires: 50 })
})

/** A user who has paid for an agent. */
async function payer() {
  const user = await service.signIn()
  await address.payFor(user.wallet.publicKey)
  return user
}

it('hires 300 times an hour; what is refused leaves nothing', async () => {
  const { headers } = address
  const owner = await service.signIn()
  const { id: agentId } = await register(owner.call, {})
  const hire = ({ call }: { call: typeof owner.call }, from = headers) =>
    call('POST', '/agents/hire', { body: { agentId, budgetLimit: 1 }, headers: from })
  const first = await service.signIn()
  expect((await hire(first)).status).toBe(201)
  // Neither the same hire again nor one of no agent is counted.
  expect((await hire(first)).body.code).toBe('already_hired')
  const missing = { agentId: crypto.randomUUID() }
  expect((await first.call('POST', '/agents/hire', { body: missing, headers })).status).toBe(404)
  expect(await address.used('hires', 279)).toBe(280)
  const wallets = await Promise.all(range(60).map(() => service.signIn()))
  const answers = await Promise.all(wallets.map((wallet) => hire(wallet)))
  expect(codes(answers)).toEqual({ 201: 20, rate_limited: 40 })
  const at = answers.findIndex(({ status }) => status === 429)
  const [answer, refused] = [answers[at], wallets[at]]
  if (!answer || !refused) throw new Error('none was refused')
  expectUsedUp(answer, '"address-hires";q=300')
  expect((await refused.call('GET', '/agents/hire')).body).toMatchObject({ hires: [] })
  const { publicKey } = refused.wallet
  expect(await address.query('select from wallet_quotas where wallet = $1', publicKey)).toEqual([])
  expect(await address.query('select from events where counterparty = $1', publicKey)).toEqual([])
  expect(await address.used('hires')).toBe(300)
  expect((await service.call('GET', `/agents/${agentId}`)).body).toMatchObject({ totalHires: 21 })
  expect((await hire(refused, { 'cf-connecting-ip': '192.0.2.78' })).status).toBe(201)
  expect((await hire(await payer())).status).toBe(201)
  expect(await address.used('hires')).toBe(300)
})

it('records 300 attestations an hour; what is known costs nothing', async () => {
  const { headers } = address
  const attest = ({ call }: Pick<typeof first, 'call'>, credentialId = 'c', from = headers) =>
    call('POST', '/reputation/attest/skill', {
      body: { credentialType: 'skill', credentialId },
      headers: from,
    })
  const first = await service.signIn()
  expect((await attest(first)).status).toBe(201)
  expect((await attest(first)).status).toBe(201)
  expect(await address.used('attestations', 279)).toBe(280)
  const wallets = await Promise.all(range(60).map(() => service.signIn()))
  const answers = await Promise.all(wallets.map((wallet) => attest(wallet)))
  expect(codes(answers)).toEqual({ 201: 20, rate_limited: 40 })
  const at = answers.findIndex(({ status }) => status === 429)
  const [answer, refused] = [answers[at], wallets[at]]
  if (!answer || !refused) throw new Error('none was refused')
  expectUsedUp(answer, '"address-attestations";q=300')
  const { publicKey } = refused.wallet
  for (const table of ['attestations', 'wallet_quotas'])
    expect(await address.query(`select from ${table} where wallet = $1`, publicKey)).toEqual([])
  expect((await attest(first)).status).toBe(201)
  expect((await attest(refused, 'c', { 'cf-connecting-ip': '192.0.2.78' })).status).toBe(201)
  expect((await attest(await payer())).status).toBe(201)
  expect(await address.used('attestations')).toBe(300)
})

it('changes agents 600 times an hour, for any number of agents', async () => {
  const { headers } = address
  const offer = async (user: Awaited<ReturnType<typeof service.signIn>>) => {
    const { id } = await register(user.call, {})
    return { id, patch: (body: unknown) => user.call('PATCH', `/agents/${id}`, { body, headers }) }
  }
  const agents = await Promise.all(range(50).map(async () => offer(await service.signIn())))
  const [first] = agents
  if (!first) throw new Error('no agent')
  expect((await first.patch({ status: 'inactive' })).status).toBe(200)
  expect((await first.patch({ status: 'inactive' })).status).toBe(200)
  expect((await first.patch({ description: 'Of use' })).status).toBe(200)
  expect((await first.patch({ feeModel: 'flat', feeAmount: 1 })).status).toBe(200)
  // Requests that change nothing are not counted.
  expect(await address.used('status changes', 577)).toBe(580)
  const answers = await Promise.all(agents.slice(1).map(({ patch }) => patch({ status: 'inactive' })))
  expect(codes(answers)).toEqual({ 200: 20, rate_limited: 29 })
  const refused = answers.find(({ status }) => status === 429)
  if (!refused) throw new Error('none was refused')
  expectUsedUp(refused, '"address-status-changes";q=600')
  // Nothing of a refused call is done.
  const both = await first.patch({ status: 'active', description: 'Of none' })
  expect(both.status).toBe(429)
  const { body } = await service.call('GET', `/agents/${first.id}`)
  expect(body).toMatchObject({ status: 'inactive', description: 'Of use' })
  // A new endpoint counts as a new agent, and a change of status with it as no more.
  const moved = { status: 'active', apiEndpoint: 'https://moved.example.com' }
  expect((await first.patch(moved)).status).toBe(200)
  // Operators are not counted, and a wallet that has paid uses what its fees have bought.
  const moderator = await service.signIn(operator)
  const suspension = { body: { status: 'suspended', reason: 'Phishing' }, headers }
  expect((await moderator.call('PATCH', `/agents/${first.id}`, suspension)).status).toBe(200)
  const paying = await offer(await payer())
  expect((await paying.patch({ status: 'inactive' })).status).toBe(200)
  expect(await address.used('status changes')).toBe(600)
})

it('changes prices 60 times an hour, for any number of agents; repeats are free', async () => {
  const { headers } = address
  const offer = async (user: Awaited<ReturnType<typeof service.signIn>>) => {
    const { id } = await register(user.call, {})
    const set = (amount: number, from = headers) => {
      const prices = amount > 0 ? [{ name: 'call', amount }] : []
      return user.call('PUT', `/x402/agents/${id}/prices`, { body: { prices }, headers: from })
    }
    return { id, set }
  }
  // Registrations of the tests before.
  await address.query('delete from address_quotas')
  const agents = await Promise.all(range(50).map(async () => offer(await service.signIn())))
  const [first] = agents
  if (!first) throw new Error('no agent')
  // The same again is not counted, nor is the end of a price.
  for (const amount of [1, 1, 0, 2]) expect((await first.set(amount)).status).toBe(200)
  expect(await address.used('price changes', 38)).toBe(40)
  const answers = await Promise.all(agents.slice(1).map(({ set }) => set(3)))
  expect(codes(answers)).toEqual({ 200: 20, rate_limited: 29 })
  const at = answers.findIndex(({ status }) => status === 429)
  const [answer, refused] = [answers[at], agents.slice(1)[at]]
  if (!answer || !refused) throw new Error('none was refused')
  expectUsedUp(answer, '"address-price-changes";q=60')
  expect(await address.query('select from request_prices where agent_id = $1', refused.id)).toEqual([])
  expect((await first.set(2)).status).toBe(200)
  expect((await refused.set(3, { 'cf-connecting-ip': '192.0.2.78' })).status).toBe(200)
  expect((await (await offer(await payer())).set(3)).status).toBe(200)
  expect(await address.used('price changes')).toBe(60)
})

it('orders 60 jobs an hour for any number of wallets, and five at once for each', async () => {
  const { headers } = address
  const owner = await service.signIn()
  const { id: agentId } = await register(owner.call, {})
  const terms = { minPrice: ONE, workMinutes: 60, judges: ['none'] }
  expect((await owner.call('PUT', `/agents/${agentId}/job-terms`, { body: terms })).status).toBe(200)
  const order = ({ call }: Pick<typeof owner, 'call'>, reference = 'a', from = headers) => {
    const body = { agentId, title: 'Translate', brief: 'A page', price: ONE, reference }
    return call('POST', '/jobs', { body, headers: from })
  }
  const first = await service.signIn()
  for (const reference of ['a', 'b', 'c', 'd', 'e']) expect((await order(first, reference)).status).toBe(201)
  // Neither one too many nor the same again is counted.
  expect((await order(first, 'f')).body.code).toBe('quota_exceeded')
  expect((await order(first)).status).toBe(200)
  expect(await address.used('jobs', 35)).toBe(40)
  const wallets = await Promise.all(range(30).map(() => service.signIn()))
  const answers = await Promise.all(wallets.map((wallet) => order(wallet)))
  expect(codes(answers)).toEqual({ 201: 20, rate_limited: 10 })
  const at = answers.findIndex(({ status }) => status === 429)
  const [answer, refused] = [answers[at], wallets[at]]
  if (!answer || !refused) throw new Error('none was refused')
  expectUsedUp(answer, '"address-jobs";q=60')
  expect((await refused.call('GET', '/jobs')).body).toMatchObject({ jobs: [] })
  // An order that was withdrawn counts, too.
  const [job] = (await first.call('GET', '/jobs')).body.jobs as { id: string }[]
  expect((await first.call('DELETE', `/jobs/${job?.id}`)).status).toBe(200)
  expect((await order(first, 'g')).body.code).toBe('rate_limited')
  expect((await order(refused, 'a', { 'cf-connecting-ip': '192.0.2.78' })).status).toBe(201)
  expect((await order(await payer())).status).toBe(201)
  expect(await address.used('jobs')).toBe(60)
})
