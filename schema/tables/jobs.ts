import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { Cred } from '../amounts.ts'
import {
  JOB_BRIEF_LENGTH,
  JOB_MINUTES,
  JOB_REASON_LENGTH,
  JOB_TEXT_BYTES,
  JOB_TITLE_LENGTH,
  type JobEndReason,
  jobEndReasons,
  jobStatuses,
  jobTextKinds,
  MAX_CHARGED,
} from '../values.ts'
import type { Address, Wallet } from '../wallet.ts'
import { agents } from './agents.ts'
import { instant, int64 } from './columns.ts'

const quoted = (values: readonly string[]) => values.map((value) => `'${value}'`).join(', ')
const list = (values: readonly string[]) => sql.raw(quoted(values))
const minutes = ({ min, max }: { min: number; max: number }) => sql.raw(`${min} and ${max}`)
const ends = Object.keys(jobEndReasons)
const reasonsOfEnds = sql.raw(
  Object.entries(jobEndReasons)
    .map(([end, reasons]) => `when '${end}' then end_reason in (${quoted(reasons)})`)
    .join(' '),
)

/**
 * Jobs: one piece of work each, with its price, from the order to its end. `parts/job_next` makes every
 * change of state (lib/work/rules.ts). A trigger keeps terms, deliveries and ends as they are.
 */
