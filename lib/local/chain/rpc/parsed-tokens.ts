import type { EncodedAccount } from '@solana/kit'
import type { Bank } from '../bank.ts'
import { TOKEN_PROGRAM } from '../programs.ts'
import { type Mint, type Multisig, readTokenState, type TokenAccount } from '../tokens.ts'

/** Formats an amount for token methods (UiTokenAmount); `uiAmount` is a float, for display only. */
export function tokenAmount(amount: bigint, decimals: number) {
  const text = uiAmountString(amount, decimals)
  return { amount: amount.toString(), decimals, uiAmount: Number(text), uiAmountString: text }
}

function uiAmountString(amount: bigint, decimals: number): string {
  if (decimals === 0) return amount.toString()
  const digits = amount.toString().padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`.replace(/\.?0+$/, '')
}

/** Returns the jsonParsed data of a token program's account, or null for other or unreadable accounts. */
export function parsedTokenState(bank: Bank, account: EncodedAccount) {
  const state = readTokenState(account.programAddress, account.data)
  const info = state && infoOf(bank, state)
  if (!info) return null
  return {
    program: account.programAddress === TOKEN_PROGRAM ? 'spl-token' : 'spl-token-2022',
    parsed: { type: state.type, info },
    space: account.space,
  }
}

function infoOf(bank: Bank, state: TokenAccount | Mint | Multisig) {
  switch (state.type) {
    case 'mint':
      return {
        decimals: state.decimals,
        freezeAuthority: state.freezeAuthority,
        isInitialized: state.isInitialized,
        mintAuthority: state.mintAuthority,
        supply: state.supply.toString(),
      }
    case 'multisig':
      return {
        isInitialized: true,
        numRequiredSigners: state.required,
        numValidSigners: state.signers.length,
        signers: state.signers,
      }
    case 'account':
      return accountInfoOf(state, bank.decimalsOf(state.mint))
  }
}

function accountInfoOf(state: TokenAccount, decimals: number | null) {
  if (decimals === null) return null
  return {
    isNative: state.nativeReserve !== null,
    mint: state.mint,
    owner: state.owner,
    state: state.state,
    tokenAmount: tokenAmount(state.amount, decimals),
    ...(state.nativeReserve !== null && { rentExemptReserve: tokenAmount(state.nativeReserve, decimals) }),
    ...(state.delegate && {
      delegate: state.delegate,
      delegatedAmount: tokenAmount(state.delegatedAmount, decimals),
    }),
    ...(state.closeAuthority && { closeAuthority: state.closeAuthority }),
  }
}
