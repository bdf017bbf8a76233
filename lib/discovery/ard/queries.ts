import { eq, sql } from 'drizzle-orm'
import type { DocumentKind } from '../../../schema/values.ts'
import { agentResources } from '../../agents/listing/resource-queries.ts'
import { computed } from '../../db/columns.ts'
import type { Db } from '../../db/connect.ts'
import { read } from '../../db/statement.ts'
import { identifiedKeys } from '../../liveness/queries.ts'
import { registeredResources } from '../../registry/resource-queries.ts'
import { resourceColumns } from '../search/resource-queries.ts'
import { matchedResources, matchParameters, publisherOf } from './match-queries.ts'
import type { Resource, Wanted } from './rules.ts'

/** The sort key of the last result of a page. */
export type SearchPosition = { score: number; reputation: number; kind: DocumentKind; key: string }

const searchPage = read(
  {
    ...matchParameters,
    score: 'integer?',
    reputation: 'double precision?',
    kind: 'text?',
    key: 'text?',
    limit: 'integer',
  },
  (db, { score, reputation, kind, key, limit, ...$ }, shape: { isContinued: boolean }) => {
    const matched = matchedResources(db, $, { text: true })
    // Among equal scores, rows without a reputation come last.
    const order = sql`-${matched.score}, -coalesce(${matched.reputationScore}, -1), ${matched.kind}, ${matched.key}`
    return db
      .with(matched)
      .select()
      .from(matched)
      .where(shape.isContinued ? sql`(${order}) > (-${score}, -${reputation}, ${kind}, ${key})` : undefined)
      .orderBy(order)
      .limit(limit)
  },
)

/** Selects the results for a text by score, then reputation, then marketplace before registry. */
export const selectFound = (
  db: Db,
  wanted: Wanted & { text: string },
  after: SearchPosition | undefined,
  limit: number,
): Promise<(Resource & { score: number })[]> =>
  searchPage.run(db, { ...wanted, ...after, limit }, { isContinued: after !== undefined })

const facetCounts = read(matchParameters, (db, $, by: { text: boolean }) => {
  const matched = matchedResources(db, $, by)
  const values = sql`
    values ('protocol', ${matched.protocol}), ('agentType', ${matched.agentType}),
      ('feeModel', ${matched.feeModel}), ('kind', ${matched.kind}), ('paidPerRequest', ${matched.paidPerRequest}::text), ('publisher', ${publisherOf(matched.identifier)})`
  const facets = sql`
    (${values} union all select 'capability', unnest(${matched.capabilities})) as facet (field, value)`
  return db
    .with(matched)
    .select({
      field: sql<
        'protocol' | 'agentType' | 'feeModel' | 'kind' | 'paidPerRequest' | 'publisher' | 'capability'
      >`facet.field`,
      value: sql<string>`facet.value`,
      count: sql<number>`count(*)::integer`,
    })
    .from(matched)
    .innerJoin(sql`lateral ${facets}`, sql`facet.value is not null`)
    .groupBy(sql`facet.field, facet.value`)
})

/** Counts the results by value. All values except publishers are from fixed sets. */
export const countFacets = (db: Db, wanted: Wanted & { text?: string | undefined }) =>
  facetCounts.run(db, { ...wanted, text: wanted.text ?? '' }, { text: wanted.text !== undefined })

const identified = read({ identifier: 'text' }, (db, $) => {
  const resources = db.$with('resources', computed(resourceColumns)).as(sql`
    ${agentResources(identifiedKeys('agent', $.identifier))}
    union all ${registeredResources(identifiedKeys('registered', $.identifier))}`)
  return db
    .with(resources)
    .select()
    .from(resources)
    .where(eq(resources.identifier, $.identifier))
    .orderBy(resources.kind, resources.key)
    .limit(1)
})

/**
 * Finds the first agent to which its endpoint's host gives an identifier. An agent that has moved to another
 * endpoint is not found.
 */
export async function findIdentified(db: Db, identifier: string): Promise<Resource | undefined> {
  const [resource] = await identified.run(db, { identifier })
  return resource
}
