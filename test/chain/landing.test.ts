import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { etc, Point, utils } from '@noble/ed25519'
import { base58 } from '@scure/base'
import {
  ComputeBudgetProgram,
  Ed25519Program,
  Keypair,
  PublicKey,
  Transaction,
  TransactionInstruction,
} from '@solana/web3.js'
import { describe, expect, test } from 'vitest'
import {
  failureOf,
  failureText,
  INSTRUCTION_ERRORS,
  TRANSACTION_ERRORS,
} from '../../lib/local/chain/failures.ts'
import { call, fundedWallet, signedTransfer, startChain } from './support.ts'

const ORDER = Point.CURVE().n
const MEMO = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')

describe('landing once', () => {
  test('the same transaction sent twice lands once', async () => {
    const { connection, server, chain } = await startChain()
    const from = await fundedWallet(connection, 1)
    const to = Keypair.generate()
    const { wire } = await signedTransfer(connection, from, to, 1_000_000)
    const signature = await connection.sendRawTransaction(wire)
    const again = await call(server.url, 'sendTransaction', [wire.toString('base64'), { encoding: 'base64' }])
    expect(again.error).toMatchObject({
      code: -32002,
      message: 'Transaction simulation failed: This transaction has already been processed',
      data: { err: 'AlreadyProcessed', logs: [] },
    })
    expect(await connection.sendRawTransaction(wire, { skipPreflight: true })).toBe(signature)
    expect(await connection.getBalance(to.publicKey)).toBe(1_000_000)
    expect(chain.ledger.history.all().filter((one) => one.signature === signature)).toHaveLength(1)
  })

  test('lands a message once, with any valid signature of the same signer', async () => {
    const { connection, server } = await startChain()
    const from = await fundedWallet(connection, 1)
    const to = Keypair.generate()
    const { wire, transaction } = await signedTransfer(connection, from, to, 1_000_000)
    const other = Buffer.concat([
      Buffer.of(1),
      await signAgain(from, transaction.serializeMessage()),
      transaction.serializeMessage(),
    ])
    expect(other.equals(wire)).toBe(false)
    const params = [other.toString('base64'), { encoding: 'base64', sigVerify: true }]
    expect((await call(server.url, 'simulateTransaction', params)).result).toMatchObject({
      value: { err: null },
    })

    await connection.sendRawTransaction(wire)
    const again = await call(server.url, 'sendTransaction', [
      other.toString('base64'),
      { encoding: 'base64' },
    ])
    expect(again.error?.data).toMatchObject({ err: 'AlreadyProcessed' })
    const dropped = await connection.sendRawTransaction(other, { skipPreflight: true })
    expect((await connection.getSignatureStatuses([dropped])).value).toEqual([null])
    expect(await connection.getBalance(to.publicKey)).toBe(1_000_000)
  })

  test('twenty parallel sends land once', async () => {
    const { connection } = await startChain()
    const from = await fundedWallet(connection, 1)
    const to = Keypair.generate()
    const { wire } = await signedTransfer(connection, from, to, 1_000_000)
    const sends = Array.from({ length: 20 }, () => connection.sendRawTransaction(wire))
    const settled = await Promise.allSettled(sends)
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await connection.getBalance(to.publicKey)).toBe(1_000_000)
  })
})

describe('fees', () => {
  test('charges the fee that getFeeForMessage and getTransaction return', async () => {
    const { connection } = await startChain()
    const payer = await fundedWallet(connection)
    const second = Keypair.generate()
    const memo = new TransactionInstruction({ programId: MEMO, keys: [], data: Buffer.from('hello') })
    const signedMemo = new TransactionInstruction({
      programId: MEMO,
      keys: [{ pubkey: second.publicKey, isSigner: true, isWritable: false }],
      data: Buffer.from('two'),
    })
    const price = ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 12_345n })
    const limit = ComputeBudgetProgram.setComputeUnitLimit({ units: 77_777 })
    const ed25519 = Ed25519Program.createInstructionWithPrivateKey({
      privateKey: second.secretKey,
      message: Buffer.from('signed'),
    })
    for (const [instructions, signers, fee] of [
      [[memo], [payer], 5_000],
      [[signedMemo], [payer, second], 10_000],
      [[price, memo], [payer], 5_000 + Math.ceil((203_000 * 12_345) / 1e6)],
      [[limit, price, memo], [payer], 5_000 + Math.ceil((77_777 * 12_345) / 1e6)],
      [[ed25519, memo], [payer], 10_000],
    ] as const) {
      const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash()
      const transaction = new Transaction({ feePayer: payer.publicKey, blockhash, lastValidBlockHeight })
      transaction.add(...instructions).sign(...signers)
      const answered = await connection.getFeeForMessage(transaction.compileMessage())
      const before = await connection.getBalance(payer.publicKey)
      const signature = await connection.sendRawTransaction(transaction.serialize())
      expect(before - (await connection.getBalance(payer.publicKey))).toBe(fee)
      expect(answered.value).toBe(fee)
      expect((await connection.getTransaction(signature))?.meta?.fee).toBe(fee)
    }
    const [newest] = await connection.getSignaturesForAddress(payer.publicKey)
    expect(newest?.memo).toBe('[5] hello')
  })

  test('a wallet that cannot pay is refused and nothing lands', async () => {
    const { connection, server } = await startChain()
    const { wire } = await signedTransfer(connection, Keypair.generate(), Keypair.generate(), 1)
    const answer = await call(server.url, 'sendTransaction', [
      wire.toString('base64'),
      { encoding: 'base64' },
    ])
    expect(answer.error).toMatchObject({
      message:
        'Transaction simulation failed: Attempt to debit an account but found no record of a prior credit.',
      data: { err: 'AccountNotFound' },
    })
    const dropped = await connection.sendRawTransaction(wire, { skipPreflight: true })
    expect((await connection.getSignatureStatuses([dropped])).value).toEqual([null])
  })

  test('an account left below its rent is named by index', async () => {
    const { connection, server } = await startChain()
    const from = await fundedWallet(connection, 1)
    const { wire } = await signedTransfer(connection, from, Keypair.generate(), 1)
    const answer = await call(server.url, 'sendTransaction', [
      wire.toString('base64'),
      { encoding: 'base64' },
    ])
    expect(answer.error).toMatchObject({
      message:
        'Transaction simulation failed: Transaction results in an account (1) with insufficient funds for rent',
      data: { err: { InsufficientFundsForRent: { account_index: 1 } } },
    })
  })
})

