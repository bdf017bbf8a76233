import { formatCred } from './amounts.ts'
import { fromBase64 } from './encoding.ts'
import { AgentCredError } from './error.ts'
import { at, complete, type Settling, type Sign, type TransactOptions } from './flow.ts'
import type {
  PaymentTransaction,
  PaymentTransactionResponse,
  Quote,
  TransactionResponse,
  VaultTransaction,
} from './generated/types.ts'
import { load } from './load.ts'
import type { AnswerOf, AnyRequest, OperationName, RequestOf } from './operations.ts'
import type { Check, Known } from './verify/check.ts'
import type { Wallet } from './wallet.ts'

/** What a flow works with. */
export type FlowDeps = Settling & { wallet: Wallet | undefined; known: Known }

/** Loads the check of transactions, and begins to read what it needs while the service builds one. */
function startCheck(deps: FlowDeps, wallet: Wallet): Check {
  const started = load(import('./verify/check.ts')).then((check) => check.startCheck({ ...deps, wallet }))
  // A flow that fails before its check has another error.
  started.catch(() => {})
  return async (...ordered) => (await started)(...ordered)
}

/** The operations that build a transaction. */
type BuildName = {
  [Name in OperationName]: AnswerOf<Name> extends TransactionResponse ? Name : never
}[OperationName]

/** The body of such an operation, without the order of signing. */
export type Ordered<Name extends BuildName> = Omit<NonNullable<RequestOf<Name>['body']>, 'signing'>

/**
 * The most attempts to open a vault, an additional transaction. A node that lags may not see it immediately.
 */
const MAX_OPENINGS = 3

/**
 * Builds a transaction, gets it signed and sent, and waits until it is confirmed. A wallet that signs without
 * sending signs first, so that it can add its guards. Any other wallet gets a transaction that the service
 * has signed.
 * @throws AgentCredError with the `step` that failed, and the transaction's id, if any
 */
export async function transact<Name extends BuildName>(
  deps: FlowDeps,
  name: Name,
  order: Ordered<Name>,
  flow: TransactOptions = {},
): Promise<VaultTransaction> {
  const wallet = requireWallet(deps)
  const { sign, signing } = waysOf(wallet)
  const check = startCheck(deps, wallet)
  const build = deps.call as (name: Name, request: AnyRequest) => Promise<TransactionResponse>
  for (let openings = 0; ; openings += 1) {
    flow.onStep?.({ step: 'build' })
    const body = { ...order, signing }
    const built = await at('build', undefined, () => build(name, { body, signal: flow.signal }))
    if (built.quote?.funded === false) throw notFunded(built.id, built.quote)
    if (built.step === 'open_vault' && openings === MAX_OPENINGS) throw notSeen(built)
    const signed = { check: () => check(name, order, built), sign }
    const landed = await complete(deps, 'GET /vault/transactions/{id}', built, signed, flow)
    if (built.step !== 'open_vault') return landed
  }
}

type Ways = { signing: TransactionResponse['signing']; sign: Sign }

export function requireWallet({ wallet }: FlowDeps): Wallet {
  if (wallet) return wallet
  throw new AgentCredError('wallet_missing', 'The client has no wallet')
}

function waysOf(wallet: Wallet): Ways {
  const { signTransaction, signAndSendTransaction } = wallet
  if (signTransaction)
    return {
      signing: 'wallet_first',
      sign: async (transaction) => signTransaction(fromBase64(transaction)),
    }
  if (!signAndSendTransaction)
    throw new AgentCredError('wallet_incapable', 'The wallet cannot sign legacy transactions')
  return { signing: 'service_first', sign: sentBy(signAndSendTransaction) }
}

/** Makes a {@link Sign} for a wallet that sends what it signs. */
const sentBy =
  (send: NonNullable<Wallet['signAndSendTransaction']>): Sign =>
  async (transaction) => {
    await send(fromBase64(transaction))
    return undefined
  }

const notFunded = (id: string, { amount }: Quote) =>
  new AgentCredError('not_funded', `The wallet holds less than ${formatCred(amount)} CRED.`, {
    step: 'build',
    transactionId: id,
  })

const notSeen = ({ id }: TransactionResponse) =>
  new AgentCredError('outcome_unknown', 'The vault was opened, but the service does not see it yet', {
    step: 'build',
    transactionId: id,
  })

/** The operations of payments that build a transaction. */
type PaymentName = {
  [Name in OperationName]: AnswerOf<Name> extends PaymentTransactionResponse ? Name : never
}[OperationName]

/** The body of such an operation. */
export type PaymentOrder<Name extends PaymentName> = NonNullable<RequestOf<Name>['body']>

/** A funding. `owner` is the wallet of the agent's owner, as your user saw it when hiring. */
export type Funding = PaymentOrder<'POST /payments/budgets'> & { owner?: string | undefined }

/**
 * Builds a payment transaction, gets it signed and sent, and waits until it is confirmed. The wallet always
 * signs first, since the service only cosigns transactions that it sends itself. A funding needs no
 * cosignature: a wallet that sends what it signs can send it, and the service finds it on the chain.
 * @param seen what the caller’s user saw, which the transaction is compared with, too
 * @throws AgentCredError with the `step` that failed, and the transaction's id, if any
 */
export async function pay<Name extends PaymentName>(
  deps: FlowDeps,
  name: Name,
  body: PaymentOrder<Name>,
  flow: TransactOptions = {},
  seen: object = {},
): Promise<PaymentTransaction> {
  const wallet = requireWallet(deps)
  const sign = signerOf(wallet, name)
  const check = startCheck(deps, wallet)
  const build = deps.call as (name: Name, request: AnyRequest) => Promise<PaymentTransactionResponse>
  flow.onStep?.({ step: 'build' })
  const built = await at('build', undefined, () => build(name, { body, signal: flow.signal }))
  const signed = { check: () => check(name, { ...body, ...seen }, built), sign }
  return complete(deps, 'GET /payments/transactions/{id}', built, signed, flow)
}

function signerOf(wallet: Wallet, name: PaymentName): Sign {
  const { signTransaction, signAndSendTransaction } = wallet
  if (signTransaction) return async (transaction) => signTransaction(fromBase64(transaction))
  if (signAndSendTransaction && name === 'POST /payments/budgets') return sentBy(signAndSendTransaction)
  throw new AgentCredError('wallet_incapable', 'Payments need a wallet that can sign without sending')
}
