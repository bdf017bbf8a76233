import type { InferOutput } from 'valibot'
import type { Wallet } from '../../schema/wallet.ts'
import type { EntryPatch } from '../../schema/wire/registry.ts'
import type { ScheduleJob } from '../clock/wake.ts'
import type { Db } from '../db/connect.ts'
import { firstProbeAt } from '../liveness/first-probe.ts'
import { notRegistered } from './errors.ts'
import { removeEntry, updateEntry } from './moderation-queries.ts'
import type { RegisteredAgentRow } from './queries.ts'

/**
 * Suspends an entry of the registry, or lifts the suspension, for an operator. A suspended entry is in no
 * list.
 * @throws ApiError registration_not_found
 */
export async function moderateEntry(
  deps: { db: Db; now: Date; schedule: ScheduleJob },
  pubkey: Wallet,
  patch: InferOutput<typeof EntryPatch>,
): Promise<RegisteredAgentRow> {
  const entry = await updateEntry(deps.db, { pubkey, ...patch })
  if (!entry) throw notRegistered()
  deps.schedule('looks', firstProbeAt(deps.now))
  return entry
}

/**
 * Removes an entry of the registry for good and bars its key, for an operator.
 * @throws ApiError registration_not_found
 */
export async function barKey(deps: { db: Db }, pubkey: Wallet): Promise<Wallet> {
  if (!(await removeEntry(deps.db, pubkey))) throw notRegistered()
  return pubkey
}
