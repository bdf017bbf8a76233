import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Connection,
  Keypair,
  PublicKey,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { expect, onTestFinished, test } from 'vitest'
import { u64 } from '../../lib/keys/bytes.ts'
import { importSigner } from '../../lib/keys/signer.ts'
import { memo } from '../../lib/solana/programs/memo.ts'
import { LIGHTHOUSE_PROGRAM } from '../../lib/solana/programs/programs.ts'
import { transfer } from '../../lib/solana/programs/system.ts'
import { checkWalletFirst, completeTransaction } from '../../lib/transactions/cosigning/check.ts'
import { addressesOf, checkParties, framed } from '../support/cosigning.ts'
import { createWallet, PHANTOM, type WalletHabits } from '../support/wallets.ts'
import { call, fundedWallet, startChain } from './support.ts'
import { ataOf, mintTo } from './token-support.ts'

const LAMPORTS = 1_000_000n

test.each<[string, WalletHabits]>([
  ['as Phantom signs it', PHANTOM],
  ['compiled in version 0', { ...PHANTOM, version: 0 }],
  ['with a priority fee of the wallet', { ...PHANTOM, budget: { units: 100_000, microLamports: 20_000n } }],
])('a transaction with guards, %s, is cosigned and lands', async (_, habits) => {
  const { connection } = await startChain()
  expect(await landed(connection, habits)).toMatchObject({ guards: 4, paid: LAMPORTS })
})

test('lands guards on a chain that was stored in a folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'agentcred-lighthouse-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const first = await startChain({ folder })
  await landed(first.connection, PHANTOM)
  await first.chain.close()
  const second = await startChain({ folder, clock: first.clock })
  expect(await landed(second.connection, PHANTOM)).toMatchObject({ guards: 4, paid: LAMPORTS })
})

/** Builds for a new wallet and a new authority, has both sign, and sends. */
async function landed(connection: Connection, habits: WalletHabits) {
  const [owner, payee, authority] = [await fundedWallet(connection), Keypair.generate(), Keypair.generate()]
  const parties = addressesOf({ owner, authority: authority.publicKey })
  const { blockhash } = await connection.getLatestBlockhash()
  const recorded = framed(
    { owner },
    [
      transfer(parties.owner, addressesOf({ owner: payee, authority: authority.publicKey }).owner, LAMPORTS),
      memo('agentcred test', parties.authority),
    ],
    blockhash,
  )
  const check = await checkWalletFirst(recorded, createWallet(owner, habits).sign(recorded), checkParties)
  if (!check.ok) throw new Error(check.error)
  const signer = await importSigner(authority.secretKey)
  const sent = completeTransaction(check.message, check.ownerSignature, await signer.sign(check.message))
  const signature = await connection.sendRawTransaction(Buffer.from(sent, 'base64'))
  const found = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })
  if (!found || found.meta?.err) throw new Error(JSON.stringify(found?.meta?.err))
  const calls = (found.meta?.logMessages ?? []).filter((line) => /^Program L2TEx.* success$/.test(line))
  return { guards: calls.length, paid: BigInt(await connection.getBalance(payee.publicKey)) }
}

const OPERATORS: [name: string, holds: (actual: number, expected: number) => boolean][] = [
  ['equal', (actual, expected) => actual === expected],
  ['not equal', (actual, expected) => actual !== expected],
  ['greater', (actual, expected) => actual > expected],
  ['less', (actual, expected) => actual < expected],
  ['greater or equal', (actual, expected) => actual >= expected],
  ['less or equal', (actual, expected) => actual <= expected],
]

test.each(OPERATORS)('fails a guard "%s" exactly where it is not met', async (name, holds) => {
  const { connection, server } = await startChain()
  const wallet = await fundedWallet(connection)
  const { mint } = await mintTo(connection, 1n)
  const tokens = await ataOf(wallet, mint)
  const [owner, key] = [wallet.publicKey.toBase58(), mint.publicKey.toBase58()]
  await call(server.url, 'surfnet_setTokenAccount', [owner, key, { amount: 500 }])
  const operator = OPERATORS.findIndex(([one]) => one === name)
  // The simulation takes the fee from its payer first.
  const lamports = (await connection.getBalance(wallet.publicKey)) - 5_000
  const subjects = [
    { account: tokens, head: [9, 0, 2], actual: 500 },
    { account: owner, head: [5, 0, 0], actual: lamports },
  ]
  const { blockhash } = await connection.getLatestBlockhash()
  for (const { account, head, actual } of subjects)
    for (const expected of [actual - 1, actual, actual + 1]) {
      const guard = new TransactionInstruction({
        programId: new PublicKey(LIGHTHOUSE_PROGRAM),
        keys: [{ pubkey: new PublicKey(account), isSigner: false, isWritable: false }],
        data: Buffer.from([...head, ...u64(BigInt(expected)), operator]),
      })
      const message = new TransactionMessage({
        payerKey: wallet.publicKey,
        recentBlockhash: blockhash,
        instructions: [guard],
      }).compileToV0Message()
      const { value } = await connection.simulateTransaction(new VersionedTransaction(message), {
        sigVerify: false,
      })
      expect(value.err, `${actual} ${name} ${expected}`).toEqual(
        holds(actual, expected) ? null : { InstructionError: [0, { Custom: 6001 }] },
      )
    }
})
