import { and, eq, inArray, not, sql } from 'drizzle-orm'
import {
  positions,
  vaultGenerations,
  vaultIntentLegs,
  vaultIntents,
  vaults,
} from '../../../schema/tables/vaults.ts'
import type { Builder } from '../../db/builder.ts'
import { statement } from '../../db/statement.ts'
import { breakerTripped } from '../breaker/breaker-queries.ts'
import { keysDiffer } from '../breaker/generation-queries.ts'
import { resolution, resolve } from './outcome-queries.ts'
import { dayYield, ownerYield } from './yield-queries.ts'

/* Recording that an intent can't take effect any more. */

type Resolved = ReturnType<typeof resolve>['resolved']

/** The CTE that frees the positions of a claim. */
const claimReleased = (db: Builder, resolved: Resolved) =>
  db
    .$with('released')
    .as(
      db
        .update(positions)
        .set({ openClaim: null })
        .from(resolved)
        .where(eq(positions.openClaim, resolved.id))
        .returning({ id: positions.id }),
    )

/** What an intent was judged by; null where it was not signed. The message follows from the signature. */
const asRead = {
  networkSignature: vaultIntents.networkSignature,
  lastValidBlockHeight: vaultIntents.lastValidBlockHeight,
}

/**
 * Records that an intent has expired, unless the relay has signed it since it was read: frees the positions
 * of a claim, a stack's share of the open stacks and its reservation; after a spoilt withdrawal the next one
 * leaves the position's account open.
 */
export const intentExpired = statement({ ...resolution, ...asRead, isSpoilt: 'boolean' }, (db, $) => {
  const { before, resolved } = resolve(db, $, {
    from: ['open'],
    to: 'expired',
    onlyIf: and(
      sql`${vaultIntents.networkSignature} is not distinct from ${$.networkSignature}`,
      eq(vaultIntents.lastValidBlockHeight, $.lastValidBlockHeight),
    ),
  })
  const released = claimReleased(db, resolved)
  const spoilt = db.$with('spoilt').as(
    db
      .update(positions)
      .set({ leaveOpen: true })
      .from(resolved)
      .innerJoin(vaultIntentLegs, eq(vaultIntentLegs.intentId, resolved.id))
      .where(and(eq(positions.address, vaultIntentLegs.address), $.isSpoilt))
      .returning({ id: positions.id }),
  )
  const day = dayYield(db, resolved, sql`false`)
  return db
    .with(before, resolved, released, spoilt, day)
    .update(vaults)
    .set({
      openStacks: sql`${vaults.openStacks} - ${resolved.stacksBefore}`,
      ...ownerYield(resolved, sql`false`),
    })
    .from(resolved)
    .where(and(eq(vaults.owner, resolved.owner), inArray(resolved.kind, ['stack', 'open_vault'])))
})

/**
 * Records that an intent has failed, also one that was held to have expired. The yield of a stack that was
 * withdrawn before anyone saw it has left the treasury; that takes the recovery key, so it stops new stacks
 * of its generation like every early payout. The yield of one that nothing is proven of counts as taken, and
 * stops nothing. Nothing fails by settings of other keys than were deployed.
 */
export const intentFailed = statement(
  {
    ...resolution,
    reason: vaultIntents.reason,
    authority: vaultGenerations.authority,
    recovery: vaultGenerations.recovery,
  },
  (db, $) => {
    const { before, resolved } = resolve(db, $, {
      from: ['open', 'expired'],
      to: 'failed',
      reason: sql`${$.reason}`,
      onlyIf: not(keysDiffer({ ...$, generation: vaultIntents.generation })),
    })
    const released = claimReleased(db, resolved)
    const hasLeft = sql`${$.reason} = 'left_before_seen'`
    const isTaken = sql`${$.reason} in ('left_before_seen', 'unproven')`
    const day = dayYield(db, resolved, isTaken)
    const tripped = db.$with('tripped').as(
      breakerTripped(db, resolved, { generation: resolved.generation, now: $.now, when: hasLeft }).returning({
        generation: vaultGenerations.generation,
      }),
    )
    return db
      .with(before, resolved, released, day, tripped)
      .update(vaults)
      .set({
        openStacks: sql`${vaults.openStacks} - ${resolved.stacksBefore}`,
        ...ownerYield(resolved, isTaken),
      })
      .from(resolved)
      .where(and(eq(vaults.owner, resolved.owner), inArray(resolved.kind, ['stack', 'open_vault'])))
  },
)
