import * as v from 'valibot'
import { parameters } from '../body.ts'
import { Cursor, IntegerParameter, pageLimit } from '../common.ts'
import { AnyText, Query } from '../text.ts'

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
