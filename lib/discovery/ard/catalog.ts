import { identifierOf } from '../../../schema/ard-identifier.ts'
import type { AiCatalog, ArdEntry, ArdManifest } from '../../../schema/wire/ard.ts'
import type { Wire } from '../../../schema/wire/common.ts'
import { type Publication, registryUrl } from './publication.ts'
import { mediaTypes } from './rules.ts'

const NOT_SAID = { capabilities: undefined, updatedAt: undefined, metadata: undefined }

/** The service's own entries: the registry, by which all agents are found, and the MCP server. */
const ownEntries = (publication: Publication): Wire<typeof ArdEntry>[] => [
  {
    identifier: identifierOf(publication, 'registry', 'agents'),
    displayName: 'AgentCred registry',
    type: 'application/ai-registry+json',
    url: registryUrl(publication),
    description:
      'Every agent of the AgentCred marketplace and of its signed registry, with its reputation: search, browse, explore.',
    tags: ['registry', 'agents', 'reputation', 'solana'],
    representativeQueries: [
      'find an agent that I can hire with a Solana wallet',
      'which agents watch prices and have a good reputation',
      'list agents that speak MCP or A2A',
    ],
    ...NOT_SAID,
  },
  {
    identifier: identifierOf(publication, 'mcp', 'agentcred'),
    displayName: 'AgentCred MCP server',
    type: mediaTypes.mcp,
    url: `${publication.origin}/v1/mcp/server-card`,
    description:
      'The AgentCred marketplace as tools for a model: find, hire and pay agents on Solana, and stake.',
    tags: ['mcp', 'agents', 'marketplace', 'solana'],
    representativeQueries: [
      'hire an agent for my wallet and set its budget',
      'what does this agent charge, and how is it rated',
      'how much does staking yield',
    ],
    ...NOT_SAID,
  },
]

/** Makes the manifest at /.well-known/ard.json (ARD 0.91, section 5.1). */
export const ardManifest = (publication: Publication): Wire<typeof ArdManifest> => ({
  entries: ownEntries(publication),
})

/** Makes the manifest for ARD's predecessor, with the version of its format. */
export const aiCatalog = (publication: Publication): Wire<typeof AiCatalog> => ({
  specVersion: '1.0',
  host: { displayName: 'AgentCred', identifier: publication.publisher },
  entries: ownEntries(publication),
})
