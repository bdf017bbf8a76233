import { setTimeout as sleep } from 'node:timers/promises'
import * as v from 'valibot'
import type { Address } from '../../solana/address.ts'
import { type Chain, chainOf } from '../../solana/chains.ts'
import { postRpc } from '../../solana/json-rpc.ts'
import { createRpc, type Rpc } from '../../solana/rpc.ts'
import { UsageError } from '../arguments.ts'

/** A client of a Solana cluster, by one RPC node. */
export type Cluster = {
  url: string
  /** The node's host, for messages: its URL may hold an access key. */
  name: string
  /** The service's own calls. */
  rpc: Rpc
  /**
   * Makes any other call.
   * @throws Error with the node's error, or with the reason why there is no answer
   */
  call<S extends v.GenericSchema>(method: string, params: unknown[], result: S): Promise<v.InferOutput<S>>
}

/**
 * Makes a client of the node at a URL.
 * @throws UsageError when the URL is not of http or https
 */
export function connectCluster(url: string): Cluster {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (!parsed?.protocol.startsWith('http')) throw new UsageError('--rpc must be an http or https URL')
  const name = parsed.host
  return {
    url,
    name,
    rpc: createRpc(url),
    async call(method, params, result) {
      const answer = v.safeParse(
        v.union([Failed, v.object({ result })]),
        await post(url, name, method, params),
      )
      if (!answer.success) throw new Error(`${name} did not answer ${method} as it should`)
      const { output } = answer
      if ('error' in output) throw new Error(`${name} refused ${method}: ${output.error.message}`)
      return output.result
    },
  }
}

/**
 * Returns which cluster it is, by its first block.
 * @throws Error with the node's error, or with the reason why there is no answer
 */
export const chainOfCluster = async (cluster: Cluster): Promise<Chain> =>
  chainOf(await cluster.call('getGenesisHash', [], v.string()))

const Failed = v.object({ error: v.object({ message: v.string() }) })

async function post(url: string, name: string, method: string, params: unknown[]): Promise<unknown> {
  try {
    return await postRpc(url, method, params)
  } catch (cause) {
    throw new Error(`${name} did not answer ${method}`, { cause })
  }
}

const POLL_MS = 1_000
const TIMEOUT_MS = 60_000

/**
 * Makes sure that a wallet has SOL: asks the cluster's faucet when it has less than `needed`.
 * @returns the lamports that were asked for, 0 when the wallet had enough
 * @throws Error when the wallet still has too little; its cause is the faucet's answer, if there was one
 */
export async function ensureSol(
  cluster: Cluster,
  wallet: Address,
  { needed, asked }: { needed: bigint; asked: bigint },
): Promise<bigint> {
  const balance = async () => (await cluster.rpc.accounts([wallet])).accounts[0]?.lamports ?? 0n
  if ((await balance()) >= needed) return 0n
  try {
    await cluster.call('requestAirdrop', [wallet, Number(asked)], v.string())
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
