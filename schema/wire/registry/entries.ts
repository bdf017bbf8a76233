import * as v from 'valibot'
import { constrain } from '../../docs.ts'
import { OTHER_WALLET } from '../../examples.ts'
import { capabilities, LAST_REGISTRY_LAYER, registryAgentTypes } from '../../registry.ts'
import { agentEndpointFilters } from '../agents/endpoint.ts'
import { body, pageFields, parameters } from '../body.ts'
import { FIRST_LAYER, IntegerParameter, WalletAddress } from '../common.ts'
import { isReasonGiven, REASON_ERROR, REASON_GIVEN } from '../suspension.ts'
import { Name, Query, SEARCH_WORDS } from '../text.ts'

/** Path of an entry of the registry. */
export const RegisteredAgentPath = parameters(
  { pubkey: [WalletAddress, 'The agent’s public key.'] },
  { pubkey: OTHER_WALLET },
)

/** Body of PATCH /registry/agents/{pubkey}. */
export const EntryPatch = body(
  'EntryPatch',
  'An operator’s change. Unknown fields are rejected.',
  {
    status: [v.picklist(['active', 'suspended']), 'A suspended agent is in no list.'],
    reason: [v.optional(Name(1, 500)), 'Why it is suspended. Required for a suspension, rejected otherwise.'],
  },
  { status: 'suspended', reason: 'Phishing' },
  (object) =>
    v.pipe(
      object,
      v.forward(v.partialCheck([['status'], ['reason']], isReasonGiven, REASON_ERROR), ['reason']),
    ),
)

constrain(EntryPatch, REASON_GIVEN)

/** Query of GET /registry/agents. */
export const RegisteredAgentListQuery = parameters(
  {
    agentType: [v.optional(v.picklist(registryAgentTypes)), 'Only agents of this type.'],
    capability: [v.optional(v.picklist(capabilities)), 'Only agents with this capability.'],
    layer: [
      v.optional(IntegerParameter(FIRST_LAYER, LAST_REGISTRY_LAYER)),
      'Only agents with a capability of this capture layer.',
    ],
    q: [
      v.optional(Query(1, 32)),
      `Only agents that match: each word of the query begins a word of the name, description, type or capabilities. ${SEARCH_WORDS}`,
    ],
    ...agentEndpointFilters,
    ...pageFields,
  },
  { layer: '17', limit: '50' },
)
