import { clientAddress } from '../../lib/http/client-address.ts'
import { json } from '../../lib/http/json.ts'
import { operationFor } from '../../lib/http/operation.ts'
import { nextPageLink } from '../../lib/http/paging.ts'
import { withSession } from '../../lib/http/session.ts'
import { fundBudget } from '../../lib/payments/budgets/budget-fund.ts'
import { listBudgets } from '../../lib/payments/budgets/budget-list.ts'
import { withdrawBudget } from '../../lib/payments/budgets/budget-withdraw.ts'
import { collect } from '../../lib/payments/collections/collect.ts'
import { openCollector } from '../../lib/payments/collections/collector-open.ts'
import { budgetListView, builtView } from '../../lib/payments/transactions/transaction-views.ts'
import { BUDGET_ACCOUNT } from '../../schema/examples.ts'
import { BudgetList } from '../../schema/wire/payments/transaction-answers.ts'
import {
  BudgetListQuery,
  CollectorRequest,
  CollectRequest,
  FundRequest,
  WithdrawRequest,
} from '../../schema/wire/payments/transaction-requests.ts'
import { builtWords } from './built-words.ts'
import type { Deps } from './deps.ts'

const operation = operationFor<Cloudflare.PaymentsEnv, Deps>()

export const budgetRoutes = [
  operation({
    method: 'POST',
    path: '/payments/collectors',
    access: withSession('agents:charge'),
    limit: 'WALLET_LIMIT',
    body: CollectorRequest,
    bodyOptional: true,
    docs: WORDS && {
      id: 'openCollector',
      summary: 'Build the making of a collector',
      description:
        'Once for all agents of a wallet: the account of the Token program that their hirers’ budget accounts let collect, only with the owner’s signature and the service’s together. The body may be left out.',
      answers: builtWords({
        kind: 'open_collector',
        message:
          'Signing makes your collector, which hirers of your agents let collect from their budget accounts, with your signature and the service’s together only. It moves no CRED and costs 0.0000052 SOL network fee and 0.00336168 SOL rent, once, not returned. Sign it and send it to POST /payments/transactions within five minutes.',
      }),
      errors: ['wallet_not_eligible', 'collector_exists', 'collector_foreign', 'dependency_unavailable'],
    },
    handle: async ({ deps, session, headers }) => {
      const address = clientAddress(headers)
      return json(builtView(await openCollector(deps, session.wallet, address)))
    },
  }),
  operation({
    method: 'GET',
    path: '/payments/budgets',
    access: withSession(),
    limit: 'WALLET_LIMIT',
    query: BudgetListQuery,
    docs: WORDS && {
      id: 'listBudgets',
      summary: 'List budget accounts',
      description:
        'Those of your hires, or of the hires of your agents, with what the chain shows of them now and what is unpaid. Pages follow by cursor.',
      answers: {
        200: {
          description: 'One page of budget accounts.',
          schema: BudgetList,
          headers: { Link: 'The next page (rel="next"), if there is one (RFC 8288).' },
        },
      },
      errors: ['dependency_unavailable'],
    },
    handle: async ({ deps, session, query, url }) => {
      const page = await listBudgets(deps, session.wallet, query)
      return json(budgetListView(page), 200, nextPageLink(url, page.nextCursor))
    },
  }),
  operation({
    method: 'POST',
    path: '/payments/budgets',
    access: withSession('agents:hire'),
    limit: 'WALLET_LIMIT',
    body: FundRequest,
    docs: WORDS && {
      id: 'fundBudget',
      summary: 'Build the funding of a hire’s budget account',
      description:
        'Opens a token account of your own for one hire, or tops it up, and lets the collector of the agent’s owner take at most what it then holds, for recorded charges and only together with the service. Nothing else of your wallet can be collected. A wallet that sends what it signs may send it itself: it is found on the chain.',
      answers: builtWords({
        kind: 'fund_budget',
        message:
          'Signing puts 5 CRED into your budget account of this hire, and lets the agent’s owner, together with the service, collect up to 5 CRED from it for recorded charges. You can take back what is left at any time. It costs 0.0000052 SOL network fee and 0.00203928 SOL rent, returned when it is closed. Sign it and send it to POST /payments/transactions within five minutes.',
        address: BUDGET_ACCOUNT,
      }),
      errors: [
        'hire_not_found',
        'hire_over',
        'collector_missing',
        'collector_foreign',
        'budget_frozen',
        'funds_short',
        'budget_changed',
        'dependency_unavailable',
      ],
    },
    handle: async ({ deps, session, body }) => json(builtView(await fundBudget(deps, session.wallet, body))),
  }),
  operation({
    method: 'POST',
    path: '/payments/budgets/withdraw',
    access: withSession('agents:hire'),
    limit: 'WALLET_LIMIT',
    body: WithdrawRequest,
    docs: WORDS && {
      id: 'withdrawBudget',
      summary: 'Build the withdrawal of a budget account',
      description:
        'Ends the collector’s leave, pays all that the account holds to you, and closes it. You need the service for it as little as for any account of your own.',
      answers: builtWords({
        kind: 'withdraw_budget',
        message:
          'Signing takes back 3.75 CRED from your budget account of this hire, and the agent’s leave to collect from it. The account is closed and its rent returned to you. It costs 0.0000052 SOL network fee. Sign it and send it to POST /payments/transactions within five minutes.',
        address: BUDGET_ACCOUNT,
      }),
      errors: [
        'hire_not_found',
        'budget_not_found',
        'budget_frozen',
        'payout_account_unusable',
        'budget_changed',
        'dependency_unavailable',
      ],
    },
    handle: async ({ deps, session, body }) =>
      json(builtView(await withdrawBudget(deps, session.wallet, body))),
  }),
  operation({
    method: 'POST',
    path: '/payments/collect',
    access: withSession('agents:charge'),
    limit: 'WALLET_LIMIT',
    body: CollectRequest,
    bodyOptional: true,
    docs: WORDS && {
      id: 'collect',
      summary: 'Build a collection',
      description:
        'Pays recorded charges, the oldest first, out of the budget accounts of their hires (up to six, and a hundred charges) into your token account, less the protocol fee. Accounts that can not pay are left out; charges beyond what an account holds and allows stay due. A collection that was not sent gives way to the next of the same charges. The body may be left out.',
      answers: builtWords({
        kind: 'collect',
        message:
          'Signing collects 1.25 CRED for 1 charge, of which 0.0125 CRED go to the treasury. It costs 0.0000102 SOL network fee. Sign it and send it to POST /payments/transactions within five minutes.',
        collection: { amount: 1_250_000_000, fee: 12_500_000, charges: 1, accounts: 1 },
      }),
      errors: [
        'wallet_not_eligible',
        'nothing_to_collect',
        'payout_account_unusable',
        'charges_changed',
        'treasury_unavailable',
        'dependency_unavailable',
      ],
    },
    handle: async ({ deps, session, body }) => json(builtView(await collect(deps, session.wallet, body))),
  }),
]
