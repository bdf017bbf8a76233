import { describe, expect, it } from 'vitest'
import type { Facts } from '../../../../lib/client/verify/facts.ts'
import type { Order, Summary } from '../../../../lib/client/verify/order.ts'
import { verify } from '../../../../lib/client/verify/verify.ts'
import { addressOf } from '../../../../lib/solana/address.ts'
import { associatedTokenAddress } from '../../../../lib/solana/programs/associated-token.ts'
import {
  agentOwner,
  buildAll,
  FEE_BPS,
  factsOf,
  HIRE_ID,
  JOB_ID,
  mint,
  wallet,
} from '../../../support/built-transactions.ts'
import { type RawMessage, rawOf, writeRaw } from '../../../support/raw-message.ts'
import { messageOf } from '../../../support/tampering.ts'

const bytesOf = (transaction: string) => new Uint8Array(Buffer.from(transaction, 'base64'))
const all = [...(await buildAll(1)), ...(await buildAll(2))]
/** An order of each flow. */
const orders = [...new Map(all.map(({ order }) => [order.flow, order])).values()]
const stranger = addressOf(new Uint8Array(32).fill(99))

describe('a transaction of the service', () => {
  it.each(all)('passes: $name', ({ order, transaction }) => {
    expect(verify(order, bytesOf(transaction), wallet, factsOf(2))).toMatchObject({ flow: order.flow })
  })

  it.each(all)('is no other order’s: $name', ({ order, transaction }) => {
    for (const other of orders)
      if (other.flow !== order.flow)
        expect(() => verify(other, bytesOf(transaction), wallet, factsOf(2))).toThrow('Nothing was signed')
  })
})

const builtOf = (name: string) => all.find((one) => one.name.startsWith(name)) ?? expect.fail(name)

type Given = {
  order?: Partial<Order> | object
  facts?: Partial<Facts>
  change?: (message: RawMessage) => void
}

/** Verifies a real transaction with another order, other facts or a change. */
function verified(name: string, { order = {}, facts = {}, change }: Given = {}): Summary {
  const built = builtOf(name)
  const message = rawOf(messageOf(built.transaction))
  change?.(message)
  const [signers] = message.header
  const bytes = new Uint8Array([signers, ...new Uint8Array(64 * signers), ...writeRaw(message)])
  return verify({ ...built.order, ...order } as Order, bytes, wallet, { ...factsOf(2), ...facts })
}

