import { sql } from 'drizzle-orm'
import { date, index, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { verificationLevels, verificationPriorities, verificationStatuses } from '../values.ts'
import type { Wallet } from '../wallet.ts'
import { instant, int64 } from './columns.ts'

/** Credentials that wallets claim, and the results of their verification. */
export const attestations = pgTable(
  'attestations',
  {
    id: uuid().primaryKey(),
    wallet: text().$type<Wallet>().notNull(),
    credentialType: text('credential_type').notNull(),
    credentialId: text('credential_id').notNull(),
    issuingAuthority: text('issuing_authority'),
    issuedDate: date('issued_date', { mode: 'string' }),
    expiryDate: date('expiry_date', { mode: 'string' }),
    documentUrl: text('document_url'),
    verificationLevel: text('verification_level', { enum: verificationLevels }).notNull(),
    createdAt: instant('created_at').notNull(),
    /** It does not count from then on: the end of expiryDate, or an earlier time from the chain. */
    expiresAt: instant('expires_at'),
    /** Null until the wallet asks for verification. */
    status: text({ enum: verificationStatuses }),
    priority: text({ enum: verificationPriorities }),
    requestedAt: instant('requested_at'),
    /** The wallet's weight as a payer (`standings.paidWeight`) when it last asked. */
    paidWeight: int64('paid_weight').notNull().default(sql`0`),
    decidedAt: instant('decided_at'),
    /** The oracle's wallet, or the on-chain account. */
    decidedBy: text('decided_by'),
    reason: text(),
    /**
     * The account on the chain that proved it. It stays when the proof ends, since it never proves another
     * one.
     */
    proofAccount: text('proof_account').unique('attestations_one_for_each_proof'),
    /** The time and the slot of the proof's last check. A later check never reads an older slot. */
    proofCheckedAt: instant('proof_seen_at'),
    proofSlot: int64('proof_slot'),
  },
  (t) => [
    unique('attestations_once').on(t.wallet, t.credentialType, t.credentialId),
    // Backwards it has the order in which attestations count: verified ones first, then the newest.
    index('attestations_by_wallet').on(
      t.wallet,
      sql`(${t.verificationLevel} in ('third_party_verified', 'on_chain_proven'))`,
      t.id,
    ),
    index('attestations_waiting').on(t.status, sql`(-${t.paidWeight})`, t.priority, t.requestedAt, t.id),
    index('attestations_proven')
      .on(t.proofCheckedAt, t.id)
      .where(sql`${t.verificationLevel} = 'on_chain_proven'`),
  ],
)
