import * as v from 'valibot'
import { constrain, describe, describeParameters } from '../../docs.ts'
import { OTHER_WALLET } from '../../examples.ts'
import { capabilities, LAST_REGISTRY_LAYER, registryAgentTypes } from '../../registry.ts'
import { agentEndpointFilters, agentEndpointFilterWords } from '../agents/endpoint.ts'
import { Cursor, FIRST_LAYER, IntegerParameter, PageLimit, WalletAddress } from '../common.ts'
import { isReasonGiven, REASON_ERROR, REASON_GIVEN } from '../suspension.ts'
import { Name, Query, SEARCH_WORDS } from '../text.ts'

/** Path of an entry of the registry. */
export const RegisteredAgentPath = v.object({ pubkey: WalletAddress })

describeParameters(RegisteredAgentPath, { pubkey: 'The agent’s public key.' }, { pubkey: OTHER_WALLET })

/** Body of PATCH /registry/agents/{pubkey}. */
export const EntryPatch = v.pipe(
  v.strictObject({ status: v.picklist(['active', 'suspended']), reason: v.optional(Name(1, 500)) }),
  v.forward(v.partialCheck([['status'], ['reason']], isReasonGiven, REASON_ERROR), ['reason']),
)

if (REASON_GIVEN) constrain(EntryPatch, REASON_GIVEN)

describe(EntryPatch, {
  name: 'EntryPatch',
  description: 'An operator’s change. Unknown fields are rejected.',
  fields: {
    status: 'A suspended agent is in no list.',
    reason: 'Why it is suspended. Required for a suspension, rejected otherwise.',
  },
  example: { status: 'suspended', reason: 'Phishing' },
})

/** Query of GET /registry/agents. */
export const RegisteredAgentListQuery = v.object({
  agentType: v.optional(v.picklist(registryAgentTypes)),
  capability: v.optional(v.picklist(capabilities)),
  layer: v.optional(IntegerParameter(FIRST_LAYER, LAST_REGISTRY_LAYER)),
  q: v.optional(Query(1, 32)),
  ...agentEndpointFilters,
  limit: PageLimit,
  cursor: v.optional(Cursor),
})

describeParameters(
  RegisteredAgentListQuery,
  {
    agentType: 'Only agents of this type.',
    capability: 'Only agents with this capability.',
    layer: 'Only agents with a capability of this capture layer.',
    q: `Only agents that match: each word of the query begins a word of the name, description, type or capabilities. ${SEARCH_WORDS}`,
    ...agentEndpointFilterWords,
    limit: 'Page size; values above 100 count as 100.',
    cursor: 'The `nextCursor` of the previous page.',
  },
  { layer: '17', limit: '50' },
)
