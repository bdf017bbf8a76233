import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { createClient, type SeenJob, type Wallet } from '../../../../lib/client/index.ts'
import { DEFAULTS, termsHashOf } from '../../../../lib/client/verify/terms.ts'
import * as service from '../../../../lib/work/terms.ts'
import { JobRequest } from '../../../../schema/wire/jobs.ts'
import {
  answerOf,
  buildAll,
  factsOf,
  JOB_ID,
  jobOrder,
  wallet as publicKey,
  seenJob,
} from '../../../support/built-transactions.ts'
import { createFakeService, loginReplies } from '../../../support/fake-service.ts'

/* A host answers a job with other terms than were ordered, with the hash of the old or of the new ones. */

const all = await buildAll(1)
const FUND = 'POST /payments/jobs/fund'
const ACCEPT = `POST /jobs/${JOB_ID}/accept`

function start() {
  const replies: Parameters<typeof createFakeService>[0] = {}
  const fake = createFakeService(replies)
  Object.assign(replies, loginReplies(fake.clock), {
    'GET /payments/deployment': factsOf(1),
    [FUND]: answerOf(all, 'fund job', { id: 'p1', kind: 'fund_job' }),
    'POST /payments/transactions': { id: 'p1', signature: 's' },
    'GET /payments/transactions/p1': { id: 'p1', status: 'landed' },
    [ACCEPT]: { ...seenJob, status: 'accepted' },
  })
  const signTransaction: Wallet['signTransaction'] = async (bytes) => new Uint8Array([...bytes, 1])
  const wallet = { publicKey, signMessage: () => new Uint8Array(64), signTransaction }
  return { fake, client: createClient({ ...fake.options, wallet }) }
}

/** Other values for the terms of the job. */
const ALTERED: Partial<SeenJob> = {
  agentId: JOB_ID,
  reference: 'order-8',
  title: 'Translate a book',
  brief: 'Into German, with all its pages.',
  inputHash: 'ee'.repeat(32),
  price: 5_000_000_001n,
  judge: 'none',
  acceptMinutes: 61,
  workMinutes: 43_200,
  reviewMinutes: 60,
}
const altered = Object.entries(ALTERED)
const ofHost = { feeBps: 99, salt: 'dd'.repeat(16), hirer: factsOf(1).mint }

/** The job with another term, and the hash that belongs to it. */
async function rehashed(field: string, value: unknown): Promise<SeenJob> {
  const changed = { ...seenJob, [field]: value }
  const { id: _id, owner: _owner, termsHash: _hash, ...terms } = changed
  return { ...changed, termsHash: await service.termsHashOf(terms) }
}

describe('the hash of a job’s terms', () => {
  it('is the service’s', async () => {
    const text = fc.string({ unit: 'binary' })
    const terms = fc.record({
      ...{ reference: text, title: text, brief: text, judge: text, salt: text, inputHash: fc.option(text) },
      price: fc.bigInt({ min: 1n, max: 2n ** 63n }),
      ...{ feeBps: fc.nat(), acceptMinutes: fc.nat(), workMinutes: fc.nat(), reviewMinutes: fc.nat() },
    })
    await fc.assert(
      fc.asyncProperty(terms, async (some) => {
        const all = { ...some, hirer: publicKey, agentId: JOB_ID }
        const termsHash = await service.termsHashOf(all)
        const { inputHash, ...rest } = all
        const job = { ...rest, ...(inputHash !== null && { inputHash }), id: '', owner: '', termsHash }
        expect(termsHashOf(job)).toBe(termsHash)
      }),
      { numRuns: 20 },
    )
  })

  it.each([...altered, ...Object.entries(ofHost)])(
    'is refused when %s is another than the hashed one',
    async (field, value) => {
      const { fake, client } = start()
      const job = { ...seenJob, [field]: value }
      const refused = { code: 'job_unexpected', message: expect.stringMatching(/termsHash|hirer/) }
      await expect(client.fundJob({ job })).rejects.toMatchObject({ ...refused, step: 'build' })
      await expect(client.acceptJob({ job })).rejects.toMatchObject({
        ...refused,
        message: expect.stringContaining('termsHash'),
      })
      expect(fake.operations()).toEqual([])
    },
  )

  it('is refused when the job has none of its terms’ hash or no salt', async () => {
    const { salt: _, ...judged } = seenJob
    for (const job of [{ ...seenJob, termsHash: 'ab'.repeat(32) }, judged])
      await expect(start().client.acceptJob({ job })).rejects.toMatchObject({ code: 'job_unexpected' })
  })
})

describe('an order', () => {
  it.each(altered)('is not funded when its %s was altered and hashed again', async (field, value) => {
    const { fake, client } = start()
    const job = await rehashed(field, value)
    await expect(client.fundJob({ job, order: jobOrder })).rejects.toMatchObject({
      code: 'job_unexpected',
      message: expect.stringContaining(`its ${field} is not`),
    })
    expect(fake.operations()).toEqual([])
  })

  it('is not funded for another hirer or another owner than the caller names', async () => {
    const { client } = start()
    const job = await rehashed('hirer', factsOf(1).mint)
    await expect(client.fundJob({ job, order: jobOrder })).rejects.toThrow('its hirer is not')
    const other = { job: seenJob, order: jobOrder, owner: publicKey }
    await expect(client.fundJob(other)).rejects.toThrow('its owner is not')
  })

  it('is funded as ordered, in any form that the service takes', async () => {
    const { client } = start()
    const order = { ...jobOrder, agentId: jobOrder.agentId.toUpperCase(), title: ` ${jobOrder.title} ` }
    const funding = { job: seenJob, order, owner: seenJob.owner }
    expect(await client.fundJob(funding)).toMatchObject({ status: 'landed' })
  })

  it('has the service’s defaults where it omits fields', async () => {
    const { agentId, brief, price, reference, title } = jobOrder
    const order = { agentId, brief, price, reference, title }
    const parsed = v.parse(JobRequest, { ...order, price: Number(price) })
    expect({ inputHash: null, ...parsed }).toEqual({ ...DEFAULTS, ...order })
    const { client } = start()
    const job = await rehashed('workMinutes', 43_200)
    const { workMinutes: _, ...shorter } = jobOrder
    await expect(client.fundJob({ job, order: shorter })).rejects.toThrow('its workMinutes is not')
    const defaulted = await rehashed('workMinutes', DEFAULTS.workMinutes)
    expect(termsHashOf(defaulted, { order: { ...shorter, workMinutes: undefined } })).toBe(
      defaulted.termsHash,
    )
  })
})
