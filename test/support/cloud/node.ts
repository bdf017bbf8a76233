import { onTestFinished } from 'vitest'
import { createWallet } from '../../../lib/cli/wallet.ts'
import { serveOnLoopback } from '../../../lib/local/loopback.ts'

const DEVNET = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxkrZBG'

/** What every address holds: one SOL, and no token. */
const ACCOUNT = {
  ...{ lamports: 1_000_000_000, owner: '11111111111111111111111111111111', data: ['', 'base64'] },
  ...{ executable: false, rentEpoch: 0, space: 0 },
}

/** A node that says it is of devnet, for one test, and a mint: the environment of `--solana devnet`. */
export async function devnetNode() {
  const { close, env } = await startDevnet()
  onTestFinished(close)
  return env
}

/** The same for several tests. */
export async function startDevnet() {
  const answer = async (request: Request) => {
    const { id, method, params } = (await request.json()) as {
      id: unknown
      method: string
      params: [string[]]
    }
    const result =
      method === 'getMultipleAccounts'
        ? { context: { slot: 1 }, value: params[0].map(() => ACCOUNT) }
        : DEVNET
    return Response.json({ jsonrpc: '2.0', id, result })
  }
  const { origin, close } = await serveOnLoopback('A node', answer, 0)
  const env = { SOLANA_RPC_URL: `${origin}/?api-key=hunter2`, VAULT_MINT: createWallet().publicKey }
  return { close, env }
}
