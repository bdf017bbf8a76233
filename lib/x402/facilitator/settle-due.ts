import type { Cred } from '../../../schema/amounts.ts'
import type { Db } from '../../db/connect.ts'
import { reasonOf, unavailability } from '../../db/failures.ts'
import * as postgres from '../../db/functions.ts'
import type { Nudge } from '../../events/outbox/nudge.ts'
import { logError } from '../../log.ts'
import type { Rpc } from '../../solana/rpc.ts'
import { type Failure, outcomeOf, payersFaults } from './failures.ts'

/** How many payments one call of the network is asked about. */
const BATCH = 256

/** For so long every node knows a transaction that has landed. */
const SURELY_KEPT_MS = 3_600_000

type Due = {
  id: string
  transaction: string
  networkSignature: string
  lastValidBlockHeight: bigint
  createdAt: Date
}
type Judged = {
  id: string
  outcome: 'settled' | 'failed' | 'expired'
  slot: bigint
  /** Of one that failed. */
  failure?: Failure
}

/**
 * Asks the network about payments that nobody waits for any more, and records what became of them. A payment
 * has expired where a finalized block is past its last, which is read first, and no block has the payment. Of
 * an old payment only a node proves that whose history reaches back to it: on others it stays pending, is
 * named by an error line and is asked about ever less often.
 * @returns how many were recorded, and whether no more can be due now
 * @throws Refusal dependency_unavailable
 */
export async function settleDuePayments({
  db,
  rpc,
  now,
  feeStep,
  nudge,
}: {
  db: Db
  rpc: Rpc
  now: Date
  /** FEE_STEP */
  feeStep: Cred
  nudge: Nudge
}): Promise<{ recorded: number; isLast: boolean }> {
  const due = await postgres.takeDueRequestPayments.rows(db, { limit: BATCH, now })
  if (due.length === 0) return { recorded: 0, isLast: true }
  const finalized = await rpc.finalizedBlock()
  const { slot, statuses } = await rpc.statuses(due.map(({ networkSignature }) => networkSignature))
  // A node that is behind the finalized block may not know yet what that block has.
  const height = slot >= finalized.slot ? finalized.height : 0n
  const surelyKept = new Date(now.getTime() - SURELY_KEPT_MS)
  const isOldUnseen = due.some(({ createdAt }, index) => !statuses[index] && createdAt < surelyKept)
  const firstTime = isOldUnseen ? await rpc.firstTime() : undefined
  const keptFrom = firstTime && firstTime < surelyKept ? firstTime : surelyKept
  const judged = due.flatMap((payment, index) => judge(payment, statuses[index], { height, keptFrom }) ?? [])
  const faults = await payersFaults(
    { rpc },
    judged.flatMap(({ failure }) => failure ?? []),
  )
  const recorded = judged.length === 0 ? 0 : await recordApart({ db, now, feeStep, nudge, faults }, judged)
  return { recorded, isLast: due.length < BATCH }
}

type RecordDeps = { db: Db; now: Date; feeStep: Cred; nudge: Nudge; faults: Map<Failure, boolean> }

async function record({ db, now, feeStep, nudge, faults }: RecordDeps, judged: Judged[]): Promise<number> {
  const { recorded, nudges } = await postgres.recordRequestOutcomes.call(db, {
    ids: judged.map(({ id }) => id),
    outcomes: judged.map(({ outcome }) => outcome),
    slots: judged.map(({ slot }) => slot),
    payersFaults: judged.map(({ failure }) => failure !== undefined && faults.get(failure) === true),
    feeStep,
    now,
  })
  nudge(nudges)
  return recorded
}

/**
 * Records what was judged in one call; where that fails, each alone, so that one that can't be recorded keeps
 * no other waiting: an error line names it, and a later round tries it again.
 */
async function recordApart(deps: RecordDeps, judged: Judged[]): Promise<number> {
  try {
    return await record(deps, judged)
  } catch (error) {
    if (unavailability(error)) throw error
    let sum = 0
    for (const one of judged)
      sum += await record(deps, [one]).catch((failure: unknown) => {
        logError({ unrecordedRequestPayment: one.id, reason: reasonOf(failure) })
        return 0
      })
    return sum
  }
}

type Status = Awaited<ReturnType<Rpc['statuses']>>['statuses'][number]

/** @param node the height of its newest final block, and since when it has forgotten none */
function judge(
  { id, transaction, lastValidBlockHeight, createdAt }: Due,
  status: Status,
  { height, keptFrom }: { height: bigint; keptFrom: Date },
): Judged | undefined {
  if (status) {
    const outcome = outcomeOf(status)
    const failure =
      status.failure === undefined ? {} : { failure: { ...status, failure: status.failure, transaction } }
    return outcome && { id, outcome, slot: status.slot, ...failure }
  }
  if (height <= lastValidBlockHeight) return undefined
  if (createdAt >= keptFrom) return { id, outcome: 'expired', slot: 0n }
  logError({ unprovenRequestPayment: id })
  return undefined
}
