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
  /** Makes the calls that the service itself uses. Its errors are ApiErrors. */
  rpc: Rpc
  /**
   * Makes any other call, by Solana's official client (@solana/web3.js).
   * @param method the name of the RPC method, for messages
   * @throws Error with the node's error, or with the reason why there is no answer
   */
  call<T>(method: string, send: (connection: Connection) => Promise<T>): Promise<T>
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
    call: (method, send) =>
      send(connection).catch((cause) => {
        const isRejected = cause instanceof SolanaJSONRPCError
        throw isRejected
          ? new Error(`${name} rejected ${method}: ${cause.message}`)
          : new Error(`${name} did not answer ${method}`, { cause })
      }),
  }
}

/**
 * Returns the name of a cluster by the hash of its first block. A hash that is not of mainnet, devnet or
 * testnet gives `solana:localnet`.
 * @throws Error with the node's error, or with the reason why there is no answer
 */
export const chainOfCluster = async (cluster: Cluster): Promise<Chain> =>
  chainOf(await cluster.call('getGenesisHash', (connection) => connection.getGenesisHash()))

const POLL_MS = 1_000
const TIMEOUT_MS = 60_000

/**
 * Makes sure that a wallet has SOL. If it has less than `needed`, requests an airdrop from the cluster's
 * faucet and waits for it, a minute at most.
 * @param amounts in lamports
 * @returns the lamports of the airdrop; 0 if the wallet had enough
 * @throws Error that asks to send SOL to the wallet, if the faucet did not; its cause says why
 * @throws ApiError dependency_unavailable if the node does not return the wallet's balance
 */
export async function ensureSol(
  cluster: Cluster,
  wallet: Address,
  { needed, airdrop }: { needed: bigint; airdrop: bigint },
): Promise<bigint> {
  const balance = async () => (await cluster.rpc.accounts([wallet])).accounts[0]?.lamports ?? 0n
  if ((await balance()) >= needed) return 0n
  try {
    await cluster.call('requestAirdrop', (connection) =>
      connection.requestAirdrop(new PublicKey(wallet), Number(airdrop)),
    )
  } catch (cause) {
    throw needsSol(wallet, cause)
  }
  for (const start = Date.now(); Date.now() - start < TIMEOUT_MS; await sleep(POLL_MS)) {
    if ((await balance()) >= needed) return airdrop
  }
  throw needsSol(wallet, new Error('the airdrop has not arrived'))
}

const needsSol = (wallet: Address, cause: unknown) =>
  new Error(`send ${wallet} some SOL (https://faucet.solana.com for devnet) and run this again`, { cause })
