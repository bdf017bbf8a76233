import { base58 } from '@scure/base'
import { Keypair, LAMPORTS_PER_SOL, SystemProgram } from '@solana/web3.js'
import { getCloseAccountInstruction, getTransferInstruction } from '@solana-program/token'
import type { PaymentPayload } from '@x402/core/types'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { u64 } from '../../lib/keys/bytes.ts'
import { LIGHTHOUSE_PROGRAM } from '../../lib/solana/programs/programs.ts'
import { connectDatabase } from '../support/database.ts'
import { indexIn, type RawMessage } from '../support/raw-message.ts'
import { AMOUNT } from '../support/request-payments.ts'
import { feePayer, keyOf, transactionOf } from '../support/x402.ts'
import { ataOf, key, send, signer } from './token-support.ts'
import { startFacilitator, without } from './x402-support.ts'

/*
 * The cost of draining the fee payer: each case counts its lamports before and after. The rows of
 * lib/x402/draining.md are these cases, by their titles.
 */

/** The network fee of the published client's payment: two signatures and one lamport of priority. */
const FEE = 10_001n
/** Both coins have nine decimals: one SOL of fees costs an owner a thousand CRED of its credit. */
const CRED_PER_SOL = 1_000n
/** The fees of a day in these cases: an owner's tenth pays for four payments. */
const FEES_OF_DAY = FEE * 4n * 10n
const DAY_MS = 86_400_000
const SLOT_MS = 400

let database: Awaited<ReturnType<typeof connectDatabase>>
beforeAll(async () => {
  database = await connectDatabase()
})
afterAll(() => database.close())

type Scene = Awaited<ReturnType<typeof startFacilitator>>
type Agent = Awaited<ReturnType<Scene['addAgent']>>
let scene: Scene
let agent: Agent
beforeEach(async () => {
  for (const table of ['request_payments', 'sponsored_days', 'payer_failures'])
    await database.db.$client.query(`delete from ${table}`)
  scene = await startFacilitator(database.db, { feesPerDay: FEES_OF_DAY })
  agent = await scene.addAgent(Keypair.generate())
})

/** A wallet that costs nothing, with so many tokens and some SOL. */
async function newPayer(amount = AMOUNT): Promise<Keypair> {
  const wallet = Keypair.generate()
  await scene.connection.requestAirdrop(wallet.publicKey, LAMPORTS_PER_SOL)
  if (amount > 0n) await scene.setTokens(keyOf(wallet), amount)
  return wallet
}
const newPayers = (count: number) => Promise.all(Array.from({ length: count }, () => newPayer()))

/**
 * Returns the cost of an attack: our lamports, and the owners' credit. In every attack, credit has paid for
 * all that the fee payer has lost.
 */
async function costOf(owners: Agent[], attack: () => Promise<void>) {
  const lamports = async () => BigInt(await scene.connection.getBalance(feePayer.publicKey))
  const credits = async () => {
    const balances = await Promise.all(owners.map((one) => one.balance()))
    return balances.reduce((sum, balance) => sum + balance, 0n)
  }
  const [before, credit] = [await lamports(), await credits()]
  await attack()
  const cost = { lamports: before - (await lamports()), credit: credit - (await credits()) }
  expect(cost.credit).toBeGreaterThanOrEqual(cost.lamports * CRED_PER_SOL)
  expect(cost.lamports).toBeLessThanOrEqual(FEES_OF_DAY)
  return cost
}
const paid = (payments: bigint) => ({ lamports: FEE * payments, credit: FEE * payments * CRED_PER_SOL })
const NOTHING = { lamports: 0n, credit: 0n }

/** Settles payments one after the other; returns what each was answered. */
async function settleAll(payloads: PaymentPayload[], changes?: Parameters<Agent['settle']>[1]) {
  const answers: string[] = []
  for (const payload of payloads) {
    const { success, errorReason = 'unnamed' } = await agent.settle(payload, changes)
    answers.push(success ? 'success' : errorReason)
  }
  return answers
}

/** Sends a transaction to a leader without preflight. */
const sendUnseen = (transaction: string) =>
  scene.connection.sendRawTransaction(Buffer.from(transaction, 'base64'), { skipPreflight: true })

/** Returns a payment with the fee payer's signature, as anybody who knows both can build it. */
function completed(payload: PaymentPayload, feePayersSignature: string): string {
  const bytes = Buffer.from(transactionOf(payload), 'base64')
  bytes.set(base58.decode(feePayersSignature), 1)
  return bytes.toString('base64')
}

