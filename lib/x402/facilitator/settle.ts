import { base58 } from '@scure/base'
import { v7 as uuidv7 } from 'uuid'
import * as postgres from '../../db/functions.ts'
import { injected } from '../../injected.ts'
import { requestFee } from '../../reputation/counterparties/rules.ts'
import { encodeTransaction } from '../../solana/transaction.ts'
import { outcomeOfStatus } from '../../transactions/confirmation/signature-outcome.ts'
import type { Payment } from '../checks/payment.ts'
import { listingAnswer, type StoredRoute } from '../resources/extension-responses.ts'
import { LEASE_MS, RECHECK_AFTER_MS } from '../rules.ts'
import { type Rejection, reasonOf, reasonWith, type SettleAnswer } from './answers.ts'
import type { FacilitatorCall, SettleDeps } from './deps.ts'
import { findPayersFaults } from './failures.ts'
import { preVerify } from './pre-verify.ts'
import { recordRefusal } from './record-refusal.ts'

/** The most checks of a payment's status, and the pause between them: 20 s in all. */
const POLLS = injected('POLLS') ?? 40
const POLL_MS = injected('POLL_MS') ?? 500
/** The limit even with a slow node. A call that waits past its lease can't answer for the payment. */
export const WAIT_MS = 20_000

/** A recorded payment. `networkSignature`: the fee payer's signature, the transaction's id on the network. */
type Recorded = { id: string; transaction: string; networkSignature: string }

/** The outcome of a payment that a call sent, as far as it has seen one. */
type Seen =
  | { outcome: 'settled'; slot: bigint }
  | { outcome: 'failed'; isPayersFault: boolean }
  | { outcome: 'pending' }

/**
 * Settles a payment: records it, sends it and waits for its confirmation. `settlement_pending` means that it
 * is not confirmed yet; the next call waits again. It makes three SQL statements, or two for a
 * rejected payment; one more if the rejection is recorded.
 * @throws ApiError `dependency_unavailable` before anything is recorded
 */
export async function settlePayment(deps: SettleDeps, call: FacilitatorCall): Promise<SettleAnswer> {
  const { network, mint, feeBps, feeStep } = deps.settings
  const preVerified = await preVerify(deps, call)
  const recordRejection = (why: Rejection) => recordRefusal(deps, call, preVerified.recentReasons, why)
  if (!preVerified.ok) return failed(network, await recordRejection(preVerified))
  const { payment, ledgerArguments, lastValidBlockHeight, funds, declaration } = preVerified
  // Whether the payment's extension `bazaar` declares the route of its price.
  const isDeclared = declaration === 'declared'
  const lease = crypto.randomUUID()
  const { outcome, toNotify, ...held } = await postgres.settleRequestPayment.call(deps.db, {
    ...ledgerArguments,
    ...(await signedBy(deps, payment)),
    priceName: payment.price.name,
    fee: ledgerArguments.asset === mint ? requestFee(ledgerArguments, feeBps) : null,
    id: uuidv7({ msecs: deps.now.getTime() }),
    lastValidBlockHeight,
    lease,
    leasedUntil: new Date(deps.now.getTime() + LEASE_MS),
    isDeclared,
  })
  deps.notify(toNotify)
  const { payer } = payment
  if (outcome !== 'recorded' && outcome !== 'resumed' && outcome !== 'settled')
    return {
      ...failed(network, await recordRejection(reasonWith(outcome, funds))),
      ...(outcome === 'identifier_used' && { transaction: held.networkSignature ?? '' }),
      payer,
    }
  const recorded = requireRecorded(held)
  const success = (answer: RouteAnswer) => {
    // Only a new route has `probeAt`: a flood of payments schedules one probe (job `looks`).
    if (answer.probeAt) deps.schedule('looks', answer.probeAt)
    const listing = listingAnswer(declaration, routeOf(answer))
    return { success: true, payer, transaction: recorded.networkSignature, network, listing }
  }
  if (outcome === 'settled') return success(held)
  const seen = await sendAndWait(deps, recorded)
  const answer = await postgres.answerRequestPayment.call(deps.db, {
    id: recorded.id,
    lease,
    seen: seen.outcome,
    slot: seen.outcome === 'settled' ? seen.slot : null,
    isPayersFault: seen.outcome === 'failed' ? seen.isPayersFault : null,
    isDeclared,
    feeStep,
    now: deps.now,
  })
  deps.notify(answer.toNotify)
  if (answer.outcome === 'settled') return success(answer)
  const why = answer.outcome === 'pending' ? PENDING : reasonOf(answer.outcome)
  return { ...failed(network, why), payer, transaction: recorded.networkSignature }
}

type RouteAnswer = { routeState: string | null; routeCode: string | null; probeAt: Date | null }

/** A declared route without a row has no current price any more: its payment was at a superseded price. */
const routeOf = ({ routeState, routeCode }: RouteAnswer): StoredRoute =>
  routeState === null
    ? { state: 'rejected', code: 'price_ended' }
    : ({ state: routeState, code: routeCode } as StoredRoute)

const PENDING = {
  reason: 'settlement_pending',
  message: 'The payment was sent and has not landed yet. Repeat the request.',
}

/**
 * Signs before the record; the signature leaves the Worker only after it. The same message always has the
 * same signature.
 */
async function signedBy({ feePayer }: SettleDeps, { message, payerSignature }: Payment) {
  const signature = await feePayer.sign(message)
  return {
    transaction: encodeTransaction({ signatures: [signature, payerSignature], message }),
    networkSignature: base58.encode(signature),
  }
}

/**
 * Sends a payment and waits for it. After an error the next call or a job continues, since the payment may
 * have been sent.
 */
async function sendAndWait(
  { rpc, wait, scheduleOrFail, now, clock }: SettleDeps,
  recorded: Recorded,
): Promise<Seen> {
  try {
    await scheduleOrFail('settlement', new Date(now.getTime() + RECHECK_AFTER_MS))
    const sent = await rpc.send(recorded.transaction)
    // A payment that the node refused is not on its way, unless another call has sent it.
    const polls = 'refused' in sent && sent.refused.kind !== 'already_landed' ? 1 : POLLS
    const until = now.getTime() + WAIT_MS
    for (let poll = 0; poll === 0 || (poll < polls && clock().getTime() < until); poll += 1) {
      const { statuses } = await rpc.statuses([recorded.networkSignature])
      const [status] = statuses
      const outcome = outcomeOfStatus(status)
      if (status && outcome === 'landed') return { outcome: 'settled', slot: status.slot }
      if (status?.failure !== undefined && outcome === 'failed') {
        const failure = { ...status, failure: status.failure, transaction: recorded.transaction }
        const payersFaults = await findPayersFaults({ rpc }, [failure])
        return { outcome, isPayersFault: payersFaults.get(failure) ?? false }
      }
      await wait(POLL_MS)
    }
  } catch {
    // The network or the Clock did not answer.
  }
  return { outcome: 'pending' }
}

function requireRecorded({
  id,
  transaction,
  networkSignature,
}: { [Key in keyof Recorded]: string | null }): Recorded {
  if (id !== null && transaction !== null && networkSignature !== null)
    return { id, transaction, networkSignature }
  throw new TypeError('settle_request_payment returned no payment')
}

const failed = (network: string, { reason, message }: { reason: string; message: string }): SettleAnswer => ({
  success: false,
  errorReason: reason,
  errorMessage: message,
  transaction: '',
  network,
})
