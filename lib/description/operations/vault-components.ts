import {
  Balances,
  ClaimRequest,
  Quote,
  RelayedTransaction,
  RelayRequest,
  StackPosition,
  StackRequest,
  TransactionResponse,
  UnstackRequest,
  Vault,
  VaultTerms,
  VaultTransaction,
} from '../../../schema/wire/vault.ts'
import type { Components } from '../types.ts'

const quoteFields = {
  amount: 'Principal, in base units of CRED (10^-9).',
  lockDays: 'The term in days.',
  apyBps: 'Simple interest a year, in basis points.',
  yield: 'Yield of the whole term.',
  yieldFormatted: 'The same in CRED.',
  stakedAt: 'When the term begins: when the transaction was built.',
  unlocksAt: 'When it ends.',
  funded: 'Whether the caller’s account holds the amount now. The chain decides.',
  networkFee: 'What the network charges, in lamports of SOL.',
  positionRent: 'Rent of the position’s account in lamports of SOL; comes back at withdrawal.',
  vaultRent: 'Rent of the vault’s account in lamports of SOL, with the first stake only; does not come back.',
}

export const components: Components = {
  StackRequest: {
    schema: StackRequest,
    description: 'A stake.',
    fields: {
      amount: 'Base units of CRED (10^-9), at least 1.',
      lockDays: '7, 30, 90, 180 or 365; determines the rate.',
    },
  },
  UnstackRequest: {
    schema: UnstackRequest,
    description: 'A withdrawal.',
    fields: { positionId: 'Index of the position.' },
  },
  ClaimRequest: {
    schema: ClaimRequest,
    description: 'A payout of yield.',
    fields: { positionId: 'Index of the position; all of them when absent.' },
  },
  RelayRequest: {
    schema: RelayRequest,
    description: 'A signed transaction.',
    fields: { id: 'The `id` that it was built with.', transaction: 'Base64, signed by the owner.' },
  },
  Quote: { schema: Quote, description: 'What a stake earns and costs.', fields: quoteFields },
  TransactionResponse: {
    schema: TransactionResponse,
    description: 'A transaction that lacks only the caller’s signature.',
    fields: {
      success: '`true`.',
      transaction:
        'Base64 of the transaction (legacy format), already signed by the service. Any change voids that.',
      message: 'In words, what signing does and costs.',
      id: 'To send it by, and to ask for its state.',
      expiresAt: 'About when the network stops taking it.',
      lastValidBlockHeight: 'The last block that can hold it.',
      quote: 'For a stake, its terms and costs.',
    },
  },
  StackPosition: {
    schema: StackPosition,
    description: 'A stake in its own token account.',
    fields: {
      id: 'Index, from 0; never reused.',
      amount: 'Principal, in base units of CRED.',
      amountFormatted: 'The same in CRED.',
      lockDays: 'The term in days.',
      apyBps: 'Simple interest a year, in basis points.',
      stakedAt: 'When the term began.',
      unlocksAt: 'When it ends; the yield stops growing then.',
      isLocked: 'Whether it is still locked.',
      address: 'Its token account.',
      escrowed:
        'What that account held when the chain was last asked: at least amount plus yield less claimed.',
      claimed: 'Yield that claims have paid out.',
    },
  },
  Balances: {
    schema: Balances,
    description: 'Sums over the positions that are not withdrawn.',
    fields: {
      cred: 'Principal.',
      credFormatted: 'The same in CRED.',
      stacked: 'The part still locked.',
      stackedFormatted: 'The same in CRED.',
      pendingYield: 'Accrued and unclaimed yield.',
      pendingYieldFormatted: 'The same in CRED.',
    },
  },
  Vault: {
    schema: Vault,
    description: 'An owner’s vault.',
    fields: {
      exists: '`true`: before the first position there is no vault, and 404.',
      owner: 'The wallet.',
      vaultPda: 'The multisig account that holds the positions: owner and (authority or recovery).',
      balances: 'Sums in base units of CRED (10^-9).',
      positions: 'Those not withdrawn, by id.',
    },
  },
  VaultTerms: {
    schema: VaultTerms,
    description: 'Mint, keys and rates.',
    fields: {
      mint: 'The staking token’s mint.',
      decimals: 'Its decimals.',
      tokenProgram: 'The program that holds the escrow.',
      mintAuthority: 'Who may mint more; absent if nobody.',
      freezeAuthority: 'Who may freeze accounts; absent if nobody.',
      authority: 'The service’s key that cosigns.',
      recovery: 'The offline key that can take its place.',
      treasury: 'The token account that yields come from.',
      treasuryBalance: 'What it holds, in base units of CRED.',
      generation: 'Number of the present key pair.',
      terms: 'Rate of each term.',
    },
  },
  VaultTransaction: {
    schema: VaultTransaction,
    description: 'What became of a built transaction.',
    fields: {
      id: 'UUID.',
      kind: 'What it does.',
      status:
        '`open`, `landed` (its effect stands on the chain) or `expired` (it has none and can have none).',
      owner: 'The wallet that it was built for.',
      positionIds: 'The positions it concerns, once they are known.',
      positionId: 'The position, when it is one.',
      lastValidBlockHeight: 'The last block that can hold it.',
      createdAt: 'When it was built.',
      resolvedAt: 'When its outcome was found.',
    },
  },
  RelayedTransaction: {
    schema: RelayedTransaction,
    description: 'A transaction that was handed to the network.',
    fields: { id: 'UUID.', signature: 'Its id on the network, in Base58.' },
  },
}
