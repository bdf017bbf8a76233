import { desc, eq, type SQL, sql } from 'drizzle-orm'
import { charges } from '../../../schema/tables/payments.ts'
import { type ChargeRole, type ChargeStatus, chargeStatuses } from '../../../schema/values.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import { hireEnds, isHireOf } from '../../agents/hiring/charged-queries.ts'
import { isOwnedBy } from '../../agents/parts/part-queries.ts'
import type { Db } from '../../db/connect.ts'
import { read } from '../../db/statement.ts'
import { idRange } from '../../id-range.ts'
import { type Charge, chargeAt } from './charge-queries.ts'

/** Filters a wallet's charges by its side, and by at most one hire or one agent. */
export type ChargeFilter = {
  role: ChargeRole
  hireId?: string | undefined
  agentId?: string | undefined
  status?: ChargeStatus | undefined
  /** The time that they were recorded at: from the first on, before the second. */
  since?: Date | undefined
  until?: Date | undefined
}

const chargePage = read(
  {
    wallet: 'text',
    hireId: 'uuid?',
    agentId: 'uuid?',
    statuses: 'text[]',
    firstId: charges.id,
    beforeId: charges.id,
    limit: 'integer',
    now: 'timestamptz',
  },
  (db, $, { by, role }: { by: ChargeRole | 'hire' | 'agent'; role: ChargeRole }) => {
    // The right to see charges is the same for all charges of a hire or an agent, so it is checked once.
    // Checked charge by charge, a stranger's request would read all of them.
    const side = role === 'owner' ? sql`${charges.owner}` : sql`${charges.hirer}`
    const keys: Record<typeof by, { key: SQL; value: SQL; isAllowed: SQL }> = {
      owner: { key: side, value: $.wallet, isAllowed: sql`true` },
      hirer: { key: side, value: $.wallet, isAllowed: sql`true` },
      agent: { key: sql`${charges.agentId}`, value: $.agentId, isAllowed: isOwnedBy($.agentId, $.wallet) },
      hire: { key: sql`${charges.hireId}`, value: $.hireId, isAllowed: isHireOf($.hireId, $.wallet, role) },
    }
    const { key, value, isAllowed } = keys[by]
    // The first charges of each status are one range of an index, in order. Key and status are part of the
    // range and the order, so that the planner chooses no other index.
    const page = sql`
      select first.id from unnest(${$.statuses}) as one_status, lateral (
        select ${charges.id} from ${charges}
        where (${key}, ${charges.status}, ${charges.id}) >= (${value}, one_status, ${$.firstId})
          and (${key}, ${charges.status}, ${charges.id}) < (${value}, one_status, ${$.beforeId})
        order by ${desc(key)}, ${desc(charges.status)}, ${desc(charges.id)} limit ${$.limit}) as first
      where ${isAllowed}
      order by first.id desc limit ${$.limit}`
    const hireEnd = hireEnds(db, $.now)
    // An array makes the planner look up the rows by id, however many of them it expects.
    return db
      .select(chargeAt(hireEnd, $.now))
      .from(charges)
      .innerJoin(hireEnd, eq(hireEnd.hireId, charges.hireId))
      .where(sql`${charges.id} = any (array(${page}))`)
      .orderBy(desc(charges.id))
  },
)

/** Reads up to `limit` charges of a wallet at `now`, newest first, from before `beforeId` if it is set. */
export const selectCharges = (
  db: Db,
  { role, hireId, agentId, status, since, until }: ChargeFilter,
  { beforeId, ...page }: { wallet: Wallet; now: Date; beforeId?: string | undefined; limit: number },
): Promise<Charge[]> =>
  chargePage.run(
    db,
    {
      ...page,
      hireId,
      agentId,
      statuses: status === undefined ? chargeStatuses : [status],
      ...idRange({ since, until, beforeId }),
    },
    { role, by: hireId !== undefined ? 'hire' : agentId !== undefined ? 'agent' : role },
  )