export const jobs = pgTable(
  'jobs',
  {
    /** UUIDv7: newer jobs have higher ids. */
    id: uuid().primaryKey(),
    agentId: uuid('agent_id')
      .notNull()
      .references(() => agents.id),
    /** The wallet that is paid. An agent keeps its owner, so this is the agent's `pubkey`. */
    owner: text().$type<Wallet>().notNull(),
    /** The wallet that orders and pays. */
    hirer: text().$type<Wallet>().notNull(),
    /** The grants that posted and accepted it; null for the wallet's own session. Only these may decide. */
    hirerGrant: uuid('hirer_grant'),
    ownerGrant: uuid('owner_grant'),
    /** The hirer's own name for the job. A repeated request is recognised by it. */
    reference: text().notNull(),
    /** Both are empty once an operator has deleted them. */
    title: text().notNull(),
    brief: text().notNull(),
    /** The hash of the input, which the hirer sends with the funding; null for a job without input. */
    inputHash: text('input_hash'),
    /** Lamports of CRED. */
    price: int64('price').$type<Cred>().notNull(),
    /** The protocol fee of the payment, as posted. */
    feeBps: smallint('fee_bps').notNull(),
    /** `deployment` is any judge of the deployment, `none` is no judge; otherwise the judge's wallet. */
    judge: text().notNull(),
    acceptMinutes: integer('accept_minutes').notNull(),
    workMinutes: integer('work_minutes').notNull(),
    reviewMinutes: integer('review_minutes').notNull(),
    /** The hash of all terms and of `salt`, which only the two sides see. */
    termsHash: text('terms_hash').notNull(),
    salt: text().notNull(),
    status: text({ enum: jobStatuses }).notNull(),
    /** When the deadline of its state passes; null once it has ended. */
    dueAt: instant('due_at'),
    /** The outages up to this time have moved the deadline already. */
    countedAt: instant('counted_at').notNull(),
    /** Whether a funding is signed that may still be confirmed. */
    isFunding: boolean('is_funding').notNull().default(false),
    createdAt: instant('created_at').notNull(),
    acceptedAt: instant('accepted_at'),
    /** The version of the payments authority's key at the acceptance, which signs its transactions. */
    keyVersion: smallint('key_version'),
    fundedAt: instant('funded_at'),
    deliveredAt: instant('delivered_at'),
    deliveryHash: text('delivery_hash'),
    disputedAt: instant('disputed_at'),
    endedAt: instant('ended_at'),
    endReason: text('end_reason').$type<JobEndReason>(),
    /** What each side proposes that the agent gets, in this state. */
    hirerProposal: int64('hirer_proposal').$type<Cred>(),
    ownerProposal: int64('owner_proposal').$type<Cred>(),
    /** The parts of the price, once a funded job has ended. */
    agentAmount: int64('agent_amount').$type<Cred>(),
    hirerAmount: int64('hirer_amount').$type<Cred>(),
    /** While it is open: the hashed client address that posted it. A full queue drops jobs by it. */
    addressHash: text('address_hash'),
    /** When its texts are deleted, and the row too unless it was funded; null before the end and after it. */
    forgetAt: instant('forget_at'),
    /**
     * The token account that its funding made: createWithSeed(hirer, seed). It owes each side its part
     * of the price until `paid_at` and `refunded_at`.
     */
    escrow: text().$type<Address>(),
    escrowSeed: text('escrow_seed'),
    /** When the agent's owner had its part, and the protocol fee in it. */
    paidAt: instant('paid_at'),
    fee: int64('fee').$type<Cred>(),
    /** When the hirer had its part back. */
    refundedAt: instant('refunded_at'),
    escrowClosedAt: instant('escrow_closed_at'),
    /**
     * When a restore made it anew from its funding, or ended it by its payments: the rest of it is lost, such
     * as its delivery and its judge.
     */
    restoredAt: instant('restored_at'),
  },
  (t) => [
    uniqueIndex('jobs_one_for_each_reference').on(t.hirer, t.reference),
    // A list reads a range of one of these indexes for each status. It also finds the jobs that
    // a hirer ordered from one agent.
    index('jobs_by_hirer').on(t.hirer, t.status, t.id, t.agentId),
    index('jobs_by_owner').on(t.owner, t.status, t.id),
    index('jobs_by_agent').on(t.agentId, t.status, t.id),
    // The highest price first, and then the oldest.
    index('jobs_by_judge').on(t.judge, sql`(-${t.price})`, t.id).where(sql`${t.status} = 'disputed'`),
    index('jobs_due').on(t.status, t.dueAt).where(sql`${t.dueAt} is not null and not ${t.isFunding}`),
    // Finds jobs with money for an agents' owner.
    index('jobs_unpaid').on(t.owner, t.id).where(sql`${t.agentAmount} > 0 and ${t.paidAt} is null`),
    // Finds jobs with money for a hirer: its part, or the rent of an empty escrow.
    index('jobs_unclosed')
      .on(t.hirer, t.id)
      .where(sql`${t.escrow} is not null and ${t.escrowClosedAt} is null`),
    index('jobs_to_forget').on(t.forgetAt).where(sql`${t.forgetAt} is not null`),
    check('jobs_sides', sql`${t.owner} <> ${t.hirer} and ${t.judge} not in (${t.owner}, ${t.hirer})`),
    check('jobs_reference', sql`char_length(${t.reference}) between 1 and 128`),
    check('jobs_title', sql`char_length(${t.title}) <= ${sql.raw(String(JOB_TITLE_LENGTH))}`),
    check('jobs_brief', sql`char_length(${t.brief}) <= ${sql.raw(String(JOB_BRIEF_LENGTH))}`),
    check('jobs_price', sql`${t.price} between 1 and ${sql.raw(String(MAX_CHARGED))}`),
    check('jobs_fee', sql`${t.feeBps} between 0 and 10000`),
    check('jobs_accept_minutes', sql`${t.acceptMinutes} between ${minutes(JOB_MINUTES.accept)}`),
    check('jobs_work_minutes', sql`${t.workMinutes} between ${minutes(JOB_MINUTES.work)}`),
    check('jobs_review_minutes', sql`${t.reviewMinutes} between ${minutes(JOB_MINUTES.review)}`),
    check('jobs_status', sql`${t.status} in (${list(jobStatuses)})`),
    check(
      'jobs_ended',
      sql`(${t.status} in (${list(ends)})) = (${t.endedAt} is not null)
        and (${t.endedAt} is null) = (${t.dueAt} is not null)
        and (${t.endedAt} is null) = (${t.endReason} is null)`,
    ),
    check('jobs_end_reason', sql`${t.endReason} is null or case ${t.status} ${reasonsOfEnds} end`),
    check('jobs_queued', sql`(${t.status} = 'open') = (${t.addressHash} is not null)`),
    check('jobs_funding', sql`not ${t.isFunding} or ${t.status} = 'accepted'`),
    check(
      'jobs_accepted',
      sql`(${t.status} in ('open', 'cancelled') or ${t.acceptedAt} is not null)
        and (${t.status} <> 'open' or ${t.acceptedAt} is null)
        and (${t.acceptedAt} is null) = (${t.keyVersion} is null)`,
    ),
    check('jobs_funded', sql`(${t.status} in ('open', 'accepted', 'cancelled')) = (${t.fundedAt} is null)`),
    check(
      'jobs_delivered',
      sql`(${t.deliveredAt} is null) = (${t.deliveryHash} is null)
        and (${t.status} not in ('delivered', 'disputed') or ${t.deliveredAt} is not null or ${t.restoredAt} is not null)
        and (${t.status} <> 'expired' or ${t.deliveredAt} is null)
        and (${t.deliveredAt} is null or ${t.fundedAt} is not null)`,
    ),
    check(
      'jobs_disputed',
      sql`(${t.status} <> 'disputed' or ${t.disputedAt} is not null)
        and (${t.endReason} not in ('judged', 'no_verdict') or ${t.disputedAt} is not null)
        and (${t.endReason} <> 'judged' or ${t.judge} <> 'none')`,
    ),
    check(
      'jobs_proposals',
      sql`coalesce(${t.hirerProposal}, 0) between 0 and ${t.price}
        and coalesce(${t.ownerProposal}, 0) between 0 and ${t.price}
        and (${t.status} in ('funded', 'delivered', 'disputed') or num_nonnulls(${t.hirerProposal}, ${t.ownerProposal}) = 0)`,
    ),
    check(
      'jobs_amounts',
      sql`num_nulls(${t.agentAmount}, ${t.hirerAmount})
          = case when ${t.status} in ('completed', 'rejected', 'expired') then 0 else 2 end
        and ${t.agentAmount} >= 0 and ${t.hirerAmount} >= 0 and ${t.agentAmount} + ${t.hirerAmount} = ${t.price}
        and (${t.status} = 'completed') = (${t.agentAmount} > 0)`,
    ),
    // The agent is paid for a delivery, or because both sides agreed.
    check(
      'jobs_paid',
      sql`coalesce(${t.agentAmount}, 0) = 0 or ${t.deliveredAt} is not null or ${t.endReason} = 'agreed'
        or ${t.restoredAt} is not null`,
    ),
    check(
      'jobs_paid_in_full',
      sql`${t.endReason} not in ('approved', 'review_time_over') or ${t.agentAmount} = ${t.price}`,
    ),
    check('jobs_halved', sql`${t.endReason} <> 'no_verdict' or ${t.agentAmount} = ${t.price} / 2`),
    check(
      'jobs_escrow',
      sql`num_nulls(${t.escrow}, ${t.escrowSeed}) in (0, 2) and (${t.escrow} is null or ${t.fundedAt} is not null)`,
    ),
    check(
      'jobs_payouts',
      sql`(${t.paidAt} is null or ${t.agentAmount} > 0) and (${t.refundedAt} is null or ${t.hirerAmount} > 0)
        and (${t.paidAt} is null) = (${t.fee} is null) and coalesce(${t.fee}, 0) between 0 and ${t.price}
        and (${t.escrow} is not null or num_nonnulls(${t.paidAt}, ${t.refundedAt}, ${t.escrowClosedAt}) = 0)`,
    ),
    check('jobs_forgotten', sql`${t.forgetAt} is null or ${t.endedAt} is not null`),
  ],
)

/** The texts of a job that only its sides and its judge read, and that are deleted after its end. */
export const jobTexts = pgTable(
  'job_texts',
  {
    jobId: uuid('job_id')
      .notNull()
      .references(() => jobs.id, { onDelete: 'cascade' }),
    kind: text({ enum: jobTextKinds }).notNull(),
    text: text().notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.jobId, t.kind] }),
    check('job_texts_kind', sql`${t.kind} in (${list(jobTextKinds)})`),
    check(
      'job_texts_length',
      sql`case when ${t.kind} in ('input', 'delivery')
        then octet_length(${t.text}) between 1 and ${sql.raw(String(JOB_TEXT_BYTES))}
        else char_length(${t.text}) between 1 and ${sql.raw(String(JOB_REASON_LENGTH))} end`,
    ),
  ],
)
