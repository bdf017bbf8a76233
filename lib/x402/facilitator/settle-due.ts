import type { Cred } from '../../../schema/amounts.ts'
import type { Db } from '../../db/connect.ts'
import { outageReason, reasonOf } from '../../db/failures.ts'
import * as postgres from '../../db/functions.ts'
import type { Notify } from '../../events/outbox/notify.ts'
import { logError } from '../../runtime/log.ts'
import type { Rpc } from '../../solana/rpc.ts'
import type { SignatureStatus } from '../../solana/rpc-answers.ts'
import { hasHistorySince, outcomeBySignature } from '../../transactions/confirmation/signature-outcome.ts'
import { type Failure, findPayersFaults } from './failures.ts'

/** The most payments in one call of the network. */
const BATCH = 256

type Due = {
  id: string
  transaction: string
  networkSignature: string
  lastValidBlockHeight: bigint
  createdAt: Date
}
type Classified = {
  id: string
  outcome: 'settled' | 'failed' | 'expired'
  slot: bigint
  /** Only of a failed payment. */
  failure?: Failure
}

/**
 * Asks the network about payments that no call waits for, and records the outcomes. One wave of calls reads
 * the statuses; for some, others read the node's history and accounts. A payment has
 * expired if a finalized block is past its last one and no block contains it. For an old payment only a node
 * with enough history proves that. Otherwise it stays pending, an error line names it, and it is checked less
 * and less often.
 * @returns the number of recorded outcomes, and whether no more can be due now
 * @throws ApiError `dependency_unavailable`
 */
export async function settleDuePayments({
  db,
  rpc,
  now,
  feeStep,
  notify,
}: {
  db: Db
  rpc: Rpc
  now: Date
  /** FEE_STEP */
  feeStep: Cred
  notify: Notify
}): Promise<{ recorded: number; isLast: boolean }> {
  const due = await postgres.takeDueRequestPayments.rows(db, { limit: BATCH, now })
  if (due.length === 0) return { recorded: 0, isLast: true }
  const [finalized, { slot, statuses }] = await Promise.all([
    rpc.finalizedBlock(),
    rpc.statuses(due.map(({ networkSignature }) => networkSignature)),
  ])
  const node = { ...rpc, firstTime: once(rpc.firstTime) }
  const classified: Classified[] = []
  for (const [index, payment] of due.entries()) {
    const one = await classify(node, now, payment, { status: statuses[index], slot, finalized })
    if (one) classified.push(one)
  }
  const payersFaults = await findPayersFaults(
    { rpc },
    classified.flatMap(({ failure }) => failure ?? []),
  )
  const recorded =
    classified.length === 0 ? 0 : await recordAll({ db, now, feeStep, notify, payersFaults }, classified)
  return { recorded, isLast: due.length < BATCH }
}

type RecordDeps = { db: Db; now: Date; feeStep: Cred; notify: Notify; payersFaults: Map<Failure, boolean> }

async function record(
  { db, now, feeStep, notify, payersFaults }: RecordDeps,
  classified: Classified[],
): Promise<number> {
  const { recorded, toNotify } = await postgres.recordRequestOutcomes.call(db, {
    ids: classified.map(({ id }) => id),
    outcomes: classified.map(({ outcome }) => outcome),
    slots: classified.map(({ slot }) => slot),
    payersFaults: classified.map(
      ({ failure }) => failure !== undefined && payersFaults.get(failure) === true,
    ),
    feeStep,
    now,
  })
  notify(toNotify)
  return recorded
}

/**
 * Records outcomes in one call. If that fails, it records each alone, so that one failure does not block the
 * others. An error line names that payment, and a later job tries it again.
 */
async function recordAll(deps: RecordDeps, classified: Classified[]): Promise<number> {
  try {
    return await record(deps, classified)
  } catch (error) {
    if (outageReason(error)) throw error
    let sum = 0
    for (const one of classified)
      sum += await record(deps, [one]).catch((failure: unknown) => {
        logError({ unrecordedRequestPayment: one.id, reason: reasonOf(failure) })
        return 0
      })
    return sum
  }
}

type Answers = Parameters<typeof outcomeBySignature>[1] & { status: SignatureStatus | undefined }

async function classify(
  rpc: Rpc,
  now: Date,
  { id, transaction, lastValidBlockHeight, createdAt }: Due,
  answers: Answers,
): Promise<Classified | undefined> {
  const { status } = answers
  const outcome = outcomeBySignature({ lastValidBlockHeight }, answers)
  if (outcome === 'landed' || outcome === 'failed') {
    const { slot, failure } = status ?? { slot: 0n, failure: undefined }
    const classified = { id, outcome: outcome === 'landed' ? 'settled' : outcome, slot } as const
    return failure === undefined ? classified : { ...classified, failure: { failure, slot, transaction } }
  }
  if (outcome === undefined) return undefined
  if (await hasHistorySince(rpc, now, { signedAt: createdAt })) return { id, outcome: 'expired', slot: 0n }
  logError({ unprovenRequestPayment: id })
  return undefined
}

/** Calls a function at most once. */
function once<T>(call: () => Promise<T>): () => Promise<T> {
  let called: Promise<T> | undefined
  return () => (called ??= call())
}
