import type { Address, Wallet } from '../../../schema/wallet.ts'
import { ApiError } from '../../api-error.ts'
import * as postgres from '../../db/functions.ts'
import { firstIdOf } from '../../id-range.ts'
import { logError } from '../../runtime/log.ts'
import { decodeTokenAccount } from '../../solana/token-state.ts'
import { MAX_ACCOUNTS_PER_CALL } from '../../transactions/relay/limits.ts'
import type { PaymentSettleDeps } from '../chain-deps.ts'
import type { PaymentSettings } from '../keys.ts'
import { type OwingAfter, type OwingEscrow, selectOwing } from './audit-queries.ts'

/** Pages of escrows in one run: 10,000 escrows. */
const MAX_PAGES = 100
/** How old a funding must be, so that it is final. */
const FUNDED_BEFORE_MS = 600_000
/** The second read waits for a later slot: a new one is finalized within a second. */
const LATER_READS = 10
const LATER_READ_MS = 1_000
/** Before all escrows. */
const FIRST: OwingAfter = { hirer: '' as Wallet, id: firstIdOf(0) }

/**
 * Compares the escrows of jobs with what they owe. If one holds too little, somebody has taken it. Then an
 * operator is alerted, and nothing is funded under its key version any more.
 * @returns how many escrows were read, and how many of them hold too little
 * @throws ApiError dependency_unavailable
 */
export async function auditEscrows(
  deps: AuditDeps & Pick<PaymentSettleDeps, 'alert'> & { settings: PaymentSettings },
): Promise<{ seen: number; taken: number }> {
  const total = { seen: 0, taken: 0 }
  for await (const { seen, short } of shortEscrows(deps)) {
    total.seen += seen
    total.taken += short.length
    for (const one of short) await recordTaken(deps, one)
  }
  return total
}

/** `pause` waits so many milliseconds. */
type AuditDeps = Pick<PaymentSettleDeps, 'db' | 'rpc' | 'now'> & { pause?: (ms: number) => Promise<void> }

const pauseFor = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Yields the escrows of jobs that hold less than they owe, page by page, on the finalized chain. An escrow
 * that holds less is read again at a later slot, if its job still has no message in flight.
 * @throws ApiError dependency_unavailable
 */
export async function* shortEscrows(
  deps: AuditDeps,
): AsyncGenerator<{ seen: number; short: OwingEscrow[] }, void, void> {
  const { db, now } = deps
  const fundedBefore = new Date(now.getTime() - FUNDED_BEFORE_MS)
  const page = { fundedBefore, limit: MAX_ACCOUNTS_PER_CALL }
  let after = FIRST
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const escrows = await selectOwing(db, { ...page, after })
    const first = await balancesOf(deps, escrows)
    const ids = escrows.filter((one) => isShort(one, first)).map(({ id }) => id)
    if (ids.length === 0) yield { seen: escrows.length, short: [] }
    else {
      const later = await balancesAfter(deps, escrows, first.slot)
      // A payment in between has either changed what is owed, or is in flight.
      const again = await selectOwing(db, { ...page, after: FIRST, ids })
      yield { seen: escrows.length, short: again.filter((one) => isShort(one, later)) }
    }
    const last = escrows.at(-1)
    if (!last || escrows.length < MAX_ACCOUNTS_PER_CALL) return
    after = last
  }
}

type Balances = { slot: bigint; at: Map<Address, bigint> }

const isShort = ({ escrow, least }: OwingEscrow, { at }: Balances): boolean => (at.get(escrow) ?? 0n) < least

/** Reads the balances of escrows on the finalized chain, and the slot of the read. */
async function balancesOf({ rpc }: AuditDeps, escrows: OwingEscrow[]): Promise<Balances> {
  if (escrows.length === 0) return { slot: 0n, at: new Map() }
  const addresses = escrows.map(({ escrow }) => escrow)
  const { accounts, slot } = await rpc.accounts(addresses, { commitment: 'finalized' })
  const at = addresses.map((address, i) => [address, decodeTokenAccount(accounts[i])?.amount ?? 0n] as const)
  return { slot, at: new Map(at) }
}

/**
 * Reads the same at a slot after `before`. A node that is asked at once has not finalized one.
 * @throws ApiError dependency_unavailable if the node does not go on
 */
async function balancesAfter(deps: AuditDeps, escrows: OwingEscrow[], before: bigint): Promise<Balances> {
  for (let reads = 0; reads < LATER_READS; reads++) {
    await (deps.pause ?? pauseFor)(LATER_READ_MS)
    const balances = await balancesOf(deps, escrows)
    if (balances.slot > before) return balances
  }
  throw new ApiError('dependency_unavailable', 'The Solana node finalizes no new slot.')
}

async function recordTaken(
  { db, now, settings, alert }: Parameters<typeof auditEscrows>[0],
  { id, keyVersion }: OwingEscrow,
): Promise<void> {
  logError({ takenEscrow: id })
  const authority = settings.keyVersions.find((keys) => keys.keyVersion === keyVersion)?.authority ?? ''
  await postgres.recordTakenEscrow.call(db, { keyVersion, authority, now })
  alert?.(
    `AgentCred: an escrow under key version ${keyVersion} holds less than it owes. Nothing is funded under it.`,
    now,
  )
}
