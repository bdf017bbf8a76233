import { ApiError } from '../../api-error.ts'
import { injected } from '../../injected.ts'
import { cachedFor } from '../../runtime/cache.ts'
import { logError } from '../../runtime/log.ts'
import { within } from '../../time.ts'
import { CATALOG_KEY, type Catalog } from './catalog.ts'

/** Time limit for KV. */
const KV_TIMEOUT_MS = injected('KV_TIMEOUT_MS') ?? 5_000

/** How long an edge keeps the value of KV: the least that KV allows. */
const CACHE_TTL_S = 30
/** How long an isolate keeps the parsed value. Parsing takes longer than a search. */
const CACHED_S = 10

const EMPTY: Catalog = { isPartial: false, items: [] }

const cached = cachedFor<Catalog>(CACHED_S)

/**
 * Reads the catalog: one read of KV, or none while the isolate has it. No statement.
 * @throws ApiError `dependency_unavailable`
 */
export const readCatalog = ({ catalog, now }: { catalog: KVNamespace; now: Date }): Promise<Catalog> =>
  cached(now, async () => {
    try {
      const read = catalog.get<Catalog>(CATALOG_KEY, { type: 'json', cacheTtl: CACHE_TTL_S })
      return (await within(KV_TIMEOUT_MS, read)) ?? EMPTY
    } catch (cause) {
      logError({ kv: 'catalog', reason: 'not read' })
      throw new ApiError('dependency_unavailable', 'The catalog could not be read. Try again.', { cause })
    }
  })
