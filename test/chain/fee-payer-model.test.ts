import { Keypair, VersionedTransaction } from '@solana/web3.js'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { u64 } from '../../lib/keys/bytes.ts'
import type { Signer } from '../../lib/keys/signer.ts'
import {
  COMPUTE_BUDGET_PROGRAM,
  LIGHTHOUSE_PROGRAM,
  MEMO_PROGRAM,
  TOKEN_PROGRAM,
} from '../../lib/solana/programs/programs.ts'
import { connectDatabase } from '../support/database.ts'
import { pick } from '../support/message-changes.ts'
import type { RawMessage } from '../support/raw-message.ts'
import { AMOUNT } from '../support/request-payments.ts'
import { expectCounts, runs } from '../support/runs.ts'
import {
  feePayer,
  keyOf,
  owner,
  payer,
  rawPayment,
  signedBy,
  stranger,
  withTransaction,
} from '../support/x402.ts'
import { paymentChanges } from '../support/x402-changes.ts'
import { startFacilitator, without } from './x402-support.ts'

/*
 * The messages that the fee payer's key signs when changed payments are settled on a network that accepts and
 * lands every transaction. Another parser reads each signed message.
 */

let database: Awaited<ReturnType<typeof connectDatabase>>
beforeAll(async () => {
  database = await connectDatabase()
})
afterAll(() => database.close())

const PROGRAMS = new Set<string>([COMPUTE_BUDGET_PROGRAM, TOKEN_PROGRAM, MEMO_PROGRAM, LIGHTHOUSE_PROGRAM])
const MAX_FEE = 20_000n
const LAMPORTS_PER_SIGNATURE = 5_000n

/** Holds a signed message to the rule: the key pays the network fee of one transfer, and nothing else. */
function expectSponsored(message: Uint8Array) {
  // As on the wire: two empty slots for signatures before it.
  const wire = new Uint8Array([2, ...new Uint8Array(128), ...message])
  const { header, staticAccountKeys, compiledInstructions, addressTableLookups } =
    VersionedTransaction.deserialize(wire).message
  const keys = staticAccountKeys.map((key) => key.toBase58())
  expect(keys[0]).toBe(keyOf(feePayer))
  expect(keys.lastIndexOf(keyOf(feePayer))).toBe(0)
  expect(header.numRequiredSignatures).toBe(2)
  expect(addressTableLookups).toEqual([])
  for (const { programIdIndex, accountKeyIndexes } of compiledInstructions) {
    expect([programIdIndex, ...accountKeyIndexes]).not.toContain(0)
    expect(PROGRAMS).toContain(keys[programIdIndex])
  }
  const numberIn = (code: number, bytes: number) => {
    const found = compiledInstructions.find(
      ({ programIdIndex, data }) => keys[programIdIndex] === COMPUTE_BUDGET_PROGRAM && data[0] === code,
    )
    return [...(found?.data.slice(1, 1 + bytes) ?? [])].reduceRight(
      (sum, byte) => sum * 256n + BigInt(byte),
      0n,
    )
  }
  const priority = (numberIn(2, 4) * numberIn(3, 8) + 999_999n) / 1_000_000n
  expect(2n * LAMPORTS_PER_SIGNATURE + priority).toBeLessThanOrEqual(MAX_FEE)
}

/** The goals of an attacker: the key in an instruction's accounts, and a high fee. */
const attacks = {
  nameFeePayer: (message: RawMessage, a: number, b: number) => {
    // Half the time the transfer's.
    const { accounts } = pick(message.instructions, a % 2 === 0 ? 2 : a >> 1)
    const at = b % Math.max(accounts.length, 1)
    const replaced = accounts[at]
    accounts[at] = 0
    if (replaced !== undefined && replaced > 1) dropUnnamed(message, replaced)
  },
  raiseFee: ({ instructions }: RawMessage, a: number, b: number) => {
    const price = instructions[1]
    // Nearly half are within the bound, and are settled where nothing else was changed; some are huge.
    if (price) price.data = [3, ...u64(BigInt(a % 1_000_000) << (b % 8 === 7 ? 40n : 0n))]
  },
}

/** Takes an account out that no instruction names any more: it would be refused for that alone. */
function dropUnnamed(message: RawMessage, key: number) {
  const named = message.instructions.flatMap(({ program, accounts }) => [program, ...accounts])
  if (named.includes(key)) return
  if (key >= message.keys.length - message.header[2]) message.header[2] -= 1
  message.keys.splice(key, 1)
  const moved = (index: number) => (index > key ? index - 1 : index)
  for (const one of message.instructions) {
    one.program = moved(one.program)
    one.accounts = one.accounts.map(moved)
  }
}
const everyChange = { ...paymentChanges, ...attacks }
const names = [...Object.keys(everyChange), ...Array.from({ length: 5 }, () => Object.keys(attacks)).flat()]

const SIGNERS = [[payer], [payer], [payer, stranger], [payer, owner, stranger, feePayer], [stranger]]
const nat = fc.nat(1 << 24)
const changes = fc.array(fc.tuple(fc.constantFrom(...names), nat, nat, nat), {
  minLength: 1,
  maxLength: 3,
})

describe('the fee payer’s key', () => {
  it('is in no instruction of a message it signs, and sends only recorded transactions', async () => {
    await database.db.$client.query('delete from request_payments')
    const scene = await startFacilitator(database.db, { feesPerDay: 10n ** 15n })
    await scene.setTokens(keyOf(payer), AMOUNT * 1_000_000n)
    await scene.setTokens(keyOf(stranger), AMOUNT * 1_000_000n)
    const agent = await scene.addAgent(Keypair.generate(), { credit: 10n ** 17n })
    const [signed, sent]: [Uint8Array[], string[]] = [[], []]
    const watched: Signer = {
      ...scene.signer,
      sign: async (message) => {
        signed.push(message)
        return scene.signer.sign(message)
      },
    }
    const network = without(scene.rpc, {
      simulate: async () => undefined,
      send: async (transaction) => {
        sent.push(transaction)
        return { signature: '' }
      },
      statuses: async () => ({ slot: 0n, statuses: [{ slot: 0n }] as never }),
    })
    const stock = await agent.sign()
    const numRuns = runs(400, 10_000)
    const seen = { settled: 0, refused: 0 }
    await fc.assert(
      fc.asyncProperty(fc.nat(SIGNERS.length - 1), changes, async (signers, list) => {
        const raw = rawPayment(stock)
        for (const [name, a, b, c] of list) everyChange[name as keyof typeof everyChange]?.(raw, a, b, c)
        const payload = withTransaction(stock, signedBy(pick(SIGNERS, signers), raw))
        const before = signed.length
        const answer = await agent.settle(payload, { ...network, feePayer: watched })
        for (const message of signed.slice(before)) expectSponsored(message)
        seen[answer.success ? 'settled' : 'refused'] += 1
        if (!answer.success) expect(answer.transaction).toBe('')
      }),
      { numRuns },
    )
    const rows = await database.db.$client.query('select transaction from request_payments')
    expect(new Set(sent)).toEqual(new Set(rows.map(({ transaction }) => transaction)))
    // Neither answer is a matter of course.
    expectCounts(seen, { few: { settled: 25, refused: 375 }, many: { settled: 479, refused: 9_521 } })
  })
})
