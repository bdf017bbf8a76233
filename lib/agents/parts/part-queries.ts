import { and, eq, isNotNull, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { API_SCHEMA } from '../../../schema/release.ts'
import { agents } from '../../../schema/tables/agents.ts'
import { hires } from '../../../schema/tables/hires.ts'
import type { SellingNeed } from '../../../schema/values.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import type { Builder } from '../../db/builder.ts'

/*
 * SQL fragments for statements of other folders. They are apart from this folder's statements, so that a
 * Worker that needs a fragment does not bundle the statements.
 */

/** Selects whether the agent with this id is active. */
export const isActiveAgent = (id: SQLWrapper): SQL<boolean> =>
  sql<boolean>`exists (select from ${agents} where ${agents.id} = ${id} and ${agents.status} = 'active')`

/** Selects the owner of the agent with this id. */
export const ownerOfAgent = (id: SQLWrapper): SQL<Wallet> =>
  sql<Wallet>`(select ${agents.pubkey} from ${agents} where ${agents.id} = ${id})`

/** Selects the name of the agent with this id, which it keeps; null for a null id. */
export const nameOfAgent = (id: SQLWrapper): SQL<string> =>
  sql<string>`(select ${agents.name} from ${agents} where ${agents.id} = ${id})`

/** Selects the endpoint of the agent with this id; null if it has none. */
export const endpointOf = (id: SQLWrapper): SQL<string | null> =>
  sql<string | null>`(select ${agents.apiEndpoint} from ${agents} where ${agents.id} = ${id})`

/** Selects the id of a hire's agent. */
export const agentOfHire = (hireId: SQLWrapper): SQL<string> =>
  sql<string>`(select ${hires.agentId} from ${hires} where ${hires.id} = ${hireId})`

/** Selects whether the wallet owns the agent with this id; false for a null id. */
export const isOwnedBy = (agentId: SQLWrapper, wallet: SQLWrapper): SQL<boolean> =>
  sql<boolean>`exists (select from ${agents} where ${agents.id} = ${agentId} and ${agents.pubkey} = ${wallet})`

/**
 * Selects what the agent with this id lacks to sell requests (`request_needs` of schema/functions).
 * @param fee X402_FEE: the least debit of credit for a payment
 */
export const requestNeedsOf = (id: SQLWrapper, fee: SQLWrapper): SQL<SellingNeed[]> =>
  sql<SellingNeed[]>`${sql.identifier(API_SCHEMA)}.request_needs(${id}, ${fee})`

/**
 * Counts the distinct layers of a range that a wallet's active agents serve. A quota limits active agents, so
 * the count is cheap.
 */
export const layersServedBy = (wallet: SQLWrapper, layers: { first: number; last: number }): SQL<number> =>
  sql`(
    select count(distinct layer) from ${agents}, unnest(${agents.supportedLayers}) as layer
    where ${agents.pubkey} = ${wallet} and ${agents.status} = 'active'
      and layer between ${layers.first} and ${layers.last})`.mapWith(Number) as SQL<number>

/**
 * Selects whether an active agent with this endpoint is listed beyond a time, or without an end (release
 * 1.0.0 wrote such rows).
 */
export const isNamedByUsed = (
  { url, protocol }: { url: SQLWrapper; protocol: SQLWrapper },
  after: SQLWrapper,
): SQL<boolean> => {
  const exists = (condition: SQL) => sql`exists (select from ${agents}
    where md5(${agents.apiEndpoint}) = md5(${url}) and ${agents.apiProtocol} = ${protocol} and ${agents.status} = 'active'
      and ${condition})`
  // Two ranges of agents_by_endpoint; a single condition with OR would not use the index.
  return sql<boolean>`(${exists(sql`${agents.listedUntil} > ${after}`)} or ${exists(sql`${agents.listedUntil} is null`)})`
}

/** Makes a subquery of an agent: its owner, its endpoint, and whether it is active. */
export const agentOf = (db: Builder, id: SQLWrapper) =>
  db
    .select({
      id: agents.id,
      owner: sql<Wallet>`${agents.pubkey}`.as('agent_owner'),
      apiEndpoint: agents.apiEndpoint,
      isActive: sql<boolean>`(${agents.status} = 'active')`.as('is_agent_active'),
    })
    .from(agents)
    .where(eq(agents.id, id))
    .as('agent')

/** Makes a subquery of agents' webhooks: owner, URL, and since when and why disabled. */
export const webhooks = (db: Builder) =>
  db
    .select({
      agentId: agents.id,
      wallet: agents.pubkey,
      url: sql<string>`${agents.webhookUrl}`.as('url'),
      disabledAt: agents.webhookDisabledAt,
      disabledReason: agents.webhookDisabledReason,
      createdAt: agents.registeredAt,
    })
    .from(agents)
    .where(isNotNull(agents.webhookUrl))
    .as('webhook')

/**
 * Makes a subquery of the agent with this id, if it is active, for a lateral join. Its limit keeps the
 * planner from reading all agents.
 */
export const activeAgent = (db: Builder, id: SQLWrapper) =>
  db
    .select({
      owner: agents.pubkey,
      name: sql<string>`${agents.name}`.as('agent_name'),
      reputationScore: agents.reputationScore,
      apiEndpoint: agents.apiEndpoint,
      apiProtocol: agents.apiProtocol,
    })
    .from(agents)
    .where(and(eq(agents.id, id), eq(agents.status, 'active')))
    .limit(1)
    .as('active_agent')
