import { and, asc, eq, inArray, lte, ne, sql } from 'drizzle-orm'
import { boolean, text } from 'drizzle-orm/pg-core'
import { int64 } from '../../../schema/tables/columns.ts'
import { positions, vaults } from '../../../schema/tables/vaults.ts'
import { computed, name, names } from '../../db/columns.ts'
import type { Db } from '../../db/connect.ts'
import { read, statement } from '../../db/statement.ts'
import { putInLine, recordEvents } from '../../events/outbox/queries.ts'
import { logError } from '../../log.ts'
import { positionClosed } from '../event-queries.ts'
import type { PositionRow } from '../queries.ts'
import { keysDiffer } from './generation-queries.ts'
import type { Sighting } from './sighting.ts'

/* Recording what was seen of open positions, beside what intents did to them. */

const seenPositions = computed({
  address: text().notNull(),
  balance: int64('balance').notNull(),
  status: text({ enum: ['open', 'withdrawn', 'void'] }).notNull(),
  isEarly: boolean('is_early').notNull(),
  authority: text().notNull(),
  recovery: text().notNull(),
})

const sightingsRecorded = statement(
  {
    addresses: 'text[]',
    balances: 'bigint[]',
    statuses: 'text[]',
    early: 'text[]',
    authorities: 'text[]',
    recoveries: 'text[]',
    slot: positions.seenSlot,
    now: 'timestamptz',
  },
  (db, $) => {
    const { address, balance, status, isEarly, authority, recovery } = seenPositions
    const columns = names(address, balance, status, authority, recovery)
    const seen = db.$with('seen', seenPositions).as(sql`
      select ${columns}, ${name(address)} = any(${$.early}) as ${name(isEarly)}
      from unnest(${$.addresses}, ${$.balances}, ${$.statuses}, ${$.authorities}, ${$.recoveries})
        as seen (${columns})`)
    // The rows of owners whose number of open positions changes are locked first, as settlements do; all rows
    // in one order, as claims lock them.
    const owners = db.$with('owners').as(
      db
        .select({ owner: vaults.owner })
        .from(vaults)
        .where(
          inArray(
            vaults.owner,
            db
              .select({ owner: positions.owner })
              .from(positions)
              .innerJoin(seen, eq(positions.address, seen.address))
              .where(ne(seen.status, 'open')),
          ),
        )
        .orderBy(asc(vaults.owner))
        .for('no key update'),
    )
    // What a settlement has recorded of a later slot stands. Counting the owners has them locked before.
    const locked = db.$with('locked').as(
      db
        .select({ address: positions.address })
        .from(positions)
        .innerJoin(seen, eq(positions.address, seen.address))
        .where(
          and(
            eq(positions.status, 'open'),
            lte(positions.seenSlot, $.slot),
            sql`(select count(*) from ${owners}) >= 0`,
          ),
        )
        .orderBy(asc(positions.address))
        .for('update', { of: positions }),
    )
    // After an early payout that was confirmed, nothing but the next one lowers the balance before as much
    // has accrued.
    const isSuspect = sql`(${seen.isEarly} and (${positions.early} is null
      or ${positions.early} = 'confirmed' and ${seen.balance} < ${positions.escrowed}))`
    const recorded = db.$with('recorded').as(
      db
        .update(positions)
        .set({
          status: sql`case when ${seen.status} = 'void'
            and ${keysDiffer({ generation: positions.generation, authority: seen.authority, recovery: seen.recovery })} then 'open' else ${seen.status} end`,
          escrowed: sql`${seen.balance}`,
          seenSlot: $.slot,
          seenAt: $.now,
          early: sql`case when ${isSuspect} then 'seen' else ${positions.early} end`,
          suspectedSlot: sql`case when ${isSuspect} then ${$.slot} else ${positions.suspectedSlot} end`,
          withdrawnAt: sql`case when ${seen.status} = 'withdrawn' then ${$.now} end`,
        })
        .from(locked)
        .innerJoin(seen, eq(seen.address, locked.address))
        .where(eq(positions.address, locked.address))
        .returning({
          owner: positions.owner,
          id: positions.id,
          address: positions.address,
          principal: positions.principal,
          withdrawnAt: positions.withdrawnAt,
          status: positions.status,
          generation: positions.generation,
        }),
    )
    const closed = db.$with('closed').as(db.select().from(recorded).where(eq(recorded.status, 'withdrawn')))
    const event = recordEvents(db, $.now, [positionClosed(db, closed)])
    // Nobody is nudged: this is seen by a cron, and its next run finds what is due.
    const delivery = putInLine(db, $.now, event)
    return db.with(seen, owners, locked, recorded, closed, event, delivery).select().from(recorded)
  },
)

/**
 * Records what one read of the chain showed of open positions. Those that are gone are closed, those that
 * never were in escrow void, with an error line each; but none by settings of other keys than were deployed.
 * Asks nothing when there are none.
 * @param read the slot that was read, and when
 */
export async function recordSightings(
  db: Db,
  sightings: Sighting[],
  { slot, seenAt }: { slot: bigint; seenAt: Date },
): Promise<void> {
  if (sightings.length === 0) return
  const recorded = await sightingsRecorded.run(db, {
    addresses: sightings.map(({ row }) => row.address),
    balances: sightings.map(({ balance }) => balance),
    statuses: sightings.map(({ status }) => status),
    early: sightings.filter(({ isEarly }) => isEarly).map(({ row }) => row.address),
    authorities: sightings.map(({ keys }) => keys?.authority ?? ''),
    recoveries: sightings.map(({ keys }) => keys?.recovery ?? ''),
    slot,
    now: seenAt,
  })
  for (const { address, owner, status } of recorded) {
    if (status === 'void') logError({ voidPosition: address, owner })
  }
  const misjudged = new Set(sightings.filter(({ status }) => status === 'void').map(({ row }) => row.address))
  const differing = recorded.filter(({ address, status }) => status === 'open' && misjudged.has(address))
  for (const generation of new Set(differing.map((row) => row.generation))) {
    logError({ vaultKeysDiffer: generation })
  }
}

const longestUnseen = read({ generations: 'smallint[]', limit: 'integer' }, (db, $) =>
  db
    .select()
    .from(positions)
    .where(and(eq(positions.status, 'open'), sql`${positions.generation} = any(${$.generations})`))
    .orderBy(asc(positions.seenAt))
    .limit($.limit),
)

/** Open positions of these generations, those that nobody has looked at for longest first. */
export const selectLongestUnseen = (db: Db, generations: number[], limit: number): Promise<PositionRow[]> =>
  longestUnseen.run(db, { generations, limit })
