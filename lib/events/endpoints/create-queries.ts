import { sql } from 'drizzle-orm'
import { webhookEndpoints } from '../../../schema/tables/webhook-endpoints.ts'
import { webhookTargets } from '../../../schema/tables/webhook-targets.ts'
import { columnsOf, hasRows, names } from '../../db/columns.ts'
import type { Db } from '../../db/connect.ts'
import { statement } from '../../db/statement.ts'
import { takeWebhookEndpointPlace } from '../../quotas/queries.ts'
import { isTargetOf } from '../target-queries.ts'
import { type EndpointRow, ownColumns, targetColumns } from './endpoint-queries.ts'
import { idsOf, unownedAgents } from './unowned-queries.ts'

const inserted = {
  id: webhookEndpoints.id,
  wallet: webhookEndpoints.wallet,
  url: webhookEndpoints.url,
  description: webhookEndpoints.description,
  eventTypes: webhookEndpoints.eventTypes,
  agentIds: webhookEndpoints.agentIds,
  secret: webhookEndpoints.secret,
}

const endpointInsert = statement({ ...inserted, now: 'timestamptz' }, (db, $) => {
  const unowned = unownedAgents(db, $)
  const place = takeWebhookEndpointPlace(db, { wallet: $.wallet, isWanted: sql`not ${hasRows(unowned)}` })
  const values = Object.keys(inserted).map((key) => sql`${$[key as keyof typeof inserted]}`)
  const { createdAt, setAt } = webhookEndpoints
  const created = db.$with('created', ownColumns).as(sql`
    insert into ${webhookEndpoints} (${names(...Object.values(inserted), createdAt, setAt)})
    select ${sql.join(values, sql`, `)}, ${$.now}, ${$.now} from ${place}
    returning ${names(...Object.values(ownColumns))}`)
  return db
    .with(unowned, place, created)
    .select({ unowned: idsOf(unowned), created: columnsOf(created), target: targetColumns })
    .from(sql`(select) as once`)
    .leftJoin(created, sql`true`)
    .leftJoin(webhookTargets, isTargetOf(created))
})

/** What came of storing an endpoint, or changing one. */
export type StoredEndpoint = {
  endpoint: EndpointRow | undefined
  /** The ids among `agentIds` that are of no agent of the wallet: then nothing was stored. */
  unowned: string[]
}

/**
 * Stores a new endpoint, which takes one of its wallet's places.
 * @returns no endpoint when the wallet has no place
 */
export async function insertEndpoint(
  db: Db,
  endpoint: Parameters<typeof endpointInsert.run>[1],
): Promise<StoredEndpoint> {
  const [row] = await endpointInsert.run(db, endpoint)
  const { unowned = [], created = null, target = null } = row ?? {}
  return { unowned, endpoint: created ? { ...created, kind: 'wallet', target } : undefined }
}
