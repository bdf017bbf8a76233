import { insertHire } from '../../lib/agents/hire-start-queries.ts'
import type { Db } from '../../lib/db/connect.ts'
import { DAY_MS } from '../../lib/time.ts'
import type { Payment } from './paid.ts'

/** A hire, as what is paid for it names it. */
export type Hired = Pick<Payment, 'hireId' | 'agentId' | 'owner' | 'payer'>

/** Stores a hire for 30 days, past the API. */
export async function storeHire(
  db: Db,
  { agentId, owner, payer, now }: Omit<Hired, 'hireId'> & { now: Date },
): Promise<Hired> {
  const hireId = crypto.randomUUID()
  const expiresAt = new Date(now.getTime() + 30 * DAY_MS)
  const row = { id: hireId, wallet: payer, agentId, autoRenew: false, termDays: 30, now, expiresAt }
  if (!(await insertHire(db, row))?.hire) throw new Error('the hire was refused')
  return { hireId, agentId, owner, payer }
}
