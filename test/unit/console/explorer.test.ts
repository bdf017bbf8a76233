import { expect, it } from 'vitest'
import { explorerUrl } from '../../../lib/console/kit/explorer.ts'

it.each([
  ['solana:mainnet', 'tx', 'https://explorer.solana.com/tx/5abc'],
  ['solana:devnet', 'tx', 'https://explorer.solana.com/tx/5abc?cluster=devnet'],
  ['solana:testnet', 'address', 'https://explorer.solana.com/address/5abc?cluster=testnet'],
  ['solana:localnet', 'address', undefined],
  ['', 'tx', undefined],
] as const)('links to the explorer of %s when it has one (%s)', (chain, kind, url) => {
  expect(explorerUrl(chain, kind, '5abc')).toBe(url)
})
