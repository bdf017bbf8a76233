import * as v from 'valibot'
import { exampleOf } from '../docs.ts'
import { AGENT_ID, FEE_PAYER, MINT, NETWORK, WALLET } from '../examples.ts'
import { agentEndpointStatuses } from '../values.ts'
import { OwnText, UserText, UserValue } from './answer-text.ts'
import { body, parameters } from './body.ts'
import { Count, Cursor, IntegerParameter, pageLimit, Timestamp, WireUuid } from './common.ts'
import { AnyText, Query } from './text.ts'

const DEFAULT_LIMIT = 20

/** An unknown value matches nothing. */
const filters = {
  type: [
    v.optional(AnyText),
    'The protocol of the resource: `http`. An unknown value of this and the other filters matches nothing.',
  ],
  payTo: [v.optional(AnyText), 'The wallet that is paid.'],
  scheme: [v.optional(AnyText), 'The scheme of the payment: `exact`.'],
  network: [v.optional(AnyText), 'The network’s CAIP-2 id.'],
  extensions: [v.optional(AnyText), 'An extension that the resource has: `bazaar` or `agentcred`.'],
} as const

const LIMIT = 'Page size; values above 100 count as 100.'

/** Query of GET /x402/discovery/resources. */
export const DiscoveryListQuery = parameters(
  {
    ...filters,
    limit: [pageLimit(DEFAULT_LIMIT), LIMIT],
    offset: [v.optional(IntegerParameter(0), '0'), 'How many resources to skip.'],
  },
  { limit: String(DEFAULT_LIMIT) },
)

/** Query of GET /x402/discovery/search. */
export const DiscoverySearchQuery = parameters(
  {
    query: [Query(1, 1_000), 'What you need, in words.'],
    ...filters,
    limit: [pageLimit(DEFAULT_LIMIT), LIMIT],
    cursor: [v.optional(Cursor), '`pagination.cursor` of the previous page.'],
  },
  { query: 'weather forecast', limit: String(DEFAULT_LIMIT) },
)

const Requirements = body(
  'X402DiscoveredRequirements',
  'A payment that the route asks for now. The route’s own 402 answer decides.',
  {
    scheme: [v.literal('exact'), 'The scheme.'],
    network: [OwnText, 'The network’s CAIP-2 id.'],
    asset: [OwnText, 'The mint of the token.'],
    amount: [OwnText, 'Smallest units of the asset, as decimal text.'],
    payTo: [OwnText, 'Who is paid: the agent’s owner.'],
    maxTimeoutSeconds: [Count, 'How long the server waits for the client’s signature.'],
    extra: [
      v.strictObject({ feePayer: OwnText, agentId: WireUuid, priceName: UserText }),
      'The payer of the network’s fee, the agent, and the name of its price.',
    ],
  },
  {
    scheme: 'exact',
    network: NETWORK,
    asset: MINT,
    amount: '250000',
    payTo: WALLET,
    maxTimeoutSeconds: 60,
    extra: { feePayer: FEE_PAYER, agentId: AGENT_ID, priceName: 'GET /forecast/:city' },
  },
)

const requirements = exampleOf(Requirements)

/** The extension `bazaar`, whose members the route's host writes. */
const Bazaar = body(
  'X402Bazaar',
  'The extension `bazaar` of x402, as the route’s host declares it. Nobody has checked its texts.',
  {
    info: [v.record(v.string(), UserValue), 'The input and output of the route.'],
    schema: [v.optional(v.record(v.string(), UserValue)), 'The JSON Schema of `info`.'],
  },
  {
    info: { input: { type: 'http', method: 'GET', pathParams: { city: 'Bern' } } },
  },
)

const bazaar = exampleOf(Bazaar)

const Seller = body(
  'X402Seller',
  'The agent that sells the route.',
  {
    agentId: [WireUuid, 'The agent.'],
    agentName: [UserText, 'Its name. Other agents may have the same one.'],
    reputationScore: [v.pipe(v.number(), v.minValue(0), v.maxValue(100)), 'Its reputation, 0 to 100.'],
    endpoint: [
      v.picklist(agentEndpointStatuses),
      'Whether its endpoint answers probes: live, down, or unknown (not probed).',
    ],
  },
  {
    agentId: AGENT_ID,
    agentName: 'Yield Scout',
    reputationScore: 12.5,
    endpoint: 'live',
  },
)

const seller = exampleOf(Seller)

export const DiscoveredResource = body(
  'X402DiscoveredResource',
  'A priced route of an agent. The agent’s owner and the route’s host name each other, and it was paid for. Nobody has checked its texts: treat them as untrusted.',
  {
    resource: [UserText, 'The route’s URL. A segment such as `:city` is a parameter.'],
    type: [v.literal('http'), 'The protocol.'],
    x402Version: [v.literal(2), 'The version of x402.'],
    accepts: [v.array(Requirements), 'Its present price.'],
    lastUpdated: [Timestamp, 'When its 402 answer was last read.'],
    description: [v.optional(UserText), 'What it returns, in its host’s words.'],
    mimeType: [v.optional(UserText), 'The media type of its answers.'],
    serviceName: [v.optional(UserText), 'The service’s name, in its host’s words.'],
    tags: [v.optional(v.array(UserText)), 'Its topics, in its host’s words.'],
    extensions: [
      v.strictObject({ bazaar: v.optional(Bazaar), agentcred: Seller }),
      'How to call it (`bazaar`), and its agent (`agentcred`).',
    ],
  },
  {
    resource: 'https://yield-scout.example/forecast/:city',
    type: 'http',
    x402Version: 2,
    accepts: [requirements],
    lastUpdated: '2026-11-28T12:31:00.000Z',
    description: 'The weather of a city for the next three days.',
    mimeType: 'application/json',
    serviceName: 'Yield Scout',
    tags: ['weather'],
    extensions: { bazaar, agentcred: seller },
  },
)

const resource = exampleOf(DiscoveredResource)

const PARTIAL = 'Present if the catalog has left out some routes.'

export const DiscoveryList = body(
  'X402DiscoveryList',
  'One page of the catalog of priced routes.',
  {
    x402Version: [v.literal(2), 'The version of x402.'],
    items: [
      v.array(DiscoveredResource),
      'Routes with a live endpoint first, then by the agent’s reputation, then by the fees of their payments.',
    ],
    pagination: [
      v.strictObject({ limit: Count, offset: Count, total: Count }),
      'The page, and how many routes match the filters.',
    ],
    partialResults: [v.optional(v.literal(true)), PARTIAL],
  },
  { x402Version: 2, items: [resource], pagination: { limit: 20, offset: 0, total: 1 } },
)

export const DiscoverySearch = body(
  'X402DiscoverySearch',
  'One page of the routes that match a need.',
  {
    x402Version: [v.literal(2), 'The version of x402.'],
    resources: [v.array(DiscoveredResource), 'The best matches first.'],
    pagination: [
      v.optional(v.strictObject({ limit: Count, cursor: OwnText })),
      'For the next page; absent on the last one.',
    ],
    partialResults: [v.optional(v.literal(true)), PARTIAL],
  },
  { x402Version: 2, resources: [resource] },
)
