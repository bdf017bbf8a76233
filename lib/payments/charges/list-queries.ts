import { desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { charges } from '../../../schema/tables/payments.ts'
import { type ChargeRole, type ChargeStatus, chargeStatuses } from '../../../schema/values.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import { hireEnds, isHireOf } from '../../agents/hiring/charged-queries.ts'
import { isOwnedBy } from '../../agents/parts/part-queries.ts'
import type { Db } from '../../db/connect.ts'
import { read } from '../../db/statement.ts'
import { type Charge, chargeState } from './charge-queries.ts'

/** Which charges of a wallet a list has: of one side, and of one hire or one agent at most. */
export type ChargeFilter = {
  role: ChargeRole
  hireId?: string | undefined
  agentId?: string | undefined
  status?: ChargeStatus | undefined
}

/** Higher than every id. */
const START = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

const chargePage = read(
  {
    wallet: 'text',
    hireId: 'uuid?',
    agentId: 'uuid?',
    statuses: 'text[]',
    beforeId: charges.id,
    limit: 'integer',
    now: 'timestamptz',
  },
  (db, $, { by, role }: { by: ChargeRole | 'hire' | 'agent'; role: ChargeRole }) => {
    // All charges of a hire or an agent are between the same wallets, so it is asked once whether they may be
    // shown: charge by charge, a stranger's question would read all of them.
    const side = role === 'owner' ? sql`${charges.owner}` : sql`${charges.hirer}`
    const keys: Record<typeof by, { key: SQL; value: SQL; isAllowed: SQL }> = {
      owner: { key: side, value: $.wallet, isAllowed: sql`true` },
      hirer: { key: side, value: $.wallet, isAllowed: sql`true` },
      agent: { key: sql`${charges.agentId}`, value: $.agentId, isAllowed: isOwnedBy($.agentId, $.wallet) },
      hire: { key: sql`${charges.hireId}`, value: $.hireId, isAllowed: isHireOf($.hireId, $.wallet, role) },
    }
    const { key, value, isAllowed } = keys[by]
    // Of each status the first are one range of an index, which has them in order. The key and the status are
    // in the range and in the order, so that no other index looks as if it would do.
    const page = sql`
      select first.id from unnest(${$.statuses}) as one_status, lateral (
        select ${charges.id} from ${charges}
        where (${key}, ${charges.status}) >= (${value}, one_status)
          and (${key}, ${charges.status}, ${charges.id}) < (${value}, one_status, ${$.beforeId})
        order by ${desc(key)}, ${desc(charges.status)}, ${desc(charges.id)} limit ${$.limit}) as first
      where ${isAllowed}
      order by first.id desc limit ${$.limit}`
    const hireEnd = hireEnds(db, $.now)
    // An array, so that the rows are looked up by id, however many of them the planner expects.
    return db
      .select({ ...getTableColumns(charges), state: chargeState(charges, hireEnd, $.now) })
      .from(charges)
      .innerJoin(hireEnd, eq(hireEnd.hireId, charges.hireId))
      .where(sql`${charges.id} = any (array(${page}))`)
      .orderBy(desc(charges.id))
  },
)

/** Reads up to `limit` charges of a wallet as they are at `now`, newest first, after one if it is given. */
export const selectCharges = (
  db: Db,
  { role, hireId, agentId, status }: ChargeFilter,
  page: { wallet: Wallet; now: Date; beforeId?: string | undefined; limit: number },
): Promise<Charge[]> =>
  chargePage.run(
    db,
    {
      ...page,
      hireId,
      agentId,
      statuses: status === undefined ? chargeStatuses : [status],
      beforeId: page.beforeId ?? START,
    },
    { role, by: hireId !== undefined ? 'hire' : agentId !== undefined ? 'agent' : role },
  )
