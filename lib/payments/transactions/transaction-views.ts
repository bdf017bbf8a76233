import type { Wire } from '../../../schema/wire/common.ts'
import type {
  BudgetList,
  Budget as BudgetSchema,
  Credit as CreditSchema,
  PaymentTransaction,
  PaymentTransactionResponse,
} from '../../../schema/wire/payments.ts'
import { deadlinePassed } from '../../transactions/relay/limits.ts'
import type { Budget, OwnCollector } from '../budgets/budget-list.ts'
import { collectibleOf } from '../chain/budget-account.ts'
import type { BuiltCollection } from '../collections/collect.ts'
import type { Credit } from '../credit/credit-queries.ts'
import type { BuiltLeg } from '../jobs/building.ts'
import { isAwaitingSignature, isOfJobs } from '../settlement/outcomes.ts'
import type { BuiltPayment } from './building.ts'
import type { Intent } from './intent-queries.ts'

/** Makes the answer for a transaction to sign. */
export const builtView = (
  built: BuiltPayment & {
    address?: string
    collection?: BuiltCollection['collection']
    jobs?: BuiltLeg[]
  },
): Wire<typeof PaymentTransactionResponse> => ({
  success: true,
  transaction: built.transaction,
  message: built.message,
  id: built.id,
  kind: built.kind,
  expiresAt: built.expiresAt.toISOString(),
  lastValidBlockHeight: built.lastValidBlockHeight,
  address: built.address,
  collection: built.collection && {
    amount: built.collection.amount,
    fee: built.collection.fee,
    charges: built.collection.charges,
    accounts: built.collection.accounts,
  },
  jobs: built.jobs?.map(escrowView),
})

const escrowView = ({ jobId, address, amount, fee }: BuiltLeg) => ({ jobId, address, amount, fee })

/** Makes the answer for the status of a built transaction. */
export const paymentView = (intent: Intent, now: Date): Wire<typeof PaymentTransaction> => ({
  id: intent.id,
  kind: intent.kind,
  status: statusOf(intent, now),
  reason: intent.reason ?? undefined,
  wallet: intent.wallet,
  accounts: intent.legs.map(({ hireId, address, amount, fee }) => ({ hireId, address, amount, fee })),
  jobs: isOfJobs(intent)
    ? intent.jobs.map(({ jobId, address, amount, fee }) => ({ jobId, address, amount, fee }))
    : undefined,
  credit: intent.credit ?? undefined,
  lastValidBlockHeight: intent.lastValidBlockHeight,
  signature: intent.networkSignature ?? undefined,
  createdAt: intent.createdAt.toISOString(),
  resolvedAt: intent.resolvedAt?.toISOString(),
})

/**
 * Returns the status at `now`. An unsigned transaction expires at its deadline, before a job run records it.
 */
function statusOf(intent: Intent, now: Date): Wire<typeof PaymentTransaction>['status'] {
  if (intent.status !== 'open' || !isAwaitingSignature(intent)) return intent.status
  return intent.createdAt <= deadlinePassed(now) ? 'expired' : 'unsigned'
}

/** Makes the answer for a wallet's credit. */
export const creditView = (credit: Credit): Wire<typeof CreditSchema> => ({
  balance: credit.balance,
  lowBelow: credit.lowBelow ?? undefined,
})

/** Makes the answer for one page of budget accounts. */
export const budgetListView = (page: {
  budgets: Budget[]
  nextCursor?: string
  collector?: OwnCollector
}): Wire<typeof BudgetList> => ({
  budgets: page.budgets.map(budgetView),
  count: page.budgets.length,
  nextCursor: page.nextCursor,
  collector: page.collector,
})

function budgetView({ state, ...budget }: Budget): Wire<typeof BudgetSchema> {
  const open = state.kind === 'open' ? state : undefined
  return {
    hireId: budget.hireId,
    agentId: budget.agentId,
    owner: budget.owner,
    hirer: budget.hirer,
    address: budget.address,
    status: open?.isFrozen ? 'frozen' : state.kind,
    balance: open?.balance ?? 0n,
    allowance: open?.allowance ?? 0n,
    unpaid: budget.unpaid,
    unpaidCharges: budget.unpaidCharges,
    covered: collectibleOf(state) >= budget.unpaid,
  }
}
