import type { Wallet } from '../../schema/wallet.ts'
import type { Db } from '../db/connect.ts'
import { type HireOfAgent, selectHires } from './hire-queries.ts'

/** All hires of the wallet as they are now, newest first. */
export const listHires = (deps: { db: Db; now: Date }, wallet: Wallet): Promise<HireOfAgent[]> =>
  selectHires(deps.db, wallet, deps.now)