/**
 * A node whose leader takes what it is sent unseen, after something has happened. Until a failure is final,
 * 32 slots pass: with these ten, web3.js has another finalized blockhash for the next transaction.
 */
const landingAfter = (event: () => Promise<unknown>) =>
  without(scene.rpc, {
    send: async (transaction) => {
      scene.clock.pass(10 * SLOT_MS)
      await event()
      return { signature: await sendUnseen(transaction) }
    },
  })

/** A payer takes one token away by a transaction of its own; returns what that cost it. */
async function takeAway(payer: Keypair) {
  const other = Keypair.generate()
  await scene.setTokens(keyOf(other), 0n)
  const [source, destination] = await Promise.all([ataOf(payer, scene.mint), ataOf(other, scene.mint)])
  const moved = { source, destination, authority: signer(payer), amount: 1n }
  await send(scene.connection, payer, [], [getTransferInstruction(moved)])
}

/** Lighthouse's word that an account holds exactly so much. */
const guard =
  (account: string, [instruction, assertion]: [number, number], amount: bigint) =>
  (message: RawMessage) => {
    const accounts = [indexIn(message, account)]
    const data = [instruction, 0, assertion, ...u64(amount), 0]
    message.instructions.push({ program: indexIn(message, LIGHTHOUSE_PROGRAM), accounts, data })
  }
const TOKENS: [number, number] = [9, 2]
const LAMPORTS: [number, number] = [5, 0]

const withUnitPrice = (microLamports: bigint) => (message: RawMessage) => {
  const price = message.instructions[1]
  if (price) price.data = [3, ...u64(microLamports)]
}
const unitLimit = (message: RawMessage): bigint =>
  BigInt(Buffer.from(message.instructions[0]?.data ?? []).readUInt32LE(1))

describe('nothing is lost by', () => {
  it('wallets without tokens', async () => {
    const cost = await costOf([agent], async () => {
      const payloads = await Promise.all(
        Array.from({ length: 10 }, async () => agent.sign(await newPayer(0n))),
      )
      expect(new Set(await settleAll(payloads))).toEqual(new Set(['invalid_transaction_state']))
    })
    expect(cost).toEqual(NOTHING)
  })

  it('tokens moved between verify and settle', async () => {
    const payers = await newPayers(5)
    const cost = await costOf([agent], async () => {
      for (const payer of payers) {
        const payload = await agent.sign(payer)
        expect(await agent.verify(payload)).toMatchObject({ isValid: true })
        await takeAway(payer)
        expect(await settleAll([payload])).toEqual(['insufficient_funds'])
      }
    })
    expect(cost).toEqual(NOTHING)
  })

  it('assertions that fail already', async () => {
    const payer = await newPayer()
    const source = await ataOf(payer, scene.mint)
    const payload = await agent.sign(payer, guard(source, TOKENS, AMOUNT))
    const cost = await costOf([agent], async () => {
      expect(await settleAll([payload])).toEqual(['invalid_exact_svm_transaction_simulation_failed'])
    })
    expect(cost).toEqual(NOTHING)
  })

  it('network fees above the bound', async () => {
    const payload = await agent.sign(await newPayer(), (message) =>
      withUnitPrice((10_001n * 1_000_000n) / unitLimit(message))(message),
    )
    const cost = await costOf([agent], async () => {
      expect(await settleAll([payload])).toEqual([
        'invalid_exact_svm_payload_transaction_instructions_compute_price_instruction_too_high',
      ])
    })
    expect(cost).toEqual(NOTHING)
  })

  it('payments that never land', async () => {
    const payloads = await Promise.all((await newPayers(4)).map((payer) => agent.sign(payer)))
    const cost = await costOf([agent], async () => {
      const lost = { ...without(scene.rpc, { send: async () => ({ signature: '' }) }), wait: async () => {} }
      expect(new Set(await settleAll(payloads, lost))).toEqual(new Set(['settlement_pending']))
      scene.clock.pass(300_000)
      expect(await scene.runJobs()).toEqual({ recorded: 4, isLast: true })
    })
    expect(cost).toEqual(NOTHING)
  })

  it('an owner without credit', async () => {
    const other = await scene.addAgent(Keypair.generate(), { credit: 1n })
    const payload = await other.sign(await newPayer())
    const cost = await costOf([other], async () => {
      expect(await other.settle(payload)).toMatchObject({ errorReason: 'credit_exhausted' })
    })
    expect(cost).toEqual(NOTHING)
  })
})

