import * as v from 'valibot'
import { describeParameters } from '../../docs.ts'
import { Cursor, IntegerParameter, pageLimit } from '../common.ts'
import { AnyText, Query } from '../text.ts'

const DEFAULT_LIMIT = 20

/** An unknown value matches nothing. */
const filters = {
  type: v.optional(AnyText),
  payTo: v.optional(AnyText),
  scheme: v.optional(AnyText),
  network: v.optional(AnyText),
  extensions: v.optional(AnyText),
}

const filterWords = {
  type: 'The protocol of the resource: `http`. An unknown value of this and the other filters matches nothing.',
  payTo: 'The wallet that is paid.',
  scheme: 'The scheme of the payment: `exact`.',
  network: 'The network’s CAIP-2 id.',
  extensions: 'An extension that the resource has: `bazaar` or `agentcred`.',
}

const LIMIT = 'Page size; values above 100 count as 100.'

/** Query of GET /x402/discovery/resources. */
export const DiscoveryListQuery = v.object({
  ...filters,
  limit: pageLimit(DEFAULT_LIMIT),
  offset: v.optional(IntegerParameter(0), '0'),
})

describeParameters(
  DiscoveryListQuery,
  { ...filterWords, limit: LIMIT, offset: 'How many resources to skip.' },
  { limit: String(DEFAULT_LIMIT) },
)

/** Query of GET /x402/discovery/search. */
export const DiscoverySearchQuery = v.object({
  query: Query(1, 1_000),
  ...filters,
  limit: pageLimit(DEFAULT_LIMIT),
  cursor: v.optional(Cursor),
})

describeParameters(
  DiscoverySearchQuery,
  {
    query: 'What you need, in words.',
    ...filterWords,
    limit: LIMIT,
    cursor: '`pagination.cursor` of the previous page.',
  },
  { query: 'weather forecast', limit: String(DEFAULT_LIMIT) },
)