describe('the summary', () => {
  it.each([
    [
      'fund, opening number 0 with 0',
      { payee: agentOwner, paid: 5_000_000_000n, approved: 5_000_000_000n, rents: 2_039_280n, fee: 5_200n },
    ],
    ['fund, opening number 0 with 1000', { rents: 2_038_280n }],
    ['fund, top-up', { payee: agentOwner, paid: 5_000_000_000n, approved: 5_000_000_007n, rents: 0n }],
    ['withdraw 12345', { payee: undefined, paid: 0n, received: 12_345n, rents: 2_039_280n }],
    ['withdraw 0', { received: 0n, rents: 0n }],
    [
      'collect one, own account absent',
      { received: 990_000n, protocolFee: 10_000n, rents: 2_039_280n, fee: 10_200n },
    ],
    ['open payout account with 0', { paid: 0n, rents: 3_361_680n, fee: 5_200n }],
    ['open vault with 5', { paid: 0n, lockDays: 0, rents: 3_361_675n }],
    [
      'stake, service_first, vault absent',
      { paid: 1_500_000_000n, yield: 12_328_767n, lockDays: 30, rents: 5_400_960n },
    ],
    ['stake, wallet_first, vault open', { rents: 2_039_280n, fee: 10_200n }],
    ['unstake', { received: 1_512_000_000n }],
    ['claim, wallet_first', { received: 213n }],
    ['close account of 9', { received: 9n, rents: 2_039_280n }],
    ['close account of 0', { received: 0n, rents: 0n }],
    ['buy credit', { paid: 3_500_000_000n, rents: 0n, fee: 10_200n }],
    ['open refund account with 0', { paid: 0n, rents: 3_361_680n, fee: 5_200n }],
    [
      'fund job',
      { payee: agentOwner, paid: 5_000_000_000n, approved: 5_000_000_000n, rents: 2_039_280n, fee: 10_200n },
    ],
    ['refund job, all, own', { paid: 0n, received: 2_000_000_000n, rents: 2_039_280n, fee: 10_200n }],
    ['refund job, all, left open, own', { paid: 0n, received: 2_000_000_000n, rents: 2_039_280n }],
    ['refund job, guarded part, fresh', { received: 2_000_000_000n, rents: 2_039_280n }],
    ['collect jobs, six', { received: 490_050_000_000n, protocolFee: 4_950_000_000n, rents: 0n }],
    ['collect jobs, five guarded', { received: 4_950_000_000n, protocolFee: 50_000_000n }],
    ['close escrows: 2', { paid: 0n, received: 0n, rents: 0n, fee: 5_200n }],
  ])('says what moves: %s', (name, summary) => {
    expect(verified(name)).toMatchObject(summary)
  })

  it('names the delegate as the payee of a funding without an owner', () => {
    const { payee } = verified('fund, top-up, no owner named')
    expect(payee).not.toBe(agentOwner)
    expect(payee).toMatch(/^\w{43,44}$/)
  })
})

const number = (value: number | bigint, length = 8): number[] =>
  Array.from({ length }, (_, index) => Number((BigInt(value) >> BigInt(8 * index)) & 255n))

/** Changes the data of an instruction, counted from the end if negative. */
const withData =
  (at: number, from: number, bytes: number[]) =>
  ({ instructions }: RawMessage) =>
    void instructions.at(at)?.data.splice(from, bytes.length, ...bytes)

const withKey =
  (account: string, to: string) =>
  ({ keys }: RawMessage) => {
    const index = keys.indexOf(account)
    if (index < 0) throw new Error('no such account')
    keys[index] = to
  }

const [treasury] = await Promise.all(
  factsOf(1).vaultKeys.map(({ authority }) => associatedTokenAddress(authority as never, mint)),
)

const OTHER_JOB = JOB_ID.replace('0', '1')

