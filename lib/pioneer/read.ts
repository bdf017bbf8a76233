import { isWallet } from '../../schema/wallet.ts'
import type { Db } from '../db/connect.ts'
import { findPioneer, type PioneerRow } from './queries.ts'

/** Finds the pioneer of this id; undefined for any other wallet, and for text that is no wallet. */
export const readPioneer = async (deps: { db: Db }, userId: string): Promise<PioneerRow | undefined> =>
  isWallet(userId) ? findPioneer(deps.db, userId) : undefined