describe('a thousand CRED for each SOL is what is paid by', () => {
  it('new wallets that pay, in any number', async () => {
    const payloads = await Promise.all((await newPayers(6)).map((payer) => agent.sign(payer)))
    const cost = await costOf([agent], async () => {
      const answers = await settleAll(payloads)
      expect(answers).toEqual([...Array(4).fill('success'), 'credit_exhausted', 'credit_exhausted'])
    })
    expect(cost).toEqual(paid(4n))
  })

  it('fifty payments signed on the balance of one', async () => {
    const payer = await newPayer()
    const payloads = await Promise.all(Array.from({ length: 50 }, () => agent.sign(payer)))
    const cost = await costOf([agent], async () => {
      const answers = await Promise.all(payloads.map((payload) => agent.settle(payload)))
      expect(answers.filter(({ success }) => success)).toHaveLength(1)
      // The clock stands still, so another may read the balance in the slot of the first one's landing. The
      // node refuses to send it, and it expires.
      scene.clock.pass(300_000)
      await scene.runJobs()
    })
    expect(cost).toEqual(paid(1n))
  })

  it('one payment settled fifty times at once', async () => {
    const payload = await agent.sign(await newPayer(AMOUNT * 50n))
    const cost = await costOf([agent], async () => {
      const answers = await Promise.all(Array.from({ length: 50 }, () => agent.settle(payload)))
      expect(answers.filter(({ success }) => success)).toHaveLength(1)
    })
    expect(cost).toEqual(paid(1n))
  })

  it('the highest network fee', async () => {
    const payload = await agent.sign(await newPayer(), (message) =>
      withUnitPrice((10_000n * 1_000_000n) / unitLimit(message))(message),
    )
    const cost = await costOf([agent], async () => {
      expect(await settleAll([payload])).toEqual(['success'])
    })
    expect(cost).toEqual({ lamports: 20_000n, credit: 20_000n * CRED_PER_SOL })
  })

  it('tokens moved between the simulation and the confirmation, 3 times an hour and payer', async () => {
    const payer = await newPayer()
    const own = async () => BigInt(await scene.connection.getBalance(payer.publicKey))
    const before = await own()
    const cost = await costOf([agent], async () => {
      for (let failure = 0; failure < 3; failure += 1) {
        await scene.setTokens(keyOf(payer), AMOUNT)
        const late = landingAfter(() => takeAway(payer))
        expect(await settleAll([await agent.sign(payer)], late)).toEqual([
          'invalid_exact_svm_transaction_failed',
        ])
      }
      await scene.setTokens(keyOf(payer), AMOUNT)
      expect(await settleAll([await agent.sign(payer)])).toEqual(['payer_barred'])
    })
    expect(cost).toEqual(paid(3n))
    expect(before - (await own())).toBe(3n * 5_000n)
  })

  it('pending payments that their payer sends itself when they must fail', async () => {
    const payer = await newPayer()
    const payload = await agent.sign(payer)
    const cost = await costOf([agent], async () => {
      // The node refuses to send it. The answer shows the fee payer's signature, and stock servers pass it
      // on.
      const emptied = without(scene.rpc, {
        send: async (transaction) => {
          await scene.setTokens(keyOf(payer), 0n)
          return scene.rpc.send(transaction)
        },
      })
      const pending = await agent.settle(payload, { ...emptied, wait: async () => {} })
      expect(pending).toMatchObject({ errorReason: 'settlement_pending' })
      await sendUnseen(completed(payload, pending.transaction))
      scene.clock.pass(300_000)
      expect(await scene.runJobs()).toEqual({ recorded: 1, isLast: true })
    })
    expect(cost).toEqual(paid(1n))
  })

  it('a payer that has paid before, for as many failures as it may have in flight', async () => {
    const payer = await newPayer(AMOUNT * 100n)
    const [settled, most] = [2, 5]
    await database.db.$client.query('insert into request_payers (payer, settled) values ($1, $2)', [
      keyOf(payer),
      settled,
    ])
    const other = await scene.addAgent(Keypair.generate())
    const agents = [agent, agent, agent, other, other, other]
    const blind = { ...without(scene.rpc, { send: async () => ({ signature: '' }) }), wait: async () => {} }
    const cost = await costOf([agent, other], async () => {
      const sent: string[] = []
      for (const one of agents) {
        const payload = await one.sign(payer)
        const { errorReason, transaction } = await one.settle(payload, blind)
        if (errorReason === 'settlement_pending') sent.push(completed(payload, transaction))
        else expect(errorReason).toBe('too_many_in_flight')
      }
      expect(sent).toHaveLength(most)
      await scene.setTokens(keyOf(payer), 0n)
      for (const transaction of sent) await sendUnseen(transaction)
      scene.clock.pass(300_000)
      expect(await scene.runJobs()).toEqual({ recorded: most, isLast: true })
    })
    expect(cost).toEqual(paid(BigInt(most)))
  })

  it.each([
    ['its tokens', TOKENS, async (payer: Keypair) => takeAway(payer)],
    [
      'its SOL',
      LAMPORTS,
      (payer: Keypair) => {
        const to = SystemProgram.transfer({
          fromPubkey: payer.publicKey,
          toPubkey: payer.publicKey,
          lamports: 1,
        })
        return send(scene.connection, payer, [], [to])
      },
    ],
  ] as const)(
    'assertions of a payer about %s that fail at the landing, three times an hour',
    async (_, of, move) => {
      const payer = await newPayer(AMOUNT * 100n)
      const account = of === TOKENS ? await ataOf(payer, scene.mint) : keyOf(payer)
      const cost = await costOf([agent], async () => {
        for (let failure = 0; failure < 3; failure += 1) {
          // The stand-in looks when the payment's own transfer is done.
          const holds =
            of === TOKENS
              ? ((await scene.tokens(keyOf(payer))) ?? 0n) - AMOUNT
              : BigInt(await scene.connection.getBalance(payer.publicKey))
          const payload = await agent.sign(payer, guard(account, [...of], holds))
          expect(await agent.verify(payload)).toMatchObject({ isValid: true })
          const late = landingAfter(() => move(payer))
          expect(await settleAll([payload], late)).toEqual(['invalid_exact_svm_transaction_failed'])
        }
        expect(await settleAll([await agent.sign(payer)])).toEqual(['payer_barred'])
      })
      expect(cost).toEqual(paid(3n))
    },
  )

  it('an owner who closes its own account before the confirmation, until its tenth is used', async () => {
    const { owner } = agent
    await scene.connection.requestAirdrop(owner.publicKey, LAMPORTS_PER_SOL)
    const account = await ataOf(owner, scene.mint)
    const close = getCloseAccountInstruction({ account, destination: key(owner), owner: signer(owner) })
    const cost = await costOf([agent], async () => {
      for (const payer of await newPayers(4)) {
        const late = landingAfter(() => send(scene.connection, owner, [], [close]))
        expect(await settleAll([await agent.sign(payer)], late)).toEqual([
          'invalid_exact_svm_transaction_failed',
        ])
        await scene.setTokens(keyOf(owner), 0n)
      }
      expect(await settleAll([await agent.sign(await newPayer())])).toEqual(['credit_exhausted'])
    })
    expect(cost).toEqual(paid(4n))
  })

  it('owners who collude, until ten of them have used up the day', async () => {
    const owners = await Promise.all(Array.from({ length: 11 }, () => scene.addAgent(Keypair.generate())))
    const payers = await newPayers(4)
    for (const payer of payers) await scene.setTokens(keyOf(payer), AMOUNT * 100n)
    const cost = await costOf(owners, async () => {
      const reasons: (string | undefined)[] = []
      for (const one of owners)
        for (const payer of payers) reasons.push((await one.settle(await one.sign(payer))).errorReason)
      expect(reasons).toEqual([...Array(40).fill(undefined), ...Array(4).fill('day_exhausted')])
    })
    expect(cost).toEqual({ lamports: FEES_OF_DAY, credit: FEES_OF_DAY * CRED_PER_SOL })
  })

  it('payers before and after midnight, for two days’ fees', async () => {
    const payers = await newPayers(10)
    const midnight = Math.ceil(scene.clock.now() / DAY_MS) * DAY_MS
    const until = async (at: number) => scene.clock.pass(at - scene.clock.now())
    const settle = async (some: Keypair[]) =>
      settleAll(await Promise.all(some.map((payer) => agent.sign(payer))))
    const four = [...Array(4).fill('success'), 'credit_exhausted']
    await until(midnight - 10_000)
    const before = await costOf([agent], async () => {
      expect(await settle(payers.slice(0, 5))).toEqual(four)
    })
    await until(midnight)
    const after = await costOf([agent], async () => {
      expect(await settle(payers.slice(5))).toEqual(four)
    })
    expect([before, after]).toEqual([paid(4n), paid(4n)])
  })
})
