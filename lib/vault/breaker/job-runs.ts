import { reasonOf } from '../../db/failures.ts'
import * as postgres from '../../db/functions.ts'
import { logError } from '../../runtime/log.ts'
import { DAY_MS, startOfDay } from '../../time.ts'
import { MAX_ACCOUNTS_PER_CALL } from '../../transactions/relay/limits.ts'
import type { EscrowVault } from '../chain-state.ts'
import type { SettleDeps } from '../deps.ts'
import {
  CONFIRMED_WITHIN_MS,
  confirmationAt,
  MAX_CONFIRMED_PER_RUN,
  MAX_POSITIONS_PER_RUN,
  NEW_POSITIONS_EVERY_MS,
  positionsAfter,
} from '../limits.ts'
import type { PositionRow } from '../queries.ts'
import { isShort } from '../rules.ts'
import { positionOf, vaultsByKeyVersion } from '../settlement/settlement.ts'
import { yieldDayOf } from '../stacking/admission.ts'
import { type Observation, observationOf, unreadable } from './observation.ts'
import {
  isSuspecting,
  recordObservations,
  selectLastStack,
  selectNewPositions,
  selectSuspected,
  selectUnseen,
} from './observation-queries.ts'

/** A position and its vault: two accounts to read. */
type Held = { row: PositionRow; keyed: EscrowVault }

/** One read of the chain: its slot, its time, and an observation for each requested position. */
export type VaultReading = { slot: bigint; seenAt: Date; observations: (Observation | undefined)[] }

const PAIRS_PER_CALL = MAX_ACCOUNTS_PER_CALL / 2

/**
 * Reads open positions again: positions of the last day that were not read since the last signed stack, and
 * positions that were not read today. A position that is gone is closed. A position that never was in escrow
 * is void, and one with an early payout is suspected. Bounded, and safe to run twice. Logs an error line for
 * each failed call.
 * @returns the numbers of recorded positions and failed calls, and when to read more
 * @throws the last error if all calls failed
 */
export async function auditPositions(
  deps: SettleDeps,
): Promise<{ seen: number; failedCalls: number; nextAt: Date | undefined }> {
  const { db, now } = deps
  const keyVersions = keyVersionsOf(deps)
  const limit = MAX_POSITIONS_PER_RUN
  const fresh = await selectNewPositions(db, newPositionsAt({ now, keyVersions, limit }))
  const unseenToday = { keyVersions, today: startOfDay(now) }
  const others = await selectUnseen(db, { ...unseenToday, limit: limit - fresh.length })
  const rows = [...new Map([...fresh, ...others].map((row) => [row.address, row])).values()]
  let seen = 0
  const { failedCalls, failure } = await forEachReading(deps, 'positions', rows, async (some, reading) => {
    const observations = some.map(({ row }, index) => reading.observations[index] ?? unreadable(row))
    seen += await recordObservations(deps, observations, reading)
  })
  if (failedCalls > 0 && seen === 0) throw failure
  const isFull = seen > 0 && fresh.length + others.length >= limit
  // Every signed stack makes the same positions due again, so they are read once a minute at most.
  const nextAt = fresh.length >= limit ? new Date(now.getTime() + NEW_POSITIONS_EVERY_MS) : now
  return { seen, failedCalls, nextAt: isFull ? nextAt : undefined }
}

/** Returns when to confirm the early payouts that were seen; undefined without any. */
export async function nextConfirmation({ db, now, escrow }: SettleDeps): Promise<Date | undefined> {
  const since = new Date(now.getTime() - CONFIRMED_WITHIN_MS)
  const keyVersions = escrow.keyVersions.map(({ keyVersion }) => keyVersion)
  return (await isSuspecting(db, { keyVersions, since })) ? confirmationAt(now) : undefined
}

/**
 * Returns when the last signed stack makes the positions of the last day due; undefined if that time has
 * passed. An earlier job run leaves out positions that were read shortly before.
 */
export async function nextAfterStack({ db, now }: SettleDeps): Promise<Date | undefined> {
  const stackedAt = await selectLastStack(db, yieldDayOf(dayBefore(now)))
  const at = stackedAt ? positionsAfter(stackedAt) : now
  return at > now ? at : undefined
}

const dayBefore = (now: Date): Date => new Date(now.getTime() - DAY_MS)

const newPositionsAt = ({ now, ...rest }: { now: Date; keyVersions: number[]; limit: number }) => {
  const ago = (ms: number) => new Date(now.getTime() - ms)
  return {
    ...rest,
    since: dayBefore(now),
    days: yieldDayOf(dayBefore(now)),
    seenBefore: ago(NEW_POSITIONS_EVERY_MS),
    longUnseen: ago(10 * NEW_POSITIONS_EVERY_MS),
  }
}

