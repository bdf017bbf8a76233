import { and, asc, eq, isNotNull, isNull, notInArray, sql } from 'drizzle-orm'
import { jobs } from '../../schema/tables/jobs.ts'
import { budgetAccounts, paymentIntents, paymentKeyVersions } from '../../schema/tables/payment-accounts.ts'
import { hireParties } from '../agents/parts/hire-term.ts'
import { batch } from '../db/batch.ts'
import type { Db } from '../db/connect.ts'
import { read, statement } from '../db/statement.ts'
import { DAY_MS } from '../time.ts'
import type { PaymentKeys } from './chain/collector.ts'
import { hasLapsed } from './charges/charge-queries.ts'

/* Statements of a deployment about key versions. No Worker runs them. */

const approved = read({ now: 'timestamptz' }, (db, $) => {
  const hired = hireParties(db, $.now)
  return db
    .selectDistinct({ keyVersion: budgetAccounts.keyVersion })
    .from(budgetAccounts)
    .innerJoin(hired, eq(hired.id, budgetAccounts.hireId))
    .where(sql`${budgetAccounts.keyVersion} is not null and not ${hasLapsed(hired, $.now)}`)
})

// Withdrawals and closings are left out: the hirer signs them alone.
const open = read({}, (db) =>
  db
    .selectDistinct({ keyVersion: paymentIntents.keyVersion })
    .from(paymentIntents)
    .where(
      and(
        eq(paymentIntents.status, 'open'),
        notInArray(paymentIntents.kind, ['withdraw_budget', 'close_escrows']),
      ),
    ),
)

/** Days after its end for which the key of a job stays in the Workers. Offline it signs later payments. */
const JOB_KEY_DAYS = 30

const ofJobs = read({ endedAfter: 'timestamptz' }, (db, $) =>
  db
    .selectDistinct({ keyVersion: jobs.keyVersion })
    .from(jobs)
    .where(
      sql`${jobs.keyVersion} is not null and (${jobs.status} in ('accepted', 'funded', 'delivered', 'disputed')
        or ${jobs.escrow} is not null and ${jobs.endedAt} > ${$.endedAfter}
          and (${jobs.agentAmount} > 0 and ${jobs.paidAt} is null or ${jobs.hirerAmount} > 0 and ${jobs.refundedAt} is null))`,
    ),
)

const deployed = read({}, (db) =>
  db
    .select({ keyVersion: paymentKeyVersions.keyVersion, authority: paymentKeyVersions.authority })
    .from(paymentKeyVersions),
)

/**
 * Reads the key versions that are still needed, in order, and all deployed key versions with their addresses.
 * A version is needed while an open transaction other than a withdrawal uses it. It is also needed while a
 * budget account approves its payout account and the charges of the hire have not lapsed, and for jobs until
 * 30 days after their end, or until both sides were paid.
 */
export async function readKeyVersions(
  db: Db,
  now: Date,
): Promise<{ needed: number[]; recorded: PaymentKeys[] }> {
  const endedAfter = new Date(now.getTime() - JOB_KEY_DAYS * DAY_MS)
  const [accounts, intents, ended, recorded] = await batch(db, [
    approved.item({ now }),
    open.item({}),
    ofJobs.item({ endedAfter }),
    deployed.item({}),
  ])
  const keyVersions = [...accounts, ...intents, ...ended].flatMap(({ keyVersion }) => keyVersion ?? [])
  return { needed: [...new Set(keyVersions)].toSorted((one, other) => one - other), recorded }
}

const deploymentRecorded = statement(
  { keyVersion: paymentKeyVersions.keyVersion, authority: paymentKeyVersions.authority },
  (db, $) =>
    db
      .insert(paymentKeyVersions)
      .values($)
      .onConflictDoUpdate({
        target: paymentKeyVersions.keyVersion,
        set: { authority: sql`${$.authority}` },
      }),
)

/** Records the addresses that payments was deployed with. */
export async function recordKeyVersions(db: Db, keyVersions: PaymentKeys[]): Promise<void> {
  for (const keys of keyVersions) await deploymentRecorded.run(db, keys)
}

const states = read({}, (db) =>
  db
    .select({
      keyVersion: paymentKeyVersions.keyVersion,
      leakedAt: paymentKeyVersions.leakedAt,
      takenAt: paymentKeyVersions.takenAt,
      endedAt: paymentKeyVersions.endedAt,
    })
    .from(paymentKeyVersions)
    .orderBy(asc(paymentKeyVersions.keyVersion)),
)

/** Lists the deployed key versions, and since when no job is funded under them. */
export const selectKeyVersionStates = (db: Db) => states.run(db, {})

const leaked = statement({ keyVersion: paymentKeyVersions.keyVersion, now: 'timestamptz' }, (db, $) =>
  db
    .update(paymentKeyVersions)
    .set({ leakedAt: sql`coalesce(${paymentKeyVersions.leakedAt}, ${$.now})` })
    .where(eq(paymentKeyVersions.keyVersion, $.keyVersion)),
)

/**
 * Records that the authority's key of a version has leaked: no job is funded under it, ever.
 * @returns whether payments was deployed with it
 */
export async function markLeaked(db: Db, at: { keyVersion: number; now: Date }): Promise<boolean> {
  return (await leaked.run(db, at)).rowCount > 0
}

const resumed = statement({ keyVersion: paymentKeyVersions.keyVersion }, (db, $) =>
  db
    .update(paymentKeyVersions)
    .set({ takenAt: null })
    .where(
      and(
        eq(paymentKeyVersions.keyVersion, $.keyVersion),
        isNotNull(paymentKeyVersions.takenAt),
        isNull(paymentKeyVersions.leakedAt),
      ),
    ),
)

/**
 * Lets jobs be funded again under a key version whose audit had found too little in an escrow.
 * @returns whether its fundings were stopped for that, and its key has not leaked
 */
export async function resumeFundings(db: Db, keyVersion: number): Promise<boolean> {
  return (await resumed.run(db, { keyVersion })).rowCount > 0
}
