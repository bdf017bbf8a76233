import { base58 } from '@scure/base'
import { type Connection, Keypair, LAMPORTS_PER_SOL, SystemProgram, Transaction } from '@solana/web3.js'
import { onTestFinished } from 'vitest'
import { type ChainClock, type ChainOptions, openChain } from '../../lib/local/chain/chain.ts'
import { serveChain } from '../../lib/local/chain/server.ts'
import { openConnection } from '../support/connection.ts'

/** A clock that stands still unless it is moved. */
export function testClock(startMs = Date.UTC(2026, 10, 20, 12)): ChainClock & { pass(ms: number): void } {
  let ms = startMs
  return {
    now: () => ms,
    travelTo: (to) => {
      ms = to
    },
    pass: (by) => {
      ms += by
    },
  }
}

/** A new chain on two free ports and a Connection to it, all closed when the test ends. */
export async function startChain(options: Partial<ChainOptions> = {}) {
  const clock = testClock(options.clock?.now())
  const chain = await openChain({ clock, ...options })
  const server = await serveChain(chain, 0)
  onTestFinished(async () => {
    // web3.js polls the block height once more after a confirmation that nobody waits for any longer.
    await new Promise((done) => setTimeout(done, 30))
    await server.close()
    await chain.close()
  })
  return { chain, clock, server, connection: connect(server.url) }
}

export const connect = openConnection

/** A wallet with SOL. */
export async function fundedWallet(connection: Connection, sol = 10): Promise<Keypair> {
  const wallet = Keypair.generate()
  await connection.requestAirdrop(wallet.publicKey, sol * LAMPORTS_PER_SOL)
  return wallet
}

/** A signed transfer with the newest blockhash. */
export async function signedTransfer(connection: Connection, from: Keypair, to: Keypair, lamports: number) {
  const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash()
  const transaction = new Transaction({ feePayer: from.publicKey, blockhash, lastValidBlockHeight }).add(
    SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to.publicKey, lamports }),
  )
  transaction.sign(from)
  return { transaction, wire: transaction.serialize(), blockhash, lastValidBlockHeight }
}

export interface Answer {
  id?: unknown
  result?: unknown
  error?: { code: number; message: string; data?: unknown }
}

/** One JSON-RPC call without any client in between: the whole answer. */
export function call(url: string, method: string, params: unknown[] = []): Promise<Answer> {
  return callText(url, method, JSON.stringify(params))
}

/** The same with the parameters as JSON text, for integers that JavaScript would round. */
export async function callText(url: string, method: string, params: string): Promise<Answer> {
  const body = `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`
  const answer: Answer = await (await fetch(url, { method: 'POST', body })).json()
  return answer
}

/** A signature in base58. */
export function encode58(bytes: Uint8Array | null): string {
  if (!bytes) throw new Error('unsigned')
  return base58.encode(bytes)
}
