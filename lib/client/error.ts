import type { ErrorCode, Problem } from './generated/types.ts'
import type { LoginMethod, TransactionStep } from './steps.ts'

/** The error codes of the client itself. */
export type ClientErrorCode =
  /** No answer: the network failed, or the time limit passed. */
  | 'unreachable'
  /** The answer is not the service's: a proxy's error page, another site. */
  | 'unexpected_answer'
  /** The call needs a session, and the client was made without a wallet. */
  | 'wallet_missing'
  /** The wallet can't sign in the way that the call needs. */
  | 'wallet_incapable'
  /** The wallet or its user declined; `cause` is the wallet's error. */
  | 'wallet_refused'
  /** The host asked for something else than a login of its service. Nothing was signed. */
  | 'challenge_unexpected'
  /** The service's transaction is not the ordered one: nothing was signed. */
  | 'transaction_unexpected'
  /** The job has other terms than were ordered, or than its hash covers. Nothing was signed or accepted. */
  | 'job_unexpected'
  /** The wallet does not hold the amount of the stake. */
  | 'not_funded'
  /** The service did not receive the signed transaction: nothing was sent. */
  | 'not_sent'
  /** A transaction was sent, and its outcome is not known yet. */
  | 'outcome_unknown'

/** An error code. The service may have codes that are newer than this client. */
export type AnyErrorCode = ErrorCode | ClientErrorCode | (string & {})

type Details = {
  /** The HTTP status, if there was an answer. */
  status?: number | undefined
  /** Identifies the request to the operators of the service. */
  requestId?: string | undefined
  /** Each invalid field: its dotted path and the error. */
  errors?: readonly { path: string; message: string }[] | undefined
  /** How long the service asks to wait. */
  retryAfterMs?: number | undefined
  /** The service's answer, with the fields of specific errors. */
  problem?: Problem | undefined
  /** The step at which a flow failed. */
  step?: TransactionStep | undefined
  /** The transaction of the flow, once it was built. `waitForTransaction` returns its outcome. */
  transactionId?: string | undefined
  /** The other ways in which the wallet can log in, after a login that it or the service refused. */
  loginMethods?: readonly LoginMethod[] | undefined
  cause?: unknown
}

/** The error of every method, except for an aborted signal, whose reason is thrown. Switch on `code`. */
export class AgentCredError extends Error {
  override readonly name = 'AgentCredError'
  readonly code: AnyErrorCode
  readonly status: number | undefined
  readonly requestId: string | undefined
  readonly errors: readonly { path: string; message: string }[]
  readonly retryAfterMs: number | undefined
  readonly problem: Problem | undefined
  readonly step: TransactionStep | undefined
  readonly transactionId: string | undefined
  readonly loginMethods: readonly LoginMethod[] | undefined

  constructor(code: AnyErrorCode, message: string, details: Details = {}) {
    super(message, { cause: details.cause })
    this.code = code
    this.status = details.status
    this.requestId = details.requestId
    this.errors = details.errors ?? []
    this.retryAfterMs = details.retryAfterMs
    this.problem = details.problem
    this.step = details.step
    this.transactionId = details.transactionId
    this.loginMethods = details.loginMethods
  }
}
