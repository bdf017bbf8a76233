import * as v from 'valibot'
import { describe } from '../docs.ts'
import { AGENT_ID } from '../examples.ts'
import { OwnText, UserText } from './answer-text.ts'
import { Timestamp } from './common.ts'

/** Values of `metadata`: ARD allows no nesting there. */
const Metadata = v.record(v.string(), v.union([OwnText, v.number(), v.boolean()]))

const resultFields = {
  identifier: UserText,
  displayName: UserText,
  type: OwnText,
  url: UserText,
  description: UserText,
  tags: v.array(OwnText),
  capabilities: v.optional(v.array(OwnText)),
  updatedAt: v.optional(Timestamp),
  metadata: v.optional(Metadata),
}

const resultWords = {
  identifier:
    'Its name `urn:air:<publisher>:<kind>:<name>`: this service’s, or the one that its endpoint’s own host publishes.',
  displayName: 'Its name for people.',
  type: 'Media type of the document at `url`.',
  url: 'Where it is described: an agent card, a server card, an OpenAPI document, or this API.',
  description: 'What it does, in its owner’s words if there are any. Nobody has checked this text.',
  tags: 'Its type, and its source: `marketplace` or `registry`.',
  capabilities: 'What it can do, by the capability catalog.',
  updatedAt: 'When an entry of the registry last changed.',
  metadata:
    'More facts: agentType, feeModel; for a marketplace agent its reputationScore, and as paidPerRequest whether it sells single requests (GET /x402/agents/{id}).',
}

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

export const ArdEntry = v.strictObject({ ...resultFields, representativeQueries: v.array(OwnText) })

const entryExample = {
  ...resultExample,
  representativeQueries: [
    'find an autonomous agent for inference and liquidity',
    'which agent can help me with liquidity?',
  ],
}

describe(ArdEntry, {
  name: 'ArdEntry',
  description: 'An entry of Agentic Resource Discovery 0.91.',
  fields: { ...resultWords, representativeQueries: 'Two to five questions that it could answer.' },
  example: entryExample,
})

const SearchResult = v.strictObject({
  ...resultFields,
  score: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100)),
  source: OwnText,
})

export const SearchAnswer = v.strictObject({
  results: v.array(SearchResult),
  pageToken: v.optional(OwnText),
})

const source = 'https://api.agentcred.example/v1/ard/'

describe(SearchResult, {
  name: 'ArdResult',
  description: 'An entry that was found.',
  fields: {
    ...resultWords,
    score: 'How well it matches the text, 0 to 100. It says nothing about trust.',
    source: 'The base URL of the registry that found it.',
  },
})
describe(SearchAnswer, {
  name: 'ArdSearchAnswer',
  description: 'One page of results.',
  fields: { results: 'Best first.', pageToken: 'For the next page; absent on the last one.' },
  example: { results: [{ ...resultExample, score: 80, source }] },
})

export const ArdList = v.strictObject({ items: v.array(ArdEntry), pageToken: v.optional(OwnText) })

describe(ArdList, {
  name: 'ArdList',
  description: 'One page of entries.',
  fields: { items: 'The entries.', pageToken: 'For the next page; absent on the last one.' },
  example: { items: [entryExample] },
})

const Count = v.pipe(v.number(), v.integer(), v.minValue(0))
const Facet = v.strictObject({
  buckets: v.array(v.strictObject({ value: UserText, count: Count })),
  otherCount: v.optional(Count),
})

export const ExploreAnswer = v.strictObject({
  resultType: v.literal('facets'),
  facets: v.record(v.string(), Facet),
})

describe(Facet, {
  name: 'ArdFacet',
  description: 'The values of a field.',
  fields: {
    buckets: 'A value, and how many entries have it; the most frequent first.',
    otherCount:
      'How many entries have values beyond the limit. An entry with several values counts several times.',
  },
})
describe(ExploreAnswer, {
  name: 'ArdExploreAnswer',
  description: 'Counts of what was found.',
  fields: { resultType: '`facets`.', facets: 'By field.' },
  example: {
    resultType: 'facets',
    facets: { type: { buckets: [{ value: 'application/a2a-agent-card+json', count: 3 }] } },
  },
})

export const ArdManifest = v.strictObject({ entries: v.array(ArdEntry) })

const CatalogHost = v.strictObject({ displayName: OwnText, identifier: OwnText })

export const AiCatalog = v.strictObject({
  specVersion: v.literal('1.0'),
  host: CatalogHost,
  entries: v.array(ArdEntry),
})

describe(ArdManifest, {
  name: 'ArdManifest',
  description: 'What this service publishes about itself.',
  fields: { entries: 'The registry of all agents.' },
  example: { entries: [entryExample] },
})
describe(CatalogHost, {
  name: 'CatalogHost',
  description: 'The publisher of the catalog.',
  fields: { displayName: 'The service’s name.', identifier: 'Its domain.' },
})
describe(AiCatalog, {
  name: 'AiCatalog',
  description: 'The same in the format of ARD’s predecessor.',
  fields: {
    specVersion: 'Version of the format.',
    host: 'The publisher of the catalog.',
    entries: 'As in ard.json.',
  },
  example: {
    specVersion: '1.0',
    host: { displayName: 'AgentCred', identifier: 'agentcred.example' },
    entries: [entryExample],
  },
})
