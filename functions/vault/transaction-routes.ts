import type { InferInput } from 'valibot'
import { clientAddress } from '../../lib/http/client-address.ts'
import { json } from '../../lib/http/json.ts'
import { operationFor } from '../../lib/http/operation.ts'
import { withSession } from '../../lib/http/session.ts'
import { relayedView } from '../../lib/transactions/relay/views.ts'
import { claim } from '../../lib/vault/payout/claim.ts'
import { closeAccount } from '../../lib/vault/payout/close-account.ts'
import { unstack } from '../../lib/vault/payout/unstack.ts'
import { stack } from '../../lib/vault/stacking/stack.ts'
import { relayVaultTransaction } from '../../lib/vault/transactions/relay.ts'
import { transactionStatus } from '../../lib/vault/transactions/status.ts'
import { statusView, transactionView } from '../../lib/vault/views.ts'
import { RelayedTransaction, RelayRequest, TransactionPath } from '../../schema/wire/transactions.ts'
import {
  ClaimRequest,
  LeftoversRequest,
  quoteExample,
  StackRequest,
  TransactionResponse,
  transactionExample,
  UnstackRequest,
  VaultTransaction,
} from '../../schema/wire/vault.ts'
import type { Deps } from './deps.ts'

const operation = operationFor<Cloudflare.VaultEnv, Deps>()

/**
 * Returns the docs of the answers of an operation that builds a transaction.
 * @param message the message of the example
 * @param more further fields of the example
 */
const builtWords = (message: string, more: Partial<InferInput<typeof TransactionResponse>> = {}) => ({
  200: {
    description: 'The transaction to sign.',
    schema: TransactionResponse,
    links: { relayTransaction: { id: '#/id' }, getTransaction: { id: '#/id' } } as const,
    example: { ...transactionExample, message, ...more },
  },
})

