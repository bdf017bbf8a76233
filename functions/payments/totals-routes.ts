import { json } from '../../lib/http/json.ts'
import { operationFor } from '../../lib/http/operation.ts'
import { withSession } from '../../lib/http/session.ts'
import { readTotals } from '../../lib/payments/totals/totals.ts'
import { PaymentTotals, PaymentTotalsQuery } from '../../schema/wire/payment-totals.ts'
import type { Deps } from './deps.ts'

const operation = operationFor<Cloudflare.PaymentsEnv, Deps>()

export const totalsRoutes = [
  operation({
    method: 'GET',
    path: '/payments/totals',
    access: withSession(),
    limit: 'WALLET_LIMIT',
    query: PaymentTotalsQuery,
    docs: {
      id: 'getPaymentTotals',
      summary: 'Read your totals',
      description:
        'What your agents were paid, or what you have paid, by kind, by month and by agent, and the charges that are due. GET /payments/charges and GET /x402/payments list what the sums are of. Balances on the chain are in GET /payments/balances and GET /payments/budgets.',
      answers: {
        200: {
          description: 'The totals of one side.',
          schema: PaymentTotals,
          links: { getAgent: { id: '#/agents/0/agentId' } },
        },
      },
      errors: ['dependency_unavailable'],
    },
    handle: async ({ deps, session, query }) => json(await readTotals(deps, session.wallet, query.role)),
  }),
]
