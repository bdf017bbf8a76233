const meta = document.querySelector<HTMLMetaElement>('meta[name="solana-chain"]')

/**
 * The chain that this deployment settles on, `solana:mainnet`, as the page that was served says
 * (lib/tools/description/console.ts). Wallets are asked for nothing on another one.
 */
export const CHAIN = (meta?.content ?? '') as `solana:${string}`

/** The same for readers. */
export const CHAIN_NAME = CHAIN.replace('solana:', 'Solana ')
