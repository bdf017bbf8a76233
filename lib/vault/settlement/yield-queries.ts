import { eq, type SQL, sql } from 'drizzle-orm'
import { vaults, vaultYieldDays } from '../../../schema/tables/vaults.ts'
import type { Signing } from '../../../schema/values.ts'
import type { Builder } from '../../db/builder.ts'
import type { resolve } from './outcome-queries.ts'

/*
 * What the yield limits count, once a stack's fate is known: in columns of the owner's row and of the day's,
 * which the statement that records the stack locks (stack-queries.ts). A sum over intents would be stale
 * after a lock wait.
 */

type Resolved = ReturnType<typeof resolve>['resolved']

/**
 * What becomes of a resolved stack's yield.
 * @param isTaken whether it has left the treasury
 */
function settledYield(resolved: Resolved, isTaken: SQL) {
  const amount = sql`coalesce(${resolved.yield}, 0)`
  // Of one that was held to have expired, it was given back before.
  const wasHeld = (signing: Signing) =>
    sql`(case when ${resolved.statusBefore} = 'open' and ${resolved.signing} = ${signing}::text
      then ${amount} else 0 end)`
  return {
    // What is merely built has reserved it, what was cosigned at the relay has taken it.
    released: wasHeld('service_first'),
    taken: sql`(case when ${isTaken} then ${amount} else 0 end) - ${wasHeld('wallet_first')}`,
  }
}

/** The columns of the owner's row, which count for the stack's day only while it is theirs. */
export function ownerYield(resolved: Resolved, isTaken: SQL) {
  const { released, taken } = settledYield(resolved, isTaken)
  const isItsDay = sql`${vaults.yieldDay} = ${resolved.yieldDay}`
  return {
    yieldReserved: sql`${vaults.yieldReserved} - (case when ${isItsDay} then ${released} else 0 end)`,
    yieldLanded: sql`${vaults.yieldLanded} + (case when ${isItsDay} then ${taken} else 0 end)`,
  }
}

/** The CTE that counts it in the day's row, which every transaction locks after the owners' rows. */
export function dayYield(db: Builder, resolved: Resolved, isTaken: SQL) {
  const { released, taken } = settledYield(resolved, isTaken)
  return db.$with('yield_day_settled').as(
    db
      .update(vaultYieldDays)
      .set({
        reserved: sql`${vaultYieldDays.reserved} - ${released}`,
        landed: sql`${vaultYieldDays.landed} + ${taken}`,
      })
      .from(resolved)
      .where(eq(vaultYieldDays.day, resolved.yieldDay))
      .returning({ day: vaultYieldDays.day }),
  )
}
