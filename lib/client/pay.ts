import { fromBase64, toBase64 } from './encoding.ts'
import { AgentCredError } from './error.ts'
import type { PaymentTransaction, PaymentTransactionResponse } from './generated/types.ts'
import type { AnswerOf, AnyRequest, OperationName, RequestOf } from './operations.ts'
import { type Settling, settled } from './settle.ts'
import { at, type TransactOptions } from './transact.ts'
import { ask, type Wallet } from './wallet.ts'

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
  { onStep, signal }: TransactOptions = {},
): Promise<PaymentTransaction> {
  const sign = signerOf(deps.wallet)
  const build = deps.call as (name: Name, request: AnyRequest) => Promise<PaymentTransactionResponse>
  onStep?.({ step: 'build' })
  const built = await at('build', undefined, () => build(name, { body: order, signal }))
  onStep?.({ step: 'sign', transaction: built })
  const signed = await at('sign', built.id, () =>
    ask('sign the transaction', () => sign(fromBase64(built.transaction))),
  )
  signal?.throwIfAborted()
  onStep?.({ step: 'send', transaction: built })
  const body = { id: built.id, transaction: toBase64(signed) }
  await at('send', built.id, () => deps.call('POST /payments/transactions', { body, signal }))
  onStep?.({ step: 'wait', transaction: built })
  return at('wait', built.id, () => settled(deps, 'GET /payments/transactions/{id}', built.id, { signal }))
}

function signerOf(wallet: Wallet | undefined) {
  if (!wallet) throw new AgentCredError('wallet_missing', 'The client was made without a wallet')
  if (wallet.signTransaction) return wallet.signTransaction
  throw new AgentCredError('wallet_incapable', 'The wallet can not sign without sending, as payments need')
}
