import * as v from 'valibot'
import { postRpc } from '../../solana/json-rpc.ts'
import { createRpc, type Rpc } from '../../solana/rpc.ts'
import { UsageError } from '../arguments.ts'

/** A Solana cluster, seen through one RPC node. */
export type Cluster = {
  url: string
  /** How to name the node: its URL may hold an access key. */
  name: string
  /** The service's own calls. */
  rpc: Rpc
  /**
   * Any other call.
   * @throws Error with what the node said, or why it said nothing
   */
  call<S extends v.GenericSchema>(method: string, params: unknown[], result: S): Promise<v.InferOutput<S>>
}

/** @throws UsageError when the URL is none of http or https */
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

const Failed = v.object({ error: v.object({ message: v.string() }) })

async function post(url: string, name: string, method: string, params: unknown[]): Promise<unknown> {
  try {
    return await postRpc(url, method, params)
  } catch (cause) {
    throw new Error(`${name} did not answer ${method}`, { cause })
  }
}
