import { cred } from '../../../schema/amounts.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import type { BuildDeps } from '../chain-deps.ts'
import { type Credit, findCredit } from './credit-queries.ts'

/** Reads a wallet's unused credit. */
export const readCredit = async ({ db }: Pick<BuildDeps, 'db'>, wallet: Wallet): Promise<Credit> =>
  (await findCredit(db, wallet)) ?? { balance: cred(0n), lowBelow: null }
