import type { Db } from '../../db/connect.ts'
import type { Publication } from './publication.ts'
import { countFacets } from './queries.ts'
import { type Filter, type FilterField, kindTags, mediaTypes, wantedBy } from './rules.ts'

/** A facet: the `limit` most frequent values of a field that occur at least `minCount` times. */
type FacetRequest = { field: FilterField; limit: number; minCount: number }

type Facet = { buckets: { value: string; count: number }[]; otherCount: number | undefined }

/** The counts of each requested field. */
export type Facets = Record<string, Facet>

type Counted = Awaited<ReturnType<typeof countFacets>>

/**
 * Counts the results of a search by the values of fields. Without text and filter, counts the first agents
 * of the lists.
 */
export async function explore(
  deps: { db: Db; publication: Publication },
  input: {
    query?: { text?: string | undefined; filter?: Filter | undefined } | undefined
    resultType: { facets: FacetRequest[] }
  },
): Promise<Facets> {
  const { text, filter = {} } = input.query ?? {}
  const { publisher } = deps.publication
  const counted = await countFacets(deps.db, { ...wantedBy(filter, publisher), text })
  return Object.fromEntries(
    input.resultType.facets.map((facet) => [
      facet.field,
      facetOf(facet, countsOf(counted, facet.field, publisher)),
    ]),
  )
}

/** Counts the values of a field. */
function countsOf(counted: Counted, field: FilterField, publisher: string): Map<string, number> {
  const of = (name: Counted[number]['field'], named = (value: string) => value) =>
    counted.flatMap(({ field, value, count }) => (field === name ? [{ value: named(value), count }] : []))
  const counts = {
    type: () => of('protocol', (protocol) => mediaTypes[protocol as keyof typeof mediaTypes]),
    tags: () => [...of('agentType'), ...of('kind', (kind) => kindTags[kind as keyof typeof kindTags])],
    capabilities: () => of('capability'),
    publisher: () => of('publisher', (host) => host || publisher),
    'metadata.agentType': () => of('agentType'),
    'metadata.feeModel': () => of('feeModel'),
    'metadata.paidPerRequest': () => of('paidPerRequest'),
  }[field]()
  const sums = new Map<string, number>()
  for (const { value, count } of counts) sums.set(value, (sums.get(value) ?? 0) + count)
  return sums
}

/** Makes a facet: the most frequent values, and the number of entries with other values. */
function facetOf({ limit, minCount }: FacetRequest, counts: Map<string, number>): Facet {
  const ranked = [...counts]
    .map(([value, count]) => ({ value, count }))
    .filter(({ count }) => count >= minCount)
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
  const others = ranked.slice(limit)
  const otherCount = others.reduce((sum, { count }) => sum + count, 0)
  return { buckets: ranked.slice(0, limit), otherCount: others.length > 0 ? otherCount : undefined }
}
