import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWallet } from '../../lib/cli/wallet.ts'
import { refusedPaths, register } from '../support/agents.ts'
import { confirmFunding } from '../support/jobs.ts'
import { type Body, type Call, type Service, startService } from '../support/service.ts'
import { travelToNoon } from '../support/staker.ts'

const CRED = 1_000_000_000
const judge = createWallet()
let service: Service
beforeAll(async () => {
  service = await startService({
    groups: ['auth', 'agents', 'work', 'payments', 'events', 'jobs'],
    bindings: { JOB_JUDGES: judge.publicKey },
  })
  await travelToNoon(service)
})
afterAll(() => service.stop())

/** Signs in an owner with an agent that takes jobs, and a hirer. */
async function sides(terms: Body = {}) {
  const [owner, hirer] = await Promise.all([service.signIn(), service.signIn()])
  const { id: agentId } = await register(owner.call)
  const jobTerms = { minPrice: CRED, workMinutes: 60, judges: ['deployment', 'none'], ...terms }
  const set = await owner.call('PUT', `/agents/${agentId}/job-terms`, { body: jobTerms })
  expect(set.status).toBe(200)
  const order = (body: Body = {}) =>
    hirer.call('POST', '/jobs', {
      body: {
        ...{ agentId, reference: crypto.randomUUID(), title: 'Translate', brief: 'The text, into German.' },
        ...{ price: 20 * CRED, judge: 'deployment' },
        ...body,
      },
    })
  return { owner, hirer, agentId, order }
}

const accept = (call: Call, job: Body) =>
  call('POST', `/jobs/${job.id}/accept`, { body: { termsHash: job.termsHash } })

/** Orders, accepts and funds a job. */
async function funded(body: Body = {}) {
  const all = await sides()
  const { body: job } = await all.order(body)
  expect((await accept(all.owner.call, job)).status).toBe(200)
  await confirmFunding(service, job.id)
  return { ...all, job, path: `/jobs/${job.id}` }
}

const actsOf = ({ body }: { body: Body }) => (body.actions as { act: string }[]).map(({ act }) => act)

describe('an order', () => {
  it('is read by both sides, with what each may do, and not by strangers', async () => {
    const { owner, hirer, order, agentId } = await sides()
    const answer = await order({ reference: 'order-7', inputHash: 'ab'.repeat(32) })
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({
      ...{ agentId, agentName: 'Test agent', owner: owner.wallet.publicKey, hirer: hirer.wallet.publicKey },
      ...{ role: 'hirer', reference: 'order-7', price: 20 * CRED, feeBps: 100, judge: 'deployment' },
      ...{ acceptMinutes: 4_320, workMinutes: 4_320, reviewMinutes: 4_320, status: 'open', strays: [] },
      ...{
        termsHash: expect.stringMatching(/^[0-9a-f]{64}$/),
        salt: expect.stringMatching(/^[0-9a-f]{32}$/),
      },
    })
    expect(answer.body.acceptBy).toBe(answer.body.dueAt)
    expect(actsOf(answer)).toEqual(['end'])
    const path = `/jobs/${answer.body.id}`
    expect(actsOf(await owner.call('GET', path))).toEqual(['accept', 'end'])
    const stranger = await service.signIn()
    for (const [method, at] of [
      ['GET', path],
      ['GET', `${path}/texts`],
      ['DELETE', path],
    ] as const)
      expect((await stranger.call(method, at)).body.code).toBe('job_not_found')
    expect((await stranger.call('GET', '/jobs')).body).toEqual({ jobs: [], count: 0 })
  })

  it('with the same reference is the same job, and with other details differs', async () => {
    const { order } = await sides()
    const first = await order({ reference: 'same' })
    const again = await order({ reference: 'same' })
    expect([again.status, again.body.id]).toEqual([200, first.body.id])
    expect((await order({ reference: 'same', price: 21 * CRED })).body.code).toBe('job_differs')
  })

  it('keeps to the agent’s terms', async () => {
    const { owner, agentId, order } = await sides({ minPrice: 5 * CRED, judges: ['none'] })
    expect((await order({ judge: 'none', price: 4 * CRED })).body.code).toBe('terms_not_met')
    expect((await order()).body.code).toBe('judge_not_listed')
    const own = await owner.call('POST', '/jobs', {
      body: { agentId, reference: 'own', title: 'T', brief: 'B', price: 5 * CRED },
    })
    expect([own.status, own.body.code]).toEqual([403, 'own_agent'])
    const ended = await owner.call('DELETE', `/agents/${agentId}/job-terms`)
    expect([ended.status, ended.body.jobTerms]).toEqual([200, undefined])
    expect((await order({ judge: 'none', price: 5 * CRED })).body.code).toBe('not_accepting_jobs')
  })

  it('tells the only judge of the deployment to choose another judge', async () => {
    const { agentId } = await sides()
    const { call } = await service.signIn(judge)
    const { body } = await call('POST', '/jobs', {
      body: { agentId, reference: 'own', title: 'T', brief: 'B', price: CRED, judge: 'deployment' },
    })
    expect([body.code, body.errors]).toEqual([
      'judge_not_listed',
      [{ path: 'judge', message: 'must be another one: you are this service’s only judge' }],
    ])
  })

  it('names each wrong field', async () => {
    const { order } = await sides()
    const answer = await order({
      ...{ price: 0, judge: 'a friend', title: '', brief: 'x'.repeat(1_001) },
      ...{ inputHash: 'AB', workMinutes: 59, wages: 3 },
    })
    expect(refusedPaths(answer).toSorted()).toEqual([
      ...['brief', 'inputHash', 'judge', 'price', 'title', 'wages', 'workMinutes'],
    ])
  })

  it('is shown by the agent’s terms on its page', async () => {
    const { agentId } = await sides()
    const { body } = await service.call('GET', `/agents/${agentId}`)
    expect(body.jobTerms).toEqual({ minPrice: CRED, workMinutes: 60, judges: ['deployment', 'none'] })
  })
})

