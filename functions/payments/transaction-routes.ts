import { json } from '../../lib/http/json.ts'
import { operationFor } from '../../lib/http/operation.ts'
import { withSession } from '../../lib/http/session.ts'
import { relayPayment } from '../../lib/payments/transactions/relay.ts'
import { paymentStatus } from '../../lib/payments/transactions/status.ts'
import { paymentView } from '../../lib/payments/transactions/transaction-views.ts'
import { relayedView } from '../../lib/transactions/relay/views.ts'
import { PaymentTransaction } from '../../schema/wire/payments/transaction-answers.ts'
import { RelayedTransaction, RelayRequest, TransactionPath } from '../../schema/wire/transactions.ts'
import type { Deps } from './deps.ts'

const operation = operationFor<Cloudflare.PaymentsEnv, Deps>()

export const transactionRoutes = [
  operation({
    method: 'POST',
    path: '/payments/transactions',
    access: withSession('agents:charge', 'agents:hire'),
    limit: 'WALLET_LIMIT',
    body: RelayRequest,
    docs: WORDS && {
      id: 'relayPayment',
      summary: 'Send a signed transaction',
      description:
        'Accepts only a transaction that this group has built for the wallet, signed by it, with no more than wallets add (guards, a compute budget, a newer blockhash, version 0). A collection or a purchase of credit is then signed by the service, too. One message of each is sent, ever; sending it twice lands it once.',
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
    docs: WORDS && {
      id: 'getPayment',
      summary: 'Read a transaction’s status',
      description: 'Asks the chain while the outcome is not known, at most every two seconds.',
      answers: { 200: { description: 'Its state.', schema: PaymentTransaction } },
      errors: ['transaction_not_found', 'dependency_unavailable'],
    },
    handle: async ({ deps, params, now }) => json(paymentView(await paymentStatus(deps, params.id), now)),
  }),
]
