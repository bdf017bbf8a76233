import { type SQLWrapper, sql } from 'drizzle-orm'
import { uuid } from 'drizzle-orm/pg-core'
import { isOwnedBy } from '../../agents/parts/part-queries.ts'
import type { Builder } from '../../db/builder.ts'
import { computed, name } from '../../db/columns.ts'

const columns = computed({ id: uuid() })

/** The CTE `unowned`: those of the ids that are of no agent of the wallet. */
export const unownedAgents = (db: Builder, $: { agentIds: SQLWrapper; wallet: SQLWrapper }) =>
  db.$with('unowned', columns).as(sql`
    select agent.${name(columns.id)} from unnest(${$.agentIds}) as agent (${name(columns.id)})
    where not ${isOwnedBy(sql`agent.${name(columns.id)}`, $.wallet)}`)

/** The ids of the CTE `unowned`, as a column of the statement's select. */
export const idsOf = (unowned: ReturnType<typeof unownedAgents>) =>
  sql<string[]>`array(select ${unowned.id} from ${unowned})`
