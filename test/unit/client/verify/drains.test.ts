import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type Client, createClient, fromSecretKey, type Wallet } from '../../../../lib/client/index.ts'
import { type Address, addressOf } from '../../../../lib/solana/address.ts'
import type { Instruction } from '../../../../lib/solana/instruction.ts'
import { associatedTokenAddress } from '../../../../lib/solana/programs/associated-token.ts'
import { transfer } from '../../../../lib/solana/programs/system.ts'
import { approveChecked, transferChecked } from '../../../../lib/solana/programs/token.ts'
import {
  wallet as address,
  agentOwner,
  answerOf,
  type BuiltFlow,
  buildAll,
  factsOf,
  HIRE_ID,
  JOB_ID,
  mint,
  seenJob,
  walletKeys,
} from '../../../support/built-transactions.ts'
import { framed } from '../../../support/cosigning.ts'
import { createFakeService, loginReplies, problem } from '../../../support/fake-service.ts'
import { addWritable, indexIn, type RawMessage, rawOf, writeRaw } from '../../../support/raw-message.ts'
import { messageOf } from '../../../support/tampering.ts'

/* A hostile host answers each flow with transactions that empty the wallet. The wallet signs everything. */

const thief = addressOf(new Uint8Array(32).fill(99))
const all = await buildAll(1)
const own = await associatedTokenAddress(address, mint)
const thiefs = await associatedTokenAddress(thief, mint)
const AMOUNT = 1_000_000_000_000n

/** Each flow of the client, with the transaction that the service would answer. */
const FLOWS: [string, string, string, (client: Client) => Promise<unknown>][] = [
  [
    'stake',
    'POST /vault/stack',
    'stake, wallet_first, vault open',
    (client) => client.stake({ amount: 1_500_000_000n, lockDays: 30 }),
  ],
  [
    'opening of a vault',
    'POST /vault/stack',
    'open vault with 0',
    (client) => client.stake({ amount: 1_500_000_000n, lockDays: 30 }),
  ],
  ['unstake', 'POST /vault/unstack', 'unstake, wallet_first', (client) => client.unstake({ positionId: 3 })],
  ['claim', 'POST /vault/claim', 'claim, wallet_first', (client) => client.claim()],
  [
    'closeLeftovers',
    'POST /vault/leftovers',
    'close account of 9, wallet_first',
    (client) => client.closeLeftovers({ positionId: 3 }),
  ],
  [
    'fund',
    'POST /payments/budgets',
    'fund, opening',
    (client) => client.fund({ hireId: HIRE_ID, amount: 5_000_000_000n, owner: agentOwner }),
  ],
  [
    'top-up',
    'POST /payments/budgets',
    'fund, top-up',
    (client) => client.fund({ hireId: HIRE_ID, amount: 5_000_000_000n, owner: agentOwner }),
  ],
  [
    'withdraw',
    'POST /payments/budgets/withdraw',
    'withdraw 12345, leaveOpen false',
    (client) => client.withdraw({ hireId: HIRE_ID }),
  ],
  ['openCollector', 'POST /payments/collectors', 'open payout account', (client) => client.openCollector()],
  ['collect', 'POST /payments/collect', 'collect five', (client) => client.collect()],
  [
    'buyCredit',
    'POST /payments/credit',
    'buy credit',
    (client) => client.buyCredit({ amount: 3_500_000_000n }),
  ],
]

const jobFlow = (name: string) => `POST /payments/jobs/${name}`
FLOWS.push(
  [
    'opening of a refund account',
    jobFlow('refund-account'),
    'open refund account',
    (client) => client.fundJob({ job: seenJob }),
  ],
  ['fundJob', jobFlow('fund'), 'fund job', (client) => client.fundJob({ job: seenJob })],
  [
    'refundJob',
    jobFlow('refund'),
    'refund job, all, own',
    (client) => client.refundJob({ jobId: JOB_ID, atLeast: 2_000_000_000n }),
  ],
  ['collectJobs', jobFlow('collect'), 'collect jobs, six', (client) => client.collectJobs()],
  ['closeEscrows', jobFlow('close'), 'close escrows: 2', (client) => client.closeEscrows()],
)

const drains: Instruction[] = [
  transfer(address, thief, 9_900_000_000n),
  transferChecked(
    { source: own, mint, destination: thiefs, amount: AMOUNT, decimals: 9 },
    { owner: address },
  ),
]

/** Changes a real transaction. */
function changed(transaction: string, change: (message: RawMessage) => void): string {
  const message = rawOf(messageOf(transaction))
  change(message)
  const [signers] = message.header
  return Buffer.from([signers, ...new Uint8Array(64 * signers), ...writeRaw(message)]).toString('base64')
}

/** Inserts an instruction before the memo. The accounts of a drain are writable. */
const inserted = (transaction: string, { program, accounts, data }: Instruction): string =>
  changed(transaction, (message) => {
    for (const account of accounts)
      if (account.isWritable && !message.keys.includes(account.address)) addWritable(message, account.address)
    const indexes = accounts.map((account) => indexIn(message, account.address))
    const one = { program: indexIn(message, program), accounts: indexes, data: [...data] }
    message.instructions.splice(-1, 0, one)
  })

