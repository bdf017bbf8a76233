import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateKeyPairSigner } from '@solana/kit'
import { Keypair, LAMPORTS_PER_SOL } from '@solana/web3.js'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openChain } from '../../lib/local/chain/chain.ts'
import { airdrop } from '../../lib/local/chain/sending.ts'
import { call, fundedWallet, signedTransfer, startChain, testClock } from './support.ts'
import { mintTo } from './token-support.ts'

const SLOT_MS = 400
const FINAL_MS = 32 * SLOT_MS

/** A chain that is older than finality trails, with a wallet whose SOL is final. */
async function startOld() {
  const chain = await startChain()
  const from = await fundedWallet(chain.connection)
  chain.clock.pass(2 * FINAL_MS)
  chain.chain.ledger.advance(chain.clock.now())
  return { ...chain, from }
}

describe('finality trails by 32 slots', () => {
  test('accounts, slots, heights and blockhashes are read as they were then', async () => {
    const { connection, clock, from, server } = await startOld()
    const wallet = Keypair.generate()
    const to = wallet.publicKey
    const { wire } = await signedTransfer(connection, from, wallet, LAMPORTS_PER_SOL)
    await connection.sendRawTransaction(wire)
    expect(await connection.getBalance(to, 'confirmed')).toBe(LAMPORTS_PER_SOL)
    expect(await connection.getBalance(to, 'finalized')).toBe(0)
    // Without a commitment a call reads what is final, as on a cluster.
    expect((await call(server.url, 'getBalance', [to.toBase58()])).result).toMatchObject({ value: 0 })
    expect(await connection.getSlot('finalized')).toBe((await connection.getSlot('confirmed')) - 32)
    expect(await connection.getBlockHeight('finalized')).toBe(
      (await connection.getBlockHeight('confirmed')) - 32,
    )
    const [newest, final] = [
      await connection.getLatestBlockhash('confirmed'),
      await connection.getLatestBlockhash('finalized'),
    ]
    expect(newest.lastValidBlockHeight - final.lastValidBlockHeight).toBe(32)
    const isValid = async (blockhash: string, commitment: 'confirmed' | 'finalized') =>
      (await connection.isBlockhashValid(blockhash, { commitment })).value
    expect(await isValid(newest.blockhash, 'finalized')).toBe(false)
    expect(await isValid(final.blockhash, 'confirmed')).toBe(true)

    clock.pass(FINAL_MS - SLOT_MS)
    expect(await connection.getBalance(to, 'finalized')).toBe(0)
    clock.pass(SLOT_MS)
    expect(await connection.getBalance(to, 'finalized')).toBe(LAMPORTS_PER_SOL)
    expect(await isValid(newest.blockhash, 'finalized')).toBe(true)
  })

  test('of several changes the last one that is final is read', async () => {
    const { connection, clock, from } = await startOld()
    const to = Keypair.generate()
    const balances: number[] = []
    for (let count = 0; count < 40; count += 1) {
      const { wire } = await signedTransfer(connection, from, to, 1_000_000 + count)
      await connection.sendRawTransaction(wire)
      balances.push(await connection.getBalance(to.publicKey, 'confirmed'))
      expect(await connection.getBalance(to.publicKey, 'finalized')).toBe(balances.at(-33) ?? 0)
      clock.pass(SLOT_MS)
    }
  })

  test('a transaction is confirmed, and after 32 slots final', async () => {
    const { connection, clock, from } = await startOld()
    const { wire } = await signedTransfer(connection, from, Keypair.generate(), 1_000_000)
    const signature = await connection.sendRawTransaction(wire)
    const status = async () => (await connection.getSignatureStatuses([signature])).value[0]
    const listed = async (commitment: 'confirmed' | 'finalized') =>
      (await connection.getSignaturesForAddress(from.publicKey, {}, commitment)).length
    const read = (commitment: 'confirmed' | 'finalized') =>
      connection.getTransaction(signature, { commitment })
    expect(await status()).toMatchObject({ confirmationStatus: 'confirmed', confirmations: 0 })
    expect([await listed('confirmed'), await listed('finalized')]).toEqual([2, 1])
    expect(await read('confirmed')).not.toBeNull()
    expect(await read('finalized')).toBeNull()
    clock.pass(FINAL_MS)
    expect(await status()).toMatchObject({ confirmationStatus: 'finalized', confirmations: null })
    expect(await listed('finalized')).toBe(2)
    expect(await read('finalized')).not.toBeNull()
  })

  test('checks minContextSlot against the slot of the commitment', async () => {
    const { server, chain, clock, from, connection } = await startOld()
    const slot = Number(chain.ledger.slot)
    const ask = (commitment: string, minContextSlot: number) =>
      call(server.url, 'getMultipleAccounts', [[], { commitment, minContextSlot }])
    expect((await ask('confirmed', slot)).result).toMatchObject({ context: { slot } })
    expect((await ask('confirmed', slot + 1)).error?.code).toBe(-32016)
    const data = { contextSlot: slot - 32 }
    expect((await ask('finalized', slot - 31)).error).toMatchObject({ code: -32016, data })
    const [airdrop] = await connection.getSignaturesForAddress(from.publicKey)
    const subjects = {
      getSignaturesForAddress: from.publicKey.toBase58(),
      getTransaction: airdrop?.signature,
    }
    for (const [method, subject] of Object.entries(subjects)) {
      const { error } = await call(server.url, method, [subject, { minContextSlot: slot }])
      expect(error?.code).toBe(-32016)
    }
    clock.pass(FINAL_MS)
    expect((await ask('finalized', slot)).result).toMatchObject({ context: { slot } })
  })

  test('runs simulations and preflights on the state of their commitment', async () => {
    const { connection, from, server } = await startOld()
    const poor = Keypair.generate()
    const donation = await signedTransfer(connection, from, poor, 5_000_000)
    await connection.sendRawTransaction(donation.wire)
    const { wire } = await signedTransfer(connection, poor, Keypair.generate(), 1_000_000)
    const simulated = async (commitment: string) => {
      const options = { encoding: 'base64', commitment, replaceRecentBlockhash: true }
      const { result } = await call(server.url, 'simulateTransaction', [wire.toString('base64'), options])
      return (result as { value: { err: unknown } }).value.err
    }
    expect(await simulated('finalized')).toBe('AccountNotFound')
    expect(await simulated('confirmed')).toBeNull()
    await expect(connection.sendRawTransaction(wire, { preflightCommitment: 'finalized' })).rejects.toThrow(
      'Blockhash not found',
    )
    expect(await connection.getBalance(poor.publicKey, 'confirmed')).toBe(5_000_000)
    await connection.sendRawTransaction(wire, { preflightCommitment: 'confirmed' })
    expect(await connection.getBalance(poor.publicKey, 'confirmed')).toBe(3_995_000)
  })

  test('finds token accounts by their owner’s balance at that commitment', async () => {
    const { connection, clock } = await startOld()
    const { mint, holder, source } = await mintTo(connection, 7n)
    const held = async (commitment: 'confirmed' | 'finalized') => {
      const { value } = await connection.getTokenAccountsByOwner(
        holder.publicKey,
        { mint: mint.publicKey },
        { commitment },
      )
      return value.map(({ pubkey }) => pubkey.toBase58())
    }
    expect(await held('confirmed')).toEqual([source])
    await expect(held('finalized')).rejects.toThrow('could not find mint')
    clock.pass(FINAL_MS)
    expect(await held('finalized')).toEqual([source])
  })

  test('a subscription to a signature waits until it is as certain as was asked for', async () => {
    const { connection, clock, from } = await startOld()
    const { wire, blockhash, lastValidBlockHeight } = await signedTransfer(
      connection,
      from,
      Keypair.generate(),
      1_000_000,
    )
    const signature = await connection.sendRawTransaction(wire)
    const strategy = { signature, blockhash, lastValidBlockHeight }
    expect((await connection.confirmTransaction(strategy, 'confirmed')).value.err).toBeNull()
    let isFinal = false
    const final = connection.confirmTransaction(strategy, 'finalized').then(({ value }) => {
      isFinal = true
      return value
    })
    await connection.getSlot()
    expect(isFinal).toBe(false)
    clock.pass(FINAL_MS)
    expect((await final).err).toBeNull()
  })

  test('a restart keeps what was not final', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'chain-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const clock = testClock()
    const first = await openChain({ clock, folder })
    clock.pass(2 * FINAL_MS)
    first.ledger.advance(clock.now())
    const { address } = await generateKeyPairSigner()
    await airdrop(first.ledger, address, 5_000_000n)
    await first.close()
    const second = await openChain({ clock, folder })
    expect(second.ledger.bank('confirmed').account(address)?.lamports).toBe(5_000_000n)
    expect(second.ledger.bank('finalized').account(address)).toBeNull()
    await second.close()
  })
})
