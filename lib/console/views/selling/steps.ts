import type {
  ListedRoute,
  RequestPayment,
  RequestPaymentList,
  RequestSelling,
  RequestTerms,
} from '../../../client/generated/types.ts'

/** `unknown`: no answer of the service says whether the step is done. */
export type StepState = 'done' | 'todo' | 'unknown'

/** The steps to paid requests, in the order in which they are shown. */
export const STEPS = ['address', 'price', 'account', 'key', 'credit', 'server', 'payment', 'listed'] as const

export type StepName = (typeof STEPS)[number]

/** The payments of an agent, as far as the newest payments of its owner's wallet show them. */
type Sales = {
  /** The newest payment that was settled. */
  lastSettled: RequestPayment | undefined
  /** Whether the wallet has no older payments than the ones that were read. */
  isWhole: boolean
  /** The credit that the wallet's newest payment used, in base units of CRED. */
  debit: bigint | undefined
}

/**
 * Reads the sales of one agent from the newest payments of its owner.
 * @param list the first page of GET /x402/payments as `owner`, newest first
 */
export function salesOf(
  { payments, nextCursor }: Pick<RequestPaymentList, 'payments' | 'nextCursor'>,
  agentId: string,
): Sales {
  const own = payments.filter((payment) => payment.agentId === agentId)
  return {
    lastSettled: own.find(({ status }) => status === 'settled'),
    isWhole: nextCursor === undefined,
    debit: payments.find(({ debit }) => debit !== undefined)?.debit,
  }
}

/** The answers that the steps are read from. */
export type Facts = {
  /** Undefined while the agent has no price. */
  terms: Pick<RequestTerms, 'missing'> | undefined
  /** What the agent lacks to sell requests. */
  missing: RequestSelling['missing']
  /** CRED in the owner's wallet, in base units. */
  cred: bigint
  /** The owner's credit, in base units of CRED. */
  credit: bigint
  /** The credit that a payment uses, in base units of CRED; undefined if the service does not say. */
  fee: bigint | undefined
  sales: Sales
  routes: readonly Pick<ListedRoute, 'state'>[]
  /** When this page created a key, in Unix milliseconds. */
  keyMadeAt: number | undefined
}

/** Returns how far each step is. */
export function stepsOf({
  terms,
  missing,
  cred,
  credit,
  fee = 1n,
  sales,
  routes,
  keyMadeAt,
}: Facts): Record<StepName, StepState> {
  const { lastSettled, isWhole } = sales
  const hasSold = lastSettled !== undefined
  // A server goes on with its former key until it is given the new one.
  const hasSoldByKey = hasSold && Date.parse(lastSettled.createdAt) > (keyMadeAt ?? 0)
  return {
    address: missing.includes('endpoint') ? 'todo' : 'done',
    price: terms ? 'done' : 'todo',
    account: accountState(terms, cred),
    key: keyMadeAt === undefined && missing.includes('key') ? 'todo' : 'done',
    credit: credit >= fee && !missing.includes('credit') ? 'done' : 'todo',
    server: hasSoldByKey ? 'done' : 'unknown',
    payment: hasSold ? 'done' : isWhole ? 'todo' : 'unknown',
    listed: routes.some(({ state }) => state === 'listed') ? 'done' : 'todo',
  }
}

/** Without a price the service checks no token account, but CRED in the wallet is in one. */
function accountState(terms: Facts['terms'], cred: bigint): StepState {
  if (terms) return terms.missing.length === 0 ? 'done' : 'todo'
  return cred > 0n ? 'done' : 'unknown'
}

/** Returns how many requests the credit pays for, at the credit that each uses. */
export const requestsLeft = (credit: bigint, fee: bigint): bigint => credit / fee