export const transactionRoutes = [
  operation({
    method: 'POST',
    path: '/vault/stack',
    access: withSession('vault:transact'),
    limit: 'WALLET_LIMIT',
    body: StackRequest,
    docs: {
      id: 'stack',
      summary: 'Build a stacking transaction',
      description:
        'Returns a transaction that moves the amount from the caller’s account, and the whole term’s yield from the treasury, into an escrow. Neither side can move the escrow alone. The service has already signed it: sign it and send it to the network or to POST /vault/transactions. With `signing: wallet_first` nobody has signed it: sign it and send it to POST /vault/transactions, which adds the service’s signature. Before the first stake the answer then opens the vault (`step: open_vault`): send it, and request the stake again. If the caller does not hold the amount, `quote.funded` is false and the service signs nothing: fund the wallet, then request the stake again. The yield of new stakes is limited for each wallet and in total, by UTC day.',
      answers: builtWords(
        'Signing locks 1 CRED until 2026-12-20T09:00:00.000Z and adds the whole yield of 0.008219178 CRED. It costs 0.0000102 SOL network fee; 0.00203928 SOL rent, returned at withdrawal; 0.00336168 SOL rent of your vault, once, not returned.',
        {
          quote: {
            ...quoteExample,
            funded: true,
            networkFee: 10_200,
            positionRent: 2_039_280,
            vaultRent: 3_361_680,
          },
        },
      ),
      errors: [
        'wallet_not_eligible',
        'vault_occupied',
        'too_many_open_stacks',
        'quota_exceeded',
        'yield_limit',
        'yield_settling',
        'stacking_paused',
        'yield_reserve_short',
        'mint_not_supported',
        'dependency_unavailable',
      ],
    },
    handle: async ({ deps, session, body, headers }) => {
      const address = clientAddress(headers)
      return json(transactionView(await stack(deps, session.wallet, body, address)))
    },
  }),
  operation({
    method: 'POST',
    path: '/vault/unstack',
    access: withSession('vault:transact'),
    limit: 'WALLET_LIMIT',
    body: UnstackRequest,
    docs: {
      id: 'unstack',
      summary: 'Build an unstacking transaction',
      description:
        'Pays out all that the position holds, principal and unclaimed yield, and returns its account’s rent. It is rejected until the lock has ended. If others have sent tokens to the account, which could make closing it fail, the account stays open: close it with POST /vault/leftovers. The message says so. You may request the transaction again at any time; only one can land.',
      answers: builtWords(
        'Signing withdraws 1.008219178 CRED: 1 CRED principal and 0.008219178 CRED yield. The position’s account is closed and its rent returned to you; it costs 0.0000102 SOL network fee.',
      ),
      errors: ['position_locked', 'position_not_intact', 'position_not_found', 'dependency_unavailable'],
    },
    handle: async ({ deps, session, body }) =>
      json(transactionView(await unstack(deps, session.wallet, body))),
  }),
  operation({
    method: 'POST',
    path: '/vault/leftovers',
    access: withSession('vault:transact'),
    limit: 'WALLET_LIMIT',
    body: LeftoversRequest,
    docs: {
      id: 'closeLeftovers',
      summary: 'Build the closing of a withdrawn position’s account',
      description:
        'For an account that a withdrawal left open. Returns its rent and the tokens that others sent to it. If somebody sends more before it lands, nothing is lost: request it again.',
      answers: builtWords(
        'Signing closes the account of a withdrawn position: you get its rent and the remaining 0.000000001 CRED. It costs 0.0000102 SOL network fee.',
      ),
      errors: ['no_leftovers', 'position_locked', 'position_not_found', 'dependency_unavailable'],
    },
    handle: async ({ deps, session, body }) =>
      json(transactionView(await closeAccount(deps, session.wallet, body))),
  }),
  operation({
    method: 'POST',
    path: '/vault/claim',
    access: withSession('vault:transact'),
    limit: 'WALLET_LIMIT',
    body: ClaimRequest,
    bodyOptional: true,
    docs: {
      id: 'claim',
      summary: 'Build a claim transaction',
      description:
        'Pays out the accrued and unclaimed yield of one position, or without `positionId` of all (up to eleven in one transaction, eight with `wallet_first`). While a claim is open, the same request returns the same transaction. A different request replaces a claim that the service has not signed. The body may be omitted.',
      answers: builtWords(
        'Signing pays 0.000273972 CRED of yield from one position into your account. It costs 0.0000102 SOL network fee.',
      ),
      errors: ['nothing_to_claim', 'claim_open', 'position_not_found', 'dependency_unavailable'],
    },
    handle: async ({ deps, session, body }) => json(transactionView(await claim(deps, session.wallet, body))),
  }),
  operation({
    method: 'POST',
    path: '/vault/transactions',
    access: withSession('vault:transact'),
    limit: 'WALLET_LIMIT',
    body: RelayRequest,
    docs: {
      id: 'relayTransaction',
      summary: 'Send a signed transaction',
      description:
        'Accepts only a transaction that the service built for this wallet and that the wallet signed, unchanged. With `wallet_first`, wallets may add guards, a compute budget, a newer blockhash and version 0; the service then signs one such message only. Sending it twice has the effect of once.',
      answers: {
        200: {
          description: 'Sent to the network.',
          schema: RelayedTransaction,
          links: { getTransaction: { id: '#/id' } },
        },
      },
      errors: [
        'transaction_not_found',
        'transaction_not_ours',
        'not_cosigned',
        'already_cosigned',
        'transaction_expired',
        'transaction_failed',
        'stacking_paused',
        'too_many_open_stacks',
        'quota_exceeded',
        'yield_limit',
        'yield_settling',
        'dependency_unavailable',
      ],
    },
    handle: async ({ deps, session, body }) =>
      json(relayedView(await relayVaultTransaction(deps, session.wallet, body))),
  }),
  operation({
    method: 'GET',
    path: '/vault/transactions/{id}',
    access: 'public',
    limit: 'READ_LIMIT',
    conditional: true,
    params: TransactionPath,
    docs: {
      id: 'getTransaction',
      summary: 'Read a transaction’s status',
      description: 'The outcome is read from the chain, so it does not matter who sent the transaction.',
      answers: {
        200: {
          description: 'Its state.',
          schema: VaultTransaction,
          links: { getVault: { owner: '#/owner' }, unstack: { positionId: '#/positionId' } },
        },
      },
      errors: ['transaction_not_found', 'dependency_unavailable'],
    },
    handle: async ({ deps, params }) => json(statusView(await transactionStatus(deps, params.id))),
  }),
]
