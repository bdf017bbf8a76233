import * as v from 'valibot'
import type { Address, Wallet } from '../../../schema/wallet.ts'
import { makeCursor, pageOf, readCursor } from '../../cursor.ts'
import { type BudgetState, budgetAccount, budgetState } from '../chain/budget-account.ts'
import { type CollectorState, collectorAccount, collectorState } from '../chain/collector.ts'
import type { BuildDeps } from '../chain-deps.ts'
import { collectorsOf, keyVersionsBy, newestKeys } from '../guards.ts'
import { type BudgetRow, selectBudgets } from './budget-queries.ts'

/** A hire's budget account: the sum due from it, and its state on the chain. */
export type Budget = BudgetRow & { address: Address; state: BudgetState }

/** An owner's payout account under the newest key. */
export type OwnCollector = { address: string; status: CollectorState }

const CursorParts = v.strictTuple([v.pipe(v.string(), v.uuid())])

type Asked = {
  role: 'owner' | 'hirer'
  hireId?: string | undefined
  due?: boolean | undefined
  limit: number
  cursor?: string | undefined
}

/**
 * Lists one page of the budget accounts of a hirer or an agents' owner, with their state on the chain.
 * Makes one database call and one RPC call. The first page of an owner's list also has its payout account,
 * which takes another RPC call.
 * @throws ApiError invalid_request for a cursor that this list did not issue, dependency_unavailable
 */
export async function listBudgets(
  deps: Pick<BuildDeps, 'db' | 'rpc' | 'now' | 'settings'>,
  wallet: Wallet,
  { cursor, limit, ...asked }: Asked,
): Promise<{ budgets: Budget[]; nextCursor?: string; collector?: OwnCollector }> {
  const [after] = cursor === undefined ? [] : readCursor(CursorParts, cursor)
  const read = await selectBudgets(deps.db, { ...asked, wallet, after, now: deps.now, limit: limit + 1 })
  const { rows, last, hasMore } = pageOf(read, limit)
  const isFirstOfOwner =
    asked.role === 'owner' && asked.hireId === undefined && !asked.due && after === undefined
  const [budgets, collector] = await Promise.all([
    withStates(deps, rows),
    isFirstOfOwner ? ownCollector(deps, wallet) : undefined,
  ])
  return {
    budgets,
    ...(collector && { collector }),
    ...(hasMore && last && { nextCursor: makeCursor([last.hireId]) }),
  }
}

/** Reads an owner's payout account. The owner may have created a large account at its address. */
async function ownCollector(
  { rpc, settings }: Pick<BuildDeps, 'rpc' | 'settings'>,
  owner: Wallet,
): Promise<OwnCollector> {
  const keys = newestKeys(settings)
  const { address } = await collectorAccount(owner, keys.keyVersion)
  const { accounts } = await rpc.accounts([address])
  return { address, status: collectorState(accounts[0], { owner, keys }) }
}

async function withStates(
  { rpc, settings }: Pick<BuildDeps, 'rpc' | 'settings'>,
  rows: BudgetRow[],
): Promise<Budget[]> {
  if (rows.length === 0) return []
  const located = await Promise.all(
    rows.map(async (row) => ({
      ...row,
      address: row.recordedAddress ?? (await budgetAccount(row.hirer, row)).address,
    })),
  )
  const { accounts } = await rpc.accounts(located.map(({ address }) => address))
  const { mint } = settings
  return Promise.all(
    located.map(async (row, index) => {
      const collectors = keyVersionsBy(await collectorsOf(settings, row.owner))
      return { ...row, state: budgetState(accounts[index], { hirer: row.hirer, mint, collectors }) }
    }),
  )
}
