import { describe, expect, it } from 'vitest'
import { createClient, type Wallet } from '../../../../lib/client/index.ts'
import { type Facts, mergeFacts } from '../../../../lib/client/verify/facts.ts'
import { addressOf } from '../../../../lib/solana/address.ts'
import {
  agentOwner,
  answerOf,
  buildAll,
  factsOf,
  HIRE_ID,
  wallet as publicKey,
} from '../../../support/built-transactions.ts'
import { createFakeService, loginReplies, problem, type Reply } from '../../../support/fake-service.ts'

/* What a client compares transactions with: pinned, stated by the host, and after a rotation. */

const [before, after] = [await buildAll(1), await buildAll(2)]
const other = addressOf(new Uint8Array(32).fill(77))
const CREDIT = { amount: 3_500_000_000n }

/** A client of a host that answers with transactions under a key version, and states these facts. */
function start(version: 1 | 2, stated: Reply | Reply[], deployment?: Facts) {
  const built = (name: string, rest = {}) =>
    answerOf(version === 1 ? before : after, name, { id: 't', ...rest })
  const replies: Record<string, Reply | Reply[]> = {}
  const service = createFakeService(replies)
  Object.assign(replies, loginReplies(service.clock), {
    'GET /payments/deployment': stated,
    'POST /payments/credit': built('buy credit'),
    'POST /payments/collect': built('collect five'),
    'POST /payments/collectors': built('open payout account'),
    'POST /payments/budgets': built('fund, top-up'),
    'POST /payments/budgets/withdraw': built('withdraw 12345, leaveOpen false'),
    'POST /vault/claim': built('claim, wallet_first'),
    'POST /vault/unstack': built('unstake, wallet_first'),
    'POST /vault/leftovers': built('close account of 9, wallet_first'),
    'POST /vault/stack': built('stake, wallet_first, vault open'),
    'POST /vault/transactions': { id: 't', signature: 's' },
    'POST /payments/transactions': { id: 't', signature: 's' },
    'GET /vault/transactions/t': { id: 't', status: 'landed' },
    'GET /payments/transactions/t': { id: 't', status: 'landed' },
  })
  const wallet: Wallet = {
    publicKey,
    signMessage: () => new Uint8Array(64),
    signTransaction: async (bytes) => bytes,
  }
  return { service, replies, client: createClient({ ...service.options, wallet, deployment, retries: 0 }) }
}

const FUNDING = { hireId: HIRE_ID, amount: 5_000_000_000n, owner: agentOwner }
const unexpected = (message: string) => ({
  code: 'transaction_unexpected',
  message: expect.stringContaining(message),
})

describe('a client without `deployment`', () => {
  it('reads the facts once for many flows', async () => {
    const { client, service } = start(1, factsOf(1))
    await client.buyCredit(CREDIT)
    await client.collect()
    expect(service.operations().filter((name) => name === 'GET /payments/deployment')).toHaveLength(1)
  })

  it('reads them again after a rotation, and takes the new version', async () => {
    const { client, replies } = start(1, [factsOf(1), factsOf(2)])
    await client.collect()
    replies['POST /payments/collect'] = answerOf(after, 'collect five', { id: 't' })
    await client.collect()
  })

  it('signs nothing when the host changes what it has stated', async () => {
    const [first] = factsOf(1).vaultKeys
    const changes: Partial<Facts>[] = [
      { mint: other },
      { vaultKeys: [{ version: 1, authority: other, recovery: first?.recovery ?? '' }] },
      { vaultKeys: [{ version: 1, authority: first?.authority ?? '', recovery: other }] },
      { paymentKeys: [{ version: 1, authority: other }] },
      { paymentKeys: factsOf(1).paymentKeys.map((keys) => ({ ...keys, recovery: other })) },
    ]
    for (const change of changes) {
      const { client, replies } = start(1, [factsOf(1), { ...factsOf(1), ...change }])
      await client.collect()
      replies['POST /payments/collect'] = answerOf(after, 'collect five', { id: 't' })
      await expect(client.collect()).rejects.toMatchObject(unexpected('the service states'))
    }
  })

  it('signs nothing when the host changes it between two flows at once', async () => {
    const changed = { ...factsOf(1), mint: other }
    const { client } = start(1, [factsOf(1), changed])
    const [first, second] = await Promise.allSettled([client.collect(), client.buyCredit(CREDIT)])
    expect([first.status, second.status]).toEqual(['fulfilled', 'rejected'])
  })

  it('passes on that the facts can’t be read', async () => {
    const { client } = start(1, problem(404, 'unknown_path'))
    await expect(client.collect()).rejects.toMatchObject({
      code: 'unknown_path',
      step: 'build',
      transactionId: 't',
    })
  })

  it('signs nothing when the facts are not facts', async () => {
    for (const facts of [{}, { ...factsOf(1), mint: 'no address' }, { ...factsOf(1), feeBps: 0.5 }])
      await expect(start(1, facts).client.collect()).rejects.toMatchObject({ code: 'transaction_unexpected' })
  })
})

