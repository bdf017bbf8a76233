import type { SQLWrapper, WithSubquery } from 'drizzle-orm'
import type { attestations } from '../../schema/tables/attestations.ts'
import type { ratings } from '../../schema/tables/ratings.ts'
import type { EventType } from '../../schema/values.ts'
import type { Builder } from '../db/builder.ts'
import type { Columns } from '../db/columns.ts'
import { eventFields, wireTime } from '../events/outbox/queries.ts'

type Attestation = WithSubquery & { [Name in keyof typeof attestations.$inferSelect]: SQLWrapper }

/** An attestation that was verified or rejected, or whose proof was taken back. */
export const attestationDecided = (
  db: Builder,
  decided: Attestation,
  what: 'verified' | 'rejected' | 'revoked',
) =>
  db
    .select(
      eventFields({
        type: `attestation.${what}`,
        occurredAt: decided.decidedAt,
        wallet: decided.wallet,
        data: {
          attestationId: decided.id,
          credentialType: decided.credentialType,
          credentialId: decided.credentialId,
          verificationLevel: decided.verificationLevel,
          decidedBy: decided.decidedBy,
          reason: decided.reason,
        },
      }),
    )
    .from(decided)

/** What has become of a rating, as it then is. */
export const ratingChanged = (
  db: Builder,
  type: Extract<EventType, `rating.${string}`>,
  { rating, now }: { rating: Columns<typeof ratings.$inferSelect>; now: SQLWrapper },
) =>
  db
    .select(
      eventFields({
        type,
        occurredAt: now,
        wallet: rating.owner,
        counterparty: rating.wallet,
        agentId: rating.agentId,
        data: {
          ratingId: rating.id,
          hireId: rating.hireId,
          agentId: rating.agentId,
          owner: rating.owner,
          hirer: rating.wallet,
          rating: rating.rating,
          comment: rating.comment,
          createdAt: wireTime(rating.createdAt),
          revisedAt: wireTime(rating.revisedAt),
          answer: rating.answer,
          answeredAt: wireTime(rating.answeredAt),
        },
      }),
    )
    .from(rating)
