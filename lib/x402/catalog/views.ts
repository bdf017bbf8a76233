import type { Wire } from '../../../schema/wire/common.ts'
import type {
  DiscoveredResource,
  DiscoveryList,
  DiscoverySearch,
} from '../../../schema/wire/x402-discovery.ts'
import { TIMEOUT_S } from '../prices/views.ts'
import type { CatalogItem } from './catalog.ts'
import type { listItems, searchItems } from './find.ts'

/** The network and the payer of its fees, the same for all payments. */
type Facilitator = { network: string; feePayer: string }

/** Returns an item in the form of the extension `bazaar` of x402. */
const itemView = (
  { resource, agentId, priceName, document, ...item }: CatalogItem,
  { network, feePayer }: Facilitator,
): Wire<typeof DiscoveredResource> => ({
  resource,
  type: 'http',
  x402Version: 2,
  accepts: [
    {
      scheme: 'exact',
      network,
      asset: item.asset,
      amount: item.amount,
      payTo: item.owner,
      maxTimeoutSeconds: TIMEOUT_S,
      extra: { feePayer, agentId, priceName },
    },
  ],
  lastUpdated: item.lastUpdated,
  description: document.description,
  mimeType: document.mimeType,
  serviceName: document.serviceName,
  tags: document.tags,
  extensions: {
    bazaar: document.info && { info: document.info, schema: document.schema },
    agentcred: {
      agentId,
      agentName: item.agentName,
      reputationScore: item.reputationScore,
      endpoint: item.endpoint,
    },
  },
})

export const discoveryListView = (
  { items, isPartial, limit, offset, total }: ReturnType<typeof listItems>,
  facilitator: Facilitator,
): Wire<typeof DiscoveryList> => ({
  x402Version: 2,
  items: items.map((item) => itemView(item, facilitator)),
  pagination: { limit, offset, total },
  partialResults: isPartial || undefined,
})

export const discoverySearchView = (
  { items, isPartial, limit, nextCursor }: ReturnType<typeof searchItems>,
  facilitator: Facilitator,
): Wire<typeof DiscoverySearch> => ({
  x402Version: 2,
  resources: items.map((item) => itemView(item, facilitator)),
  pagination: nextCursor === undefined ? undefined : { limit, cursor: nextCursor },
  partialResults: isPartial || undefined,
})
