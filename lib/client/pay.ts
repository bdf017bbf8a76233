import { fromBase64 } from './encoding.ts'
import { AgentCredError } from './error.ts'
import { at, complete, type Sign, type TransactOptions } from './flow.ts'
import type { PaymentTransaction, PaymentTransactionResponse } from './generated/types.ts'
import type { AnswerOf, AnyRequest, OperationName, RequestOf } from './operations.ts'
import type { Settling } from './settle.ts'
import type { Wallet } from './wallet.ts'

/** The operations of payments that build a transaction. */
type PaymentName = {
  [Name in OperationName]: AnswerOf<Name> extends PaymentTransactionResponse ? Name : never
}[OperationName]

/** What such an operation is told. */
export type PaymentOrder<Name extends PaymentName> = NonNullable<RequestOf<Name>['body']>

/**
 * Builds a transaction of payments, has it signed and sent, and waits until it has landed. The wallet always
 * signs first, since the service cosigns only what it sends itself.
 * @throws AgentCredError with the `step` that failed, and the transaction's id if there was one
 */
export async function pay<Name extends PaymentName>(
  deps: Settling & { wallet: Wallet | undefined },
  name: Name,
  order: PaymentOrder<Name>,
  flow: TransactOptions = {},
): Promise<PaymentTransaction> {
  const sign = signerOf(deps.wallet)
  const build = deps.call as (name: Name, request: AnyRequest) => Promise<PaymentTransactionResponse>
  flow.onStep?.({ step: 'build' })
  const built = await at('build', undefined, () => build(name, { body: order, signal: flow.signal }))
  return complete(deps, 'GET /payments/transactions/{id}', built, sign, flow)
}

function signerOf(wallet: Wallet | undefined): Sign {
  if (!wallet) throw new AgentCredError('wallet_missing', 'The client was made without a wallet')
  const { signTransaction } = wallet
  if (signTransaction) return async (transaction) => signTransaction(fromBase64(transaction))
  throw new AgentCredError('wallet_incapable', 'The wallet can not sign without sending, as payments need')
}