describe('a transaction is refused', () => {
  it.each<[string, string, Given, string]>([
    ['for another price of a job', 'fund job', { order: { price: 4_999_999_999n } }, 'has other'],
    ['for another owner of a job’s agent', 'fund job', { order: { owner: stranger } }, 'has other'],
    ['for other terms of a job', 'fund job', { order: { termsHash: 'cd'.repeat(32) } }, 'has other'],
    ['for another job to fund', 'fund job', { order: { jobId: OTHER_JOB } }, 'has other'],
    ['for another job to pay back', 'refund job', { order: { jobId: OTHER_JOB } }, 'has other'],
    ['when it pays back too little', 'refund job', { order: { atLeast: 2_000_000_001n } }, 'are due'],
    ['when its fee is above the job’s', 'collect jobs, six', { order: { feeBps: 99 } }, '99 basis points'],
    [
      'when it collects from more than one job',
      'collect jobs, six',
      { order: { jobId: JOB_ID } },
      'at most 1',
    ],
    ['when it closes more than one escrow', 'close escrows: 2', { order: { jobId: JOB_ID } }, 'at most 1'],
    [
      'when it opens a refund account without a known recovery key',
      'open refund account',
      { facts: { paymentKeys: factsOf(2).paymentKeys.map(({ recovery: _, ...keys }) => keys) } },
      'no recovery key',
    ],
    [
      'when it opens a refund account with another recovery key',
      'open refund account',
      { facts: { paymentKeys: factsOf(2).paymentKeys.map((keys) => ({ ...keys, recovery: stranger })) } },
      'has other',
    ],
    ...(['open refund account', 'fund job'] as const).map((name): [string, string, Given, string] => [
      `under keys that are not pinned: ${name}`,
      name,
      { facts: { paymentKeys: factsOf(2).paymentKeys.map((keys) => ({ ...keys, isNew: true })) } },
      'the option deployment does not have',
    ]),
    ['for another amount of a funding', 'fund, opening', { order: { amount: 4_999_999_999n } }, 'has other'],
    [
      'for another hire',
      'fund, opening',
      { order: { hireId: HIRE_ID.replace('0', '1') } },
      'none of the first 16',
    ],
    ['for another owner', 'fund, top-up', { order: { owner: stranger } }, 'another account collect'],
    [
      'for another hire to withdraw',
      'withdraw 12345',
      { order: { hireId: HIRE_ID.replace('0', '1') } },
      'none of the first 16',
    ],
    [
      'when it leaves an account open',
      'withdraw 12345, leaveOpen true',
      { order: { leaveOpen: false } },
      'instructions',
    ],
    [
      'when it closes an account',
      'withdraw 12345, leaveOpen false',
      { order: { leaveOpen: true } },
      'instructions',
    ],
    ['for another mint, such as wrapped SOL', 'stake', { facts: { mint: stranger } }, 'has other'],
    ['for another amount of a stake', 'stake', { order: { amount: 1n } }, 'yield'],
    ['for other lock days', 'stake', { order: { lockDays: 365 } }, 'yield'],
    ['with less yield than its terms', 'stake', { change: withData(-2, 1, number(12_328_766)) }, 'yield'],
    [
      'when a stake earns less than its lock time does',
      'stake, wallet_first',
      {
        change(message) {
          const memo = message.instructions.at(-1)?.data ?? []
          const text = String.fromCharCode(...memo)
          const lower = text.replace('1000 bps', '0999 bps').replace('0.012328767', '0.012316438')
          memo.splice(0, memo.length, ...Buffer.from(lower))
          withData(-2, 1, number(12_316_438))(message)
        },
      },
      'at least 1000 are due',
    ],
    ['with a vault of unknown keys', 'stake', { facts: { vaultKeys: [] } }, 'not of this deployment'],
    [
      'when it opens a vault with another recovery key',
      'open vault',
      { facts: { vaultKeys: factsOf(2).vaultKeys.map((keys) => ({ ...keys, recovery: stranger })) } },
      'other accounts',
    ],
    [
      'when it opens a vault with another authority',
      'open vault',
      { facts: { vaultKeys: factsOf(2).vaultKeys.map((keys) => ({ ...keys, authority: stranger })) } },
      'other accounts',
    ],
    [
      'when it opens a payout account with another key',
      'open payout account',
      { facts: { paymentKeys: [{ version: 1, authority: stranger }] } },
      'other accounts',
    ],
    ['when two of three signers are enough', 'open vault', { change: withData(-2, 1, [2]) }, 'other data'],
    [
      'when it moves more than the rent',
      'open vault',
      { change: withData(2, 4, number(3_361_681)) },
      'as rent',
    ],
    [
      'when a new account gets more than its rent',
      'stake, wallet_first',
      { change: withData(2, 76, number(2_039_281)) },
      'as rent',
    ],
    [
      'when a seed is not the service’s',
      'stake, wallet_first',
      { change: withData(2, 44, [65]) },
      'has other',
    ],
    [
      'when its fee is above the stated one',
      'collect five',
      { facts: { feeBps: FEE_BPS - 1 } },
      'basis points',
    ],
    [
      'when its fee goes elsewhere',
      'collect five',
      { change: withKey(treasury ?? '', stranger) },
      'not of this deployment',
    ],
    ['when several hires are collected', 'collect five', { order: { hireId: HIRE_ID } }, 'at most 1'],
    ['when several positions are claimed', 'claim, wallet_first', { order: { positionId: 3 } }, 'at most 1'],
    [
      'when it pays elsewhere than to the treasury',
      'buy credit',
      { change: withKey(treasury ?? '', stranger) },
      'not of this deployment',
    ],
    ['for another amount of credit', 'buy credit', { order: { amount: 3_499_999_999n } }, 'other data'],
    [
      'when its fee is above the cap',
      'claim, wallet_first',
      { change: withData(1, 1, number(4_950_001n)) },
      'network fee is 0.001000001 SOL',
    ],
    [
      'with another compute limit',
      'claim, wallet_first',
      { change: withData(0, 1, number(199_999, 4)) },
      'compute limit',
    ],
    [
      'with another memo',
      'claim, wallet_first',
      { change: withData(-1, 0, [97]) },
      'instruction 7 (memo) has other data',
    ],
    [
      'with a memo of another id form',
      'claim, wallet_first',
      { change: withData(-1, 16, [88]) },
      '(memo) has other data',
    ],
    [
      'with an account that no instruction uses',
      'claim, wallet_first',
      {
        change: (message) => {
          message.keys.push(stranger)
          message.header[2] += 1
        },
      },
      'other roles',
    ],
    [
      'with an account that need not be writable',
      'claim, wallet_first',
      {
        change: ({ header }) => {
          header[2] -= 1
        },
      },
      'other roles',
    ],
    [
      'with a version',
      'claim, wallet_first',
      {
        change: (message) => {
          message.version = 0x80
          message.tail = [0]
        },
      },
      'malformed',
    ],
    [
      'with bytes that follow',
      'claim, wallet_first',
      { change: ({ tail }) => void tail.push(0) },
      'malformed',
    ],
    [
      'with an account twice',
      'claim, wallet_first',
      {
        change: ({ keys }) => {
          keys[keys.length - 1] = keys[2] as string
        },
      },
      'listed twice',
    ],
  ])('%s', (_why, name, given, difference) => {
    expect(() => verified(name)).not.toThrow()
    expect(() => verified(name, given)).toThrow(difference)
  })

  it('when the wallet’s own token account pays a claim', async () => {
    const own = await associatedTokenAddress(wallet as never, mint)
    const position = addressOf(new Uint8Array(32).fill(70))
    expect(() => verified('claim, wallet_first, fresh', { change: withKey(position, own) })).toThrow(
      'to an account that pays',
    )
  })

  it('for another wallet', () => {
    const { order, transaction } = builtOf('claim')
    expect(() => verify(order, bytesOf(transaction), agentOwner, factsOf(2))).toThrow('another wallet')
  })

  it('with a signature of the wallet', () => {
    const { order, transaction } = builtOf('claim')
    const bytes = bytesOf(transaction)
    bytes[64] = 1
    expect(() => verify(order, bytes, wallet, factsOf(2))).toThrow('signature is not empty')
  })

  it('when it is cut off anywhere', () => {
    const { order, transaction } = builtOf('claim')
    const bytes = bytesOf(transaction)
    for (let length = 0; length < bytes.length; length += 1)
      expect(() => verify(order, bytes.slice(0, length), wallet, factsOf(2))).toThrow('Nothing was signed')
  })

  it('when it is longer than a packet', () => {
    const { order } = builtOf('claim')
    expect(() => verify(order, new Uint8Array(1_233), wallet, factsOf(2))).toThrow('there are too many')
    expect(() => verify(order, new Uint8Array(1_232), wallet, factsOf(2))).not.toThrow('there are too many')
  })

  it('just below the caps it passes', () => {
    const { fee } = verified('claim, wallet_first', { change: withData(1, 1, number(4_950_000n)) })
    expect(fee).toBe(1_000_000n)
    expect(verified('open vault with 0', { change: withData(2, 4, number(3_361_680)) }).rents).toBe(
      3_361_680n,
    )
  })
})
