import * as v from 'valibot'
import { ARD_IDENTIFIER, MAX_ARD_IDENTIFIER_LENGTH } from '../ard-identifier.ts'
import { describe } from '../docs.ts'
import { AGENT_ID } from '../examples.ts'
import { OwnText, UserText } from './answer-text.ts'
import { body, parameters } from './body.ts'
import { Count, Integer, IntegerParameter, Timestamp } from './common.ts'
import { AnyText, Lines, SEARCH_WORDS } from './text.ts'

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

/** The fields that a filter may name, and that may be counted. */
export const filterFields = [
  'type',
  'tags',
  'capabilities',
  'publisher',
  'metadata.agentType',
  'metadata.feeModel',
  'metadata.paidPerRequest',
] as const

const MAX_PAGE_SIZE = 100

const Text = v.pipe(Lines, v.minCodePoints(1), v.maxCodePoints(1_000))
const Value = v.pipe(AnyText, v.maxCodePoints(200))
const Values = v.optional(v.union([Value, v.pipe(v.array(Value), v.minLength(1), v.maxLength(50))]))
/** As the metadata has it, and as the counts of explore name it. */
const Flag = v.union([v.boolean(), v.picklist(['true', 'false'])])
const Filter = v.strictObject({
  ...v.entriesFromList(filterFields, Values),
  'metadata.paidPerRequest': v.optional(
    v.union([Flag, v.pipe(v.array(Flag), v.minLength(1), v.maxLength(2))]),
  ),
})
/** A JSON-LD context binds prefixes of other namespaces; no field of these can be a filter here. */
const Context = v.optional(v.unknown())

const ArdQuery = v.strictObject({ text: Text, filter: v.optional(Filter), '@context': Context })
const ExploreQuery = v.strictObject({
  text: v.optional(Text),
  filter: v.optional(Filter),
  '@context': Context,
})

const PageToken = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,400}$/, 'was not issued by this list'))

const values = 'One value, or several of which at least one must match.'
const fields = {
  text: `What you need, in English. The first eight significant words count; in a script without spaces, the first seventeen characters. ${SEARCH_WORDS}`,
  filter: 'Further conditions for an entry.',
  '@context': 'Accepted, but fields of other namespaces cannot be filters.',
}
describe(Filter, {
  name: 'ArdFilter',
  description: 'Conditions that entries must all meet. Other fields are rejected.',
  fields: {
    type: `Media type. ${values}`,
    tags: values,
    capabilities: values,
    publisher: `The domain of the identifier: this service’s, or the agent’s own host. ${values}`,
    'metadata.agentType': values,
    'metadata.feeModel': values,
    'metadata.paidPerRequest': `Whether the agent sells single requests (GET /x402/agents/{id}). ${values}`,
  },
})
describe(ArdQuery, { name: 'ArdQuery', description: 'What to search for.', fields })
describe(ExploreQuery, { name: 'ArdExploreQuery', description: 'What to count.', fields })

/** Body of POST /ard/search. */
export const ArdSearch = body(
  'ArdSearch',
  'A search (ARD 0.91, section 5.3.2).',
  {
    query: [ArdQuery, 'What to search for.'],
    federation: [
      v.optional(v.picklist(['auto', 'referrals', 'none'])),
      'Accepted, but this registry asks and names no other registry.',
    ],
    pageSize: [v.optional(Integer(1, MAX_PAGE_SIZE), 10), 'Maximum number of results.'],
    pageToken: [v.optional(PageToken), 'The `pageToken` of the previous page.'],
  },
  {
    query: { text: 'find me an agent that moves liquidity', filter: { tags: ['marketplace'] } },
    pageSize: 5,
  },
)

const FacetRequest = body('ArdFacetRequest', 'A field whose values are counted.', {
  field: [v.picklist(filterFields), 'The field.'],
  limit: [v.optional(Integer(1, MAX_PAGE_SIZE), 20), 'Maximum number of values.'],
  minCount: [v.optional(Integer(1), 1), 'Only values of at least this many entries.'],
})

const ResultType = body('ArdResultType', 'The only one that ARD defines.', {
  facets: [v.pipe(v.array(FacetRequest), v.minLength(1), v.maxLength(filterFields.length)), 'What to count.'],
})

/** Body of POST /ard/explore. */
export const ArdExplore = body(
  'ArdExplore',
  'A request for counts (ARD 0.91, section 5.3.3).',
  {
    query: [v.optional(ExploreQuery), 'What to count; everything when absent.'],
    resultType: [ResultType, 'How.'],
  },
  { query: { text: 'liquidity' }, resultType: { facets: [{ field: 'type' }] } },
)

/** Path of an entry. The identifier is percent-encoded; it arrives here decoded once. */
export const ArdEntryPath = parameters(
  {
    identifier: [
      v.pipe(
        v.string(),
        v.maxCodePoints(MAX_ARD_IDENTIFIER_LENGTH),
        v.regex(ARD_IDENTIFIER, 'must be an identifier: urn:air:<publisher>:<namespace>:<name>'),
      ),
      'The entry’s identifier, percent-encoded as one segment.',
    ],
  },
  { identifier: `urn:air:agentcred.example:agent:${AGENT_ID}` },
)

/** Query of GET /ard/agents. */
export const ArdListQuery = parameters(
  {
    pageSize: [v.optional(IntegerParameter(1, MAX_PAGE_SIZE), '20'), 'Maximum number of entries.'],
    pageToken: [v.optional(PageToken), 'The `pageToken` of the previous page.'],
    filter: [v.optional(v.never()), 'Not supported; use the filters of POST /ard/search.'],
    orderBy: [v.optional(v.never()), 'Not supported.'],
  },
  { pageSize: '20' },
)
