import * as v from 'valibot'
import { ARD_IDENTIFIER, MAX_ARD_IDENTIFIER_LENGTH } from '../ard-identifier.ts'
import { describe } from '../docs.ts'
import { AGENT_ID } from '../examples.ts'
import { body, parameters } from './body.ts'
import { Integer, IntegerParameter } from './common.ts'
import { AnyText, Lines, SEARCH_WORDS } from './text.ts'

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
