import * as postgres from '../../db/functions.ts'
import { firstIdOf } from '../../id-range.ts'
import { logError } from '../../runtime/log.ts'
import { decodeTokenAccount } from '../../solana/token-state.ts'
import { MAX_ACCOUNTS_PER_CALL } from '../../transactions/relay/limits.ts'
import type { PaymentSettleDeps } from '../chain-deps.ts'
import type { PaymentSettings } from '../keys.ts'
import { type OwingEscrow, selectOwing } from './audit-queries.ts'

/** Pages of escrows in one run: 10,000 escrows. */
const MAX_PAGES = 100
/** How old a funding must be, so that it is final. */
const FUNDED_BEFORE_MS = 600_000
/** Not above any id. */
const FIRST_ID = firstIdOf(0)

/**
 * Compares the escrows of jobs with what they owe, on the finalized chain. An escrow that holds less is read
 * again at a later slot, if its job still has no message in flight. If it holds less again, somebody has
 * taken it: an operator is alerted, and nothing is funded under its key version any more.
 * @returns the numbers of escrows that were read, and of those that hold too little
 * @throws ApiError dependency_unavailable
 */
export async function auditEscrows(
  deps: PaymentSettleDeps & { settings: PaymentSettings },
): Promise<{ seen: number; taken: number }> {
  const { db, now } = deps
  const fundedBefore = new Date(now.getTime() - FUNDED_BEFORE_MS)
  const page = { fundedBefore, limit: MAX_ACCOUNTS_PER_CALL }
  let after = FIRST_ID
  let [seen, taken] = [0, 0]
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const escrows = await selectOwing(db, { ...page, after })
    const first = await shortOf(deps, escrows, undefined)
    if (first.short.length > 0) {
      const ids = first.short.map(({ id }) => id)
      const again = await selectOwing(db, { ...page, after: FIRST_ID, ids })
      const { short } = await shortOf(deps, again, first.slot + 1n)
      taken += short.length
      for (const one of short) await recordTaken(deps, one)
    }
    seen += escrows.length
    const last = escrows.at(-1)
    if (!last || escrows.length < MAX_ACCOUNTS_PER_CALL) break
    after = last.id
  }
  return { seen, taken }
}

/** Returns the escrows that hold less than they must on the finalized chain, and the slot of the read. */
async function shortOf(
  { rpc }: PaymentSettleDeps,
  escrows: OwingEscrow[],
  minSlot: bigint | undefined,
): Promise<{ short: OwingEscrow[]; slot: bigint }> {
  if (escrows.length === 0) return { short: [], slot: 0n }
  const addresses = escrows.map(({ escrow }) => escrow)
  const { accounts, slot } = await rpc.accounts(addresses, { commitment: 'finalized', minSlot })
  const short = escrows.filter(({ least }, i) => (decodeTokenAccount(accounts[i])?.amount ?? 0n) < least)
  return { short, slot }
}

async function recordTaken(
  { db, now, settings, alert }: PaymentSettleDeps & { settings: PaymentSettings },
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
