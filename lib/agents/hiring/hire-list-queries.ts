import { and, desc, eq, getTableColumns, gte, or, type SQLWrapper, sql } from 'drizzle-orm'
import { agents } from '../../../schema/tables/agents.ts'
import { hires } from '../../../schema/tables/hires.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import type { Db } from '../../db/connect.ts'
import { read } from '../../db/statement.ts'
import { requestsPaidOf } from '../../reputation/counterparties/request-queries.ts'
import { type PublicAgent, publicAgent } from '../column-queries.ts'
import { hireTerm, periodStart, spentOf } from '../parts/hire-term.ts'
import { AFTER_ALL, type HirePage, hiresInState, type PresentHire } from './hire-queries.ts'

/** A hire with its agent, and what its hirer has spent. */
export type HireOfAgent = {
  hire: PresentHire
  agent: PublicAgent
  /** Lamports of CRED charged in the hire's period, the term that ends at `expiresAt`. */
  spent: bigint
  /** Lamports of CRED that the hirer has ever paid for single requests to the agent. */
  requestsPaid: bigint
}

/** The columns of a {@link HireOfAgent} as of `now`. */
function columnsAt(now: SQLWrapper) {
  const { status, expiresAt, endedAt } = hireTerm(now)
  return {
    hire: { ...getTableColumns(hires), status, expiresAt, endedAt, periodStart: periodStart(expiresAt) },
    spent: spentOf(expiresAt),
    requestsPaid: requestsPaidOf(hires.agentId, hires.wallet),
    agent: publicAgent,
  }
}

const hiresOf = read(
  { wallet: hires.wallet, statuses: 'text[]', beforeId: hires.id, limit: 'integer', now: 'timestamptz' },
  (db, $, shape: { isByStatus: boolean }) => {
    // A quota limits a wallet's active hires, so all are read.
    const isActive = sql`${hires.wallet} = ${$.wallet} and ${hires.status} = 'active'`
    const isOnPage = shape.isByStatus
      ? sql`${hires.id} = any (array(${hiresInState(hires.wallet, { ...$, side: $.wallet }, isActive)}))`
      : // `>=` means `=`, by which the planner would ignore the wallet in the order. It could then walk the
        // index of ids, through the hires of all wallets.
        and(gte(hires.wallet, $.wallet), sql`(${hires.wallet}, ${hires.id}) < (${$.wallet}, ${$.beforeId})`)
    return (
      db
        .select(columnsAt($.now))
        .from(hires)
        .innerJoin(agents, eq(agents.id, hires.agentId))
        .where(isOnPage)
        // Ids are UUIDv7, so the highest is the newest.
        .orderBy(desc(hires.wallet), desc(hires.id))
        .limit($.limit)
    )
  },
)

/** Reads a page of a wallet's hires. */
export const selectHires = (db: Db, wallet: Wallet, page: HirePage): Promise<HireOfAgent[]> =>
  hiresOf.run(
    db,
    {
      ...page,
      wallet,
      statuses: page.status === undefined ? [] : [page.status],
      beforeId: page.beforeId ?? AFTER_ALL,
    },
    { isByStatus: page.status !== undefined },
  )

/** Checks that the wallet is the hirer, or the owner of the agent. */
const isSide = (wallet: SQLWrapper) => or(eq(hires.wallet, sql`${wallet}`), eq(agents.pubkey, sql`${wallet}`))

const hireOfSide = read({ id: hires.id, wallet: hires.wallet, now: 'timestamptz' }, (db, $) =>
  db
    .select(columnsAt($.now))
    .from(hires)
    .innerJoin(agents, eq(agents.id, hires.agentId))
    .where(and(eq(hires.id, $.id), isSide($.wallet))),
)

/** Reads a hire as of `now`, for its hirer or its agent's owner. */
export async function selectHire(
  db: Db,
  asked: { id: string; wallet: Wallet; now: Date },
): Promise<HireOfAgent | undefined> {
  const [hire] = await hireOfSide.run(db, asked)
  return hire
}

/**
 * Reads a hire as stored, with its agent, for its hirer or the agent's owner. Use it only in the transaction
 * of a write that has recorded the hire's state: unlike selectHires, it does not compute whether the term has
 * ended.
 */
export const hireAsStored = read({ id: hires.id, wallet: hires.wallet }, (db, $) =>
  db
    .select({
      hire: { ...getTableColumns(hires), periodStart: periodStart(hires.expiresAt) },
      agent: publicAgent,
      requestsPaid: requestsPaidOf(hires.agentId, hires.wallet),
    })
    .from(hires)
    .innerJoin(agents, eq(agents.id, hires.agentId))
    .where(and(eq(hires.id, $.id), isSide($.wallet))),
)
