import { onTestFinished } from 'vitest'
import { createWallet } from '../../../lib/cli/wallet.ts'
import { serveOnLoopback } from '../../../lib/local/loopback.ts'

const DEVNET = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxkrZBG'

/** A node that says it is of devnet, and a mint: the environment that `--solana devnet` needs. */
export async function devnetNode() {
  const answer = async (request: Request) => {
    const { id } = (await request.json()) as { id: unknown }
    return Response.json({ jsonrpc: '2.0', id, result: DEVNET })
  }
  const node = await serveOnLoopback('A node', answer, 0)
  onTestFinished(node.close)
  return { SOLANA_RPC_URL: `${node.origin}/?api-key=hunter2`, VAULT_MINT: createWallet().publicKey }
}
