import { development } from '../development.ts'

const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
/** 10 SOL for fees and rent, 10,000 CRED to stake and pay with. */
const LAMPORTS = 10_000_000_000
const CRED = 10_000_000_000_000
/** A wallet with less SOL than this is given more: 0.1. */
const LEAST_LAMPORTS = 100_000_000

/**
 * Sees that a wallet has SOL and CRED of the embedded chain, which gives them to anybody. A wallet that still
 * has SOL keeps what it has.
 * @throws Error when the chain does not answer
 */
export async function ready(address: string): Promise<void> {
  const { chain } = await development()
  if (!chain) throw new Error('The local platform has a real cluster: use a wallet of your own.')
  const { rpcUrl, mint } = chain
  const ask = rpc(rpcUrl)
  const { value } = await ask<{ value: number }>('getBalance', [address, { commitment: 'confirmed' }])
  if (value >= LEAST_LAMPORTS) return
  await ask('requestAirdrop', [address, LAMPORTS])
  await ask('surfnet_setTokenAccount', [address, mint, { amount: CRED }, TOKEN_PROGRAM])
}

const rpc =
  (url: string) =>
  async <T>(method: string, params: unknown[]): Promise<T> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const { result, error } = await response.json()
    if (error) throw new Error(`The local chain refused ${method}: ${error.message}`)
    return result
  }
