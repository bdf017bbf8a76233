import { json } from '../../lib/http/json.ts'
import { operationFor } from '../../lib/http/operation.ts'
import { withSession } from '../../lib/http/session.ts'
import { readBalances } from '../../lib/payments/balances.ts'
import { Balances } from '../../schema/wire/payments.ts'
import type { Deps } from './deps.ts'

const operation = operationFor<Cloudflare.PaymentsEnv, Deps>()

export const balanceRoutes = [
  operation({
    method: 'GET',
    path: '/payments/balances',
    access: withSession(),
    limit: 'WALLET_LIMIT',
    docs: {
      id: 'getBalances',
      summary: 'Read your balances',
      description:
        'Returns the SOL and CRED that your wallet can spend, as of the newest confirmed block. It counts CRED in the associated token account, which the transactions of this service pay from.',
      answers: { 200: { description: 'Your balances.', schema: Balances } },
      errors: ['dependency_unavailable'],
    },
    handle: async ({ deps, session }) => json(await readBalances(deps, session.wallet)),
  }),
]
