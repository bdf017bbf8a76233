import type { SQLWrapper, WithSubquery } from 'drizzle-orm'
import type { attestations } from '../../schema/tables/attestations.ts'
import type { Builder } from '../db/builder.ts'
import { eventFields } from '../outbox/queries.ts'

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
