import { describe, expect, it, onTestFinished } from 'vitest'
import { requireChain } from '../../../lib/cli/deploy/settings.ts'
import { serveOnLoopback } from '../../../lib/local/loopback.ts'
import { readWorkers } from '../../../lib/tools/wrangler.ts'

const GENESIS = {
  mainnet: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
  devnet: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxkrZBG',
  local: 'So11111111111111111111111111111111111111112',
}

/** The URL of a node whose first block has this hash, with a key in it, and how often it was asked. */
async function startNode(genesisHash: string) {
  let calls = 0
  const answer = async (request: Request) => {
    const { id } = (await request.json()) as { id: unknown }
    calls += 1
    return Response.json({ jsonrpc: '2.0', id, result: genesisHash })
  }
  const { origin, close } = await serveOnLoopback('A node', answer, 0)
  onTestFinished(close)
  return { url: `${origin}/?api-key=hunter2`, calls: () => calls }
}

const only = (...groups: string[]) => readWorkers().filter(({ group }) => groups.includes(group))

describe('the chain of a deployment', () => {
  it.each([
    ['mainnet unless it is named', GENESIS.mainnet, undefined],
    ['as it is named', GENESIS.devnet, 'solana:devnet'],
    ['one of its own', GENESIS.local, 'solana:localnet'],
  ])('is %s', async (_, genesisHash, SOLANA_CHAIN) => {
    const { url } = await startNode(genesisHash)
    await requireChain(readWorkers(), { SOLANA_CHAIN, SOLANA_RPC_URL: url })
  })

  it.each(['console', 'vault', 'payments'])('is refused where %s would have another', async (group) => {
    const { url } = await startNode(GENESIS.devnet)
    const refused = requireChain(only(group), { SOLANA_RPC_URL: url })
    await expect(refused).rejects.toThrow(
      /^SOLANA_CHAIN is solana:mainnet, but the node of SOLANA_RPC_URL is on solana:devnet$/,
    )
  })

  it('is not asked for where no Worker has one', async () => {
    const { url, calls } = await startNode(GENESIS.devnet)
    await requireChain(only('root', 'agents'), { SOLANA_RPC_URL: url })
    await requireChain(only('root', 'agents'), {})
    expect(calls()).toBe(0)
  })

  it.each([
    [{}, 'SOLANA_RPC_URL must be'],
    [{ SOLANA_RPC_URL: 'ftp://hunter2' }, 'SOLANA_RPC_URL must be'],
    [{ SOLANA_RPC_URL: 'http://127.0.0.1:1/hunter2' }, '127.0.0.1:1 did not answer getGenesisHash'],
    [{ SOLANA_RPC_URL: 'http://127.0.0.1:1/hunter2', SOLANA_CHAIN: 'mainnet' }, 'SOLANA_CHAIN must be'],
  ])('must be known for the console alone, and no key is repeated: %j', async (env, message) => {
    const error = await requireChain(only('console'), env).catch((refused: unknown) => refused)
    expect(String(error)).toContain(message)
    expect(String(error)).not.toContain('hunter2')
  })
})
