import type { PioneerRow } from './queries.ts'

/** PioneerStatus of the contract, with who referred the pioneer and how many it has brought. */
export const pioneerView = (pioneer: PioneerRow | undefined) =>
  pioneer === undefined
    ? { isPioneer: false }
    : {
        isPioneer: true,
        tier: pioneer.tier,
        joinedAt: pioneer.joinedAt.toISOString(),
        inviteCode: pioneer.inviteCode,
        referredBy: pioneer.referredBy ?? undefined,
        referralBounties: pioneer.referralBounties,
      }
