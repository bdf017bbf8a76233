import { json } from '../../lib/http/json.ts'
import { operationFor } from '../../lib/http/operation.ts'
import { pioneerView, readPioneer } from '../../lib/pioneer/read.ts'
import { redeemInviteCode } from '../../lib/pioneer/redeem.ts'
import { PioneerQuery, PioneerRegister, PioneerStatus } from '../../schema/wire/pioneer.ts'
import type { Deps } from './deps.ts'

const operation = operationFor<Cloudflare.PioneerEnv, Deps>()

export const routes = [
  operation({
    method: 'GET',
    path: '/pioneer',
    access: 'public',
    limit: 'READ_LIMIT',
    conditional: true,
    query: PioneerQuery,
    docs: {
      id: 'getPioneer',
      summary: 'Read a wallet’s pioneer status',
      description:
        'Accepts any text. A wallet that has not joined, or a text that is not a wallet, is not a pioneer.',
      answers: { 200: { description: 'Its status.', schema: PioneerStatus } },
      errors: ['dependency_unavailable'],
    },
    handle: async ({ deps, query }) => json(pioneerView(await readPioneer(deps, query.user_id))),
  }),
  operation({
    method: 'POST',
    path: '/pioneer',
    access: 'public',
    limit: 'PIONEER_LIMIT',
    body: PioneerRegister,
    docs: {
      id: 'claimPioneerSpot',
      summary: 'Redeem an invite code',
      description:
        'Takes a spot, uses the code and records the wallet, all or nothing. Codes are read in any case, with O as 0, I and L as 1, and without regard to hyphens and spaces. Any wallet may be named as referrer; if it is another pioneer, it earns a bounty. A rejected request leaves the code unused.',
      answers: { 201: { description: 'The new pioneer.', schema: PioneerStatus } },
      errors: ['invite_code_invalid', 'already_registered', 'no_spots_left', 'dependency_unavailable'],
    },
    handle: async ({ deps, body }) => json(pioneerView(await redeemInviteCode(deps, body)), 201),
  }),
]
