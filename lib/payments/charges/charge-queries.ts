import { and, eq } from 'drizzle-orm'
import { charges } from '../../../schema/tables/payments.ts'
import type { ChargeState } from '../../../schema/values.ts'
import { agentOfHire } from '../../agents/parts/part-queries.ts'
import { read } from '../../db/statement.ts'

/** A charge, and what has become of it. */
export type Charge = typeof charges.$inferSelect & { state: ChargeState }

/** Reads the charge of a reference that the agent of a hire has. */
export const chargeOfReference = read({ hireId: charges.hireId, reference: charges.reference }, (db, $) =>
  db
    .select()
    .from(charges)
    .where(and(eq(charges.agentId, agentOfHire($.hireId)), eq(charges.reference, $.reference))),
)

/** Reads a charge's row: after a write in the same transaction. */
export const chargeAsStored = read({ id: charges.id, owner: charges.owner }, (db, $) =>
  db
    .select()
    .from(charges)
    .where(and(eq(charges.id, $.id), eq(charges.owner, $.owner))),
)
