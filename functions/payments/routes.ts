import { clientAddress } from '../../lib/http/client-address.ts'
import { json } from '../../lib/http/json.ts'
import { operationFor } from '../../lib/http/operation.ts'
import { nextPageLink } from '../../lib/http/paging.ts'
import { withSession } from '../../lib/http/session.ts'
import { chargeHire } from '../../lib/payments/charges/charge.ts'
import { listCharges } from '../../lib/payments/charges/list.ts'
import { chargeListView, chargeView } from '../../lib/payments/charges/views.ts'
import { voidCharge } from '../../lib/payments/charges/void.ts'
import { Charge, ChargeList, chargeExample } from '../../schema/wire/payments/charge-answers.ts'
import { ChargeListQuery, ChargePath, ChargeRequest } from '../../schema/wire/payments/charge-requests.ts'
import { balanceRoutes } from './balance-routes.ts'
import { budgetRoutes } from './budget-routes.ts'
import { creditRoutes } from './credit-routes.ts'
import type { Deps } from './deps.ts'
import { transactionRoutes } from './transaction-routes.ts'

const operation = operationFor<Cloudflare.PaymentsEnv, Deps>()

export const routes = [
  operation({
    method: 'GET',
    path: '/payments/charges',
    access: withSession(),
    limit: 'WALLET_LIMIT',
    query: ChargeListQuery,
    docs: WORDS && {
      id: 'listCharges',
      summary: 'List charges',
      description:
        'Those for the work of your agents, or those that you are to pay; newest first. Pages follow by cursor. What nobody has paid is deleted 120 days after its hire has ended.',
      answers: {
        200: {
          description: 'One page of charges.',
          schema: ChargeList,
          headers: { Link: 'The next page (rel="next"), if there is one (RFC 8288).' },
          links: { voidCharge: { id: '#/charges/0/id' }, getAgent: { id: '#/charges/0/agentId' } },
        },
      },
      errors: ['dependency_unavailable'],
    },
    handle: async ({ deps, session, query, url }) => {
      const page = await listCharges(deps, session.wallet, query)
      return json(chargeListView(page), 200, nextPageLink(url, page.nextCursor))
    },
  }),
  operation({
    method: 'POST',
    path: '/payments/charges',
    access: withSession('agents:charge'),
    limit: 'WALLET_LIMIT',
    body: ChargeRequest,
    docs: WORDS && {
      id: 'chargeHire',
      summary: 'Charge for an agent’s work',
      description:
        'Records what is due for work on a hire of one of your agents, by the fee that the hire has since it was made, if this period’s budget allows it. The same request again gives the same charge; with other details its reference is refused. At most 10,000 charges of a wallet each UTC day; and at most 1,000 more that nobody has paid, voided ones among them, than were ever paid. A client address records 600 an hour, and beyond that as many as the wallet’s protocol fees have bought.',
      answers: {
        201: {
          description: 'The charge.',
          schema: Charge,
          links: { voidCharge: { id: '#/id' } },
        },
      },
      errors: [
        'charge_invalid',
        'hire_not_found',
        'hire_not_active',
        'agent_suspended',
        'charge_differs',
        'budget_exhausted',
        'quota_exceeded',
        'dependency_unavailable',
      ],
    },
    handle: async ({ deps, session, body, headers }) =>
      json(chargeView(await chargeHire(deps, session.wallet, body, clientAddress(headers))), 201),
  }),
  operation({
    method: 'POST',
    path: '/payments/charges/{id}/void',
    access: withSession('agents:charge'),
    limit: 'WALLET_LIMIT',
    params: ChargePath,
    docs: WORDS && {
      id: 'voidCharge',
      summary: 'Take back a charge',
      description:
        'Voids a charge that is recorded and not being collected: the budget of its own period has the amount again. A voided charge is returned unchanged.',
      answers: {
        200: {
          description: 'The charge, voided.',
          schema: Charge,
          example: { ...chargeExample, status: 'voided', voidedAt: '2026-11-22T10:00:00.000Z' },
        },
      },
      errors: ['charge_not_found', 'charge_not_voidable', 'dependency_unavailable'],
    },
    handle: async ({ deps, session, params }) =>
      json(chargeView(await voidCharge(deps, session.wallet, params.id))),
  }),
  ...balanceRoutes,
  ...budgetRoutes,
  ...creditRoutes,
  ...transactionRoutes,
]
