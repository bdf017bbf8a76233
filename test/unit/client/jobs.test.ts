import { describe, expect, it } from 'vitest'
import { createClient } from '../../../lib/client/index.ts'
import { seenJob } from '../../support/built-transactions.ts'
import { createFakeService, loginReplies, problem, type Reply } from '../../support/fake-service.ts'

/** A client with a wallet over a fake service, which polls for events. */
function start(replies: Record<string, Reply | Reply[]>) {
  const all: Record<string, Reply | Reply[]> = {}
  const service = createFakeService(all)
  Object.assign(all, loginReplies(service.clock), replies)
  const wallet = { publicKey: 'wallet', signMessage: async () => new Uint8Array(64).fill(1) }
  const client = createClient({ ...service.options, wallet, WebSocket: undefined })
  const isLogin = ({ operation }: { operation: string }) => operation.includes('/auth/handshake')
  const calls = () =>
    service.sent.filter((sent) => !isLogin(sent)).map(({ operation, body }) => [operation, body])
  return { service, client, calls }
}

const job = (status: string, rest = {}) => ({ id: 'j', status, actions: [], ...rest })
const events = (...ofJobs: string[]) => ({
  events: ofJobs.map((jobId, i) => ({ id: `${jobId}${i}`, type: 'job.delivered', data: { jobId } })),
  count: ofJobs.length,
  hasMore: false,
})

describe('acts on a job', () => {
  it.each([
    ['approve', {}, undefined],
    ['concede', {}, undefined],
    ['object', { reason: 'Empty.' }, { reason: 'Empty.' }],
    ['split', { agentAmount: 2n ** 53n - 1n }, { agentAmount: 9_007_199_254_740_991 }],
  ] as const)('decideJob sends %s with its own fields', async (act, fields, body) => {
    const operation = `POST /jobs/j/${act}`
    const { client, calls } = start({ [operation]: job('completed') })
    const decision = { jobId: 'j', act, ...fields } as Parameters<typeof client.decideJob>[0]
    expect(await client.decideJob(decision)).toMatchObject({ status: 'completed' })
    expect(calls()).toEqual([[operation, body]])
  })

  it('sends an acceptance, a delivery, a verdict and an end', async () => {
    const names = ['POST /jobs/j/accept', 'POST /jobs/j/delivery', 'POST /jobs/j/verdict', 'DELETE /jobs/j']
    const { client, calls } = start(Object.fromEntries(names.map((name) => [name, job('open')])))
    await client.acceptJob({ job: { ...seenJob, id: 'j' } })
    await client.deliverJob({ jobId: 'j', text: 'Guten Morgen!' })
    await client.judgeJob({ jobId: 'j', agentAmount: 0n, reason: 'Nothing was translated.' })
    await client.endJob('j')
    expect(calls()).toEqual([
      [names[0], { termsHash: seenJob.termsHash }],
      [names[1], { text: 'Guten Morgen!' }],
      [names[2], { agentAmount: 0, reason: 'Nothing was translated.' }],
      [names[3], undefined],
    ])
  })

  it('repeats an order after an outage, since its reference makes one job', async () => {
    const { client, calls } = start({ 'POST /jobs': [problem(503, 'dependency_unavailable'), job('open')] })
    const order = { agentId: 'a', title: 'Page', brief: 'Translate.', judge: 'none', reference: 'once' }
    expect(await client.postJob({ ...order, price: 5n })).toMatchObject({ id: 'j' })
    expect(calls()).toHaveLength(2)
  })
})

describe('waitForJob', () => {
  const NEWEST = 'GET /events?sort=newest&limit=1'
  const AFTER = (id: string) => `GET /events?after=${id}&limit=100`

  it('returns at once when the job has ended', async () => {
    const { client, calls } = start({
      [NEWEST]: events('j'),
      'GET /jobs/j': job('completed', { endedAt: 'now' }),
    })
    expect(await client.waitForJob('j')).toMatchObject({ status: 'completed' })
    expect(calls().map(([operation]) => operation)).toEqual([NEWEST, 'GET /jobs/j'])
  })

  it('reads the job again after its own events only, from before its first read', async () => {
    const { client, calls } = start({
      'GET /events': [events('first'), events('x', 'y'), events('z'), events('j')],
      'GET /jobs/j': [job('funded'), job('delivered')],
    })
    const delivered = await client.waitForJob('j', { until: ({ status }) => status === 'delivered' })
    expect(delivered).toMatchObject({ status: 'delivered' })
    expect(calls().map(([operation]) => operation)).toEqual([
      ...[NEWEST, 'GET /jobs/j', AFTER('first0'), AFTER('y1'), AFTER('z0'), 'GET /jobs/j'],
    ])
  })

  it('goes on while the condition fails, and ends when its signal is aborted', async () => {
    const ending = new AbortController()
    const { client, service } = start({
      'GET /events': [events(), events('j'), events('j')],
      'GET /jobs/j': [
        job('open'),
        job('accepted'),
        () => {
          ending.abort(new Error('enough'))
          return job('funded')
        },
      ],
    })
    await expect(client.waitForJob('j', { signal: ending.signal })).rejects.toThrow('enough')
    expect(service.operations().filter((operation) => operation === 'GET /jobs/j')).toHaveLength(3)
  })
})
