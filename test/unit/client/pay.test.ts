import { describe, expect, it } from 'vitest'
import { createClient, type Progress, type Wallet } from '../../../lib/client/index.ts'
import {
  answerOf,
  buildAll,
  factsOf,
  HIRE_ID,
  JOB_ID,
  wallet as publicKey,
  seenJob,
} from '../../support/built-transactions.ts'
import { createFakeService, loginReplies, problem, type Reply } from '../../support/fake-service.ts'

const all = await buildAll(1)
/** A wallet's signature of the test: the whole transaction, and one byte. */
const signTransaction = async (bytes: Uint8Array) => new Uint8Array([...bytes, 1])
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const bytesOf = (transaction: string) => new Uint8Array(Buffer.from(transaction, 'base64'))

/** A client whose wallet can log in and, by default, sign transactions. */
function start(replies: Record<string, Reply | Reply[]>, ways: Partial<Wallet> = { signTransaction }) {
  const all: Record<string, Reply | Reply[]> = {}
  const service = createFakeService(all)
  Object.assign(all, loginReplies(service.clock), { 'GET /payments/deployment': factsOf(1) }, replies)
  const wallet: Wallet = { publicKey, signMessage: () => new Uint8Array(64), ...ways }
  return { service, client: createClient({ ...service.options, wallet }) }
}

const answer = (name: string) => answerOf(all, name, { id: 'p1', kind: 'fund_budget' })
const built = answer('fund, opening')
const relayed = { 'POST /payments/transactions': { id: 'p1', signature: 's' } }
const outcome = (status: string, rest = {}) => ({ id: 'p1', status, ...rest })
const FUNDING = { hireId: HIRE_ID, amount: 5_000_000_000n }

describe('a transaction of payments', () => {
  it('is built, signed by the wallet, relayed and awaited, by endpoints of payments', async () => {
    const steps: string[] = []
    const onStep = ({ step }: Progress) => steps.push(step)
    const { service, client } = start({
      'POST /payments/budgets': built,
      ...relayed,
      'GET /payments/transactions/p1': [outcome('open'), outcome('landed')],
    })
    expect(await client.fund(FUNDING, { onStep })).toMatchObject({ status: 'landed' })
    expect(steps).toEqual(['build', 'sign', 'send', 'wait'])
    expect(service.sent.flatMap(({ body }) => body ?? []).slice(1)).toEqual([
      { hireId: HIRE_ID, amount: 5_000_000_000 },
      { id: 'p1', transaction: base64(await signTransaction(bytesOf(built.transaction))) },
    ])
  })

  it.each([
    ['withdraw', 'POST /payments/budgets/withdraw', { hireId: HIRE_ID }, 'withdraw 0, leaveOpen false'],
    ['collect', 'POST /payments/collect', { hireId: HIRE_ID }, 'collect one, own account open'],
  ] as const)('of %s is built by %s', async (flow, operation, order, name) => {
    const { service, client } = start({
      [operation]: answer(name),
      ...relayed,
      'GET /payments/transactions/p1': outcome('landed'),
    })
    await client[flow](order)
    expect(service.sent.find((sent) => sent.operation === operation)?.body).toEqual(order)
  })

  it('opens a refund account before the first funding of a job, and waits until nodes see it', async () => {
    const missing = problem(409, 'refund_account_missing')
    const { service, client } = start({
      'POST /payments/jobs/fund': [missing, missing, answer('fund job')],
      'POST /payments/jobs/refund-account': answer('open refund account'),
      ...relayed,
      'GET /payments/transactions/p1': outcome('landed'),
    })
    expect(await client.fundJob({ job: seenJob, input: 'Good morning!' })).toMatchObject({ status: 'landed' })
    const built = service.sent.filter(({ operation }) => operation.startsWith('POST /payments/jobs/'))
    const funding = ['POST /payments/jobs/fund', { jobId: JOB_ID, input: 'Good morning!' }]
    expect(built.map(({ operation, body }) => [operation, body])).toEqual([
      funding,
      ['POST /payments/jobs/refund-account', { jobId: JOB_ID }],
      funding,
      funding,
    ])
    expect(service.slept).toEqual([2_000])
  })

  it('gives up when no node sees the refund account', async () => {
    const { service, client } = start({
      'POST /payments/jobs/fund': problem(409, 'refund_account_missing'),
      'POST /payments/jobs/refund-account': answer('open refund account'),
      ...relayed,
      'GET /payments/transactions/p1': outcome('landed'),
    })
    await expect(client.fundJob({ job: seenJob })).rejects.toMatchObject({ code: 'refund_account_missing' })
    expect(service.operations().filter((name) => name.endsWith('/refund-account'))).toHaveLength(1)
  })

  it('opens a payout account with nothing but the session', async () => {
    const { service, client } = start({
      'POST /payments/collectors': answer('open payout account'),
      ...relayed,
      'GET /payments/transactions/p1': outcome('landed'),
    })
    await client.openCollector()
    const sent = service.sent.find(({ operation }) => operation === 'POST /payments/collectors')
    expect(sent).toMatchObject({ body: {}, token: expect.any(String) })
  })

  it('is refused before it is built when the wallet can not sign without sending', async () => {
    const signAndSendTransaction = async () => new Uint8Array(64)
    const { service, client } = start({ 'POST /payments/collect': built }, { signAndSendTransaction })
    await expect(client.collect()).rejects.toMatchObject({ code: 'wallet_incapable' })
    await expect(client.withdraw({ hireId: HIRE_ID })).rejects.toMatchObject({ code: 'wallet_incapable' })
    expect(service.sent).toEqual([])
  })

  it('funds a budget with a wallet that sends, and waits for the service to find it', async () => {
    const sent: Uint8Array[] = []
    const signAndSendTransaction = async (transaction: Uint8Array) => sent.push(transaction)
    const { service, client } = start(
      {
        'POST /payments/budgets': built,
        'GET /payments/transactions/p1': [...Array(20).fill(outcome('unsigned')), outcome('landed')],
      },
      { signAndSendTransaction },
    )
    expect(await client.fund(FUNDING)).toMatchObject({ status: 'landed' })
    expect(sent.map(base64)).toEqual([built.transaction])
    expect(service.sent.map(({ operation }) => operation)).not.toContain('POST /payments/transactions')
    expect(await client.waitForPayment('p1')).toMatchObject({ status: 'landed' })
  })

  it('names the step at which it fails, and the transaction once there is one', async () => {
    const refused = start({ 'POST /payments/budgets': problem(409, 'collector_missing') })
    await expect(refused.client.fund(FUNDING)).rejects.toMatchObject({
      code: 'collector_missing',
      step: 'build',
      transactionId: undefined,
    })
    const failed = start({
      'POST /payments/budgets': built,
      ...relayed,
      'GET /payments/transactions/p1': outcome('failed', { reason: 'failed_on_chain' }),
    })
    await expect(failed.client.fund(FUNDING)).rejects.toMatchObject({
      code: 'transaction_failed',
      step: 'wait',
      transactionId: 'p1',
    })
  })
})
