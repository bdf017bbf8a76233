import { describe, expect, it, vi } from 'vitest'
import { createClient, type Progress, type Wallet } from '../../../lib/client/index.ts'
import { answerOf, buildAll, factsOf, wallet as publicKey } from '../../support/built-transactions.ts'
import { createFakeService, loginReplies, problem, type Reply } from '../../support/fake-service.ts'

const all = await buildAll(1)
/** The answer with a transaction of this name. */
const answer = (name: string, id: string, rest = {}) => answerOf(all, name, { id, ...rest })
const built = (id: string, rest = {}) => answer('stake, wallet_first, vault open', id, rest)
const opening = (id: string) => answer('open vault with 0', id, { step: 'open_vault' })
const outcome = (status: string, rest = {}) => ({ id: 't1', status, ...rest })
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
  const steps: (string | undefined)[] = []
  const onStep = ({ step, transaction }: Progress) => steps.push(`${step} ${transaction?.id ?? ''}`.trim())
  return { service, steps, onStep, client: createClient({ ...service.options, wallet }) }
}

const STAKE = { amount: 1_500_000_000n, lockDays: 30 } as const

describe('a transaction', () => {
  it('is built for a wallet that signs first, signed, relayed and waited for', async () => {
    const { service, client, steps, onStep } = start({
      'POST /vault/stack': built('t1', { step: 'stack' }),
      'POST /vault/transactions': { id: 't1', signature: 's' },
      'GET /vault/transactions/t1': [
        outcome('unsigned'),
        outcome('open'),
        outcome('landed', { positionId: 3 }),
      ],
    })
    expect(await client.stake(STAKE, { onStep })).toMatchObject({ status: 'landed', positionId: 3 })
    expect(steps).toEqual(['build', 'sign t1', 'send t1', 'wait t1'])
    const bodies = service.sent.flatMap(({ body }) => body ?? []).slice(1)
    expect(bodies).toEqual([
      { amount: 1_500_000_000, lockDays: 30, signing: 'wallet_first' },
      { id: 't1', transaction: base64(await signTransaction(bytesOf(built('t1').transaction))) },
    ])
    expect(service.slept).toEqual([2_000, 2_000])
  })

  it('opens the vault before a first stake', async () => {
    const { client, steps, onStep } = start({
      'POST /vault/stack': [opening('t0'), built('t1', { step: 'stack' })],
      'POST /vault/transactions': { id: 't', signature: 's' },
      'GET /vault/transactions/t0': outcome('landed'),
      'GET /vault/transactions/t1': outcome('landed', { positionId: 0 }),
    })
    expect(await client.stake(STAKE, { onStep })).toMatchObject({ positionId: 0 })
    expect(steps.filter((step) => step !== 'build')).toEqual([
      'sign t0',
      'send t0',
      'wait t0',
      'sign t1',
      'send t1',
      'wait t1',
    ])
  })

  it('is built signed for a wallet that sends itself', async () => {
    const signAndSendTransaction = vi.fn(async () => undefined)
    const unstaking = answer('unstake, service_first', 't1')
    const { service, client, steps, onStep } = start(
      { 'POST /vault/unstack': unstaking, 'GET /vault/transactions/t1': outcome('landed') },
      { signAndSendTransaction },
    )
    await client.unstake({ positionId: 2 }, { onStep })
    expect(steps).toEqual(['build', 'sign t1', 'wait t1'])
    expect(signAndSendTransaction.mock.calls).toEqual([[bytesOf(unstaking.transaction)]])
    expect(service.sent.flatMap(({ body }) => body ?? []).at(-1)).toEqual({
      positionId: 2,
      signing: 'service_first',
    })
  })

  it.each([
    ['claim', 'POST /vault/claim', { signing: 'wallet_first' }, 'claim, wallet_first'],
    [
      'closeLeftovers',
      'POST /vault/leftovers',
      { positionId: 1, signing: 'wallet_first' },
      'close account of 9, wallet_first',
    ],
  ] as const)('%s goes the same way', async (flow, operation, body, name) => {
    const { service, client } = start({
      [operation]: answer(name, 't1'),
      'POST /vault/transactions': { id: 't1', signature: 's' },
      'GET /vault/transactions/t1': outcome('landed'),
    })
    await (flow === 'claim' ? client.claim() : client.closeLeftovers({ positionId: 1 }))
    expect(service.sent.find((sent) => sent.operation === operation)?.body).toEqual(body)
  })
})

