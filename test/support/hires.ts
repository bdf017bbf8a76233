import type { Db } from '../../lib/db/connect.ts'
import * as postgres from '../../lib/db/functions.ts'
import type { Payment } from './paid.ts'

/** How often in a row a hire renews without use, as models of hires have it: `most_unused` of hire_at. */
export const MAX_UNUSED_RENEWALS = 3

/** A hire, as what is paid for it names it. */
export type Hired = Pick<Payment, 'hireId' | 'agentId' | 'owner' | 'payer'>

type Counted = { addressHash: string; hiresPerAddress: number }
type NewHire = Parameters<typeof postgres.hireAgent.call>[1]

/**
 * Hires without the API, by default from a new client address. Returns the outcome, the hire's id (undefined
 * if it is rejected), and the endpoints to notify.
 */
export async function tryToHire(
  db: Db,
  hire: Omit<NewHire, keyof Counted> & Partial<Counted>,
): Promise<{ id: string | undefined; outcome: string; toNotify: string[] }> {
  const counted = { addressHash: crypto.randomUUID(), hiresPerAddress: 1 }
  const { outcome, toNotify } = await postgres.hireAgent.call(db, { ...counted, ...hire })
  return { id: outcome === 'hired' ? hire.id : undefined, outcome, toNotify }
}

/** Stores a hire for 30 days, past the API. */
export async function storeHire(
  db: Db,
  { agentId, owner, payer, now }: Omit<Hired, 'hireId'> & { now: Date },
): Promise<Hired> {
  const hireId = crypto.randomUUID()
  const { id } = await tryToHire(db, {
    id: hireId,
    wallet: payer,
    agentId,
    autoRenew: false,
    termDays: 30,
    now,
  })
  if (id === undefined) throw new Error('the hire was refused')
  return { hireId, agentId, owner, payer }
}
