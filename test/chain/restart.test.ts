import { copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Keypair } from '@solana/web3.js'
import { expect, onTestFinished, test } from 'vitest'
import { openChain } from '../../lib/local/chain/chain.ts'
import { serveChain } from '../../lib/local/chain/server.ts'
import { connect, fundedWallet, signedTransfer, testClock } from './support.ts'

test('a chain opened again is the chain that was closed', async () => {
  const folder = await temporaryFolder()
  const clock = testClock()
  const from = Keypair.generate()
  const to = Keypair.generate()
  const first = await open(folder, clock)
  await first.connection.requestAirdrop(from.publicKey, 1_000_000_000)
  const early = await signedTransfer(first.connection, from, to, 1_000_000)
  const late = await signedTransfer(first.connection, from, to, 2_000_000)
  const signature = await first.connection.sendRawTransaction(early.wire)
  const genesis = await first.connection.getGenesisHash()
  const landed = await first.connection.getTransaction(signature)
  await first.close()

  clock.pass(100 * 400)
  const second = await open(folder, clock)
  expect(await second.connection.getBalance(to.publicKey)).toBe(1_000_000)
  expect(await second.connection.getGenesisHash()).toBe(genesis)
  expect(await second.connection.getTransaction(signature)).toEqual(landed)
  expect(await second.connection.getBlockHeight()).toBe(early.lastValidBlockHeight - 50)
  // Old blockhashes are still good, and what has landed stays landed.
  await expect(second.connection.sendRawTransaction(early.wire)).rejects.toThrow(/already been processed/)
  await second.connection.sendRawTransaction(late.wire)
  expect(await second.connection.getBalance(to.publicKey)).toBe(3_000_000)
  await second.connection.requestAirdrop(Keypair.generate().publicKey, 1_000_000_000)
  await second.close()
  expect(await readdir(folder)).toEqual(['chain.snapshot'])
})

test('writes a landed transaction soon, without closing', async () => {
  const folder = await temporaryFolder()
  const first = await open(folder, testClock())
  const wallet = await fundedWallet(first.connection, 3)
  await expect.poll(() => readdir(folder)).toContain('chain.snapshot')
  const written = async () => {
    const copied = await temporaryFolder()
    await copyFile(join(folder, 'chain.snapshot'), join(copied, 'chain.snapshot'))
    const copy = await openChain({ clock: testClock(), folder: copied })
    const count = copy.ledger.history.all().length
    await copy.close()
    return count
  }
  await expect.poll(written).toBe(1)
  expect(await first.connection.getBalance(wallet.publicKey)).toBe(3_000_000_000)
  await first.close()
})

test('a clock that has lost its offset is moved to where the chain is', async () => {
  const folder = await temporaryFolder()
  const clock = testClock()
  const first = await openChain({ clock, folder })
  await first.travelTo(clock.now() + 86_400_000)
  const { slot, slotStartMs } = first.ledger
  await first.close()
  const reset = testClock()
  const second = await openChain({ clock: reset, folder })
  expect(second.ledger.slot).toBe(slot)
  expect(reset.now()).toBe(slotStartMs)
  await second.close()
})

test('a damaged snapshot is named and left alone', async () => {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'chain.snapshot'), 'not a snapshot')
  await expect(openChain({ clock: testClock(), folder })).rejects.toThrow(
    `${join(folder, 'chain.snapshot')} is not a snapshot of the local chain`,
  )
})

async function open(folder: string, clock: ReturnType<typeof testClock>) {
  const chain = await openChain({ clock, folder })
  const server = await serveChain(chain, 0)
  return {
    connection: connect(server.url),
    close: async () => {
      await server.close()
      await chain.close()
    },
  }
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'chain-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}
