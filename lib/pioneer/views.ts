import type { Wire } from '../../schema/wire/common.ts'
import type { PioneerStatus } from '../../schema/wire/pioneer.ts'
import type { PioneerRow } from './queries.ts'

/**
 * PioneerStatus of the contract, with who referred the pioneer and how many it has brought. Of a wallet that
 * is no pioneer only that is said.
 */
export const pioneerView = (pioneer: PioneerRow | undefined): Wire<typeof PioneerStatus> => ({
  isPioneer: pioneer !== undefined,
  tier: pioneer?.tier,
  joinedAt: pioneer?.joinedAt.toISOString(),
  inviteCode: pioneer?.inviteCode,
  referredBy: pioneer?.referredBy ?? undefined,
  referralBounties: pioneer?.referralBounties,
})