describe("LiteSVM's errors in the validator's form", () => {
  test('lists errors in the order of the enums of the installed LiteSVM', async () => {
    const types = await readFile(createRequire(import.meta.url).resolve('litesvm/dist/internal.d.ts'), 'utf8')
    const enumOf = (name: string) => {
      const [, body = ''] = new RegExp(`const enum ${name} \\{([^}]*)\\}`).exec(types) ?? []
      return [...body.matchAll(/(\w+) = (\d+)/g)].map(([, key, value]) => [Number(value), key])
    }
    const numbered = (names: object) => Object.keys(names).map((name, index) => [index, name])
    expect(numbered(TRANSACTION_ERRORS)).toEqual(enumOf('TransactionErrorFieldless'))
    expect(numbered(INSTRUCTION_ERRORS)).toEqual(enumOf('InstructionErrorFieldless'))
  })

  test('maps every shape, and explains it', () => {
    const instruction = (err: ReturnType<Parameters<typeof errorWith>[0]>) => errorWith(() => err)
    expect(failureOf(7)).toBe('BlockhashNotFound')
    expect(failureOf(instruction(7))).toEqual({ InstructionError: [2, 'MissingRequiredSignature'] })
    expect(failureOf(instruction({ code: 17 }))).toEqual({ InstructionError: [2, { Custom: 17 }] })
    expect(failureOf(instruction({ msg: 'short' }))).toEqual({
      InstructionError: [2, { BorshIoError: 'short' }],
    })
    expect(failureOf({ index: 3 })).toEqual({ DuplicateInstruction: 3 })
    expect(failureOf({ accountIndex: 1 })).toEqual({ InsufficientFundsForRent: { account_index: 1 } })
    class TransactionErrorProgramExecutionTemporarilyRestricted {
      accountIndex = 4
    }
    expect(failureOf(new TransactionErrorProgramExecutionTemporarilyRestricted())).toEqual({
      ProgramExecutionTemporarilyRestricted: { account_index: 4 },
    })
    expect(failureText({ InstructionError: [2, { Custom: 17 }] })).toBe(
      'Error processing Instruction 2: custom program error: 0x11',
    )
    expect(failureText({ InstructionError: [0, 'MissingRequiredSignature'] })).toBe(
      'Error processing Instruction 0: missing required signature for instruction',
    )
    expect(failureText({ DuplicateInstruction: 3 })).toContain('duplicate instruction (3)')
    expect(() => failureOf(Number('999'))).toThrow(/error number 999/)
  })
})

function errorWith(err: () => number | { code: number } | { msg: string }) {
  return { index: 2, err }
}

/** A second valid signature over the same message: Ed25519 with a nonce of its own (RFC 8032, 5.1.6). */
async function signAgain(signer: Keypair, message: Uint8Array): Promise<Uint8Array> {
  const { scalar, pointBytes } = await utils.getExtendedPublicKeyAsync(signer.secretKey.slice(0, 32))
  const little = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`)
  const nonce = little(randomBytes(64)) % ORDER
  const commitment = Point.BASE.multiply(nonce).toBytes()
  const hash = createHash('sha512').update(commitment).update(pointBytes).update(message).digest()
  const answer = etc.mod(nonce + (little(hash) % ORDER) * scalar, ORDER)
  const bytes = Buffer.from(answer.toString(16).padStart(64, '0'), 'hex').reverse()
  expect(base58.encode(pointBytes)).toBe(signer.publicKey.toBase58())
  return Buffer.concat([commitment, bytes])
}
