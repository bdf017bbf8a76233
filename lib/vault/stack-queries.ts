import { and, eq, isNotNull, lt, lte, not, or, type SQLWrapper, sql } from 'drizzle-orm'
import type { Address } from '../../schema/address.ts'
import { type Cred, cred } from '../../schema/amounts.ts'
import {
  vaultGenerations,
  vaultIntentLegs,
  vaults,
  vaultUnsigned,
  vaultYieldDays,
} from '../../schema/tables/vaults.ts'
import { batch } from '../db/batch.ts'
import { hasRows, rowFields } from '../db/columns.ts'
import type { Db } from '../db/connect.ts'
import { statement } from '../db/statement.ts'
import type { Admission, YieldLimits } from './admission.ts'
import { intentInserted, intentParameters, type NewIntent, stackParameters } from './intent-queries.ts'
import { MAX_OPEN_POSITIONS, MAX_OPEN_STACKS } from './limits.ts'
import { leaseEnd, type UnsignedRow } from './queries.ts'

/* Recording built stacks. */

/** Makes the rows that the next statement of the batch locks. */
const rowsMade = statement(
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

const stackInsert = statement(
  {
    ...intentParameters,
    ...stackParameters,
    address: vaultIntentLegs.address,
    principal: vaultIntentLegs.amount,
    perWallet: 'bigint',
    perDay: 'bigint',
  },
  (db, $) => {
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
    // What has not landed may hold at most half of a limit.
    const room = sql<string>`greatest(0, least(
      least(${$.perWallet} - ${owner.ownerLanded}, ${$.perWallet} / 2) - ${owner.ownerReserved},
      least(${$.perDay} - ${day.landed}, ${$.perDay} / 2) - ${day.reserved}))`
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
          ),
        ),
    )
    const vault = db.$with('vault').as(
      db
        .update(vaults)
        .set({
          openStacks: sql`${vaults.openStacks} + 1`,
          yieldDay: sql`${$.yieldDay}`,
          yieldLanded: ofToday(vaults.yieldLanded),
          yieldReserved: sql`${ofToday(vaults.yieldReserved)} + ${$.yield}`,
        })
        .from(admitted)
        .where(eq(vaults.owner, admitted.owner))
        .returning({ owner: vaults.owner }),
    )
    const counted = db.$with('counted').as(
      db
        .update(vaultYieldDays)
        .set({ reserved: sql`${vaultYieldDays.reserved} + ${$.yield}` })
        .from(admitted)
        .where(eq(vaultYieldDays.day, $.yieldDay))
        .returning({ day: vaultYieldDays.day }),
    )
    const intent = intentInserted(db, $, 'stack', vault)
    const leg = rowFields(vaultIntentLegs, {
      intentId: intent.id,
      address: $.address,
      amount: $.principal,
      balanceBefore: sql`0`,
    })
    const legs = db
      .$with('legs')
      .as(
        db
          .insert(vaultIntentLegs)
          .select(db.select(leg).from(intent))
          .returning({ intentId: vaultIntentLegs.intentId }),
      )
    return db
      .with(owner, day, pause, verdict, admitted, vault, counted, intent, legs)
      .select({
        recorded: hasRows(intent),
        openStacks: verdict.openStacks,
        openPositions: verdict.openPositions,
        isPaused: verdict.isPaused,
        room: verdict.room,
      })
      .from(verdict)
  },
)

type StackIntent = NewIntent & {
  lockDays: number
  apyBps: number
  stakedAt: Date
  yield: Cred
  yieldDay: string
}

/**
 * Records a built stack, with its share of the yield limits, unless its owner has too many open ones or too
 * many positions, its generation is stopped or the limits have no room: the rows of owner and day decide.
 * One round trip.
 */
export async function insertStack(
  db: Db,
  intent: StackIntent,
  leg: { address: Address; principal: Cred },
  limits: YieldLimits,
): Promise<Admission> {
  const { owner, yieldDay: day, now } = intent
  const [, [verdict]] = await batch(db, [
    rowsMade.item({ owner, day, leaseEnd: leaseEnd(now) }),
    stackInsert.item({ ...intent, ...leg, ...limits }),
  ])
  if (!verdict) throw new Error('the rows that a stack is decided by are missing')
  return { ...verdict, room: cred(BigInt(verdict.room)) }
}

const unsignedKept = statement(
  {
    owner: vaultUnsigned.owner,
    id: vaultUnsigned.id,
    generation: vaultUnsigned.generation,
    lastValidBlockHeight: vaultUnsigned.lastValidBlockHeight,
    createdAt: vaultUnsigned.createdAt,
  },
  (db, $) => {
    const { id, generation, lastValidBlockHeight, createdAt } = $
    return db
      .insert(vaultUnsigned)
      .values($)
      .onConflictDoUpdate({
        target: vaultUnsigned.owner,
        set: {
          id: sql`${id}`,
          generation: sql`${generation}`,
          lastValidBlockHeight: sql`${lastValidBlockHeight}`,
          createdAt: sql`${createdAt}`,
        },
      })
  },
)

/** Keeps the id of a stack that was not cosigned, in the place of its owner's last one. */
export async function keepUnsigned(db: Db, unsigned: UnsignedRow): Promise<void> {
  await unsignedKept.run(db, unsigned)
}
