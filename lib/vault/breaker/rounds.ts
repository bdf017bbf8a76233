import { reasonOf } from '../../db/failures.ts'
import * as postgres from '../../db/functions.ts'
import { logError } from '../../runtime/log.ts'
import { DAY_MS, startOfDay } from '../../time.ts'
import { MAX_ACCOUNTS_PER_CALL } from '../../transactions/relay/limits.ts'
import type { SettleDeps } from '../deps.ts'
import {
  CONFIRMED_WITHIN_MS,
  confirmationAt,
  MAX_CONFIRMED_PER_SWEEP,
  MAX_POSITIONS_PER_ROUND,
  NEW_POSITIONS_EVERY_MS,
  positionsAfter,
} from '../limits.ts'
import type { PositionRow } from '../queries.ts'
import { isShort } from '../rules.ts'
import { type Holder, holdersOf, positionOf } from '../settlement/settlement.ts'
import { yieldDayOf } from '../stacking/admission.ts'
import { type Observation, observationOf, unseen } from './observation.ts'
import {
  isSuspecting,
  recordObservations,
  selectLastStack,
  selectNewPositions,
  selectSuspected,
  selectUnseen,
} from './observation-queries.ts'

/** A position and the vault that holds it: two accounts to read. */
type Held = { row: PositionRow; holder: Holder }

/** What one read of the chain showed: at which slot, when, and of each position that was asked for. */
export type Look = { slot: bigint; seenAt: Date; observations: (Observation | undefined)[] }

const PAIRS_PER_CALL = MAX_ACCOUNTS_PER_CALL / 2

/**
 * Reads open positions again: those of the last day that were not seen since the last stack was signed, and
 * those that were not seen today. A position that is gone is closed, one that never was in escrow is void,
 * one that was paid out of early is suspected. Bounded, and safe to run twice.
 * @returns how many were recorded, how many calls failed, each with an error line that says why, and when
 *   more are to be read
 * @throws what the last failure was when all calls failed
 */
export async function auditPositions(
  deps: SettleDeps,
): Promise<{ seen: number; failedCalls: number; nextAt: Date | undefined }> {
  const { db, now } = deps
  const generations = generationsOf(deps)
  const limit = MAX_POSITIONS_PER_ROUND
  const fresh = await selectNewPositions(db, newPositionsAt({ now, generations, limit }))
  const unseenToday = { generations, today: startOfDay(now) }
  const others = await selectUnseen(db, { ...unseenToday, limit: limit - fresh.length })
  const rows = [...new Map([...fresh, ...others].map((row) => [row.address, row])).values()]
  let seen = 0
  const { failedCalls, failure } = await forEachLook(deps, 'positions', rows, async (some, look) => {
    const turns = some.map(({ row }, index) => look.observations[index] ?? unseen(row))
    seen += await recordObservations(deps, turns, look)
  })
  if (failedCalls > 0 && seen === 0) throw failure
  const isFull = seen > 0 && fresh.length + others.length >= limit
  // Stacks that go on being signed make the same positions due again and again: once a minute at most.
  const nextAt = fresh.length >= limit ? new Date(now.getTime() + NEW_POSITIONS_EVERY_MS) : now
  return { seen, failedCalls, nextAt: isFull ? nextAt : undefined }
}

/** When finality is to be asked about positions that were seen to be paid out of early; undefined if none. */
export async function nextConfirmation({ db, now, escrow }: SettleDeps): Promise<Date | undefined> {
  const since = new Date(now.getTime() - CONFIRMED_WITHIN_MS)
  const generations = escrow.generations.map(({ generation }) => generation)
  return (await isSuspecting(db, { generations, since })) ? confirmationAt(now) : undefined
}

/**
 * When the stack that was signed last makes the positions of the last day due; undefined if they were by
 * now. A round before that has left out positions that were seen shortly before it.
 */
export async function nextAfterStack({ db, now }: SettleDeps): Promise<Date | undefined> {
  const stackedAt = await selectLastStack(db, yieldDayOf(dayBefore(now)))
  const at = stackedAt ? positionsAfter(stackedAt) : now
  return at > now ? at : undefined
}

