import { Keypair, LAMPORTS_PER_SOL, SYSVAR_CLOCK_PUBKEY } from '@solana/web3.js'
import { describe, expect, test } from 'vitest'
import { call, encode58, fundedWallet, signedTransfer, startChain } from './support.ts'

describe('time', () => {
  test('a blockhash is good for 150 blocks and not for one more', async () => {
    const { connection, clock } = await startChain()
    const from = await fundedWallet(connection)
    const first = await signedTransfer(connection, from, Keypair.generate(), 1_000_000)
    const second = await signedTransfer(connection, from, Keypair.generate(), 2_000_000)
    clock.pass(150 * 400)
    expect(await connection.getBlockHeight()).toBe(first.lastValidBlockHeight)
    expect((await connection.isBlockhashValid(first.blockhash)).value).toBe(true)
    await connection.sendRawTransaction(first.wire)

    clock.pass(400)
    expect((await connection.isBlockhashValid(first.blockhash)).value).toBe(false)
    await expect(connection.sendRawTransaction(second.wire)).rejects.toThrow(
      'Transaction simulation failed: Blockhash not found',
    )
    const dropped = await connection.sendRawTransaction(second.wire, { skipPreflight: true })
    expect((await connection.getSignatureStatuses([dropped])).value).toEqual([null])
  })

  test('confirmTransaction ends once the block height has passed', async () => {
    const { connection, clock } = await startChain()
    const from = await fundedWallet(connection)
    const late = await signedTransfer(connection, from, Keypair.generate(), 1_000_000)
    const signature = encode58(late.transaction.signature)
    clock.pass(200 * 400)
    await expect(
      connection.confirmTransaction({
        signature,
        blockhash: late.blockhash,
        lastValidBlockHeight: late.lastValidBlockHeight,
      }),
    ).rejects.toThrow(/block height exceeded/)
  })

  test('slots pass with the clock, one in 400 ms', async () => {
    const { connection, clock } = await startChain()
    const slot = await connection.getSlot()
    clock.pass(399)
    expect(await connection.getSlot()).toBe(slot)
    clock.pass(1)
    expect(await connection.getSlot()).toBe(slot + 1)
    clock.pass(4_000)
    expect(await connection.getSlot('processed')).toBe(slot + 11)
  })

  test('moves the Clock sysvar, block time and the callback together, and never back', async () => {
    const travelled: number[] = []
    const { connection, server, clock } = await startChain({ onTravel: (ms) => void travelled.push(ms) })
    const to = clock.now() + 365 * 86_400_000
    const answer = await call(server.url, 'surfnet_timeTravel', [{ absoluteTimestamp: to }])
    const slot = await connection.getSlot()
    expect(answer.result).toMatchObject({ absoluteSlot: slot, slotsInEpoch: 432_000 })
    expect(travelled).toEqual([to])
    expect(clock.now()).toBe(to)

    const sysvar = await connection.getAccountInfo(SYSVAR_CLOCK_PUBKEY)
    const seconds = Number(sysvar?.data.readBigInt64LE(32))
    expect(Number(sysvar?.data.readBigUInt64LE(0))).toBe(slot)
    expect(seconds).toBe(Math.floor(to / 1000))
    expect(await connection.getBlockTime(slot)).toBe(seconds)

    const back = await call(server.url, 'surfnet_timeTravel', [{ absoluteTimestamp: to - 1 }])
    expect(back.error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('Cannot travel to the past'),
    })
    expect(travelled).toHaveLength(1)
  })

  test('an old signature needs searchTransactionHistory', async () => {
    const { connection, clock } = await startChain()
    const wallet = Keypair.generate()
    const signature = await connection.requestAirdrop(wallet.publicKey, LAMPORTS_PER_SOL)
    clock.pass(301 * 400)
    expect((await connection.getSignatureStatuses([signature])).value).toEqual([null])
    const searched = await connection.getSignatureStatuses([signature], { searchTransactionHistory: true })
    expect(searched.value[0]?.confirmationStatus).toBe('finalized')
  })
})
