import { and, asc, eq, isNull, sql, sum } from 'drizzle-orm'
import { type Cred, cred } from '../../../schema/amounts.ts'
import { jobs } from '../../../schema/tables/jobs.ts'
import { paymentKeyVersions } from '../../../schema/tables/payment-accounts.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import { batch } from '../../db/batch.ts'
import type { Db } from '../../db/connect.ts'
import { read, statement } from '../../db/statement.ts'

/* Statements of an operator about the end of jobs under a key version. No Worker runs them. */

const ended = statement({ keyVersion: paymentKeyVersions.keyVersion, now: 'timestamptz' }, (db, $) =>
  db
    .update(paymentKeyVersions)
    .set({ endedAt: sql`coalesce(${paymentKeyVersions.endedAt}, ${$.now})` })
    .where(eq(paymentKeyVersions.keyVersion, $.keyVersion)),
)

/** Announces the end of jobs under a key version. @returns whether the key version was deployed */
export const endKeyVersion = async (db: Db, end: { keyVersion: number; now: Date }): Promise<boolean> =>
  (await ended.run(db, end)).rowCount > 0

const endOf = read({ keyVersion: paymentKeyVersions.keyVersion }, (db, $) =>
  db
    .select({ endedAt: paymentKeyVersions.endedAt })
    .from(paymentKeyVersions)
    .where(eq(paymentKeyVersions.keyVersion, $.keyVersion)),
)

const unfinishedOf = read({ keyVersion: 'smallint' }, (db, $) =>
  db
    .select({ id: jobs.id })
    .from(jobs)
    .where(
      and(
        eq(jobs.keyVersion, $.keyVersion),
        sql`(${jobs.status} in ('funded', 'delivered', 'disputed') or ${jobs.isFunding})`,
      ),
    )
    .orderBy(asc(jobs.id)),
)

const unpaidOf = read({ keyVersion: 'smallint' }, (db, $) =>
  db
    .select({ owner: jobs.owner, amount: sum(jobs.agentAmount).mapWith(BigInt).as('amount') })
    .from(jobs)
    .where(and(eq(jobs.keyVersion, $.keyVersion), sql`${jobs.agentAmount} > 0`, isNull(jobs.paidAt)))
    .groupBy(jobs.owner)
    .orderBy(asc(jobs.owner)),
)

/**
 * Reads the rest of the jobs of a key version, in one round trip: when their end was announced, jobs whose
 * money has no outcome yet, and the pay that each agents' owner has not collected.
 */
export async function readEnd(
  db: Db,
  keyVersion: number,
): Promise<{ endedAt: Date | null; unfinished: string[]; unpaid: { owner: Wallet; amount: Cred }[] }> {
  const [[end], unfinished, unpaid] = await batch(db, [
    endOf.item({ keyVersion }),
    unfinishedOf.item({ keyVersion }),
    unpaidOf.item({ keyVersion }),
  ])
  return {
    endedAt: end?.endedAt ?? null,
    unfinished: unfinished.map(({ id }) => id),
    unpaid: unpaid.map(({ owner, amount }) => ({ owner, amount: cred(amount ?? 0n) })),
  }
}
