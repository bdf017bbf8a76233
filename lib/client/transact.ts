import { fromBase64, toBase64 } from './encoding.ts'
import { AgentCredError } from './error.ts'
import type { PaymentTransactionResponse, TransactionResponse, VaultTransaction } from './generated/types.ts'
import type { AnswerOf, AnyRequest, CallOptions, OperationName, RequestOf } from './operations.ts'
import { type Settling, settled } from './settle.ts'
import { ask, type Wallet } from './wallet.ts'

/** A step of a transaction: the service builds it, the wallet signs, it is sent, the network takes it. */
export type TransactionStep = 'build' | 'sign' | 'send' | 'wait'

/** What a flow is doing now. `transaction.message` says in words what signing does, its costs included. */
export type Progress =
  | { step: 'build'; transaction?: undefined }
  | { step: 'sign' | 'send' | 'wait'; transaction: TransactionResponse | PaymentTransactionResponse }

export type TransactOptions = CallOptions & {
  /** Told of each step as it begins. A first stake may take two transactions. */
  onStep?: ((progress: Progress) => void) | undefined
}

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
  { onStep, signal }: TransactOptions = {},
): Promise<VaultTransaction> {
  const { sign, signing } = waysOf(deps.wallet)
  const build = deps.call as (name: Name, request: AnyRequest) => Promise<TransactionResponse>
  for (let openings = 0; ; openings += 1) {
    onStep?.({ step: 'build' })
    const built = await at('build', undefined, () => build(name, { body: { ...order, signing }, signal }))
    if (built.quote?.funded === false) throw notFunded(built)
    if (built.step === 'open_vault' && openings === MOST_OPENINGS) throw notSeen(built)
    onStep?.({ step: 'sign', transaction: built })
    const signed = await at('sign', built.id, () => ask('sign the transaction', () => sign(built)))
    signal?.throwIfAborted()
    if (signed) {
      const transaction = toBase64(signed)
      onStep?.({ step: 'send', transaction: built })
      await at('send', built.id, () =>
        deps.call('POST /vault/transactions', { body: { id: built.id, transaction }, signal }),
      )
    }
    onStep?.({ step: 'wait', transaction: built })
    const landed = await at('wait', built.id, () =>
      settled(deps, 'GET /vault/transactions/{id}', built.id, { signal }),
    )
    if (built.step !== 'open_vault') return landed
  }
}

type Ways = {
  signing: TransactionResponse['signing']
  /** Undefined once the wallet has sent it. */
  sign: (built: TransactionResponse) => Promise<Uint8Array | undefined>
}

function waysOf(wallet: Wallet | undefined): Ways {
  if (!wallet) throw new AgentCredError('wallet_missing', 'The client was made without a wallet')
  const { signTransaction, signAndSendTransaction } = wallet
  if (signTransaction)
    return {
      signing: 'wallet_first',
      sign: async ({ transaction }) => signTransaction(fromBase64(transaction)),
    }
  if (!signAndSendTransaction)
    throw new AgentCredError('wallet_incapable', 'The wallet can sign no transactions of the legacy format')
  return {
    signing: 'service_first',
    sign: async ({ transaction }) => {
      await signAndSendTransaction(fromBase64(transaction))
      return undefined
    },
  }
}

const notFunded = ({ id, message }: TransactionResponse) =>
  new AgentCredError('not_funded', message, { step: 'build', transactionId: id })

const notSeen = ({ id }: TransactionResponse) =>
  new AgentCredError('outcome_unknown', 'The service does not see the vault yet that was opened', {
    step: 'build',
    transactionId: id,
  })

/** Says of an error at which step of a flow it happened. */
export async function at<T>(
  step: TransactionStep,
  transactionId: string | undefined,
  action: () => Promise<T>,
) {
  try {
    return await action()
  } catch (error) {
    if (!(error instanceof AgentCredError)) throw error
    throw new AgentCredError(error.code, error.message, { ...error, cause: error.cause, step, transactionId })
  }
}
