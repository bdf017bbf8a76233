import { isWallet } from '../../schema/wallet.ts'
import type { Db } from '../db/connect.ts'
import { findPioneer, type PioneerRow } from './queries.ts'

/** The pioneer of this id; undefined for a wallet that is none, and for what is no wallet. */
export const readPioneer = async (deps: { db: Db }, userId: string): Promise<PioneerRow | undefined> =>
  isWallet(userId) ? findPioneer(deps.db, userId) : undefined
