import { repeated, runSteps } from '../../lib/clock/job-steps.ts'
import * as postgres from '../../lib/db/functions.ts'
import { auditEscrows } from '../../lib/payments/jobs/audit.ts'
import { forgottenSince } from '../../lib/payments/rules.ts'
import { DAY_MS } from '../../lib/time.ts'
import { deadlinePassed, UNSIGNED_RETENTION_MS } from '../../lib/transactions/relay/limits.ts'
import type { SettlementDeps } from './job-runs.ts'

/** At most this many rows a statement; another follows until nothing is left to end or delete. */
const INTENTS_PER_STATEMENT = 2_000
const CHARGES_PER_STATEMENT = 10_000
const OLD_HIRES_PER_STATEMENT = 5_000

/** How long expired intents are stored, so that their wallets can read the outcome. */
const EXPIRED_INTENT_RETENTION_MS = 7 * DAY_MS

/**
 * Ends and deletes transactions that nobody signed, and deletes ended intents, charges that were never paid,
 * and old rows of payments for requests. Compares the escrows of jobs with what they owe.
 * @returns whether a step left rows to delete
 * @throws Error that names the steps that failed
 */
export async function settleDay(deps: SettlementDeps): Promise<{ more: boolean }> {
  const { db, now, clock } = deps
  const ago = (ms: number) => new Date(now.getTime() - ms)
  const pastDeadline = { builtBy: deadlinePassed(now), now }
  const neverSigned = { before: ago(UNSIGNED_RETENTION_MS), wereSigned: false }
  const endedLongAgo = { before: ago(EXPIRED_INTENT_RETENTION_MS), wereSigned: true }
  const elapsed = () => clock().getTime()
  const all = (take: (limit: number) => Promise<number>) => repeated(elapsed, INTENTS_PER_STATEMENT, take)
  const ended = async (what: { before: Date; wereSigned: boolean }, table: EndedTable) => {
    const { taken, more } = await all(async (limit) => (await table.call(db, { ...what, limit })).deleted)
    return { deleted: taken, more }
  }
  const unsigned = async (expiry: UnsignedTable, table: EndedTable) => {
    const expired = await all(async (limit) => (await expiry.call(db, { ...pastDeadline, limit })).expired)
    const { deleted, more } = await ended(neverSigned, table)
    return { expired: expired.taken, deleted, more: expired.more || more }
  }
  return runSteps({
    escrows: async () => ({ ...(await auditEscrows(deps)), more: false }),
    unsignedIntents: () => unsigned(postgres.expireUnsignedVaultIntents, postgres.deleteEndedVaultIntents),
    unsignedPayments: () => unsigned(postgres.expireUnsignedPayments, postgres.deleteEndedPayments),
    expiredIntents: () => ended(endedLongAgo, postgres.deleteEndedVaultIntents),
    endedPayments: () => ended(endedLongAgo, postgres.deleteEndedPayments),
    unpaidCharges: async () => {
      let deleted = 0
      const { more } = await repeated(elapsed, 1, async () => {
        const some = await postgres.deleteUnpaidCharges.call(db, {
          endedBy: forgottenSince(now),
          mostHires: OLD_HIRES_PER_STATEMENT,
          mostCharges: CHARGES_PER_STATEMENT,
        })
        deleted += some.deleted
        return some.deleted === CHARGES_PER_STATEMENT || some.closed === OLD_HIRES_PER_STATEMENT ? 1 : 0
      })
      return { deleted, more }
    },
    oldRequestRows: async () => {
      const before = ago(EXPIRED_INTENT_RETENTION_MS)
      let deleted = 0
      const { more } = await all(async (limit) => {
        const some = Object.values(await postgres.deleteOldRequestRows.call(db, { before, limit, now }))
        deleted += some.reduce((sum, rows) => sum + rows)
        return Math.max(...some)
      })
      return { deleted, more }
    },
  })
}

type EndedTable = typeof postgres.deleteEndedPayments | typeof postgres.deleteEndedVaultIntents
type UnsignedTable = typeof postgres.expireUnsignedPayments | typeof postgres.expireUnsignedVaultIntents
