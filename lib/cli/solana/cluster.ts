import * as v from 'valibot'
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
