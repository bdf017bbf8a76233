import { fromBase64 } from './encoding.ts'
import { AgentCredError } from './error.ts'
import { at, complete, type Settling, type Sign, type TransactOptions } from './flow.ts'
import type {
  PaymentTransaction,
  PaymentTransactionResponse,
  TransactionResponse,
  VaultTransaction,
} from './generated/types.ts'
import type { AnswerOf, AnyRequest, OperationName, RequestOf } from './operations.ts'
import type { Wallet } from './wallet.ts'

/** The operations that build a transaction. */
type BuildName = {
  [Name in OperationName]: AnswerOf<Name> extends TransactionResponse ? Name : never
}[OperationName]

/** What such an operation is told, but for who signs first. */
export type Ordered<Name extends BuildName> = Omit<NonNullable<RequestOf<Name>['body']>, 'signing'>

/** Opening a vault is one transaction more; a node that lags may not see at once that it landed. */
const MOST_OPENINGS = 3

/**
 * Builds a transaction, has it signed and sent, and waits until it has landed. A wallet that signs without
 * sending signs first, so that it may add its guards; any other is given what the service has signed.
 * @throws AgentCredError with the `step` that failed, and the transaction's id if there was one
 */
export async function transact<Name extends BuildName>(
  deps: Settling & { wallet: Wallet | undefined },
  name: Name,
  order: Ordered<Name>,
  flow: TransactOptions = {},
): Promise<VaultTransaction> {
  const { sign, signing } = waysOf(deps.wallet)
  const build = deps.call as (name: Name, request: AnyRequest) => Promise<TransactionResponse>
  for (let openings = 0; ; openings += 1) {
    flow.onStep?.({ step: 'build' })
    const body = { ...order, signing }
    const built = await at('build', undefined, () => build(name, { body, signal: flow.signal }))
    if (built.quote?.funded === false) throw notFunded(built)
    if (built.step === 'open_vault' && openings === MOST_OPENINGS) throw notSeen(built)
    const landed = await complete(deps, 'GET /vault/transactions/{id}', built, sign, flow)
    if (built.step !== 'open_vault') return landed
  }
}

type Ways = { signing: TransactionResponse['signing']; sign: Sign }

function waysOf(wallet: Wallet | undefined): Ways {
  if (!wallet) throw new AgentCredError('wallet_missing', 'The client was made without a wallet')
  const { signTransaction, signAndSendTransaction } = wallet
  if (signTransaction)
    return {
      signing: 'wallet_first',
      sign: async (transaction) => signTransaction(fromBase64(transaction)),
    }
  if (!signAndSendTransaction)
    throw new AgentCredError('wallet_incapable', 'The wallet can sign no transactions of the legacy format')
  return { signing: 'service_first', sign: sentBy(signAndSendTransaction) }
}

/** Has the wallet send what it signs. */
const sentBy =
  (send: NonNullable<Wallet['signAndSendTransaction']>): Sign =>
  async (transaction) => {
    await send(fromBase64(transaction))
    return undefined
  }

const notFunded = ({ id, message }: TransactionResponse) =>
  new AgentCredError('not_funded', message, { step: 'build', transactionId: id })

const notSeen = ({ id }: TransactionResponse) =>
  new AgentCredError('outcome_unknown', 'The service does not see the vault yet that was opened', {
    step: 'build',
    transactionId: id,
  })

/** The operations of payments that build a transaction. */
type PaymentName = {
  [Name in OperationName]: AnswerOf<Name> extends PaymentTransactionResponse ? Name : never
}[OperationName]

/** What such an operation is told. */
export type PaymentOrder<Name extends PaymentName> = NonNullable<RequestOf<Name>['body']>

/**
 * Builds a transaction of payments, has it signed and sent, and waits until it has landed. The wallet
 * always signs first, since the service cosigns only what it sends itself. A funding needs no cosignature:
 * a wallet that sends what it signs can send it, and the service finds it on the chain.
 * @throws AgentCredError with the `step` that failed, and the transaction's id if there was one
 */
export async function pay<Name extends PaymentName>(
  deps: Settling & { wallet: Wallet | undefined },
  name: Name,
  order: PaymentOrder<Name>,
  flow: TransactOptions = {},
): Promise<PaymentTransaction> {
  const sign = signerOf(deps.wallet, name)
  const build = deps.call as (name: Name, request: AnyRequest) => Promise<PaymentTransactionResponse>
  flow.onStep?.({ step: 'build' })
  const built = await at('build', undefined, () => build(name, { body: order, signal: flow.signal }))
  return complete(deps, 'GET /payments/transactions/{id}', built, sign, flow)
}

function signerOf(wallet: Wallet | undefined, name: PaymentName): Sign {
  if (!wallet) throw new AgentCredError('wallet_missing', 'The client was made without a wallet')
  const { signTransaction, signAndSendTransaction } = wallet
  if (signTransaction) return async (transaction) => signTransaction(fromBase64(transaction))
  if (signAndSendTransaction && name === 'POST /payments/budgets') return sentBy(signAndSendTransaction)
  throw new AgentCredError('wallet_incapable', 'The wallet can not sign without sending, as payments need')
}
