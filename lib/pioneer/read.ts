import { isWallet } from '../../schema/wallet.ts'
import type { Db } from '../db/connect.ts'
import { findPioneer, type PioneerRow } from './queries.ts'

/** Finds the pioneer with this id; undefined for any other wallet or text. */
export const readPioneer = async (deps: { db: Db }, userId: string): Promise<PioneerRow | undefined> =>
  isWallet(userId) ? findPioneer(deps.db, userId) : undefined
