import { CRED_DECIMALS } from '../../schema/amounts.ts'
import { cachedFor } from '../runtime/cache.ts'
import { ownTokenAccount } from '../solana/cred-account.ts'
import { associatedTokenAddress } from '../solana/programs/associated-token.ts'
import { TOKEN_PROGRAM } from '../solana/programs/programs.ts'
import { decodeMint } from '../solana/token-state.ts'
import type { VaultDeps } from './deps.ts'
import { requireMint } from './guards.ts'
import { APY_BPS } from './rules.ts'

/**
 * Returns the terms that an owner relies on: the mint with its mint and freeze authorities, every key's
 * address, the treasury and the rates. Cached for five seconds.
 * @throws ApiError mint_not_supported, dependency_unavailable
 */
export const vaultTerms = (deps: VaultDeps) => cached(deps.now, () => loadTerms(deps))

const cached = cachedFor<Awaited<ReturnType<typeof loadTerms>>>(5)

async function loadTerms({ rpc, keyring }: VaultDeps) {
  const { mint, current } = await keyring()
  const treasury = await associatedTokenAddress(current.authority, mint)
  const { accounts } = await rpc.accounts([mint, treasury])
  requireMint(mint, accounts[0])
  const state = decodeMint(accounts[0])
  return {
    mint,
    decimals: CRED_DECIMALS,
    tokenProgram: TOKEN_PROGRAM,
    mintAuthority: state?.mintAuthority,
    freezeAuthority: state?.freezeAuthority,
    authority: current.authority,
    recovery: current.recovery,
    treasury,
    treasuryBalance: ownTokenAccount(accounts[1], { owner: current.authority, mint })?.amount ?? 0n,
    keyVersion: current.keyVersion,
    terms: Object.entries(APY_BPS).map(([lockDays, apyBps]) => ({ lockDays: Number(lockDays), apyBps })),
  }
}