describe('a job', () => {
  it('is accepted under the terms that were read', async () => {
    const { owner, hirer, order } = await sides()
    const { body: job } = await order()
    const wrong = await owner.call('POST', `/jobs/${job.id}/accept`, { body: { termsHash: 'ef'.repeat(32) } })
    expect(wrong.body.code).toBe('terms_differ')
    expect((await accept(hirer.call, job)).body.code).toBe('permission_missing')
    const accepted = await accept(owner.call, job)
    expect(accepted.body).toMatchObject({ status: 'accepted', role: 'agent', keyVersion: 1 })
    expect(accepted.body.fundBy).toBe(accepted.body.dueAt)
    expect((await accept(owner.call, job)).status).toBe(200)
    expect(actsOf(await hirer.call('GET', `/jobs/${job.id}`))).toEqual(['end', 'fund'])
  })

  it('is delivered once and approved, which pays the agent', async () => {
    const { owner, hirer, path, job } = await funded()
    const listed = async (query: string) =>
      ((await owner.call('GET', `/jobs?role=agent&${query}`)).body.jobs as Body[]).map(({ id }) => id)
    expect(await listed('status=funded')).toEqual([job.id])
    expect(await listed(`agentId=${job.agentId}`)).toEqual([job.id])
    expect(await listed(`since=${job.createdAt}`)).toEqual([job.id])
    expect(await listed(`until=${job.createdAt}`)).toEqual([])
    expect(await listed('due=true')).toEqual([])
    const text = '<b>Hallo</b> https://example.com\n'
    const delivered = await owner.call('POST', `${path}/delivery`, { body: { text } })
    expect(delivered.body).toMatchObject({ status: 'delivered', deliveryHash: expect.any(String) })
    expect((await owner.call('POST', `${path}/delivery`, { body: { text } })).status).toBe(200)
    const other = await owner.call('POST', `${path}/delivery`, { body: { text: 'other' } })
    expect([other.status, other.body.code]).toEqual([409, 'job_changed'])
    const texts = await hirer.call('GET', `${path}/texts`)
    expect(texts.body).toEqual({ delivery: { text, createdAt: expect.any(String) } })
    const done = await hirer.call('POST', `${path}/approve`)
    expect(done.body).toMatchObject({
      ...{ status: 'completed', endReason: 'approved', agentAmount: 20 * CRED, hirerAmount: 0 },
    })
    expect(actsOf(await owner.call('GET', path))).toEqual(['collect'])
    expect(await listed('due=true&status=completed')).toEqual([job.id])
    expect(await listed('due=true&status=rejected')).toEqual([])
    expect(await listed(`due=true&until=${job.createdAt}`)).toEqual([])
  })

  it('that was objected to is decided by its judge, who reads it from then on', async () => {
    const { owner, hirer, path, job } = await funded()
    const judging = await service.signIn(judge)
    await owner.call('POST', `${path}/delivery`, { body: { text: 'Hallo' } })
    expect((await judging.call('GET', `${path}/texts`)).body).toEqual({})
    await hirer.call('POST', `${path}/object`, { body: { reason: 'Half of it is missing.' } })
    const { body } = await judging.call('GET', '/jobs?role=judge')
    expect(body.jobs).toContainEqual(expect.objectContaining({ id: job.id, role: 'judge' }))
    expect((body.jobs as Body[]).every(({ salt }) => salt === undefined)).toBe(true)
    for (const none of ['due=true', `until=${job.createdAt}`]) {
      const { jobs } = (await judging.call('GET', `/jobs?role=judge&${none}`)).body
      expect(jobs).not.toContainEqual(expect.objectContaining({ id: job.id }))
    }
    expect((await judging.call('GET', `${path}/texts`)).body).toMatchObject({
      ...{ delivery: { text: 'Hallo' }, objection: { text: 'Half of it is missing.' } },
    })
    const tooMuch = { agentAmount: 21 * CRED, reason: 'More.' }
    expect(refusedPaths(await judging.call('POST', `${path}/verdict`, { body: tooMuch }))).toEqual([
      'agentAmount',
    ])
    const verdict = { agentAmount: 10 * CRED, reason: 'Half was done.' }
    expect((await owner.call('POST', `${path}/verdict`, { body: verdict })).body.code).toBe(
      'permission_missing',
    )
    const judged = await judging.call('POST', `${path}/verdict`, { body: verdict })
    expect(judged.body).toMatchObject({
      ...{ status: 'completed', endReason: 'judged', agentAmount: 10 * CRED, hirerAmount: 10 * CRED },
    })
    expect((await hirer.call('GET', `${path}/texts`)).body.verdict).toMatchObject({ text: 'Half was done.' })
    expect(actsOf(await hirer.call('GET', path))).toEqual(['refund'])
  })

  it('ends with a split once both sides propose the same', async () => {
    const { owner, hirer, path } = await funded()
    const propose = (call: Call, agentAmount: number) =>
      call('POST', `${path}/split`, { body: { agentAmount } })
    expect((await propose(hirer.call, 5 * CRED)).body).toMatchObject({
      hirerProposal: 5 * CRED,
      status: 'funded',
    })
    expect((await propose(owner.call, 6 * CRED)).body).toMatchObject({ agentProposal: 6 * CRED })
    expect((await propose(hirer.call, 6 * CRED)).body).toMatchObject({
      status: 'completed',
      endReason: 'agreed',
    })
  })

  it('shows its input to the agent’s owner once it is funded', async () => {
    const { owner, order } = await sides()
    const { body: job } = await order({ inputHash: 'ab'.repeat(32) })
    await service.database.engine.run([
      {
        query: `insert into job_texts (job_id, kind, text, created_at) values ($1, 'input', 'The text', $2)`,
        params: [job.id as string, new Date(service.clock.now()).toISOString()],
      },
    ])
    await accept(owner.call, job)
    expect((await owner.call('GET', `/jobs/${job.id}/texts`)).body).toEqual({})
    await confirmFunding(service, job.id)
    expect((await owner.call('GET', `/jobs/${job.id}/texts`)).body).toMatchObject({
      input: { text: 'The text' },
    })
  })

  it('whose deadline has passed ends by it before an act', async () => {
    const { owner, hirer, order } = await sides()
    const { body: job } = await order({ acceptMinutes: 60 })
    await service.clock.travelTo(service.clock.now() + 61 * 60_000)
    expect((await accept(owner.call, job)).body.code).toBe('deadline_passed')
    expect((await hirer.call('GET', `/jobs/${job.id}`)).body).toMatchObject({
      ...{ status: 'cancelled', endReason: 'nobody_accepted', actions: [] },
    })
  })
})

it('a page of jobs continues at its cursor', async () => {
  const { hirer, order } = await sides()
  const ids: unknown[] = []
  for (let each = 0; each < 3; each++) ids.push((await order({ judge: 'none' })).body.id)
  const first = await hirer.call('GET', '/jobs?limit=2')
  const second = await hirer.call('GET', `/jobs?limit=2&cursor=${first.body.nextCursor}`)
  const read = [first, second].flatMap(({ body }) => (body.jobs as Body[]).map(({ id }) => id))
  expect(read).toEqual(ids.toReversed())
})
