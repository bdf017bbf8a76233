/**
 * Returns the page of Solana Explorer for an address or a transaction.
 * @param chain as wallets name it, `solana:devnet`
 * @param id the address, or the transaction's signature
 * @returns undefined for a local chain, which no explorer knows
 */
export function explorerUrl(chain: string, kind: 'address' | 'tx', id: string): string | undefined {
  const cluster = /^solana:(mainnet|devnet|testnet)$/.exec(chain)?.[1]
  if (cluster === undefined) return undefined
  const page = `https://explorer.solana.com/${kind}/${id}`
  return cluster === 'mainnet' ? page : `${page}?cluster=${cluster}`
}
