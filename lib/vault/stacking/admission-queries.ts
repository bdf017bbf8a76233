import { and, eq, isNotNull, lt, lte, not, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { vaultGenerations, vaultIntents, vaults, vaultYieldDays } from '../../../schema/tables/vaults.ts'
import type { Signing } from '../../../schema/values.ts'
import type { Builder } from '../../db/builder.ts'
import { hasRows } from '../../db/columns.ts'
import { type Parameters, statement } from '../../db/statement.ts'
import { MAX_OPEN_POSITIONS, MAX_OPEN_STACKS } from '../limits.ts'

/*
 * What decides whether a stack may be signed, in the statement that records it: the rows of its owner and of
 * the day, which it locks. service_first is signed when it is built (stack-queries.ts), wallet_first at the
 * relay (cosign-queries.ts).
 */

/** Makes the rows that the next statement of the batch locks. */
export const admissionRows = statement(
  { owner: vaults.owner, leaseEnd: vaults.settledAt, day: vaultYieldDays.day },
  (db, $) => {
    const vault = db
      .insert(vaults)
      .values({ owner: $.owner, settledAt: $.leaseEnd })
      .onConflictDoNothing()
      .returning({ owner: vaults.owner })
    return db
      .with(db.$with('vault').as(vault))
      .insert(vaultYieldDays)
      .values({ day: $.day })
      .onConflictDoNothing()
  },
)

/** What the admission of a stack asks of its statement. */
export const admissionParameters = {
  owner: vaultIntents.owner,
  generation: vaultIntents.generation,
  yield: vaultIntents.yield,
  yieldDay: vaultIntents.yieldDay,
  perWallet: 'bigint',
  perDay: 'bigint',
} as const

/**
 * The CTEs that admit a stack, `vault` having a row if it was, and count it and its yield. What is
 * cosigned at the relay may take all that is left of the limits, as what has landed; reservations of what
 * is merely built at most half of each.
 * @param onlyIf what must hold beside
 */
export function admission(
  db: Builder,
  $: Parameters<typeof admissionParameters>,
  signing: Signing,
  onlyIf: SQL = sql`true`,
) {
  const isToday = sql`${vaults.yieldDay} = ${$.yieldDay}`
  const ofToday = (column: SQLWrapper) => sql`(case when ${isToday} then ${column} else 0 end)`
  // The owner's row, then the day's: after a wait for its lock Postgres has a row's columns as they are.
  const owner = db.$with('owner').as(
    db
      .select({
        owner: vaults.owner,
        openStacks: vaults.openStacks,
        openPositions: vaults.openPositions,
        ownerLanded: ofToday(vaults.yieldLanded).as('owner_landed'),
        ownerReserved: ofToday(vaults.yieldReserved).as('owner_reserved'),
      })
      .from(vaults)
      .where(eq(vaults.owner, $.owner))
      .for('no key update'),
  )
  const day = db
    .$with('day')
    .as(
      db
        .select({ landed: vaultYieldDays.landed, reserved: vaultYieldDays.reserved })
        .from(vaultYieldDays)
        .innerJoin(owner, sql`true`)
        .where(eq(vaultYieldDays.day, $.yieldDay))
        .for('update', { of: vaultYieldDays }),
    )
  const pause = db.$with('pause').as(
    db
      .select({ generation: vaultGenerations.generation })
      .from(vaultGenerations)
      .where(
        and(
          eq(vaultGenerations.generation, $.generation),
          or(isNotNull(vaultGenerations.pausedAt), isNotNull(vaultGenerations.publishedAt)),
        ),
      ),
  )
  const left = (limit: SQLWrapper, landed: SQLWrapper, reserved: SQLWrapper) =>
    signing === 'wallet_first'
      ? sql`${limit} - ${landed} - ${reserved}`
      : sql`least(${limit} - ${landed}, ${limit} / 2) - ${reserved}`
  const room = sql<string>`greatest(0, least(
    ${left($.perWallet, owner.ownerLanded, owner.ownerReserved)},
    ${left($.perDay, day.landed, day.reserved)}))`
  const verdict = db.$with('verdict').as(
    db
      .select({
        owner: owner.owner,
        openStacks: owner.openStacks,
        openPositions: owner.openPositions,
        isPaused: hasRows(pause).as('is_paused'),
        room: room.as('room'),
      })
      .from(owner)
      .crossJoin(day),
  )
  const admitted = db.$with('admitted').as(
    db
      .select({ owner: verdict.owner })
      .from(verdict)
      .where(
        and(
          lt(verdict.openStacks, MAX_OPEN_STACKS),
          lt(sql`${verdict.openStacks} + ${verdict.openPositions}`, MAX_OPEN_POSITIONS),
          not(verdict.isPaused),
          lte(sql`${$.yield}`, verdict.room),
          onlyIf,
        ),
      ),
  )
  const added = (isHere: boolean) => (isHere ? sql` + ${$.yield}` : sql``)
  const isTaken = signing === 'wallet_first'
  const vault = db.$with('vault').as(
    db
      .update(vaults)
      .set({
        openStacks: sql`${vaults.openStacks} + 1`,
        yieldDay: sql`${$.yieldDay}`,
        yieldLanded: sql`${ofToday(vaults.yieldLanded)}${added(isTaken)}`,
        yieldReserved: sql`${ofToday(vaults.yieldReserved)}${added(!isTaken)}`,
      })
      .from(admitted)
      .where(eq(vaults.owner, admitted.owner))
      .returning({ owner: vaults.owner }),
  )
  const counted = db.$with('counted').as(
    db
      .update(vaultYieldDays)
      .set({
        landed: sql`${vaultYieldDays.landed}${added(isTaken)}`,
        reserved: sql`${vaultYieldDays.reserved}${added(!isTaken)}`,
      })
      .from(admitted)
      .where(eq(vaultYieldDays.day, $.yieldDay))
      .returning({ day: vaultYieldDays.day }),
  )
  return { ctes: [owner, day, pause, verdict, admitted, vault, counted] as const, verdict, vault }
}
