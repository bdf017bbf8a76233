import { and, eq, sql } from 'drizzle-orm'
import { webhookEndpoints } from '../../../schema/tables/webhook-endpoints.ts'
import { webhookTargets } from '../../../schema/tables/webhook-targets.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import type { EventType } from '../../../schema/wire/event-types/table.ts'
import { columnsOf, hasRows } from '../../db/columns.ts'
import type { Db } from '../../db/connect.ts'
import { optional, statement } from '../../db/statement.ts'
import { releaseHeld } from '../outbox/held-queries.ts'
import { isTargetOf } from '../target-queries.ts'
import type { StoredEndpoint } from './create-queries.ts'
import { isOwnWebhook, ownColumns, targetColumns } from './endpoint-queries.ts'
import { idsOf, unownedAgents } from './unowned-queries.ts'

/** What changes of an endpoint: undefined keeps a value, null clears it. */
export type EndpointChange = {
  url?: string | undefined
  description?: string | null | undefined
  eventTypes?: EventType[] | undefined
  agentIds?: string[] | undefined
  enabled?: boolean | undefined
}

type Sets = { [Field in Exclude<keyof EndpointChange, 'enabled'>]-?: boolean } & {
  enabled: 'yes' | 'no' | 'as it is'
}

/** Whether the endpoint is another from now on: what failed before says nothing of it. */
const isSetAnew = ({ url, enabled }: Sets): boolean => url || enabled === 'yes'

const ENABLED = { disabledAt: null, disabledReason: null }

const endpointUpdate = statement(
  {
    id: webhookEndpoints.id,
    wallet: webhookEndpoints.wallet,
    url: optional(webhookEndpoints.url),
    description: webhookEndpoints.description,
    eventTypes: 'text[]',
    agentIds: 'uuid[]',
    now: 'timestamptz',
  },
  (db, $, sets: Sets) => {
    const unowned = unownedAgents(db, $)
    const paused = {
      disabledAt: sql`coalesce(${webhookEndpoints.disabledAt}, ${$.now})`,
      disabledReason: PAUSED,
    }
    const changed = db.$with('changed').as(
      db
        .update(webhookEndpoints)
        .set({
          ...(sets.url ? { url: $.url } : {}),
          ...(sets.description ? { description: $.description } : {}),
          ...(sets.eventTypes ? { eventTypes: $.eventTypes } : {}),
          ...(sets.agentIds ? { agentIds: $.agentIds } : {}),
          ...(sets.enabled === 'yes' ? ENABLED : sets.enabled === 'no' ? paused : {}),
          setAt: isSetAnew(sets) ? $.now : sql`${webhookEndpoints.setAt}`,
        })
        .where(
          and(
            eq(webhookEndpoints.id, $.id),
            eq(webhookEndpoints.wallet, $.wallet),
            sql`not ${hasRows(unowned)}`,
          ),
        )
        .returning(ownColumns),
    )
    const released = isSetAnew(sets) ? [releaseHeld(db, { changed, now: $.now })] : []
    return db
      .with(unowned, changed, ...released)
      .select({
        unowned: idsOf(unowned),
        isWebhook: isOwnWebhook(db, $),
        changed: columnsOf(changed),
        target: targetColumns,
      })
      .from(sql`(select) as once`)
      .leftJoin(changed, sql`true`)
      .leftJoin(webhookTargets, isTargetOf(changed))
  },
)

const PAUSED = sql`'paused'`

/**
 * Changes an endpoint that the wallet has made.
 * @returns no endpoint when there is none; `isWebhook`: it is the webhook of one of the wallet's agents
 */
export async function updateEndpoint(
  db: Db,
  { id, wallet, now }: { id: string; wallet: Wallet; now: Date },
  change: EndpointChange,
): Promise<StoredEndpoint & { isWebhook: boolean }> {
  const { enabled, eventTypes = [], agentIds = [], ...texts } = change
  const [row] = await endpointUpdate.run(
    db,
    { id, wallet, now, eventTypes, agentIds, ...texts },
    {
      url: change.url !== undefined,
      description: change.description !== undefined,
      eventTypes: change.eventTypes !== undefined,
      agentIds: change.agentIds !== undefined,
      enabled: enabled === undefined ? 'as it is' : enabled ? 'yes' : 'no',
    },
  )
  const { unowned = [], isWebhook = false, changed = null, target = null } = row ?? {}
  return { unowned, isWebhook, endpoint: changed ? { ...changed, kind: 'wallet', target } : undefined }
}
