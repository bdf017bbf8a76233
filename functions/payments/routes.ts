import { clientAddress } from '../../lib/http/client-address.ts'
import { json } from '../../lib/http/json.ts'
import { operationFor } from '../../lib/http/operation.ts'
import { pageAnswer } from '../../lib/http/page.ts'
import { withSession } from '../../lib/http/session.ts'
import { chargeHire } from '../../lib/payments/charges/charge.ts'
import { chargeRow, chargeView, listCharges, readCharge } from '../../lib/payments/charges/read.ts'
import { voidCharge } from '../../lib/payments/charges/void.ts'
import { figure } from '../../schema/figures.ts'
import { CHARGES_PER_DAY, UNPAID_CHARGES } from '../../schema/values.ts'
import {
  Charge,
  ChargeList,
  ChargeListQuery,
  ChargePath,
  ChargeRequest,
  chargeExample,
} from '../../schema/wire/charges.ts'
import { balanceRoutes } from './balance-routes.ts'
import { budgetRoutes } from './budget-routes.ts'
import { creditRoutes } from './credit-routes.ts'
import { deploymentRoutes } from './deployment-routes.ts'
import type { Deps } from './deps.ts'
import { jobRoutes } from './job-routes.ts'
import { totalsRoutes } from './totals-routes.ts'
import { transactionRoutes } from './transaction-routes.ts'

const operation = operationFor<Cloudflare.PaymentsEnv, Deps>()

export const routes = [
  operation({
    method: 'GET',
    path: '/payments/charges',
    access: withSession(),
    limit: 'WALLET_LIMIT',
    query: ChargeListQuery,
    docs: {
      id: 'listCharges',
      summary: 'List charges',
      description:
        'Charges for the work of your agents, or charges that you have to pay; newest first. Pages follow by cursor. Unpaid charges are deleted 120 days after their hire has ended.',
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
      return pageAnswer(ChargeList, 'charges', page.charges.map(chargeRow), { url, ...page })
    },
  }),
  operation({
    method: 'POST',
    path: '/payments/charges',
    access: withSession('agents:charge'),
    limit: 'WALLET_LIMIT',
    body: ChargeRequest,
    docs: {
      id: 'chargeHire',
      summary: 'Charge for an agent’s work',
      description: `Records a charge for work on a hire of one of your agents, by the fee that was fixed when the hire began. It must fit into this period’s budget. Repeating the request returns the same charge; the same reference with other details is rejected. A wallet may record ${figure(CHARGES_PER_DAY)} charges each UTC day. Its unpaid charges, including voided ones, may exceed its paid ones by at most ${figure(UNPAID_CHARGES)}. A client address may record 600 an hour; protocol fees that the wallet has paid raise this limit.`,
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
    method: 'GET',
    path: '/payments/charges/{id}',
    access: withSession(),
    limit: 'WALLET_LIMIT',
    params: ChargePath,
    docs: {
      id: 'getCharge',
      summary: 'Read a charge',
      description:
        'Returns a charge as it is now, for its hirer or the agent’s owner. Anyone else gets 404 `charge_not_found`.',
      answers: {
        200: {
          description: 'The charge.',
          schema: Charge,
          links: { voidCharge: { id: '#/id' }, getAgent: { id: '#/agentId' } },
        },
      },
      errors: ['charge_not_found', 'dependency_unavailable'],
    },
    handle: async ({ deps, session, params }) =>
      json(chargeView(await readCharge(deps, session.wallet, params.id))),
  }),
  operation({
    method: 'POST',
    path: '/payments/charges/{id}/void',
    access: withSession('agents:charge'),
    limit: 'WALLET_LIMIT',
    params: ChargePath,
    docs: {
      id: 'voidCharge',
      summary: 'Take back a charge',
      description:
        'Voids a recorded charge that is not being collected. Its amount returns to the budget of its period. A charge that is already voided is returned unchanged.',
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
  ...deploymentRoutes,
  ...jobRoutes,
  ...totalsRoutes,
  ...transactionRoutes,
]
