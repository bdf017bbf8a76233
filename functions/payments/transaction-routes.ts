import { json } from '../../lib/http/json.ts'
import { operationFor } from '../../lib/http/operation.ts'
import { withSession } from '../../lib/http/session.ts'
import { relayPayment } from '../../lib/payments/transactions/relay.ts'
import { paymentStatus } from '../../lib/payments/transactions/status.ts'
import { paymentView } from '../../lib/payments/transactions/transaction-views.ts'
import { SETTLE_LEASE_MS } from '../../lib/transactions/relay/limits.ts'
import { relayedView } from '../../lib/transactions/relay/views.ts'
import { span } from '../../schema/figures.ts'
import { PaymentTransaction } from '../../schema/wire/payments.ts'
import { RelayedTransaction, RelayRequest, TransactionPath } from '../../schema/wire/transactions.ts'
import type { Deps } from './deps.ts'

const operation = operationFor<Cloudflare.PaymentsEnv, Deps>()

export const transactionRoutes = [
  operation({
    method: 'POST',
    path: '/payments/transactions',
    access: withSession('agents:charge', 'agents:hire', 'jobs:use'),
    limit: 'WALLET_LIMIT',
    body: RelayRequest,
    docs: {
      id: 'relayPayment',
      summary: 'Send a signed transaction',
      description:
        'Accepts only a transaction that was built here for the wallet and is signed by it. Wallets may add guards, a compute budget, a newer blockhash and version 0, nothing else. The service then also signs collections, purchases of credit, and fundings and payments of jobs. Only one signed message of each transaction is ever sent, so sending it twice has the effect of once.',
      answers: {
        200: {
          description: 'Sent to the network.',
          schema: RelayedTransaction,
          links: { getPayment: { id: '#/id' } },
        },
      },
      errors: [
        'transaction_not_found',
        'transaction_not_ours',
        'already_cosigned',
        'transaction_expired',
        'transaction_failed',
        'agent_suspended',
        'job_changed',
        'deadline_passed',
        'funding_open',
        'input_missing',
        'key_leaked',
        'jobs_off',
        'escrow_taken',
        'nothing_due',
        'payment_open',
        'dependency_unavailable',
      ],
    },
    handle: async ({ deps, session, body }) =>
      json(relayedView(await relayPayment(deps, session.wallet, body))),
  }),
  operation({
    method: 'GET',
    path: '/payments/transactions/{id}',
    access: 'public',
    limit: 'READ_LIMIT',
    conditional: true,
    params: TransactionPath,
    docs: {
      id: 'getPayment',
      summary: 'Read a transaction’s status',
      description: `Reads the chain at most every ${span(SETTLE_LEASE_MS, 'second')} until the outcome is known.`,
      answers: { 200: { description: 'Its state.', schema: PaymentTransaction } },
      errors: ['transaction_not_found', 'dependency_unavailable'],
    },
    handle: async ({ deps, params, now }) => json(paymentView(await paymentStatus(deps, params.id), now)),
  }),
]
