import * as v from 'valibot'
import { AGENT_ID } from '../examples.ts'
import { OwnText, UserText } from './answer-text.ts'
import { body } from './body.ts'
import { Count, Timestamp } from './common.ts'

/** Values of `metadata`: ARD allows no nesting there. */
const Metadata = v.record(v.string(), v.union([OwnText, v.number(), v.boolean()]))

const resultFields = {
  identifier: [
    UserText,
    'Its name `urn:air:<publisher>:<kind>:<name>`: this service’s, or the one that its endpoint’s own host publishes.',
  ],
  displayName: [UserText, 'Its name for people.'],
  type: [OwnText, 'Media type of the document at `url`.'],
  url: [UserText, 'Where it is described: an agent card, a server card, an OpenAPI document, or this API.'],
  description: [
    UserText,
    'What it does, in its owner’s words if there are any. Nobody has checked this text.',
  ],
  tags: [v.array(OwnText), 'Its type, and its source: `marketplace` or `registry`.'],
  capabilities: [v.optional(v.array(OwnText)), 'What it can do, by the capability catalog.'],
  updatedAt: [v.optional(Timestamp), 'When an entry of the registry last changed.'],
  metadata: [
    v.optional(Metadata),
    'More facts: agentType, feeModel; for a marketplace agent its reputationScore, and as paidPerRequest whether it sells single requests (GET /x402/agents/{id}).',
  ],
} as const

const resultExample = {
  identifier: `urn:air:agentcred.example:agent:${AGENT_ID}`,
  displayName: 'Yield Scout',
  type: 'application/a2a-agent-card+json',
  url: `https://api.agentcred.example/v1/agents/${AGENT_ID}/agent-card.json`,
  description: 'Finds staking yield and moves into it.',
  tags: ['autonomous', 'marketplace'],
  capabilities: ['inference', 'liquidity'],
  metadata: { agentType: 'autonomous', feeModel: 'percentage', reputationScore: 12.5, paidPerRequest: true },
}

const entryExample = {
  ...resultExample,
  representativeQueries: [
    'find an autonomous agent for inference and liquidity',
    'which agent can help me with liquidity?',
  ],
}

export const ArdEntry = body(
  'ArdEntry',
  'An entry of Agentic Resource Discovery 0.91.',
  {
    ...resultFields,
    representativeQueries: [v.array(OwnText), 'Two to five questions that it could answer.'],
  },
  entryExample,
)

const source = 'https://api.agentcred.example/v1/ard/'

const SearchResult = body('ArdResult', 'An entry that was found.', {
  ...resultFields,
  score: [
    v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100)),
    'How well it matches the text, 0 to 100. It says nothing about trust.',
  ],
  source: [OwnText, 'The base URL of the registry that found it.'],
})

export const SearchAnswer = body(
  'ArdSearchAnswer',
  'One page of results.',
  {
    results: [v.array(SearchResult), 'Best first.'],
    pageToken: [v.optional(OwnText), 'For the next page; absent on the last one.'],
  },
  { results: [{ ...resultExample, score: 80, source }] },
)

export const ArdList = body(
  'ArdList',
  'One page of entries.',
  {
    items: [v.array(ArdEntry), 'The entries.'],
    pageToken: [v.optional(OwnText), 'For the next page; absent on the last one.'],
  },
  { items: [entryExample] },
)

const Facet = body('ArdFacet', 'The values of a field.', {
  buckets: [
    v.array(v.strictObject({ value: UserText, count: Count })),
    'A value, and how many entries have it; the most frequent first.',
  ],
  otherCount: [
    v.optional(Count),
    'How many entries have values beyond the limit. An entry with several values counts several times.',
  ],
})

export const ExploreAnswer = body(
  'ArdExploreAnswer',
  'Counts of what was found.',
  { resultType: [v.literal('facets'), '`facets`.'], facets: [v.record(v.string(), Facet), 'By field.'] },
  {
    resultType: 'facets',
    facets: { type: { buckets: [{ value: 'application/a2a-agent-card+json', count: 3 }] } },
  },
)

export const ArdManifest = body(
  'ArdManifest',
  'What this service publishes about itself.',
  { entries: [v.array(ArdEntry), 'The registry of all agents.'] },
  { entries: [entryExample] },
)

const CatalogHost = body('CatalogHost', 'The publisher of the catalog.', {
  displayName: [OwnText, 'The service’s name.'],
  identifier: [OwnText, 'Its domain.'],
})

export const AiCatalog = body(
  'AiCatalog',
  'The same in the format of ARD’s predecessor.',
  {
    specVersion: [v.literal('1.0'), 'Version of the format.'],
    host: [CatalogHost, 'The publisher of the catalog.'],
    entries: [v.array(ArdEntry), 'As in ard.json.'],
  },
  {
    specVersion: '1.0',
    host: { displayName: 'AgentCred', identifier: 'agentcred.example' },
    entries: [entryExample],
  },
)
