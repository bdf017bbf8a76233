import { address } from '@solana/kit'
import {
  AddressLookupTableProgram,
  Keypair,
  LAMPORTS_PER_SOL,
  type PublicKey,
  SendTransactionError,
  SystemProgram,
  sendAndConfirmTransaction,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { describe, expect, test } from 'vitest'
import { call, encode58, fundedWallet, signedTransfer, startChain } from './support.ts'

describe('an unmodified @solana/web3.js Connection', () => {
  test('airdrops, sends and confirms over the WebSocket', async () => {
    const { connection } = await startChain()
    const from = Keypair.generate()
    const to = Keypair.generate()
    const airdrop = await connection.requestAirdrop(from.publicKey, 5 * LAMPORTS_PER_SOL)
    expect(await connection.getBalance(from.publicKey)).toBe(5 * LAMPORTS_PER_SOL)

    const { wire, blockhash, lastValidBlockHeight } = await signedTransfer(
      connection,
      from,
      to,
      1_000_000_000,
    )
    const signature = await connection.sendRawTransaction(wire)
    const confirmed = await connection.confirmTransaction({ signature, blockhash, lastValidBlockHeight })
    expect(confirmed.value).toEqual({ err: null })
    expect(await connection.getBalance(to.publicKey)).toBe(LAMPORTS_PER_SOL)
    expect(await connection.getBalance(from.publicKey)).toBe(4 * LAMPORTS_PER_SOL - 5_000)
    expect((await connection.confirmTransaction(airdrop)).value).toEqual({ err: null })
  })

  test('is notified of a transaction that lands after it subscribed', async () => {
    const { connection } = await startChain()
    const from = await fundedWallet(connection)
    const { transaction, wire, blockhash, lastValidBlockHeight } = await signedTransfer(
      connection,
      from,
      Keypair.generate(),
      1_000_000,
    )
    const { promise: notified, resolve } = Promise.withResolvers<unknown>()
    const [signature] = transaction.signatures.map((one) => encode58(one.signature))
    if (!signature) throw new Error('unsigned')
    connection.onSignature(signature, resolve)
    await new Promise((done) => setTimeout(done, 100))
    await connection.sendRawTransaction(wire)
    expect(await notified).toEqual({ err: null })
    const confirmed = await connection.confirmTransaction({ signature, blockhash, lastValidBlockHeight })
    expect(confirmed.value.err).toBeNull()
  })

  test('sendAndConfirmTransaction and a version 0 transaction land', async () => {
    const { connection } = await startChain()
    const from = await fundedWallet(connection)
    const to = Keypair.generate()
    const transfer = (lamports: number) =>
      SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to.publicKey, lamports })
    await sendAndConfirmTransaction(connection, new Transaction().add(transfer(1_000_000)), [from])

    const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash()
    const message = new TransactionMessage({
      payerKey: from.publicKey,
      recentBlockhash: blockhash,
      instructions: [transfer(2_000_000)],
    }).compileToV0Message()
    const versioned = new VersionedTransaction(message)
    versioned.sign([from])
    const signature = await connection.sendTransaction(versioned)
    await connection.confirmTransaction({ signature, blockhash, lastValidBlockHeight })
    expect(await connection.getBalance(to.publicKey)).toBe(3_000_000)
    const read = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })
    expect(read?.version).toBe(0)
    await expect(connection.getTransaction(signature)).rejects.toThrow(/version \(0\) is not supported/)
  })

  test('resolves the accounts that a version 0 message takes from a lookup table', async () => {
    const { connection, chain } = await startChain()
    const from = await fundedWallet(connection)
    const [to, table] = [Keypair.generate(), Keypair.generate()]
    const data = lookupTable([Keypair.generate().publicKey, to.publicKey])
    chain.ledger.setAccount({
      address: address(table.publicKey.toBase58()),
      programAddress: address(AddressLookupTableProgram.programId.toBase58()),
      lamports: 1_000_000_000n,
      executable: false,
      space: BigInt(data.length),
      data,
    })
    const { value } = await connection.getAddressLookupTable(table.publicKey)
    if (!value) throw new Error('no lookup table')
    const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash()
    const message = new TransactionMessage({
      payerKey: from.publicKey,
      recentBlockhash: blockhash,
      instructions: [
        SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to.publicKey, lamports: 1_000_000 }),
      ],
    }).compileToV0Message([value])
    expect(message.staticAccountKeys).toHaveLength(2)
    const transaction = new VersionedTransaction(message)
    transaction.sign([from])
    const signature = await connection.sendTransaction(transaction)
    await connection.confirmTransaction({ signature, blockhash, lastValidBlockHeight })

    const version = { maxSupportedTransactionVersion: 0 }
    const read = await connection.getTransaction(signature, version)
    expect(read?.meta?.loadedAddresses?.writable.map(String)).toEqual([to.publicKey.toBase58()])
    expect(read?.meta?.postBalances[2]).toBe(1_000_000)
    const parsed = await connection.getParsedTransaction(signature, version)
    expect(parsed?.transaction.message.accountKeys[2]).toMatchObject({
      source: 'lookupTable',
      writable: true,
      signer: false,
    })
    expect(await connection.getSignaturesForAddress(to.publicKey)).toHaveLength(1)
  })

  test('reads a landed transaction back, with its fee, balances and logs', async () => {
    const { connection, chain } = await startChain()
    const from = await fundedWallet(connection, 1)
    const to = Keypair.generate()
    const { wire } = await signedTransfer(connection, from, to, 400_000_000)
    const signature = await connection.sendRawTransaction(wire)

    const read = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })
    expect(read?.slot).toBe(Number(chain.ledger.slot))
    expect(read?.meta?.err).toBeNull()
    expect(read?.meta?.fee).toBe(5_000)
    expect(read?.meta?.preBalances).toEqual([1_000_000_000, 0, 1])
    expect(read?.meta?.postBalances).toEqual([599_995_000, 400_000_000, 1])
    expect(read?.meta?.logMessages).toContain('Program 11111111111111111111111111111111 success')
    expect(read?.transaction.signatures).toEqual([signature])
    expect(read?.blockTime).toBe(await connection.getBlockTime(read?.slot ?? 0))

    const parsed = await connection.getParsedTransaction(signature)
    expect(parsed?.transaction.message.accountKeys[0]).toMatchObject({ signer: true, writable: true })
    expect(parsed?.transaction.message.instructions[0]?.programId.toBase58()).toBe(
      SystemProgram.programId.toBase58(),
    )

    const listed = await connection.getSignaturesForAddress(to.publicKey)
    expect(listed).toMatchObject([{ signature, err: null, memo: null, confirmationStatus: 'finalized' }])
    const sent = await connection.getSignaturesForAddress(from.publicKey)
    expect(sent.map((one) => one.signature)[0]).toBe(signature)
    expect(sent).toHaveLength(2)
    expect(await connection.getSignaturesForAddress(from.publicKey, { before: signature })).toHaveLength(1)
    expect(await connection.getSignaturesForAddress(from.publicKey, { limit: 1 })).toHaveLength(1)
    expect(
      await connection.getSignaturesForAddress(from.publicKey, { until: sent[1]?.signature ?? '' }),
    ).toHaveLength(1)
  })

  test('returns the fee of a message, and nothing once its blockhash has expired', async () => {
    const { connection, clock } = await startChain()
    const from = await fundedWallet(connection)
    const { transaction } = await signedTransfer(connection, from, Keypair.generate(), 1)
    const message = transaction.compileMessage()
    expect((await connection.getFeeForMessage(message)).value).toBe(5_000)
    clock.pass(151 * 400)
    expect((await connection.getFeeForMessage(message)).value).toBeNull()
  })

  test('simulates without landing, and shows accounts as they would be', async () => {
    const { connection } = await startChain()
    const from = await fundedWallet(connection)
    const to = Keypair.generate()
    const { transaction } = await signedTransfer(connection, from, to, 1_000_000)
    const { value } = await connection.simulateTransaction(transaction, undefined, [to.publicKey])
    expect(value.err).toBeNull()
    expect(value.unitsConsumed).toBe(150)
    expect(value.accounts?.[0]?.lamports).toBe(1_000_000)
    expect(await connection.getBalance(to.publicKey)).toBe(0)
  })

  test('gets the logs of a failing preflight, and lands nothing', async () => {
    const { connection, server } = await startChain()
    const from = await fundedWallet(connection, 1)
    const { wire, transaction } = await signedTransfer(connection, from, Keypair.generate(), 5_000_000_000)
    const error = await connection.sendRawTransaction(wire).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(SendTransactionError)
    if (!(error instanceof SendTransactionError)) return
    expect(error.message).toContain(
      'Transaction simulation failed: Error processing Instruction 0: custom program error: 0x1',
    )
    expect(error.logs).toContain('Transfer: insufficient lamports 999995000, need 5000000000')
    expect(await connection.getBalance(from.publicKey)).toBe(LAMPORTS_PER_SOL)

    const raw = await call(server.url, 'sendTransaction', [wire.toString('base64'), { encoding: 'base64' }])
    expect(raw.error).toMatchObject({
      code: -32002,
      data: { err: { InstructionError: [0, { Custom: 1 }] }, accounts: null, unitsConsumed: 150 },
    })
    const signature = encode58(transaction.signature)
    expect((await connection.getSignatureStatuses([signature])).value).toEqual([null])
  })

  test('lands a failing transaction without preflight, which then has paid its fee', async () => {
    const { connection } = await startChain()
    const from = await fundedWallet(connection, 1)
    const { wire, blockhash, lastValidBlockHeight } = await signedTransfer(
      connection,
      from,
      Keypair.generate(),
      5_000_000_000,
    )
    const signature = await connection.sendRawTransaction(wire, { skipPreflight: true })
    const err = { InstructionError: [0, { Custom: 1 }] }
    const confirmed = await connection.confirmTransaction({ signature, blockhash, lastValidBlockHeight })
    expect(confirmed.value.err).toEqual(err)
    const { value } = await connection.getSignatureStatuses([signature])
    expect(value).toMatchObject([
      { err, confirmations: null, confirmationStatus: 'finalized', status: { Err: err } },
    ])
    expect(await connection.getBalance(from.publicKey)).toBe(LAMPORTS_PER_SOL - 5_000)
  })

  test('refuses a wrong signature with -32003 and drops it silently without preflight', async () => {
    const { connection, server } = await startChain()
    const from = await fundedWallet(connection)
    const { wire, transaction } = await signedTransfer(connection, from, Keypair.generate(), 1_000_000)
    const forged = Buffer.from(wire)
    forged.writeUInt8(forged.readUInt8(10) ^ 1, 10)
    const raw = await call(server.url, 'sendTransaction', [forged.toString('base64'), { encoding: 'base64' }])
    expect(raw.error).toEqual({ code: -32003, message: 'Transaction signature verification failure' })
    const dropped = await connection.sendRawTransaction(forged, { skipPreflight: true })
    expect((await connection.getSignatureStatuses([dropped])).value).toEqual([null])

    transaction.signatures = [{ publicKey: from.publicKey, signature: null }]
    const unsigned = transaction.serialize({ verifySignatures: false, requireAllSignatures: false })
    const answer = await call(server.url, 'sendTransaction', [
      unsigned.toString('base64'),
      { encoding: 'base64' },
    ])
    expect(answer.error?.code).toBe(-32003)
  })
})

/** The account of an active lookup table without authority (address-lookup-table-interface, state.rs). */
function lookupTable(addresses: PublicKey[]): Uint8Array {
  const header = Buffer.alloc(56)
  header.writeUInt32LE(1, 0)
  header.writeBigUInt64LE(2n ** 64n - 1n, 4)
  return Uint8Array.from(Buffer.concat([header, ...addresses.map((one) => one.toBuffer())]))
}