const dayBefore = (now: Date): Date => new Date(now.getTime() - DAY_MS)

const newPositionsAt = ({ now, ...rest }: { now: Date; generations: number[]; limit: number }) => {
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
 * Confirms early payouts by a finalized read, with the vault beside the position: one that is confirmed stops
 * new stacks of its key generation, since its recovery key is in somebody's hands; one that the read refutes
 * is taken back. What is final has to have reached the slot at which the payout was seen.
 * @returns how many were confirmed, how many were taken back, how many are not final yet, how many could not
 *   be recorded, and how many calls failed, each with an error line that says why
 * @throws what the last failure was when all calls failed
 */
export async function confirmEarly(
  deps: SettleDeps,
): Promise<{ confirmed: number; dropped: number; waiting: number; failed: number; failedCalls: number }> {
  const rows = await selectSuspected(deps.db, generationsOf(deps), MAX_CONFIRMED_PER_SWEEP)
  const counts = { confirmed: 0, dropped: 0, waiting: 0, failed: 0 }
  const confirm = async ({ row }: Held, { slot, seenAt, observations }: Look, index: number) => {
    const observation = observations[index]
    // What is void by these settings may be so by mistake, and decides nothing.
    const isSeen = observation !== undefined && observation.status !== 'void'
    if (!isSeen || slot < (row.suspectedSlot ?? row.seenSlot)) {
      counts.waiting += 1
      return
    }
    const { address, generation, owner } = row
    const { balance } = observation
    // It was locked when the payout was seen, so nothing but claims has paid anything out of it until then.
    const isConfirmed = isShort(positionOf(row, balance), seenAt)
    const read = { owner, address, isConfirmed, balance, slot, now: seenAt }
    const isSettled = (await postgres.settleSuspicion.call(deps.db, read)).outcome === 'settled'
    if (isSettled && isConfirmed) {
      logError({ earlyPayout: address, owner, generation })
      deps.alert?.(`AgentCred: a position of generation ${generation} was paid out early.`, seenAt)
    }
    counts[isSettled ? (isConfirmed ? 'confirmed' : 'dropped') : 'waiting'] += 1
  }
  const { failedCalls, failure } = await forEachLook(
    deps,
    'earlyPayouts',
    rows,
    async (some, look) => {
      for (const [index, held] of some.entries()) {
        try {
          await confirm(held, look, index)
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

const generationsOf = ({ escrow }: SettleDeps) => escrow.generations.map(({ generation }) => generation)

/**
 * Reads positions with their vaults, as many as fit in each call, and hands over what each call showed. One
 * call that fails keeps no other position waiting; the next run tries again.
 * @returns how many calls failed, and what the last failure was
 */
export async function forEachLook(
  deps: SettleDeps,
  job: string,
  rows: PositionRow[],
  act: (some: Held[], look: Look) => Promise<void>,
  commitment?: 'finalized',
): Promise<{ failedCalls: number; failure: unknown }> {
  const held = await heldBy(deps, rows)
  let failedCalls = 0
  let failure: unknown
  for (let start = 0; start < held.length; start += PAIRS_PER_CALL) {
    const some = held.slice(start, start + PAIRS_PER_CALL)
    try {
      await act(some, await look(deps, some, commitment))
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
    const holder = (await holdersOf(row.owner, escrow)).get(row.generation)
    return holder ? [{ row, holder }] : []
  })
  return (await Promise.all(found)).flat()
}

/** One call. What a node shows that is behind is left out where the position is recorded at a later slot. */
async function look({ rpc, clock }: SettleDeps, some: Held[], commitment?: 'finalized'): Promise<Look> {
  const addresses = [...new Set(some.flatMap(({ row, holder }) => [holder.vault, row.address]))]
  const { accounts, slot } = await rpc.accounts(addresses, commitment === undefined ? {} : { commitment })
  const seenAt = clock()
  const found = new Map(addresses.map((address, index) => [address, accounts[index]]))
  const observations = some.map(({ row, holder }) =>
    observationOf(row, holder, (address) => found.get(address), seenAt),
  )
  return { slot, seenAt, observations }
}
