import { reasonOf } from '../db/failures.ts'
import { logError } from '../log.ts'
import { MAX_ACCOUNTS_PER_CALL } from '../relay/limits.ts'
import type { Address } from '../solana/address.ts'
import { selectSuspected, settleSuspicion } from './breaker-queries.ts'
import type { SettleDeps } from './deps.ts'
import { MAX_CONFIRMED_PER_SWEEP, MAX_POSITIONS_PER_ROUND } from './limits.ts'
import type { PositionRow } from './queries.ts'
import { type Holder, holdersOf } from './settlement.ts'
import { type Sighting, sightingOf, unseen } from './sighting.ts'
import { recordSightings, selectLongestUnseen } from './sighting-queries.ts'

/** A position and the vault that holds it: two accounts to read. */
type Held = { row: PositionRow; holder: Holder }

const PAIRS_PER_CALL = MAX_ACCOUNTS_PER_CALL / 2

/**
 * Reads open positions again, those that nobody has looked at for longest first: what is gone is closed, what
 * never was in escrow is void, what was paid out of early is suspected. Bounded, and safe to run twice.
 * @returns how many were read, and how many calls failed, each with an error line that says why
 */
export async function lookAgain(deps: SettleDeps): Promise<{ seen: number; failedCalls: number }> {
  const rows = await selectLongestUnseen(deps.db, generationsOf(deps), MAX_POSITIONS_PER_ROUND)
  let seen = 0
  let failedCalls = 0
  for (const some of chunksOf(await heldBy(deps, rows))) {
    try {
      const { slot, sightings } = await see(deps, some)
      const turns = some.map(({ row }, index) => sightings[index] ?? unseen(row))
      await recordSightings(deps.db, turns, slot, deps.now)
      seen += turns.length
    } catch (error) {
      // One call that fails must not keep the other positions waiting; the next run tries again.
      failedCalls += 1
      logError({ job: 'positions', reason: reasonOf(error) })
    }
  }
  return { seen, failedCalls }
}

/**
 * Confirms early payouts by a finalized read, with the vault beside the position: one that is confirmed stops
 * new stacks of its key generation, since its recovery key is in somebody's hands.
 * @returns how many were confirmed, and how many suspicions dropped
 */
export async function confirmEarly(deps: SettleDeps): Promise<{ confirmed: number; dropped: number }> {
  const rows = await selectSuspected(deps.db, generationsOf(deps), MAX_CONFIRMED_PER_SWEEP)
  const counts = { confirmed: 0, dropped: 0 }
  for (const held of await heldBy(deps, rows)) {
    const { address, generation, owner, seenAt } = held.row
    // Judged by the time at which it was seen: once the lock has ended there is nothing to see any more.
    const { sightings } = await see({ ...deps, now: seenAt }, [held], 'finalized')
    const [sighting] = sightings
    if (!sighting) continue
    const isConfirmed = sighting.isEarly
    await settleSuspicion(deps.db, { address, isConfirmed, now: deps.now })
    if (isConfirmed) logError({ earlyPayout: address, owner, generation })
    counts[isConfirmed ? 'confirmed' : 'dropped'] += 1
  }
  return counts
}

const generationsOf = ({ escrow }: SettleDeps) => escrow.generations.map(({ generation }) => generation)

async function heldBy({ escrow }: SettleDeps, rows: PositionRow[]): Promise<Held[]> {
  const found = rows.map(async (row) => {
    const holder = (await holdersOf(row.owner, escrow)).get(row.generation)
    return holder ? [{ row, holder }] : []
  })
  return (await Promise.all(found)).flat()
}

/** One call for as many positions as fit, at the slot that each was last seen at or later. */
async function see(
  { rpc, now }: SettleDeps,
  some: Held[],
  commitment?: 'finalized',
): Promise<{ slot: bigint; sightings: (Sighting | undefined)[] }> {
  const addresses = [...new Set(some.flatMap(({ row, holder }) => [holder.vault, row.address]))]
  const lastSeen = some.reduce((last, { row }) => (row.seenSlot > last ? row.seenSlot : last), 0n)
  const { slot, accounts } = await rpc.accounts(addresses, {
    minSlot: lastSeen,
    ...(commitment === undefined ? {} : { commitment }),
  })
  const found = new Map<Address, (typeof accounts)[number]>(
    addresses.map((address, index) => [address, accounts[index]]),
  )
  const sightings = some.map(({ row, holder }) =>
    sightingOf(row, holder, (address) => found.get(address), now),
  )
  return { slot, sightings }
}

const chunksOf = (held: Held[]): Held[][] =>
  Array.from({ length: Math.ceil(held.length / PAIRS_PER_CALL) }, (_, index) =>
    held.slice(index * PAIRS_PER_CALL, (index + 1) * PAIRS_PER_CALL),
  )