/**
 * Confirms early payouts by a finalized read of position and vault, at the slot of the payout or later. A
 * confirmed payout stops new stacks of its key version, since somebody has its recovery key. A refuted payout
 * is dropped. Logs an error line for each failed call.
 * @returns the numbers of confirmed and dropped payouts, of payouts that are not final yet, of payouts that
 *   could not be recorded, and of failed calls
 * @throws the last error if all calls failed
 */
export async function confirmSuspectedPayouts(
  deps: SettleDeps,
): Promise<{ confirmed: number; dropped: number; waiting: number; failed: number; failedCalls: number }> {
  const rows = await selectSuspected(deps.db, keyVersionsOf(deps), MAX_CONFIRMED_PER_RUN)
  const counts = { confirmed: 0, dropped: 0, waiting: 0, failed: 0 }
  const confirm = async ({ row }: Held, { slot, seenAt, observations }: VaultReading, index: number) => {
    const observation = observations[index]
    // A position may be void because of wrong settings, so that decides nothing.
    const isSeen = observation !== undefined && observation.status !== 'void'
    if (!isSeen || slot < (row.suspectedSlot ?? row.seenSlot)) {
      counts.waiting += 1
      return
    }
    const { address, keyVersion, owner } = row
    const { balance } = observation
    // The position was locked when the payout was seen, so until then only claims can have paid out of it.
    const isConfirmed = isShort(positionOf(row, balance), seenAt)
    const read = { owner, address, isConfirmed, balance, slot, now: seenAt }
    const isSettled = (await postgres.settleSuspectedPayout.call(deps.db, read)).outcome === 'settled'
    if (isSettled && isConfirmed) {
      logError({ earlyPayout: address, owner, generation: keyVersion })
      deps.alert?.(`AgentCred: a position of key version ${keyVersion} was paid out early.`, seenAt)
    }
    counts[isSettled ? (isConfirmed ? 'confirmed' : 'dropped') : 'waiting'] += 1
  }
  const { failedCalls, failure } = await forEachReading(
    deps,
    'earlyPayouts',
    rows,
    async (some, reading) => {
      for (const [index, held] of some.entries()) {
        try {
          await confirm(held, reading, index)
        } catch (error) {
          counts.failed += 1
          logError({ job: 'earlyPayouts', position: held.row.address, reason: reasonOf(error) })
        }
      }
    },
    'finalized',
  )
  if (failedCalls > 0 && failedCalls * PAIRS_PER_CALL >= rows.length) throw failure
  return { ...counts, failedCalls }
}

const keyVersionsOf = ({ escrow }: SettleDeps) => escrow.keyVersions.map(({ keyVersion }) => keyVersion)

/**
 * Reads positions with their vaults, as many as fit in each call, and passes each result on. A failed call
 * does not delay other positions; the next run tries again.
 * @returns the number of failed calls, and the last error
 */
export async function forEachReading(
  deps: SettleDeps,
  job: string,
  rows: PositionRow[],
  act: (some: Held[], reading: VaultReading) => Promise<void>,
  commitment?: 'finalized',
): Promise<{ failedCalls: number; failure: unknown }> {
  const held = await heldBy(deps, rows)
  let failedCalls = 0
  let failure: unknown
  for (let start = 0; start < held.length; start += PAIRS_PER_CALL) {
    const some = held.slice(start, start + PAIRS_PER_CALL)
    try {
      await act(some, await reading(deps, some, commitment))
    } catch (error) {
      failedCalls += 1
      failure = error
      logError({ job, reason: reasonOf(error) })
    }
  }
  return { failedCalls, failure }
}

async function heldBy({ escrow }: SettleDeps, rows: PositionRow[]): Promise<Held[]> {
  const found = rows.map(async (row) => {
    const keyed = (await vaultsByKeyVersion(row.owner, escrow)).get(row.keyVersion)
    return keyed ? [{ row, keyed }] : []
  })
  return (await Promise.all(found)).flat()
}

/** Makes one call. Leaves out positions that are recorded at a later slot than the node's. */
async function reading(
  { rpc, clock }: SettleDeps,
  some: Held[],
  commitment?: 'finalized',
): Promise<VaultReading> {
  const addresses = [...new Set(some.flatMap(({ row, keyed }) => [keyed.vault, row.address]))]
  const { accounts, slot } = await rpc.accounts(addresses, commitment === undefined ? {} : { commitment })
  const seenAt = clock()
  const found = new Map(addresses.map((address, index) => [address, accounts[index]]))
  const observations = some.map(({ row, keyed }) =>
    observationOf(row, keyed, (address) => found.get(address), seenAt),
  )
  return { slot, seenAt, observations }
}
