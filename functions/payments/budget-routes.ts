import { clientAddress } from '../../lib/http/client-address.ts'
import { json } from '../../lib/http/json.ts'
import { operationFor } from '../../lib/http/operation.ts'
import { nextPageLink } from '../../lib/http/paging.ts'
import { withSession } from '../../lib/http/session.ts'
import { fundBudget } from '../../lib/payments/budgets/budget-fund.ts'
import { listBudgets } from '../../lib/payments/budgets/budget-list.ts'
import { withdrawBudget } from '../../lib/payments/budgets/budget-withdraw.ts'
import { MAX_LEGS } from '../../lib/payments/chain/collection.ts'
import { collect } from '../../lib/payments/collections/collect.ts'
import { openCollector } from '../../lib/payments/collections/collector-open.ts'
import { budgetListView, builtView } from '../../lib/payments/transactions/transaction-views.ts'
import { BUDGET_ACCOUNT } from '../../schema/examples.ts'
import { figure } from '../../schema/figures.ts'
import {
  BudgetList,
  BudgetListQuery,
  CollectorRequest,
  CollectRequest,
  FundRequest,
  WithdrawRequest,
} from '../../schema/wire/payments.ts'
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
    docs: {
      id: 'openCollector',
      summary: 'Build a transaction that opens your payout account',
      description:
        'A wallet needs one payout account (the collector) for all its agents. It is a Token program multisig that may collect from the hirers’ budget accounts, only with the signatures of both owner and service. The body may be omitted.',
      answers: builtWords({
        kind: 'open_collector',
        message:
          'Signing opens your payout account (the collector). It can collect from the budget accounts of your agents’ hirers, only with both your signature and the service’s. It moves no CRED and costs 0.0000052 SOL network fee and 0.00336168 SOL rent, once, not returned. Sign it and send it to POST /payments/transactions within five minutes.',
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
    docs: {
      id: 'listBudgets',
      summary: 'List budget accounts',
      description:
        'The accounts of your hires, or of the hires of your agents, with their current state on the chain and the unpaid charges. Pages follow by cursor.',
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
    docs: {
      id: 'fundBudget',
      summary: 'Build a transaction that funds a hire',
      description:
        'Opens your own token account for one hire, or tops it up. The payout account of the agent’s owner may then collect at most its balance, for recorded charges and only together with the service. Nothing else in your wallet can be collected. Your wallet may also send the signed transaction itself; the service finds it on the chain.',
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
    docs: {
      id: 'withdrawBudget',
      summary: 'Build a transaction that withdraws a budget account',
      description:
        'Revokes the payout account’s allowance, pays the whole balance to you, and closes the account. It is your own account, so you can do the same without the service.',
      answers: builtWords({
        kind: 'withdraw_budget',
        message:
          'Signing takes back 3.75 CRED from your budget account of this hire, and ends the agent’s permission to collect from it. The account is closed and its rent returned to you. It costs 0.0000052 SOL network fee. Sign it and send it to POST /payments/transactions within five minutes.',
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
    docs: {
      id: 'collect',
      summary: 'Build a collection',
      description: `Pays recorded charges, oldest first, from the budget accounts of their hires (up to ${figure(MAX_LEGS.open)} accounts and a hundred charges) into your token account, less the protocol fee. Accounts that cannot pay are skipped; charges above an account’s balance or allowance stay due. A new collection of the same charges replaces one that was not sent. The body may be omitted.`,
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