describe('a transaction that fails says at which step, and why', () => {
  const relayed = { 'POST /vault/transactions': { id: 't1', signature: 's' } }

  it('when the service does not build it', async () => {
    const { client } = start({ 'POST /vault/stack': problem(503, 'stacking_paused') })
    await expect(client.stake(STAKE)).rejects.toMatchObject({
      code: 'stacking_paused',
      step: 'build',
      status: 503,
      requestId: 'r-1',
      transactionId: undefined,
    })
  })

  it('when the wallet has less than the stake: it is not asked to sign', async () => {
    const sign = vi.fn(signTransaction)
    const unfunded = built('t1', { quote: { funded: false, amount: 1_500_000_000 } })
    const { client } = start({ 'POST /vault/stack': unfunded }, { signTransaction: sign })
    await expect(client.stake(STAKE)).rejects.toMatchObject({
      code: 'not_funded',
      message: 'The wallet holds less than 1.5 CRED.',
    })
    expect(sign).not.toHaveBeenCalled()
  })

  it('when the wallet’s owner declines', async () => {
    const declined = new Error('User rejected the request.')
    const { client } = start(
      { 'POST /vault/stack': built('t1') },
      { signTransaction: () => Promise.reject(declined) },
    )
    await expect(client.stake(STAKE)).rejects.toMatchObject({
      code: 'wallet_refused',
      step: 'sign',
      transactionId: 't1',
      cause: declined,
    })
  })

  it('when the service does not send it', async () => {
    const { client } = start({
      'POST /vault/stack': built('t1'),
      'POST /vault/transactions': problem(409, 'transaction_expired'),
    })
    await expect(client.stake(STAKE)).rejects.toMatchObject({
      code: 'transaction_expired',
      step: 'send',
      transactionId: 't1',
    })
  })

  it.each([
    ['expired', {}, 'transaction_expired'],
    ['failed', { reason: 'vault_foreign' }, 'transaction_failed'],
  ])('when it %s', async (status, rest, code) => {
    const { client } = start({
      'POST /vault/stack': built('t1'),
      ...relayed,
      'GET /vault/transactions/t1': [outcome('open'), outcome(status, rest)],
    })
    await expect(client.stake(STAKE)).rejects.toMatchObject({ code, step: 'wait', transactionId: 't1' })
  })

  it('when nothing is known after three minutes; it can be waited for again', async () => {
    const open = Array.from({ length: 95 }, () => outcome('open'))
    const { client, service } = start({
      'POST /vault/stack': built('t1'),
      ...relayed,
      'GET /vault/transactions/t1': [...open, outcome('landed')],
    })
    await expect(client.stake(STAKE)).rejects.toMatchObject({ code: 'outcome_unknown', step: 'wait' })
    expect(service.slept).toHaveLength(90)
    expect(await client.waitForTransaction('t1')).toMatchObject({ status: 'landed' })
  })

  it('when the vault that was opened is not seen: nothing passes for a stake', async () => {
    const { client, service } = start({
      'POST /vault/stack': opening('t1'),
      ...relayed,
      'GET /vault/transactions/t1': outcome('landed'),
    })
    await expect(client.stake(STAKE)).rejects.toMatchObject({ code: 'outcome_unknown', step: 'build' })
    expect(service.operations().filter((name) => name === 'POST /vault/transactions')).toHaveLength(3)
  })

  it('when the wallet can sign no transactions, before anything is built', async () => {
    const { client, service } = start({}, {})
    await expect(client.stake(STAKE)).rejects.toMatchObject({ code: 'wallet_incapable' })
    expect(service.sent).toEqual([])
  })

  it('when the service was not given it for ten seconds: nothing was sent', async () => {
    const { client, service } = start({ 'GET /vault/transactions/t1': outcome('unsigned') })
    await expect(client.waitForTransaction('t1')).rejects.toMatchObject({
      code: 'not_sent',
      transactionId: 't1',
    })
    expect(service.slept).toHaveLength(5)
  })

  it('when the amount is beyond what the service takes', async () => {
    const { client } = start({})
    await expect(client.stake({ ...STAKE, amount: 2n ** 53n })).rejects.toMatchObject({
      code: 'invalid_request',
      step: 'build',
      message: expect.stringContaining('9007199254740992 exceeds 2^53-1'),
    })
  })

  it('when it is given up while the wallet never answers: at once, and nothing is sent', async () => {
    const controller = new AbortController()
    const { client, service, onStep } = start(
      { 'POST /vault/stack': built('t1'), ...relayed },
      { signTransaction: () => new Promise(() => {}) },
    )
    const staked = client.stake(STAKE, {
      signal: controller.signal,
      onStep: (progress) => {
        onStep(progress)
        if (progress.step === 'sign') setTimeout(() => controller.abort(new Error('enough')))
      },
    })
    await expect(staked).rejects.toThrow('enough')
    expect(service.operations()).not.toContain('POST /vault/transactions')
  })

  it('when it is given up after the wallet has sent it: as one that is waited for', async () => {
    const controller = new AbortController()
    const { client, steps, onStep } = start(
      { 'POST /vault/stack': built('t1'), 'GET /vault/transactions/t1': outcome('open') },
      { signAndSendTransaction: async () => undefined },
    )
    const staked = client.stake(STAKE, {
      signal: controller.signal,
      onStep: (progress) => {
        onStep(progress)
        if (progress.step === 'wait') controller.abort(new Error('enough'))
      },
    })
    await expect(staked).rejects.toThrow('enough')
    expect(steps).toEqual(['build', 'sign t1', 'wait t1'])
  })

  it('when it is given up before it is sent: then nothing is sent', async () => {
    const controller = new AbortController()
    const { client, service } = start(
      { 'POST /vault/stack': built('t1'), ...relayed },
      {
        signTransaction: async (bytes) => {
          controller.abort(new Error('enough'))
          return bytes
        },
      },
    )
    await expect(client.stake(STAKE, { signal: controller.signal })).rejects.toThrow('enough')
    expect(service.operations()).not.toContain('POST /vault/transactions')
  })
})
