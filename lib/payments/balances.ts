import { type Cred, cred } from '../../schema/amounts.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { ownTokenAccount } from '../solana/cred-account.ts'
import { associatedTokenAddress } from '../solana/programs/associated-token.ts'
import { TOKEN_ACCOUNT_BYTES } from '../solana/programs/token.ts'
import type { BuildDeps } from './chain-deps.ts'

/** A wallet's balances: lamports for network fees and rent, base units of CRED for stakes and payments. */
type Balances = { sol: bigint; cred: Cred }

/**
 * Reads a wallet's balances, in one call to the chain. CRED counts in the associated token account, which
 * every transaction of the service pays from.
 * @throws ApiError dependency_unavailable
 */
export async function readBalances(
  { rpc, settings: { mint } }: Pick<BuildDeps, 'rpc' | 'settings'>,
  wallet: Wallet,
): Promise<Balances> {
  const tokens = await associatedTokenAddress(wallet, mint)
  // The account of a wallet may hold 10 MB of its owner's choice.
  const { accounts } = await rpc.accounts([wallet, tokens], { maxBytes: TOKEN_ACCOUNT_BYTES })
  return {
    sol: accounts[0]?.lamports ?? 0n,
    cred: ownTokenAccount(accounts[1], { owner: wallet, mint })?.amount ?? cred(0n),
  }
}