/** Replaces an account by the thief's, everywhere. */
const replaced = (transaction: string, account: Address): string =>
  changed(transaction, ({ keys }) => {
    const index = keys.indexOf(account)
    if (index > 0) keys[index] = thief
  })

const ATTACKS: Record<string, (real: string) => string> = {
  'everything to a thief': () => framed({ owner: walletKeys }, drains),
  'everything to a thief, with the memo of the flow': (real) =>
    changed(framed({ owner: walletKeys }, drains), (message) => {
      const { instructions, keys } = rawOf(messageOf(real))
      const memo = instructions.at(-1)
      if (memo)
        message.instructions.push({
          program: indexIn(message, keys[memo.program] as string),
          accounts: [0],
          data: memo.data,
        })
    }),
  'SOL to a thief, besides': (real) => inserted(real, drains[0] as Instruction),
  'CRED to a thief, besides': (real) => inserted(real, drains[1] as Instruction),
  'an approval of a thief, besides': (real) =>
    inserted(
      real,
      approveChecked(
        { account: own, mint, delegate: thief, amount: AMOUNT, decimals: 9 },
        { owner: address },
      ),
    ),
  'the authority over its account to a thief, besides': (real) =>
    inserted(real, {
      program: drains[1]?.program as Address,
      accounts: [
        { address: own, isSigner: false, isWritable: true },
        { address, isSigner: true, isWritable: true },
      ],
      data: new Uint8Array([6, 2, 1, ...new Uint8Array(32).fill(99)]),
    }),
  'a thief as any other account': (real) => {
    const { keys } = rawOf(messageOf(real))
    return replaced(real, keys[2] as Address)
  },
  'a hundred times the amounts': (real) =>
    changed(real, ({ instructions }) => {
      for (const { data } of instructions.slice(2, -1)) if (data.length >= 9) data[6] = 1
    }),
  'a fee of 10 SOL': (real) =>
    changed(real, ({ instructions: [, price] }) => price?.data.splice(1, 8, 0, 0, 0, 0, 12, 0, 0, 0)),
}

let signed: Uint8Array[]
let secret: Awaited<ReturnType<typeof fromSecretKey>>
beforeEach(async () => {
  signed = []
  secret = await fromSecretKey(walletKeys.secretKey)
})

/** A client whose host answers the operation so. */
function clientOf(operation: string, answer: object, pinned: boolean): Client {
  const all: Parameters<typeof createFakeService>[0] = {}
  const service = createFakeService(all)
  Object.assign(all, loginReplies(service.clock), {
    [operation]: answer,
    'GET /payments/deployment': factsOf(1),
    ...(operation.endsWith('refund-account') && {
      'POST /payments/jobs/fund': problem(409, 'refund_account_missing'),
    }),
    'POST /vault/transactions': { id: 't', signature: 's' },
    'POST /payments/transactions': { id: 't', signature: 's' },
    'GET /vault/transactions/t': { id: 't', status: 'landed' },
    'GET /payments/transactions/t': { id: 't', status: 'landed' },
  })
  const wallet: Wallet = {
    ...secret,
    signTransaction: vi.fn(async (bytes) => {
      signed.push(bytes)
      return secret.signTransaction?.(bytes) as Promise<Uint8Array>
    }),
  }
  return createClient({ ...service.options, wallet, deployment: pinned ? factsOf(1) : undefined })
}

/** The answer of an operation, which says that a stake needs the vault first if it does. */
const answerWith = (name: string, transaction: string) => ({
  ...answerOf(all, name, { id: 't' }),
  transaction,
  step: name.startsWith('open vault') ? 'open_vault' : undefined,
})
const realOf = (name: string) => (all.find((built) => built.name.startsWith(name)) as BuiltFlow).transaction

/** The attacks that change a flow. Closing moves no amounts, and the host may choose what it closes. */
const attacksOn = (flow: string): string[] =>
  Object.keys(ATTACKS).filter(
    (attack) => flow !== 'closeEscrows' || !/^(a thief as|a hundred times)/.test(attack),
  )

describe.each(FLOWS)('a %s', (flow, operation, name, run) => {
  it.each(attacksOn(flow))('signs nothing when the host answers with %s', async (attack) => {
    const transaction = ATTACKS[attack]?.(realOf(name)) ?? ''
    for (const pinned of [false, true]) {
      const client = clientOf(operation, answerWith(name, transaction), pinned)
      await expect(run(client)).rejects.toMatchObject({ code: 'transaction_unexpected', transactionId: 't' })
      expect(signed).toEqual([])
    }
  })
})

// After an opened vault or refund account the client asks for the stake or the funding itself.
it.each(FLOWS.filter(([, , name]) => !/^open (vault|refund)/.test(name)))(
  'a %s is signed as the service builds it',
  async (_flow, operation, name, run) => {
    for (const pinned of [false, true]) await run(clientOf(operation, answerWith(name, realOf(name)), pinned))
    expect(signed).toHaveLength(2)
  },
)
