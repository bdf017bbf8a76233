import { postRpc } from '../../solana/json-rpc.ts'

/** The local chain, with the cheat codes that the demo needs. */
export type LocalChain = {
  /** Gives a wallet ten SOL, and sets its CRED. */
  fund(owner: string, mint: string, amount: bigint): Promise<void>
  /** Moves the chain's clock and the service's ahead. */
  travel(ms: number): Promise<void>
}

const TEN_SOL = 10_000_000_000
/** Time travel over months takes a while on a slow machine. */
const TIMEOUT_MS = 60_000

/**
 * Makes a client of the local chain by its JSON-RPC URL. A real cluster has no cheat codes and refuses them.
 */
export function openLocalChain(rpcUrl: string): LocalChain {
  return {
    async fund(owner, mint, amount) {
      await call(rpcUrl, 'requestAirdrop', [owner, TEN_SOL])
      await call(rpcUrl, 'surfnet_setTokenAccount', [owner, mint, { amount: Number(amount) }])
    },
    async travel(ms) {
      const slot = await call(rpcUrl, 'getSlot', [])
      const now = Number(await call(rpcUrl, 'getBlockTime', [slot])) * 1000
      await call(rpcUrl, 'surfnet_timeTravel', [{ absoluteTimestamp: now + ms }])
    },
  }
}

async function call(rpcUrl: string, method: string, params: unknown[]): Promise<unknown> {
  const answer = (await postRpc(rpcUrl, method, params, TIMEOUT_MS)) as {
    result?: unknown
    error?: { message: string }
  }
  if (answer.error) throw new Error(`${method}: ${answer.error.message}`)
  return answer.result
}