describe('a client with `deployment`', () => {
  it('signs with the pinned facts when the host has none', async () => {
    const { client } = start(1, problem(404, 'unknown_path'), factsOf(1))
    await client.collect()
    await client.buyCredit(CREDIT)
  })

  it('signs nothing when the host contradicts them', async () => {
    for (const change of [{ mint: other }, { paymentKeys: [{ version: 1, authority: other }] }]) {
      const { client } = start(1, { ...factsOf(1), ...change }, factsOf(1))
      await expect(client.collect()).rejects.toMatchObject(unexpected('the service states'))
    }
  })

  it('signs nothing when the host’s facts are not facts', async () => {
    for (const stated of [{}, { mint: factsOf(1).mint }, { ...factsOf(1), vaultKeys: [null] }])
      await expect(start(1, stated, factsOf(1)).client.collect()).rejects.toMatchObject({
        code: 'transaction_unexpected',
      })
  })

  it('takes the fee from them, whatever the host states', async () => {
    const { client } = start(1, { ...factsOf(1), feeBps: 100 }, { ...factsOf(1), feeBps: 99 })
    await expect(client.collect()).rejects.toMatchObject(unexpected('more than 99 basis points'))
  })

  it('pays itself under a new key version, and nobody else', async () => {
    const { client } = start(2, factsOf(2), factsOf(1))
    await client.claim()
    await client.unstake({ positionId: 3 })
    await client.closeLeftovers({ positionId: 3 })
    await client.withdraw({ hireId: HIRE_ID })
    await client.fund(FUNDING)
    const refused = unexpected('key version 2, which the option deployment does not have')
    await expect(client.stake({ amount: 1_500_000_000n, lockDays: 30 })).rejects.toMatchObject(refused)
    await expect(client.openCollector()).rejects.toMatchObject(refused)
    await expect(client.collect()).rejects.toMatchObject(refused)
    await expect(client.buyCredit(CREDIT)).rejects.toMatchObject(refused)
  })

  it('signs under the new version once it is pinned', async () => {
    const { client } = start(2, factsOf(2), factsOf(2))
    await client.stake({ amount: 1_500_000_000n, lockDays: 30 })
    await client.collect()
    await client.buyCredit(CREDIT)
    await client.openCollector()
  })
})

describe('the facts of a rotation', () => {
  it('keep what was known, also a version that the host no longer names', () => {
    const merged = mergeFacts(factsOf(2), factsOf(1), false)
    expect(merged).toEqual(factsOf(2))
    expect(mergeFacts(undefined, factsOf(1), false)).toEqual(factsOf(1))
  })

  it('take recovery keys that the host adds to known versions, unless others are pinned', () => {
    const withoutJobs = {
      ...factsOf(1),
      paymentKeys: factsOf(1).paymentKeys.map(({ recovery: _, ...keys }) => keys),
    }
    expect(mergeFacts(withoutJobs, factsOf(1), false)).toEqual(factsOf(1))
    expect(mergeFacts(withoutJobs, factsOf(1), true)).toEqual(withoutJobs)
    expect(mergeFacts(factsOf(1), withoutJobs, true)).toEqual(factsOf(1))
  })

  it('mark a version as new only if others are pinned', () => {
    const [, pinned] = mergeFacts(factsOf(1), factsOf(2), true).vaultKeys
    const [, stated] = mergeFacts(factsOf(1), factsOf(2), false).vaultKeys
    expect([pinned?.isNew, stated?.isNew]).toEqual([true, undefined])
  })
})
