import { base58 } from '@scure/base'
import { CRED_DECIMALS } from '../../../schema/amounts.ts'
import { parseAddress } from '../../solana/address.ts'
import { decodeMessage } from '../../solana/decode-message.ts'
import { type Instruction, readonly } from '../../solana/instruction.ts'
import { postRpc } from '../../solana/json-rpc.ts'
import { compileMessage } from '../../solana/message.ts'
import { associatedTokenAddress } from '../../solana/programs/associated-token.ts'
import { memo } from '../../solana/programs/memo.ts'
import { transfer } from '../../solana/programs/system.ts'
import { transferChecked } from '../../solana/programs/token.ts'
import { createRpc } from '../../solana/rpc.ts'
import { decodeTransaction, encodeTransaction } from '../../solana/transaction.ts'
import type { KeyWallet } from '../wallet.ts'

/** The local chain, with the test controls that the demo needs. */
export type LocalChain = {
  /** Its JSON-RPC URL. */
  url: string
  /** Gives a wallet ten SOL, and sets its CRED. */
  fund(owner: string, mint: string, amount: bigint): Promise<void>
  /** Sends a wallet's CRED to a token account, without the service. */
  transfer(from: KeyWallet, mint: string, to: string, amount: bigint): Promise<void>
  /** Sends a transaction without effect, with this memo, that names every account of another one (Base64). */
  mention(from: KeyWallet, transaction: string, text: string): Promise<void>
  /** Sends a signed transaction, in Base64, to the network. */
  send(transaction: string): Promise<void>
  /** Moves the chain's clock and the service's ahead to a Unix time in milliseconds. */
  travelTo(time: number): Promise<void>
  /** Moves both clocks ahead by this many milliseconds. */
  travel(ms: number): Promise<void>
}

/** By default a call reads the finalized state, which is 32 slots old. */
const CONFIRMED = { commitment: 'confirmed' }
const TEN_SOL = 10_000_000_000
/** Time travel over months is slow on a slow machine. */
const TIMEOUT_MS = 60_000

/**
 * Opens a client of the local chain by its JSON-RPC URL. A real cluster refuses the test controls.
 */
export function openLocalChain(rpcUrl: string): LocalChain {
  const travelTo = async (time: number) => {
    await call(rpcUrl, 'surfnet_timeTravel', [{ absoluteTimestamp: Math.ceil(time) }])
  }
  return {
    url: rpcUrl,
    travelTo,
    async fund(owner, mint, amount) {
      await call(rpcUrl, 'requestAirdrop', [owner, TEN_SOL])
      await call(rpcUrl, 'surfnet_setTokenAccount', [owner, mint, { amount: Number(amount) }])
    },
    transfer: (...args) => transferCred(rpcUrl, ...args),
    mention: (...args) => mention(rpcUrl, ...args),
    send: (transaction) => send(rpcUrl, transaction),
    async travel(ms) {
      const slot = await call(rpcUrl, 'getSlot', [CONFIRMED])
      const now = Number(await call(rpcUrl, 'getBlockTime', [slot])) * 1000
      await travelTo(now + ms)
    },
  }
}

async function transferCred(rpcUrl: string, from: KeyWallet, mintText: string, to: string, amount: bigint) {
  const [owner, mint] = [parseAddress(from.publicKey), parseAddress(mintText)]
  const source = await associatedTokenAddress(owner, mint)
  const moved = { source, destination: parseAddress(to), mint, amount, decimals: CRED_DECIMALS }
  await perform(rpcUrl, from, [transferChecked(moved, { owner })])
}

async function mention(rpcUrl: string, from: KeyWallet, transaction: string, text: string) {
  const message = decodeTransaction(transaction)?.message
  const decoded = message && decodeMessage(message)
  if (!decoded?.ok) throw new Error('this is not a transaction')
  const by = parseAddress(from.publicKey)
  const nothing = transfer(by, by, 0n)
  const named = decoded.message.accounts.map(({ address }) => readonly(address))
  const accounts = [...nothing.accounts, ...named]
  await perform(rpcUrl, from, [memo(text, by), { ...nothing, accounts }])
}

async function perform(rpcUrl: string, from: KeyWallet, instructions: Instruction[]) {
  const { blockhash } = await createRpc(rpcUrl).latestBlockhash()
  const { bytes } = compileMessage(parseAddress(from.publicKey), instructions, blockhash)
  const signature = new Uint8Array(base58.decode(from.sign(bytes)))
  await send(rpcUrl, encodeTransaction({ message: bytes, signatures: [signature] }))
}

async function send(rpcUrl: string, transaction: string) {
  const sent = await createRpc(rpcUrl).send(transaction)
  if ('refused' in sent) throw new Error(`the network rejected a transaction: ${sent.refused.reason}`)
}

async function call(rpcUrl: string, method: string, params: unknown[]): Promise<unknown> {
  const answer = (await postRpc(rpcUrl, method, params, { timeoutMs: TIMEOUT_MS })) as {
    result?: unknown
    error?: { message: string }
  }
  if (answer.error) throw new Error(`${method}: ${answer.error.message}`)
  return answer.result
}
