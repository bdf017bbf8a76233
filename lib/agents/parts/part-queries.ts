import { isNotNull, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { agents } from '../../../schema/tables/agents.ts'
import { hires } from '../../../schema/tables/hires.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import type { Builder } from '../../db/builder.ts'

/*
 * Parts for other groups' statements, apart from our own statements, so that a Worker which needs one carries
 * none of those.
 */

/** Whether an agent has this id, as a condition of another group's select. */
export const isAgent = (id: SQLWrapper): SQL<boolean> =>
  sql<boolean>`exists (select from ${agents} where ${agents.id} = ${id})`

/** Whether the agent with this id is active, as a column of another group's select. */
export const isActiveAgent = (id: SQLWrapper): SQL<boolean> =>
  sql<boolean>`exists (select from ${agents} where ${agents.id} = ${id} and ${agents.status} = 'active')`

/** The owner of the agent with this id, as a column of another group's select. */
export const ownerOfAgent = (id: SQLWrapper): SQL<Wallet> =>
  sql<Wallet>`(select ${agents.pubkey} from ${agents} where ${agents.id} = ${id})`

/** The id of a hire's agent, as a value of another group's statement. */
export const agentOfHire = (hireId: SQLWrapper): SQL<string> =>
  sql<string>`(select ${hires.agentId} from ${hires} where ${hires.id} = ${hireId})`

/** Whether the wallet owns the agent of this id (a null id: no), as a column of another group's select. */
export const isOwnedBy = (agentId: SQLWrapper, wallet: SQLWrapper): SQL<boolean> =>
  sql<boolean>`exists (select from ${agents} where ${agents.id} = ${agentId} and ${agents.pubkey} = ${wallet})`

/**
 * How many distinct layers of a range a wallet's active agents serve, as a column of another group's select.
 * How many agents a wallet can have active is limited, so this is no sum over history.
 */
export const layersServedBy = (wallet: SQLWrapper, layers: { first: number; last: number }): SQL<number> =>
  sql`(
    select count(distinct layer) from ${agents}, unnest(${agents.supportedLayers}) as layer
    where ${agents.pubkey} = ${wallet} and ${agents.status} = 'active'
      and layer between ${layers.first} and ${layers.last})`.mapWith(Number) as SQL<number>

/**
 * Whether an active agent that names an endpoint is listed beyond a time, or for good by release 1.0.0, as a
 * column of another group's select.
 */
export const isNamedByUsed = (
  { url, protocol }: { url: SQLWrapper; protocol: SQLWrapper },
  after: SQLWrapper,
): SQL<boolean> => {
  const exists = (condition: SQL) => sql`exists (select from ${agents}
    where md5(${agents.apiEndpoint}) = md5(${url}) and ${agents.apiProtocol} = ${protocol} and ${agents.status} = 'active'
      and ${condition})`
  // Each a range of agents_by_endpoint: of one with OR neither is.
  return sql<boolean>`(${exists(sql`${agents.listedUntil} > ${after}`)} or ${exists(sql`${agents.listedUntil} is null`)})`
}

/** The webhooks of agents: whose, at which URL, and since when and why disabled. */
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
