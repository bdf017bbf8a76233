import { WALLET } from '../examples.ts'
import type { Operations } from '../types.ts'

const tag = 'Vault' as const

const TRANSACTION_ID = '01938f41-2b3c-7d4e-8f5a-6b7c8d9e0f1a'
const VAULT = '6vYbqoVgYcVKk2BzpMbBdP7T7vjtBhBqJ7r2CkVmW1bN'
const POSITION = '8dHEsuJBcFTuY5uZfPQhRH3m5nGQ5YgY5cmrtXdwDFhB'
const TRANSACTION = 'AgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA…'

const quote = {
  amount: 1_000_000_000,
  lockDays: 30,
  apyBps: 1000,
  yield: 8_219_178,
  yieldFormatted: '0.008219178',
  stakedAt: '2026-11-20T09:00:00.000Z',
  unlocksAt: '2026-12-20T09:00:00.000Z',
}

const built = (message: string) => ({
  success: true,
  transaction: TRANSACTION,
  message,
  id: TRANSACTION_ID,
  expiresAt: '2026-11-20T09:01:00.000Z',
  lastValidBlockHeight: 351_204_117,
})

const positionErrors = ['position_not_found', 'dependency_unavailable'] as const

export const operations: Operations = {
  'GET /vault': {
    id: 'getVault',
    tag,
    summary: 'An owner’s vault',
    description:
      'Balances and positions not withdrawn. Asks the chain about transactions that are still open, at most every two seconds for one owner; while the chain can not be reached, as last recorded.',
    parameters: { owner: { description: 'The wallet.', example: WALLET } },
    responses: {
      200: {
        description: 'The vault.',
        schema: 'Vault',
        example: {
          exists: true,
          owner: WALLET,
          vaultPda: VAULT,
          balances: {
            cred: 1_000_000_000,
            credFormatted: '1',
            stacked: 1_000_000_000,
            stackedFormatted: '1',
            pendingYield: 273_972,
            pendingYieldFormatted: '0.000273972',
          },
          positions: [
            {
              id: 0,
              amount: 1_000_000_000,
              amountFormatted: '1',
              lockDays: 30,
              apyBps: 1000,
              stakedAt: quote.stakedAt,
              unlocksAt: quote.unlocksAt,
              isLocked: true,
              address: POSITION,
              escrowed: 1_008_219_178,
              claimed: 0,
            },
          ],
        },
      },
    },
    errors: ['vault_not_found', 'dependency_unavailable'],
  },
  'GET /vault/terms': {
    id: 'getVaultTerms',
    tag,
    summary: 'What an owner relies on',
    description:
      'The mint with who may mint and freeze it, every key’s address, the treasury, and the rates.',
    responses: {
      200: {
        description: 'The terms.',
        schema: 'VaultTerms',
        example: {
          mint: 'CREDm1ntxV3aGZ8Jq9Wn4TtkYbR6uPpD2eKsLhFfQzXo',
          decimals: 9,
          tokenProgram: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
          mintAuthority: WALLET,
          authority: WALLET,
          recovery: POSITION,
          treasury: VAULT,
          treasuryBalance: 250_000_000_000_000,
          generation: 1,
          terms: [
            { lockDays: 7, apyBps: 800 },
            { lockDays: 365, apyBps: 1600 },
          ],
        },
      },
    },
    errors: ['mint_not_supported', 'dependency_unavailable'],
  },
  'GET /vault/quote': {
    id: 'getQuote',
    tag,
    summary: 'What a stake would earn',
    description: 'Simple interest over the whole term, if it began now.',
    parameters: {
      amount: { description: 'Base units of CRED (10^-9).', example: 1_000_000_000 },
      lockDays: { description: 'The term.', example: '30' },
    },
    responses: { 200: { description: 'The quote.', schema: 'Quote', example: quote } },
    errors: [],
  },
  'POST /vault/stack': {
    id: 'stack',
    tag,
    summary: 'Build a stake',
    description:
      'Returns a transaction that the service has already signed; it moves the amount from the caller’s account and the yield of the whole term from the treasury into an escrow that neither side can move alone. Sign it and send it, to the network or to POST /vault/transactions. It is built whether or not the caller holds the amount: `quote.funded` tells.',
    request: { amount: 1_000_000_000, lockDays: 30 },
    responses: {
      200: {
        description: 'The transaction to sign.',
        schema: 'TransactionResponse',
        example: {
          ...built(
            'Signing locks 1 CRED until 2026-12-20T09:00:00.000Z and puts the whole yield of 0.008219178 CRED beside it. It costs 0.0000102 SOL network fee; 0.00203928 SOL rent, returned at withdrawal; 0.00336168 SOL rent of your vault, once, not returned.',
          ),
          quote: {
            ...quote,
            funded: true,
            networkFee: 10_200,
            positionRent: 2_039_280,
            vaultRent: 3_361_680,
          },
        },
      },
    },
    errors: [
      'wallet_not_eligible',
      'vault_occupied',
      'too_many_open_stacks',
      'yield_reserve_short',
      'mint_not_supported',
      'dependency_unavailable',
    ],
  },
  'POST /vault/unstack': {
    id: 'unstack',
    tag,
    summary: 'Build a withdrawal',
    description:
      'Once the lock has ended: all that the position holds, principal and unclaimed yield, and its account’s rent. It may be asked for again at any time; only one can land.',
    request: { positionId: 0 },
    responses: {
      200: {
        description: 'The transaction to sign.',
        schema: 'TransactionResponse',
        example: built(
          'Signing withdraws 1.008219178 CRED: 1 CRED principal and 0.008219178 CRED yield. The position’s account is closed and its rent returned to you; it costs 0.0000102 SOL network fee.',
        ),
      },
    },
    errors: ['position_locked', 'position_not_intact', ...positionErrors],
  },
  'POST /vault/claim': {
    id: 'claim',
    tag,
    summary: 'Build a payout of yield',
    description:
      'Accrued and unclaimed yield of one position, or without `positionId` of all (up to eleven in one transaction). While a claim is open, asking again gives the same transaction. The body may be left out.',
    request: { positionId: 0 },
    responses: {
      200: {
        description: 'The transaction to sign.',
        schema: 'TransactionResponse',
        example: built(
          'Signing pays 0.000273972 CRED of yield from one position into your account. It costs 0.0000102 SOL network fee.',
        ),
      },
    },
    errors: ['nothing_to_claim', 'claim_open', ...positionErrors],
  },
  'POST /vault/transactions': {
    id: 'relayTransaction',
    tag,
    summary: 'Send a signed transaction',
    description:
      'For callers without an RPC node of their own. Takes only what the service built for this wallet, signed by it, not a byte more or less. Sending it twice lands it once.',
    request: { id: TRANSACTION_ID, transaction: TRANSACTION },
    responses: {
      200: {
        description: 'The network has it.',
        schema: 'RelayedTransaction',
        example: {
          id: TRANSACTION_ID,
          signature:
            '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW',
        },
      },
    },
    errors: [
      'transaction_not_found',
      'transaction_not_ours',
      'transaction_expired',
      'transaction_failed',
      'dependency_unavailable',
    ],
  },
  'GET /vault/transactions/{id}': {
    id: 'getTransaction',
    tag,
    summary: 'What became of a transaction',
    description: 'Read from the chain, whoever sent it.',
    parameters: { id: { description: 'The `id` that it was built with.', example: TRANSACTION_ID } },
    responses: {
      200: {
        description: 'Its state.',
        schema: 'VaultTransaction',
        example: {
          id: TRANSACTION_ID,
          kind: 'stack',
          status: 'landed',
          owner: WALLET,
          positionId: 0,
          positionIds: [0],
          lastValidBlockHeight: 351_204_117,
          createdAt: '2026-11-20T09:00:00.500Z',
          resolvedAt: '2026-11-20T09:00:09.000Z',
        },
      },
    },
    errors: ['transaction_not_found', 'dependency_unavailable'],
  },
}

export { components } from './vault-components.ts'
