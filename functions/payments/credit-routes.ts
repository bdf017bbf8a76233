import { json } from '../../lib/http/json.ts'
import { operationFor } from '../../lib/http/operation.ts'
import { withSession } from '../../lib/http/session.ts'
import { buyCredit } from '../../lib/payments/credit/buy.ts'
import { readCredit } from '../../lib/payments/credit/read.ts'
import { builtView, creditView } from '../../lib/payments/transactions/transaction-views.ts'
import { Credit, CreditRequest } from '../../schema/wire/payments.ts'
import { builtWords } from './built-words.ts'
import type { Deps } from './deps.ts'

const operation = operationFor<Cloudflare.PaymentsEnv, Deps>()

export const creditRoutes = [
  operation({
    method: 'GET',
    path: '/payments/credit',
    access: withSession(),
    limit: 'WALLET_LIMIT',
    docs: {
      id: 'getCredit',
      summary: 'Read your credit',
      description:
        'Each payment for a request to one of your agents uses credit for the service’s network fees, at least 0.01 CRED.',
      answers: { 200: { description: 'Your credit.', schema: Credit } },
      errors: ['dependency_unavailable'],
    },
    handle: async ({ deps, session }) => json(creditView(await readCredit(deps, session.wallet))),
  }),
  operation({
    method: 'POST',
    path: '/payments/credit',
    access: withSession('agents:charge'),
    limit: 'WALLET_LIMIT',
    body: CreditRequest,
    docs: {
      id: 'buyCredit',
      summary: 'Build a transaction that buys credit',
      description:
        'Pays CRED from your token account to the treasury for the same amount of credit. Credit pays the network fees of payments for requests to your agents, and is not refundable. It is added when the transaction has landed. A transfer that the service has not signed buys none. A new purchase replaces one that was not sent.',
      answers: builtWords({
        kind: 'buy_credit',
        message:
          'Signing pays 10 CRED to the treasury for the same amount of credit, which is not refundable. It costs 0.0000102 SOL network fee. Sign it and send it to POST /payments/transactions within five minutes.',
      }),
      errors: ['wallet_not_eligible', 'treasury_unavailable', 'funds_short', 'dependency_unavailable'],
    },
    handle: async ({ deps, session, body }) => json(builtView(await buyCredit(deps, session.wallet, body))),
  }),
]
