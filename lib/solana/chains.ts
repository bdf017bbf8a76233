/** Solana's public clusters by their names in the Wallet Standard, each with its genesis hash. */
const GENESIS_HASHES = {
  'solana:mainnet': '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
  'solana:devnet': 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxkrZBG',
  'solana:testnet': '4uhcVJyU9pJkvQyUS88uRDiswHXSCKY3zQawwpjk2NsY',
} as const

/** A cluster, by its name in wallets; `solana:localnet` is any other. */
export type Chain = keyof typeof GENESIS_HASHES | 'solana:localnet'

const PUBLIC_CHAINS = Object.keys(GENESIS_HASHES) as (keyof typeof GENESIS_HASHES)[]

export const CHAINS = [...PUBLIC_CHAINS, 'solana:localnet' as const]

/** Returns the cluster with this first block. @param genesisHash its hash in Base58 */
export const chainOf = (genesisHash: string): Chain =>
  PUBLIC_CHAINS.find((chain) => GENESIS_HASHES[chain] === genesisHash) ?? 'solana:localnet'

/** The number of characters of a genesis hash in a network's CAIP-2 id (the namespace `solana`). */
const CAIP2_LENGTH = 32

/**
 * Returns the CAIP-2 id of a cluster. A local one has devnet's, since x402 software only knows public ones.
 */
export const networkOf = (chain: Chain): string =>
  `solana:${GENESIS_HASHES[chain === 'solana:localnet' ? 'solana:devnet' : chain].slice(0, CAIP2_LENGTH)}`

/** The CAIP-2 ids that a payment for a request may name. */
export const NETWORKS = PUBLIC_CHAINS.map(networkOf)

/**
 * Reads the setting SOLANA_CHAIN.
 * @throws TypeError that names the setting
 */
export function parseChain(text: string): Chain {
  const chain = CHAINS.find((name) => name === text)
  if (chain) return chain
  throw new TypeError(`SOLANA_CHAIN must be ${PUBLIC_CHAINS.join(', ')} or solana:localnet, not "${text}"`)
}
