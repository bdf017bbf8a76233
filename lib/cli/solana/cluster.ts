import { setTimeout as sleep } from 'node:timers/promises'
import { Connection, PublicKey, SolanaJSONRPCError } from '@solana/web3.js'
import type { Address } from '../../solana/address.ts'
import { type Chain, chainOf } from '../../solana/chains.ts'
import { createRpc, type Rpc } from '../../solana/rpc.ts'
import { UsageError } from '../arguments.ts'

/** A client of a Solana cluster, through one RPC node. */
export type Cluster = {
  url: string
  /** The node's host, for messages: its URL may hold an access key. */
  name: string
  /** The service's own calls. */
  rpc: Rpc
  /**
   * Makes any other call, by the official client.
   * @param method its name, for messages
   * @throws Error with the node's error, or with the reason why there is no answer
   */
  ask<T>(method: string, call: (connection: Connection) => Promise<T>): Promise<T>
}

const CALL_MS = 30_000

/**
 * Makes a client of the node at a URL.
 * @throws UsageError if the URL is not of http or https
 */
export function connectCluster(url: string): Cluster {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (!parsed?.protocol.startsWith('http')) throw new UsageError('--rpc must be an http or https URL')
  const name = parsed.host
  const connection = new Connection(url, {
    commitment: 'confirmed',
    fetch: (to, init) => fetch(to, { ...init, signal: AbortSignal.timeout(CALL_MS) }),
  })
  return {
    url,
    name,
    rpc: createRpc(url),
    ask: (method, call) =>
      call(connection).catch((cause) => {
        const isRefused = cause instanceof SolanaJSONRPCError
        throw isRefused
          ? new Error(`${name} rejected ${method}: ${cause.message}`)
          : new Error(`${name} did not answer ${method}`, { cause })
      }),
  }
}

/**
 * Returns the name of a cluster, by its first block.
 * @throws Error with the node's error, or with the reason why there is no answer
 */
export const chainOfCluster = async (cluster: Cluster): Promise<Chain> =>
  chainOf(await cluster.ask('getGenesisHash', (connection) => connection.getGenesisHash()))

const POLL_MS = 1_000
const TIMEOUT_MS = 60_000

/**
 * Makes sure that a wallet has SOL: asks the cluster's faucet if it has less than `needed`.
 * @returns the lamports that it asked for; 0 if the wallet had enough
 * @throws Error if the wallet still has too little; its cause is the faucet's answer, if any
 */
export async function ensureSol(
  cluster: Cluster,
  wallet: Address,
  { needed, asked }: { needed: bigint; asked: bigint },
): Promise<bigint> {
  const balance = async () => (await cluster.rpc.accounts([wallet])).accounts[0]?.lamports ?? 0n
  if ((await balance()) >= needed) return 0n
  try {
    await cluster.ask('requestAirdrop', (connection) =>
      connection.requestAirdrop(new PublicKey(wallet), Number(asked)),
    )
  } catch (cause) {
    throw short(wallet, cause)
  }
  for (const start = Date.now(); Date.now() - start < TIMEOUT_MS; await sleep(POLL_MS)) {
    if ((await balance()) >= needed) return asked
  }
  throw short(wallet, new Error('the airdrop has not arrived'))
}

const short = (wallet: Address, cause: unknown) =>
  new Error(`send ${wallet} some SOL (https://faucet.solana.com for devnet) and run this again`, { cause })
