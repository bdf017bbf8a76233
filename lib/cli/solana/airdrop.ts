import { setTimeout as sleep } from 'node:timers/promises'
import * as v from 'valibot'
import type { Address } from '../../solana/address.ts'
import type { Cluster } from './cluster.ts'

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
